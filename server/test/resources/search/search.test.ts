import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsOf, invalidFields } from '../../support/envelope.ts'
import { type Api, created, sharedServer, type World } from '../../support/world.ts'

const { newWorld } = await sharedServer()

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a hit by asserting it
type Hit = Record<string, any>

const asked = (query: Record<string, string | number>) =>
  `/search?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`

/** What a search answers, by kind. */
async function search({ get }: Api, query: Record<string, string | number>): Promise<Record<string, Hit[]>> {
  const { status, body, text } = await get(asked(query))
  assert.equal(status, 200, text)
  return Object.fromEntries(body.groups.map(({ kind, hits }: { kind: string; hits: Hit[] }) => [kind, hits]))
}

/** The ids of what it answers, by kind. */
async function found(api: Api, q: string, more: Record<string, string | number> = {}) {
  const groups = await search(api, { q, limit: 50, ...more })
  return Object.fromEntries(Object.entries(groups).map(([kind, hits]) => [kind, hits.map(({ id }) => id)]))
}

const marked = ({ snippet: { text, matches } }: Hit) =>
  matches.map(({ start, end }: { start: number; end: number }) => text.slice(start, end))

const comment = ({ owner }: World, taskId: string, body: string) =>
  created(owner.post(`/tasks/${taskId}/comments`, { body }))

/** One of each kind that holds the word, in a project of its own. */
async function oneOfEachKind(world: World, word: string, key?: string) {
  const project = await world.project({
    name: `Project ${word}`,
    description: `About ${word}.`,
    ...(key ? { key } : {}),
  })
  const task = await world.task({ projectId: project.id, name: `Task ${word}` })
  const subtask = await world.subtask(task.id, { name: `Step ${word}` })
  const said = await comment(world, task.id, `Said of ${word}`)
  const onTask = await world.timeEntry({ taskId: task.id, description: `Worked on ${word}` })
  const onSubtask = await world.timeEntry({ subtaskId: subtask.id, description: `Stepped on ${word}` })
  return { project, task, subtask, comment: said, onTask, onSubtask }
}

const allOf = ({ project, task, subtask, comment, onTask, onSubtask }: Awaited<ReturnType<typeof oneOfEachKind>>) => ({
  ...{ task: [task.id], project: [project.id], subtask: [subtask.id], comment: [comment.id] },
  time_entry: [onSubtask.id, onTask.id],
})

test('a search finds tasks, projects, subtasks, comments and time, each with the fields to show and open it', async () => {
  const world = await newWorld()
  const { owner } = world
  const { project, task, subtask, comment: said, onTask, onSubtask } = await oneOfEachKind(world, 'Zürich', 'ZRH')
  const inProject = { id: project.id, key: 'ZRH', name: 'Project Zürich' }
  const ofTask = { id: task.id, key: 'ZRH-1', name: 'Task Zürich' }
  const whole = { cutBefore: false, cutAfter: false }
  const by = { memberId: owner.memberId }
  const { status, body } = await owner.get('/search?q=zurich')
  assert.equal(status, 200)
  const hit = (kind: string, { id, createdAt }: Hit, field: string, text: string, more: object = {}) => {
    const start = text.indexOf('Zürich')
    const snippet = { field, text, matches: [{ start, end: start + 6 }], ...whole }
    return {
      kind,
      id,
      key: null,
      name: null,
      project: inProject,
      task: ofTask,
      memberId: null,
      createdAt,
      snippet,
      ...more,
    }
  }
  const own = (key: string, name: string) => ({ key, name, task: null })
  assert.deepEqual(body, {
    groups: [
      {
        kind: 'task',
        hits: [hit('task', task, 'name', 'Task Zürich', own('ZRH-1', 'Task Zürich'))],
        nextCursor: null,
      },
      {
        kind: 'project',
        hits: [hit('project', project, 'name', 'Project Zürich', own('ZRH', 'Project Zürich'))],
        nextCursor: null,
      },
      {
        kind: 'subtask',
        hits: [hit('subtask', subtask, 'name', 'Step Zürich', { name: 'Step Zürich' })],
        nextCursor: null,
      },
      { kind: 'comment', hits: [hit('comment', said, 'body', 'Said of Zürich', by)], nextCursor: null },
      {
        kind: 'time_entry',
        hits: [
          hit('time_entry', onSubtask, 'description', 'Stepped on Zürich', by),
          hit('time_entry', onTask, 'description', 'Worked on Zürich', by),
        ],
        nextCursor: null,
      },
    ],
  })
})

test('a kind without hits is left out, and a search without any hit has a short response', async () => {
  const world = await newWorld()
  const { task } = await oneOfEachKind(world, 'fence')
  await world.owner.patch(`/tasks/${task.id}`, { name: 'Post' })
  assert.deepEqual(await found(world.owner, 'post'), { task: [task.id] })
  assert.equal((await world.owner.get('/search?q=absent')).text, '{"groups":[]}')
})

test('the query works as in GET /tasks: all words, in any case and accents, phrases, minus, or, and word beginnings', async () => {
  const world = await newWorld()
  const { id: projectId } = await world.project()
  const task = await world.task({ projectId })
  const says = async (...bodies: string[]) => {
    const made = []
    for (const body of bodies) made.push((await comment(world, task.id, body)).id)
    return made
  }
  const [cafe, door, both] = await says('Le Café est là', 'The door is open', 'The café door; the ﬁnal one')
  const cases: Record<string, string[]> = {
    CAFE: [both, cafe],
    'cafe door': [both],
    '"cafe door"': [both],
    '"door cafe"': [],
    'cafe -door': [cafe],
    'cafe -"cafe door"': [cafe],
    'est or open': [door, cafe],
    final: [both],
    'ca*': [both, cafe],
    'op* or l*': [door, cafe],
    caf: [],
  }
  for (const [q, ids] of Object.entries(cases))
    assert.deepEqual(await found(world.owner, q, { kinds: 'comment' }), ids.length > 0 ? { comment: ids } : {}, q)
})

test('the words of a query can be in the name and the description, and the piece shows most of them', async () => {
  const world = await newWorld()
  const { id: projectId } = await world.project({ name: 'Garden', description: 'The fence of the garden' })
  const { id } = await world.task({
    projectId,
    name: 'Paint',
    description: `${'Long before. '.repeat(40)}The red fence.`,
  })
  const both = await search(world.owner, { q: 'garden fence or paint fence' })
  const [task, project] = [both.task?.[0], both.project?.[0]]
  assert.deepEqual([task?.id, project?.id], [id, projectId])
  assert.deepEqual(
    [task?.snippet.field, project?.snippet.field, marked(project ?? {})],
    ['name', 'description', ['fence', 'garden']],
  )
  const red = (await search(world.owner, { q: 'red fence' })).task?.[0]
  assert.deepEqual([red?.snippet.field, red?.snippet.cutBefore, red?.snippet.cutAfter], ['description', true, false])
  assert.deepEqual(marked(red ?? {}), ['red', 'fence'])
  assert.ok(red?.snippet.text.length <= 160 && red?.snippet.text.endsWith('The red fence.'))
})

test('the key of a task in any case finds that task first, and the key of a project finds the project', async () => {
  const world = await newWorld()
  const { id: projectId } = await world.project({ key: 'WEB' })
  const first = await world.task({ projectId, name: 'One' })
  const second = await world.task({ projectId, name: 'Like WEB-1' })
  const third = await world.task({ projectId, name: 'After WEB-1' })
  for (const q of ['WEB-1', 'web-1', ' Web-1 ']) {
    const { task = [] } = await search(world.owner, { q })
    assert.deepEqual(
      task.map(({ id }) => id),
      [first.id, third.id, second.id],
      q,
    )
    assert.deepEqual(task[0]?.snippet, {
      ...{ field: 'key', text: 'WEB-1', matches: [{ start: 0, end: 5 }], cutBefore: false, cutAfter: false },
    })
  }
  assert.deepEqual(await found(world.owner, 'web', { kinds: 'project' }), { project: [projectId] })
  // page by page it comes once
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await world.owner.get(`${asked({ q: 'web-1', kinds: 'task', limit: 1 })}${cursor}`)
    const [group] = body.groups
    seen.push(...group.hits.map(({ id }: Hit) => id))
    if (group.nextCursor === null) break
    cursor = `&cursor=${group.nextCursor}`
  }
  assert.deepEqual(seen, [first.id, third.id, second.id])
  assert.deepEqual(await found(world.member, 'web-1'), {})
  await world.owner.delete(`/tasks/${first.id}`)
  assert.deepEqual(await found(world.owner, 'web-1'), { task: [third.id, second.id] })
})

test('kinds chooses the kinds to search, projectId the projects, limit the number of hits of each kind', async () => {
  const world = await newWorld()
  const [one, other] = [await oneOfEachKind(world, 'fence'), await oneOfEachKind(world, 'fence')]
  const all = await found(world.owner, 'fence')
  assert.deepEqual(await found(world.owner, 'fence', { kinds: 'comment,task' }), {
    task: all.task,
    comment: all.comment,
  })
  assert.deepEqual(await found(world.owner, 'fence', { kinds: 'time_entry' }), { time_entry: all.time_entry })
  assert.deepEqual(await found(world.owner, 'fence', { projectId: one.project.id }), allOf(one))
  assert.deepEqual(await found(world.owner, 'fence', { projectId: `${one.project.id},${other.project.id}` }), all)
  assert.deepEqual(await found(world.owner, 'fence', { limit: 1 }), {
    ...allOf(other),
    time_entry: [other.onSubtask.id],
  })
})

test('the cursor of a kind continues that kind, and no other', async () => {
  const world = await newWorld()
  const { id: projectId } = await world.project()
  const made = []
  for (let i = 0; i < 7; i++) made.unshift((await world.task({ projectId, name: `fence ${i}` })).id)
  const { body } = await world.owner.get(asked({ q: 'fence' }))
  const [{ hits, nextCursor }] = body.groups
  assert.deepEqual(
    hits.map(({ id }: Hit) => id),
    made.slice(0, 5),
  )
  const rest = await world.owner.get(asked({ q: 'fence', kinds: 'task', cursor: nextCursor }))
  assert.deepEqual(
    rest.body.groups[0].hits.map(({ id }: Hit) => id),
    made.slice(5),
  )
  assert.equal(rest.body.groups[0].nextCursor, null)
  for (const kinds of [undefined, 'task,comment', 'comment'])
    assert.deepEqual(
      invalidFields(await world.owner.get(asked({ q: 'fence', cursor: nextCursor, ...(kinds ? { kinds } : {}) }))),
      ['cursor'],
    )
})

test('a search does not find deleted items or their contents, and finds restored ones again', async () => {
  const world = await newWorld()
  const { owner } = world
  const made = await oneOfEachKind(world, 'fence')
  const all = allOf(made)
  const paths: [path: string, left: object][] = [
    [`/time-entries/${made.onTask.id}`, { ...all, time_entry: [made.onSubtask.id] }],
    [
      `/comments/${made.comment.id}`,
      { task: all.task, project: all.project, subtask: all.subtask, time_entry: all.time_entry },
    ],
    [
      `/subtasks/${made.subtask.id}`,
      { task: all.task, project: all.project, comment: all.comment, time_entry: [made.onTask.id] },
    ],
    [`/tasks/${made.task.id}`, { project: all.project }],
    [`/projects/${made.project.id}`, {}],
  ]
  for (const [path, left] of paths) {
    assert.equal((await owner.delete(path)).status, 204)
    assert.deepEqual(await found(owner, 'fence'), left, path)
    assert.equal((await owner.post(`${path}/restore`)).status, 200)
    assert.deepEqual(await found(owner, 'fence'), all, path)
  }
})

test('an updated item is found by its new words, and no longer by its old ones', async () => {
  const world = await newWorld()
  const { owner } = world
  const { project, task, subtask, comment: said, onTask } = await oneOfEachKind(world, 'fence')
  const edits: [path: string, body: object, kind: string, id: string][] = [
    [`/projects/${project.id}`, { description: 'gate', name: 'Gate' }, 'project', project.id],
    [`/tasks/${task.id}`, { name: 'gate' }, 'task', task.id],
    [`/subtasks/${subtask.id}`, { name: 'gate' }, 'subtask', subtask.id],
    [`/comments/${said.id}`, { body: 'gate' }, 'comment', said.id],
    [`/time-entries/${onTask.id}`, { description: 'gate' }, 'time_entry', onTask.id],
  ]
  for (const [path, body, kind, id] of edits) {
    assert.equal((await owner.patch(path, body)).status, 200)
    assert.deepEqual(await found(owner, 'gate', { kinds: kind }), { [kind]: [id] }, path)
    assert.ok(!(await found(owner, 'fence'))[kind]?.includes(id), path)
  }
  assert.equal((await owner.patch(`/time-entries/${onTask.id}`, { description: null })).status, 200)
  assert.deepEqual(await found(owner, 'gate', { kinds: 'time_entry' }), {})
  assert.equal((await owner.patch(`/time-entries/${onTask.id}`, { description: 'fence again' })).status, 200)
  assert.ok((await found(owner, 'fence again')).time_entry?.includes(onTask.id))
})

test('time that moves to another project is found there, by callers who see that project', async () => {
  const world = await newWorld()
  const [from, to] = [await oneOfEachKind(world, 'fence'), await oneOfEachKind(world, 'post')]
  await world.addToProject(to.project.id, world.member)
  assert.deepEqual(await found(world.member, 'fence'), {})
  assert.equal((await world.owner.patch(`/time-entries/${from.onTask.id}`, { taskId: to.task.id })).status, 200)
  assert.deepEqual(await found(world.member, 'fence'), { time_entry: [from.onTask.id] })
  assert.deepEqual(await found(world.owner, 'fence', { projectId: to.project.id }), { time_entry: [from.onTask.id] })
  const [hit] = (await search(world.member, { q: 'fence' })).time_entry ?? []
  assert.deepEqual([hit?.project.id, hit?.task.id], [to.project.id, to.task.id])
})

test('a member finds items of its own projects, and nobody finds items of another organization', async () => {
  const [world, elsewhere] = [await newWorld(), await newWorld()]
  const [mine, hidden] = [await oneOfEachKind(world, 'fence'), await oneOfEachKind(world, 'fence')]
  await world.addToProject(mine.project.id, world.member, 'viewer')
  assert.deepEqual(await found(world.member, 'fence'), allOf(mine))
  assert.deepEqual(await found(world.member, 'fence', { projectId: hidden.project.id }), {})
  assert.deepEqual(await found(elsewhere.owner, 'fence'), {})
  assert.deepEqual(await found(elsewhere.owner, 'fence', { projectId: mine.project.id }), {})
  assert.equal((await world.owner.delete(`/projects/${mine.project.id}/members/${world.member.memberId}`)).status, 204)
  assert.deepEqual(await found(world.member, 'fence'), {})
})

test('one letter is a word; a query without words finds nothing; only exclusions, or an empty query, get 422', async () => {
  const world = await newWorld()
  await oneOfEachKind(world, 'x', 'XRAY')
  assert.equal((await found(world.owner, 'x')).comment?.length, 1)
  for (const q of ['-', '🚀', '"', '"-"', '*', '...']) assert.deepEqual(await found(world.owner, q), {}, q)
  for (const q of ['-x', '-"x y" -z', 'x or -task']) {
    const { fieldErrors } = detailsOf(await world.owner.get(asked({ q })))
    assert.deepEqual(fieldErrors.q, ['Must contain a word to search for, not only excluded words'], q)
  }
  for (const q of ['', '   ', '\u0301', 'x '.repeat(200)])
    assert.deepEqual(invalidFields(await world.owner.get(asked({ q }))), ['q'], q)
  assert.deepEqual(invalidFields(await world.owner.get('/search')), ['q'])
  assert.deepEqual(await found(world.owner, 'x '.repeat(127).trim()), await found(world.owner, 'x'))
  assert.deepEqual(await found(world.owner, `🚀 x 🚀`), await found(world.owner, 'x'))
})

test('an unknown kind or an invalid limit gets 422', async () => {
  const { owner } = await newWorld()
  assert.deepEqual(invalidFields(await owner.get(asked({ q: 'x', kinds: 'tag' }))), ['kinds'])
  assert.deepEqual(invalidFields(await owner.get(asked({ q: 'x', kinds: 'task,task' }))), ['kinds'])
  for (const limit of [0, 51, 'a'])
    assert.deepEqual(invalidFields(await owner.get(asked({ q: 'x', limit }))), ['limit'])
  assert.deepEqual(detailsOf(await owner.get(asked({ q: 'x', kind: 'task' }))).formErrors, ['Unknown parameter: kind'])
})
