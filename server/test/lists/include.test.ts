import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import type { Route } from '../../src/operations/route.ts'
import { routes } from '../../src/resources/index.ts'
import { invalidFields } from '../support/envelope.ts'
import { published } from '../support/published.ts'
import { sample } from '../support/rounds.ts'
import { hiddenNouns, referToEach } from '../support/samples.ts'
import { lineOf, startScenes, wordsOf } from '../support/scene.ts'
import { notingStatements } from '../support/sent.ts'
import { type Api, created, type Reply } from '../support/world.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an item by asserting it
type Item = Record<string, any>

const { db, scene, newWorld } = await startScenes()
const { world, open, hidden, ask } = await scene()
await referToEach(world, open)
await referToEach(world, hidden)
assert.equal((await world.owner.post('/timer/start', { subtaskId: open.subtasks, tagIds: [open.tags] })).status, 201)
const stranger = await world.join('Stella Stranger', 'member')

const partsOf = (route: Route) => wordsOf(route, 'include')
const including = routes.filter((route) => partsOf(route).length > 0)
const asking = (as: Api, route: Route, parts: readonly string[]) =>
  ask(as, route, parts.length === 0 ? {} : { query: `?include=${parts}` })
/** The items of a list, those that stand deeper in an answer, or the one. */
function itemsOf({ body }: Reply): Item[] {
  if ('timeEntry' in body) return body.timeEntry === null ? [] : [body.timeEntry]
  if ('stages' in body) return body.stages.flatMap(({ tasks }: Item) => tasks)
  return body.data ?? [body]
}

/** An item without what was included. */
const without = (item: Item, parts: readonly string[]) => {
  // the key with which one asks is noted as used meanwhile
  const names = ['apiKey', ...parts.flatMap((part) => [part, `more${part.charAt(0).toUpperCase()}${part.slice(1)}`])]
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)))
}

test('include adds each part, alone or with all others, to the same item, for all who see the part; a single item has no ETag', async () => {
  assert.ok(including.length >= 11)
  const mine = routes.find((route) => lineOf(route) === 'GET /timer') ?? assert.fail()
  for (const api of [world.owner, world.admin, world.member, stranger]) {
    for (const route of including) {
      const parts = partsOf(route)
      const bare = await asking(api, route, [])
      for (const wanted of [...sample(parts, 3).map((part) => [part]), parts, parts.toReversed()]) {
        const full = await asking(api, route, wanted)
        const what = `${lineOf(route)} ${wanted}`
        assert.equal(full.status, bare.status, what)
        if (bare.status !== 200) continue
        if (!route.isTaggedByBody) assert.equal(full.headers.get('etag'), null, what)
        const items = itemsOf(full)
        assert.deepEqual(
          items.map((item) => without(item, wanted)),
          itemsOf(bare).map((item) => without(item, [])),
          what,
        )
        for (const item of items) for (const part of wanted) assert.ok(part in item, `${what}: no ${part}`)
        if (api === world.owner) assert.ok(items.length > 0, what)
      }
    }
  }
  assert.equal((await ask(stranger, mine)).body.timeEntry, null)
})

/** The same of all routes that answer the same resource. */
const keyOf = (route: Route, part: string) => `${part} of ${partsOf(route)}`

/** Where what is included under a name is read by itself. */
const readAt: Record<string, string> = {
  ...{ task: 'tasks', subtask: 'subtasks', subtasks: 'subtasks', project: 'projects', projects: 'projects' },
  ...{ workspace: 'workspaces', stage: 'stages', type: 'task-types', tags: 'tags', comments: 'comments' },
  ...{ assignee: 'members', assignees: 'members', author: 'members', member: 'members', creator: 'members' },
  subtaskAssignees: 'members',
}

test('an included part shows what reading it shows, without long descriptions, and a person is shown by name only', async () => {
  const compared = new Set<string>()
  for (const route of including) {
    const parts = partsOf(route).filter((part) => part in readAt)
    const items = itemsOf(await asking(world.owner, route, parts))
    for (const part of parts) {
      const named = items.flatMap((item) => item[part] ?? []).slice(0, 3) as Item[]
      for (const one of named) {
        const { body: whole } = await world.owner.get(`/${readAt[part]}/${one.id}`)
        const { description: _, ...brief } = whole
        const names = Object.fromEntries(Object.keys(one).map((field) => [field, whole[field]]))
        const wanted = ['author', 'member', 'creator'].includes(part) ? names : brief
        assert.deepEqual(without(one, ['author']), without(wanted, ['author']), `${lineOf(route)} ${part}`)
        compared.add(keyOf(route, part))
      }
    }
  }
  const all = including.flatMap((route) =>
    partsOf(route)
      .filter((part) => part in readAt)
      .map((part) => keyOf(route, part)),
  )
  assert.deepEqual(
    all.filter((one) => !compared.has(one)),
    [],
  )
})

test('include shows nothing that the caller does not see', async () => {
  const secret = hiddenNouns.flatMap((noun) => hidden[noun] ?? [])
  assert.ok(secret.length >= 6)
  for (const api of [world.member, stranger]) {
    for (const route of including) {
      for (const change of [{}, { things: hidden }]) {
        const { text, status } = await ask(api, route, { ...change, query: `?include=${partsOf(route)}` })
        assert.ok([200, 403, 404].includes(status), text)
        for (const id of secret) assert.ok(!text.includes(id), `${lineOf(route)} shows ${id}: ${text.slice(0, 300)}`)
      }
    }
  }
})

test('no included part has a text longer than a name, except comments', () => {
  let texts = 0
  for (const route of including) {
    const root = published(route.returns) as Item
    const schemas = [...schemasIn(root, root.$defs)]
    const parts = partsOf(route)
    const full = schemas.find(({ properties = {} }) => parts.every((part) => part in properties))
    const { properties } = full ?? assert.fail(lineOf(route))
    for (const part of parts) {
      for (const { type, maxLength = Number.POSITIVE_INFINITY, ...schema } of schemasIn(properties[part], root.$defs)) {
        if (type !== 'string' || schema.enum || schema.format) continue
        assert.ok(maxLength <= 255 || part === 'comments', `${lineOf(route)} ${part}: ${maxLength} characters`)
        texts++
      }
    }
  }
  assert.ok(texts > 50)
})

/** A published schema and all within it. */
function* schemasIn(schema: Item, defs: Record<string, Item>): Generator<Item> {
  if (schema.$ref) return yield* schemasIn(defs[schema.$ref.split('/').at(-1)] ?? assert.fail(schema.$ref), defs)
  yield schema
  const inner = [schema.items ?? [], Object.values(schema.properties ?? {}), schema.anyOf ?? []].flat()
  for (const one of inner) yield* schemasIn(one, defs)
}

test('include takes each of its words once: 422 for unknown words, a repeated word, none, and a second parameter', async () => {
  for (const route of including) {
    const [part = ''] = partsOf(route)
    for (const query of ['nothing', '', `${part},nothing`, `${part},${part}`, `${part}&include=${part}`, '__proto__']) {
      const reply = await ask(world.owner, route, { query: `?include=${query}` })
      assert.deepEqual(invalidFields(reply), ['include'], `${lineOf(route)} ${query}`)
    }
  }
})

test('each included part costs at most one statement, for any number of items', async () => {
  const { task, subtask, timeEntry, owner } = world
  for (let n = 0; n < 8; n++) {
    const { id: taskId } = await task({
      projectId: open.projects ?? '',
      tagIds: [open.tags],
      typeId: open['task-types'],
    })
    const { id: subtaskId } = await subtask(taskId, { assigneeId: open.members })
    await timeEntry({ taskId })
    await timeEntry({ subtaskId, tagIds: [open.tags] })
    await subtask(open.tasks ?? '', { assigneeId: owner.memberId })
    assert.equal((await owner.post(`/tasks/${open.tasks}/comments`, { body: 'Well' })).status, 201)
  }
  const sent = notingStatements(db)
  const statements = async (route: Route, parts: string[]) => {
    let least = Number.POSITIVE_INFINITY
    // in between a key may be looked up anew
    for (let n = 0; n < 3; n++) {
      sent.length = 0
      assert.equal((await asking(owner, route, parts)).status, 200)
      least = Math.min(least, sent.length)
    }
    return least
  }
  // the timer of /me comes with its task and its subtask
  const mostOf = (part: string) => (part === 'timer' ? 3 : 1)
  for (const route of including) {
    const parts = partsOf(route)
    const alone = await statements(route, [])
    for (const part of sample(parts, 3)) {
      const more = (await statements(route, [part])) - alone
      assert.ok(more <= mostOf(part), `${lineOf(route)} ${part} takes ${more} statements`)
    }
    const most = parts.reduce((sum, part) => sum + mostOf(part), 0)
    assert.ok((await statements(route, parts)) - alone <= most, lineOf(route))
  }
})

test('a removed member is still named for what they did, without the address, and is assigned to nothing', async () => {
  const { owner, project, task, subtask, join, addToProject, ...rest } = await newWorld()
  const { id: projectId } = await project()
  const [leaver, idler] = [await join('Lea Leaver', 'member'), await join('Ida Idle', 'member')]
  for (const one of [leaver, idler]) await addToProject(projectId, one)
  const { id: taskId } = await created(
    leaver.post('/tasks', { projectId, name: 'Hers', assigneeIds: [leaver.memberId] }),
  )
  const { id: entryId } = await created(leaver.post('/time-entries', { taskId, durationSeconds: 60 }))
  const { id: stepId } = await subtask(taskId, { assigneeId: leaver.memberId })
  await created(leaver.post(`/tasks/${taskId}/comments`, { body: 'Mine' }))
  await created(idler.post(`/tasks/${taskId}/comments`, { body: 'And mine' }))
  assert.equal((await owner.patch(`/members/${idler.memberId}`, { status: 'deactivated' })).status, 200)
  assert.equal((await owner.delete(`/members/${leaver.memberId}`)).status, 204)
  await addToProject(projectId, rest.member)
  const removed = { id: leaver.memberId, name: 'Lea Leaver', email: null, status: 'removed' }
  for (const api of [owner, rest.member]) {
    const read = async (path: string) => (await api.get(path)).body
    assert.deepEqual((await read(`/time-entries/${entryId}?include=member`)).member, removed)
    const { creator, assignees } = await read(`/tasks/${taskId}?include=creator,assignees`)
    assert.deepEqual([creator, assignees], [removed, []])
    assert.equal((await read(`/subtasks/${stepId}?include=assignee`)).assignee, null)
    const history = (await read(`/tasks/${taskId}/history?include=member`)).data
    assert.deepEqual(history.at(-1).member, removed)
    const [first, second] = (await read(`/tasks/${taskId}/comments?include=author`)).data
    assert.deepEqual(first.author, removed)
    const { email, ...deactivated } = second.author
    assert.deepEqual(deactivated, { id: idler.memberId, name: 'Ida Idle', status: 'deactivated' })
    assert.match(email, /@/)
  }
})

test('a running timer in a project that its member left shows nothing of the project, the task or the subtask', async () => {
  const { owner, member, project, task, subtask, addToProject } = await newWorld()
  const { id: projectId } = await project()
  await addToProject(projectId, member)
  const { id: subtaskId } = await subtask((await task({ projectId })).id)
  await created(member.post('/timer/start', { subtaskId }))
  const read = async () => (await member.get('/timer?include=task,subtask,project,member')).body.timeEntry
  const before = await read()
  assert.deepEqual([before.task.name, before.subtask.id, before.project.id], ['A task', subtaskId, projectId])
  assert.equal((await owner.delete(`/projects/${projectId}/members/${member.memberId}`)).status, 204)
  const after = await read()
  assert.deepEqual([after.task, after.subtask, after.project, after.member.name], [null, null, null, 'Mia Member'])
})

test('a page repeats what its items name, but no long text: a hundred entries on a task of 50,000 characters stay small', async () => {
  const { owner, project, task, subtask } = await newWorld()
  const long = (length: number) => 'x'.repeat(length)
  const { id: projectId } = await project({ description: long(20_000) })
  const { id: taskId } = await task({ projectId, description: long(50_000) })
  const { id: subtaskId } = await subtask(taskId)
  const entry = (n: number) => ({
    ...{ method: 'POST', path: '/time-entries' },
    body: { ...(n % 2 ? { taskId } : { subtaskId }), durationSeconds: 60 },
  })
  const comment = { method: 'POST', path: `/tasks/${taskId}/comments`, body: { body: 'Well' } }
  for (const operations of [
    Array.from({ length: 100 }, (_, n) => entry(n)),
    Array.from({ length: 100 }, () => comment),
  ])
    assert.equal((await owner.post('/bulk', { operations })).status, 200)
  const sizes = [
    `/time-entries?limit=100&include=task,subtask,project,member,tags`,
    `/tasks/${taskId}/comments?limit=100&include=author,task,project`,
  ].map(async (path) => {
    const { body, text } = await owner.get(path)
    assert.equal(body.data.length, 100)
    assert.deepEqual(new Set(body.data.map((item: Item) => item.task.name)), new Set(['A task']))
    return text.length
  })
  for (const size of await Promise.all(sizes)) assert.ok(size < 300_000, `${size}`)
})

test('the members of a project and the projects of a member are those that the caller can list, at most 1,000 on a page', async () => {
  const { orgId, owner, member, project, join, addToProject } = await newWorld()
  const [shared, other, gone] = [await project(), await project(), await project()]
  const zoe = await join('Zoe Zealous', 'member')
  for (const { id } of [shared, other, gone]) await addToProject(id, zoe, 'viewer')
  await addToProject(shared.id, member)
  assert.equal((await owner.delete(`/projects/${gone.id}`)).status, 204)
  const read = async (api: Api, path: string) => (await api.get(path)).body
  const listed = await read(owner, `/projects/${shared.id}/members`)
  const full = await read(member, `/projects/${shared.id}?include=members`)
  assert.deepEqual([full.members, full.moreMembers], [listed.data, undefined])
  const ids = ({ projects }: Item) => projects.map(({ id }: Item) => id)
  assert.deepEqual(ids(await read(owner, `/members/${zoe.memberId}?include=projects`)), [other.id, shared.id])
  assert.deepEqual(ids(await read(member, `/members/${zoe.memberId}?include=projects`)), [shared.id])
  const { data } = await read(member, '/members?include=projects')
  assert.deepEqual(data.map(ids), [[], [shared.id], [shared.id], [shared.id]])

  const now = new Date().toISOString()
  await db.rows(sql`
    with joined as (
      insert into members (org_id, id, name, name_key, email, role, created_at, updated_at)
      select ${orgId}, gen_random_uuid(), 'Extra', 'extra', n || '@example.com', 'member', ${now}, ${now}
      from generate_series(1, 1100) n returning org_id, id)
    insert into project_members (org_id, project_id, member_id, role, created_at, updated_at)
    select org_id, ${shared.id}, id, 'viewer', ${now}, ${now} from joined`)
  await db.rows(sql`
    with made as (
      insert into projects (org_id, id, name, name_key, key, created_at, updated_at)
      select ${orgId}, gen_random_uuid(), 'Extra', 'extra', 'X' || n, ${now}, ${now} from generate_series(1, 20) n
      returning org_id, id),
    added as (select org_id, id, ${zoe.memberId}::uuid as whose from made
      union all select org_id, id, ${member.memberId}::uuid from made)
    insert into project_members (org_id, project_id, member_id, role, created_at, updated_at)
    select org_id, id, whose, 'viewer', ${now}, ${now} from added`)
  const held = ({ members, moreMembers }: Item) => [members.length, moreMembers]
  assert.deepEqual(held(await read(owner, `/projects/${shared.id}?include=members`)), [1_000, true])
  // of 22 projects each shows 45
  const page = (await read(owner, '/projects?include=members')).data as Item[]
  assert.deepEqual(held(page.find(({ id }) => id === shared.id) ?? assert.fail()), [45, true])
  assert.deepEqual(held(page.find(({ id }) => id === other.id) ?? assert.fail()), [3, undefined])
  for (const api of [owner, member]) {
    const people = (await read(api, '/members?limit=100&offset=1010&include=projects')).data as Item[]
    const last = people.at(-1) ?? assert.fail()
    assert.deepEqual([people.length, last.id, last.projects.length, last.moreProjects], [94, zoe.memberId, 10, true])
    const newest = last.projects.map(({ id }: Item) => id)
    assert.deepEqual(newest, newest.toSorted().reverse())
    const alone = await read(api, `/members/${zoe.memberId}?include=projects`)
    assert.deepEqual([alone.projects.length, alone.moreProjects], [api === owner ? 22 : 21, undefined])
  }
})

test('a task shows its last 50 comments, each with its author, and the assignees of its subtasks', async () => {
  const { owner, member, project, task, subtask, addToProject } = await newWorld()
  const { id: projectId } = await project()
  await addToProject(projectId, member)
  const [one, other] = [await task({ projectId }), await task({ projectId })]
  for (const assigneeId of [member.memberId, owner.memberId, member.memberId, null])
    await subtask(one.id, { assigneeId })
  const comment = (n: number) => ({ method: 'POST', path: `/tasks/${one.id}/comments`, body: { body: `No. ${n}` } })
  const operations = Array.from({ length: 51 }, (_, n) => comment(n))
  assert.equal((await member.post('/bulk', { operations })).status, 200)
  const { body: full } = await owner.get(`/tasks/${one.id}?include=comments,subtaskAssignees`)
  assert.deepEqual(
    full.comments.map(({ body }: Item) => body),
    Array.from({ length: 50 }, (_, n) => `No. ${50 - n}`),
  )
  const author = { id: member.memberId, name: 'Mia Member', status: 'active' }
  const { email, ...shown } = full.comments[0].author
  assert.deepEqual([full.moreComments, shown], [true, author])
  assert.deepEqual(
    full.subtaskAssignees.map(({ name }: Item) => name),
    ['Mia Member', 'Olivia Owner'],
  )
  const { data } = (await owner.get('/tasks?include=comments,subtaskAssignees')).body
  assert.deepEqual(
    data.map((item: Item) => [item.id, item.comments.length, item.moreComments, item.subtaskAssignees.length]),
    [
      [other.id, 0, undefined, 0],
      [one.id, 50, true, 2],
    ],
  )
})

test('a stage counts the tasks that the caller sees, and a project shows its progress', async () => {
  const { owner, member, project, workspace, stages, task, addToProject, timeEntry } = await newWorld()
  const [mine, hidden] = [await project(), await project()]
  await addToProject(mine.id, member)
  const { id: workspaceId } = await workspace()
  const [first, second] = await stages(workspaceId)
  assert.equal((await owner.patch(`/stages/${second.id}`, { category: 'done' })).status, 200)
  for (const { id: projectId } of [mine, mine, hidden]) await task({ projectId, workspaceId, estimateSeconds: 600 })
  const { id: taskId } = await task({ projectId: mine.id, workspaceId, stageId: second.id, dueDate: '2026-01-01' })
  await task({ projectId: mine.id, dueDate: '2026-01-01' })
  await timeEntry({ taskId })
  const counts = async (api: Api) => {
    const { data } = (await api.get(`/workspaces/${workspaceId}/stages?include=taskCount`)).body
    return data.map(({ taskCount }: Item) => taskCount)
  }
  assert.deepEqual(
    [await counts(owner), await counts(member)],
    [
      [3, 1],
      [2, 1],
    ],
  )
  assert.equal((await member.get(`/stages/${first.id}?include=taskCount`)).body.taskCount, 2)
  const progress = { todo: 2, doing: 0, done: 1, offBoard: 1, overdue: 1, estimatedSeconds: 1_200, trackedSeconds: 60 }
  const { data } = (await member.get('/projects?include=progress')).body
  assert.deepEqual(
    data.map((item: Item) => [item.id, item.progress]),
    [[mine.id, progress]],
  )
  assert.deepEqual((await owner.get(`/projects/${mine.id}?include=progress`)).body.progress, progress)
})
