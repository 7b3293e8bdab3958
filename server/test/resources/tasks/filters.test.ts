import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Api, sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

interface Item {
  id: string
  name: string
}

/** The names of all tasks that a query selects, walked by cursor two by two, in alphabetical order. */
async function select({ get }: Api, query: string): Promise<string> {
  const names: string[] = []
  const ids = new Set<string>()
  for (let cursor = ''; ; ) {
    const { status, text, body } = await get(`/tasks?limit=2&${query}${cursor && `&cursor=${cursor}`}`)
    assert.equal(status, 200, `${query}: ${text}`)
    for (const { id, name } of body.data as Item[]) {
      assert.ok(!ids.has(id), `${query}: ${name} came twice`)
      ids.add(id)
      names.push(name)
    }
    cursor = body.pagination.nextCursor ?? ''
    if (cursor === '') return names.toSorted().join('')
  }
}

/** Tasks a to f in two projects, which differ in all that can be filtered by. */
async function sixTasks() {
  const world = await newWorld()
  const { owner, admin, project, workspace, stages, task, tag, taskType } = world
  const [one, two] = [await project({ key: 'ONE' }), await project({ key: 'TWO' })]
  const board = await workspace()
  const [open, done] = await stages(board.id)
  await owner.patch(`/stages/${done.id}`, { category: 'done' })
  const [red, blue, bug] = [await tag(), await tag(), await taskType()]
  const [mine, theirs] = [owner.memberId, admin.memberId]
  const make = (projectId: string, name: string, fields: object = {}) => task({ projectId, name, ...fields })
  const made = [
    await make(one.id, 'a', { stageId: open.id, tagIds: [red.id], dueDate: '2026-01-10', assigneeIds: [mine] }),
    await make(one.id, 'b', { stageId: done.id, tagIds: [red.id, blue.id], dueDate: '2026-01-11', typeId: bug.id }),
    await make(one.id, 'c', { stageId: open.id, priority: 'high', assigneeIds: [mine, theirs] }),
    await make(two.id, 'd', { stageId: done.id, tagIds: [blue.id], assigneeIds: [theirs] }),
    await make(two.id, 'e', { priority: 'high', dueDate: '2026-01-12', typeId: bug.id }),
    await make(two.id, 'f'),
  ]
  return { ...world, one, two, board, open, done, red, blue, bug, theirs, made }
}

test('each filter returns the tasks that match it, and several together return the tasks that match all of them', async () => {
  const { owner, one, two, board, open, done, red, blue, bug, theirs, made } = await sixTasks()
  const [, , c] = made
  const changed = await owner.patch(`/tasks/${made[0].id}`, { estimateSeconds: 60 })
  const expected: Record<string, string> = {
    [`projectId=${one.id}`]: 'abc',
    [`workspaceId=${board.id}`]: 'abcd',
    [`stageId=${open.id}`]: 'ac',
    'stageCategory=done': 'bd',
    'stageCategory=todo': 'ac',
    'stageCategory=doing': '',
    'assigneeId=me': 'ac',
    [`assigneeId=${theirs}`]: 'cd',
    'assigneeId=none': 'bef',
    [`tagId=${red.id}`]: 'ab',
    [`tagId=${red.id}&tagId=${blue.id}`]: 'b',
    [`tagId=${red.id},${blue.id}`]: 'b',
    [`tagId=${red.id}&anyTagId=${red.id},${blue.id}&assigneeId=me`]: 'a',
    [`anyTagId=${blue.id}`]: 'bd',
    [`anyTagId=${red.id}&anyTagId=${blue.id}`]: 'abd',
    [`anyTagId=${red.id},${blue.id}&projectId=${two.id}`]: 'd',
    [`projectId=${one.id},${two.id}`]: 'abcdef',
    [`projectId=${one.id},${two.id}&priority=high`]: 'ce',
    'workspaceId=none': 'ef',
    [`workspaceId=${board.id},none&projectId=${two.id}`]: 'def',
    [`stageId=${open.id}&stageId=${done.id}`]: 'abcd',
    [`stageId=none,${done.id}`]: 'bdef',
    'stageCategory=todo,done': 'abcd',
    'typeId=none': 'acdf',
    [`typeId=none,${bug.id}`]: 'abcdef',
    [`typeId=${bug.id},${randomUUID()}`]: 'be',
    [`assigneeId=me,${theirs}`]: 'acd',
    [`assigneeId=me&assigneeId=${owner.memberId}`]: 'ac',
    [`assigneeId=none,${theirs}`]: 'bcdef',
    'createdBy=me': 'abcdef',
    [`createdBy=${theirs}`]: '',
    [`createdBy=${theirs},me`]: 'abcdef',
    'priority=none,high': 'abcdef',
    'priority=high&priority=urgent': 'ce',
    'dueDate=2026-01-11': 'b',
    'dueDate=2026-01-10,2026-01-12': 'ae',
    'dueDate=none': 'cdf',
    'dueDate=none,2026-01-10': 'acdf',
    [`id=${c.id}`]: 'c',
    [`id=${made.map(({ id }) => id)}`]: 'abcdef',
    [`id=${c.id},${randomUUID()}&id=${made[0].id.toUpperCase()}`]: 'ac',
    [`typeId=${bug.id}`]: 'be',
    'priority=high': 'ce',
    'priority=none': 'abdf',
    'completed=true': 'bd',
    'completed=false': 'acef',
    'dueBefore=2026-01-11': 'a',
    'dueAfter=2026-01-11': 'be',
    'dueAfter=2026-01-11&dueBefore=2026-01-12': 'b',
    [`createdAfter=${c.createdAt}&createdBefore=2099-12-31T23:59:59Z`]: 'cdef',
    [`createdBefore=${c.createdAt}`]: 'ab',
    [`updatedAfter=${changed.body.updatedAt}`]: 'a',
    'q=b': 'b',
    [`projectId=${two.id}&priority=high`]: 'e',
    [`workspaceId=${board.id}&stageId=${done.id}&completed=true&tagId=${blue.id}&projectId=${one.id}`]: 'b',
    [`projectId=${one.id}&assigneeId=me&dueAfter=2026-01-01&priority=none&stageCategory=todo&q=a`]: 'a',
    [`projectId=${one.id}&stageCategory=done&completed=false`]: '',
    '': 'abcdef',
  }
  for (const [query, names] of Object.entries(expected)) assert.equal(await select(owner, query), names, query)
})

test('an id in a filter that names nothing visible matches nothing, like a random id', async () => {
  const { member, admin, one, board, open, red, bug } = await sixTasks()
  const other = await newWorld()
  const filters = { projectId: one.id, workspaceId: board.id, stageId: open.id, tagId: red.id, typeId: bug.id }
  for (const [name, id] of Object.entries({ ...filters, assigneeId: admin.memberId })) {
    for (const api of [member, other.owner]) {
      assert.equal(await select(api, `${name}=${id}`), '')
      assert.equal(await select(api, `${name}=${randomUUID()}`), '')
    }
  }
})

test('invisible workspaces and stages match nothing, also beside visible ones; one of the organization matches the visible tasks on it', async () => {
  const { member, owner, one, two, addToProject, workspace, stages, task } = await sixTasks()
  await addToProject(one.id, member)
  const boards = {
    own: await workspace({ projectId: one.id }),
    other: await workspace({ projectId: two.id }),
    shared: await workspace(),
    next: await workspace({ projectId: one.id }),
  }
  const [own, other, shared, next] = Object.values(boards).map(({ id }) => id as string)
  for (const [name, projectId, workspaceId] of [
    ['o', one.id, own],
    ['p', two.id, other],
    ['s', one.id, shared],
    ['t', two.id, shared],
    ['u', one.id, next],
  ] as const) {
    await task({ projectId, name, workspaceId })
  }
  const stageOf = async (board = '') => (await stages(board))[0].id
  const expected: [values: (string | undefined)[], seen: string, all: string][] = [
    [[own], 'o', 'o'],
    [[other], '', 'p'],
    [[shared], 's', 'st'],
    [[own, other], 'o', 'op'],
    [[own, next], 'ou', 'ou'],
    [[other, randomUUID()], '', 'p'],
    [[own, shared, next], 'osu', 'ostu'],
    [[own, other, shared], 'os', 'opst'],
  ]
  for (const [values, seen, all] of expected) {
    const firstStages = await Promise.all(values.map((board) => stageOf(board).catch(() => randomUUID())))
    for (const filter of [
      `workspaceId=${values}`,
      `stageId=${firstStages}`,
      `workspaceId=${values}&stageId=${firstStages}`,
    ]) {
      for (const query of [filter, `${filter}&sort=updatedAt`, `${filter}&projectId=${one.id},${two.id}`]) {
        assert.equal(await select(member, query), seen, query)
        assert.equal(await select(owner, query), all, query)
      }
      const report = await member.get(`/reports/tasks?groupBy=project&${filter}`)
      assert.equal(report.body.totals.open, seen.length, filter)
    }
  }
  assert.equal(await select(member, `workspaceId=none,${other},${own}&completed=false`), 'o')
})

test('a malformed, unknown or repeated filter gets 422', async () => {
  const { owner } = await newWorld()
  const id = randomUUID()
  const odd = ['projectId=', 'projectId=x', 'projectId=%00', `projectId=${id}&projectId=${id}`, 'assigneeId=ME']
  odd.push('stageCategory=Done', 'priority=1', 'completed=yes', 'completed=', 'dueBefore=2026-02-30', 'dueAfter=today')
  odd.push('createdAfter=2026-01-01', 'createdAfter=2026-01-01T00:00:00', 'updatedAfter=9999999999999', 'q=', 'q=a&q=b')
  odd.push(
    'createdBefore=99999-01-01T00:00:00Z',
    `tagId=${id}&tagId=${id}`,
    'tagId=',
    'tag=x',
    'include=',
    'include=all',
  )
  odd.push(
    'include=tags&include=tags',
    'include=tags,%00',
    'include=__proto__',
    `tagId=${Array.from({ length: 11 }, randomUUID).join('&tagId=')}`,
    `projectId=${Array.from({ length: 51 }, randomUUID)}`,
    `id=${Array.from({ length: 101 }, randomUUID)}`,
    ...[
      `projectId=${id},${id}`,
      `projectId=${id},${id.toUpperCase()}`,
      `projectId=${id},`,
      `projectId=,`,
      `id=${id}, ${id}`,
    ],
    ...['priority=low,low', 'priority=low,1', 'stageCategory=todo,Done', 'dueDate=2026-02-30', 'dueDate=none,today'],
    ...['createdBy=none', 'tagId=none', 'projectId=none', 'projectId=me', 'anyTagId=', 'completed=true,false'],
  )
  for (const query of odd) assert.equal((await owner.get(`/tasks?${query}`)).status, 422, query)
})

test('include= adds the related data of a task, and no ETag', async () => {
  const { owner, admin, made, red, blue, subtask, timeEntry } = await sixTasks()
  const [, b, c] = made
  const [first, second] = [await subtask(b.id, { name: 'first' }), await subtask(b.id, { name: 'second' })]
  const gone = await subtask(b.id)
  await timeEntry({ taskId: b.id, durationSeconds: 100 })
  await timeEntry({ subtaskId: first.id, durationSeconds: 20 })
  await timeEntry({ subtaskId: gone.id, durationSeconds: 3_000 })
  await owner.delete(`/subtasks/${gone.id}`)
  const { headers, body } = await owner.get(`/tasks/${b.id}?include=tags,subtasks,trackedSeconds,assignees`)
  assert.equal(headers.get('etag'), null)
  const { tags, subtasks, trackedSeconds, assignees, ...own } = body
  assert.deepEqual(own, (await owner.get(`/tasks/${b.id}`)).body)
  assert.deepEqual(
    tags.map(({ id, name }: Item) => [id, name]),
    [red, blue].toSorted((x, y) => (x.id < y.id ? -1 : 1)).map(({ id, name }) => [id, name]),
  )
  assert.deepEqual(subtasks, [first, second])
  assert.deepEqual([trackedSeconds, assignees], [120, []])
  const people = (await owner.get(`/tasks/${c.id}?include=assignees`)).body
  assert.deepEqual(
    people.assignees.map(({ id }: Item) => id),
    [owner.memberId, admin.memberId].toSorted(),
  )
  assert.deepEqual([people.tags, people.subtasks, people.trackedSeconds], [undefined, undefined, undefined])
  assert.equal((await owner.get(`/tasks/${c.id}`)).headers.get('etag'), `"${c.id}.1"`)
})

test('a list with include= adds to each task its own data', async () => {
  const { owner, made, subtask, timeEntry } = await sixTasks()
  const [a, b] = made
  await subtask(a.id, { name: 'of a' })
  await timeEntry({ taskId: b.id, durationSeconds: 60 })
  const { body } = await owner.get('/tasks?include=subtasks,trackedSeconds,tags,assignees')
  const shown = Object.fromEntries(
    body.data.map(
      (task: { name: string; subtasks: Item[]; tags: Item[]; assignees: Item[]; trackedSeconds: number }) => [
        task.name,
        [task.subtasks.map(({ name }) => name).join(), task.tags.length, task.assignees.length, task.trackedSeconds],
      ],
    ),
  )
  assert.deepEqual(shown, {
    a: ['of a', 1, 1, 0],
    b: ['', 2, 0, 60],
    c: ['', 0, 2, 0],
    d: ['', 1, 1, 0],
    e: ['', 0, 0, 0],
    f: ['', 0, 0, 0],
  })
  assert.deepEqual((await owner.get('/tasks?include=tags&q=nothing')).body.data, [])
})

test('a caller reads, updates and deletes a task by its key', async () => {
  const { owner, made } = await sixTasks()
  const [, , , , e] = made
  assert.equal(e.key, 'TWO-2')
  const read = await owner.get('/tasks/TWO-2')
  assert.deepEqual([read.body, read.headers.get('etag')], [e, `"${e.id}.1"`])
  const edited = await owner.patch('/tasks/TWO-2', { name: 'E' }, { 'if-match': `"${e.id}.1"` })
  assert.deepEqual([edited.status, edited.body.id, edited.body.name], [200, e.id, 'E'])
  assert.equal((await owner.post('/tasks/TWO-2/comments', { body: 'x' })).status, 201)
  assert.equal((await owner.delete('/tasks/TWO-2')).status, 204)
  assert.equal((await owner.get('/tasks/TWO-2')).status, 404)
})

test('an unknown, malformed or foreign key, and one of an invisible project, get 404 with the same bytes', async () => {
  const { owner, member } = await sixTasks()
  const other = await newWorld()
  const seen = new Set<string>()
  const ask = async (api: Api, key: string) => {
    for (const { status, text } of [
      await api.get(`/tasks/${key}`),
      await api.patch(`/tasks/${key}`, { name: 'x' }),
      await api.delete(`/tasks/${key}`),
    ]) {
      seen.add(`${status} ${text}`)
    }
  }
  await ask(member, 'ONE-1')
  await ask(other.owner, 'ONE-1')
  for (const key of ['ONE-99', 'ONE-0', 'ONE-01', 'ONE-9999999999', 'ONE-99999999999', 'ONE', '-1', 'ONE-1%00']) {
    await ask(owner, key)
  }
  assert.deepEqual(seen, new Set(['404 {"error":"Not found"}']))
})

test('the key of a deleted project that another one took over names the task of the existing project', async () => {
  const { owner, one, project, task } = await sixTasks()
  await owner.delete(`/projects/${one.id}`)
  assert.equal((await owner.get('/tasks/ONE-1')).status, 404)
  const successor = await project({ key: 'ONE' })
  const { id } = await task({ projectId: successor.id })
  assert.equal((await owner.get('/tasks/ONE-1')).body.id, id)
})
