import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Database } from '../../../src/db/pool/database.ts'
import { sql } from '../../../src/db/sql.ts'
import { detachAll } from '../../../src/jobs/detaching.ts'
import { runOnce } from '../../../src/jobs/job.ts'
import { purge } from '../../../src/jobs/purge.ts'
import { mostAtOnce } from '../../../src/resources/detaching/detaching.ts'
import { hold, holdCounter } from '../../support/holding.ts'
import { manyMemberships, manyTasks } from '../../support/many.ts'
import { ranOnce } from '../../support/running.ts'
import { migratedDatabase, startServer, type World } from '../../support/world.ts'

// of its own, because the job looks at all organizations
const { url, drop } = await migratedDatabase()
const { db, newWorld } = await startServer({ url })
after(drop)

const many = mostAtOnce + 250
const month = 31 * 86_400_000

const detached = () => ranOnce(db, (run) => detachAll(run))

interface Told {
  type: string
  id: string
  actor: string | null
  changes: Record<string, { from: unknown; to: unknown }>
}

const eventsOf = ({ orgId }: World, type = '%.updated') =>
  db.rows<Told>(sql`
    select type, resource_id as id, actor_id as actor, changes from events
    where org_id = ${orgId} and type like ${type} order by sequence`)

const pending = ({ orgId }: World) => db.rows(sql`select id from detachments where org_id = ${orgId}`)

/** A tag on so many tasks. */
async function worn(count = many) {
  const world = await newWorld()
  const [project, tag] = [await world.project(), await world.tag()]
  const { id } = await world.task({ projectId: project.id })
  const tasks = await manyTasks(db, world.orgId, id, count, { tagId: tag.id })
  return { ...world, world, projectId: project.id, tagId: tag.id, tasks, first: tasks[0] ?? '' }
}

test('a tag on few items is removed at the time of its deletion, and each of them writes an event', async () => {
  const world = await newWorld()
  const { owner, member, project, addToProject, tag, taskType, task, subtask, timeEntry } = world
  const { id: projectId } = await project()
  await addToProject(projectId, member)
  const [kept, gone, type] = [await tag(), await tag(), await taskType()]
  const tagIds = [kept.id, gone.id].toSorted()
  const { id } = await task({ projectId, tagIds, typeId: type.id, assigneeIds: [member.memberId] })
  const entry = await timeEntry({ taskId: id, tagIds })
  const step = await subtask(id, { assigneeId: member.memberId })
  const asked: [path: string, told: [type: string, id: string, changes: object][]][] = [
    [
      `/tags/${gone.id}`,
      [
        ['task.updated', id, { tagIds: { from: tagIds, to: [kept.id] } }],
        ['time_entry.updated', entry.id, { tagIds: { from: tagIds, to: [kept.id] } }],
      ],
    ],
    [`/task-types/${type.id}`, [['task.updated', id, { typeId: { from: type.id, to: null } }]]],
    [
      `/members/${member.memberId}`,
      [
        ['task.updated', id, { assigneeIds: { from: [member.memberId], to: [] } }],
        ['subtask.updated', step.id, { assigneeId: { from: member.memberId, to: null } }],
      ],
    ],
  ]
  for (const [path, told] of asked) {
    const before = (await eventsOf(world)).length
    assert.equal((await owner.delete(path)).status, 204)
    const events = (await eventsOf(world)).slice(before)
    assert.deepEqual(
      events.map(({ type, id, changes }) => [type, id, changes]),
      told,
    )
    assert.ok(events.every(({ actor }) => actor === owner.memberId))
  }
  assert.deepEqual(await pending(world), [])
})

test('a task in a deleted project writes an event when it loses a tag; a deleted task shows the loss when it returns', async () => {
  const { owner, world, tagId, tasks, first, projectId } = await worn(3)
  await owner.delete(`/tasks/${first}`)
  await owner.delete(`/projects/${projectId}`)
  assert.equal((await owner.delete(`/tags/${tagId}`)).status, 204)
  const told = await eventsOf(world, 'task.updated')
  assert.deepEqual(
    told.map(({ id, changes }) => [id, changes]),
    tasks.slice(1).map((id) => [id, { tagIds: { from: [tagId], to: [] } }]),
  )
  assert.equal((await owner.post(`/projects/${projectId}/restore`)).status, 200)
  assert.deepEqual((await owner.post(`/tasks/${first}/restore`)).body.tagIds, [])
})

test('an item below a deleted task writes an event when it loses a tag or its assignee', async () => {
  const world = await newWorld()
  const { owner, member, project, task, subtask, timeEntry, tag } = world
  const { id: taskId } = await task({ projectId: (await project()).id })
  const { id: tagId } = await tag()
  const step = await subtask(taskId, { assigneeId: member.memberId })
  const entries = [
    await timeEntry({ taskId, tagIds: [tagId] }),
    await timeEntry({ subtaskId: step.id, tagIds: [tagId] }),
  ]
  const alone = await timeEntry({ taskId, tagIds: [tagId] })
  for (const path of [`/time-entries/${alone.id}`, `/tasks/${taskId}`, `/tags/${tagId}`, `/members/${member.memberId}`])
    assert.equal((await owner.delete(path)).status, 204)
  assert.deepEqual(
    (await eventsOf(world)).map(({ type, id }) => [type, id]),
    [...entries.map(({ id }) => ['time_entry.updated', id]), ['subtask.updated', step.id]],
  )
})

test('a tag on many items is gone at once from all reads, and is removed one by one, each with an event', async () => {
  const { owner, world, tagId, tasks, first } = await worn()
  const shown = (await owner.get(`/tasks/${first}`)).body
  assert.equal((await owner.delete(`/tags/${tagId}`)).status, 204)
  assert.equal((await pending(world)).length, 1)
  assert.deepEqual(await eventsOf(world), [])
  const { body } = await owner.get(`/tasks/${first}`)
  assert.deepEqual(body, { ...shown, tagIds: [], version: shown.version + 1 })
  const page = (await owner.get('/tasks?limit=100')).body.data
  assert.ok(page.every(({ tagIds }: { tagIds: string[] }) => tagIds.length === 0))
  assert.deepEqual((await owner.get(`/tasks?tagId=${tagId}`)).body.data, [])
  assert.deepEqual([...(await detached())], [])
  assert.deepEqual(await pending(world), [])
  const events = await eventsOf(world)
  assert.deepEqual(events.map(({ id }) => id).toSorted(), tasks)
  for (const { type, actor, changes } of events) {
    assert.deepEqual([type, actor, changes], ['task.updated', null, { tagIds: { from: [tagId], to: [] } }])
  }
  const after = (await owner.get(`/tasks/${first}`)).body
  assert.deepEqual(after, { ...body, updatedAt: after.updatedAt })
})

test('the version of an item with a tag counts the deletion of the tag once, when it is deleted', async () => {
  const { owner, tagId, tag, first, tasks } = await worn()
  const other = await tag()
  const etag = async (id: string) => (await owner.get(`/tasks/${id}`)).headers.get('etag') ?? ''
  const before = await etag(first)
  await owner.delete(`/tags/${tagId}`)
  const pending = await etag(first)
  assert.notEqual(pending, before)
  assert.equal((await owner.get(`/tasks/${first}`, { 'if-none-match': before })).status, 200)
  assert.equal((await owner.patch(`/tasks/${first}`, { name: 'Late' }, { 'if-match': before })).status, 412)
  // an edit counts once, whether it replaces the tags or not
  const [labelled = '', renamed = ''] = tasks.slice(1)
  const edits: [id: string, edit: object][] = [
    [labelled, { tagIds: [other.id] }],
    [renamed, { name: 'Renamed' }],
  ]
  for (const [id, edit] of edits) {
    const { version } = (await owner.get(`/tasks/${id}`)).body
    const edited = await owner.patch(`/tasks/${id}`, edit, { 'if-match': `"${version}"` })
    assert.deepEqual([edited.status, edited.body.version], [200, version + 1])
    assert.equal(await etag(id), edited.headers.get('etag'))
  }
  const versions = await Promise.all([first, labelled, renamed].map(etag))
  await detached()
  assert.deepEqual(await Promise.all([first, labelled, renamed].map(etag)), versions)
  assert.deepEqual((await owner.get(`/tasks/${labelled}`)).body.tagIds, [other.id])
})

test('nothing can get a tag, type or member that is being removed: 404', async () => {
  const { owner, tagId, first, projectId } = await worn()
  await owner.delete(`/tags/${tagId}`)
  assert.equal((await owner.patch(`/tasks/${first}`, { tagIds: [tagId] })).status, 404)
  assert.equal((await owner.post('/tasks', { projectId, name: 'New', tagIds: [tagId] })).status, 404)
})

test('a tag can be restored after it is removed from all items, until then 412, and items that get it again keep it', async () => {
  const { owner, tagId, first } = await worn()
  await owner.delete(`/tags/${tagId}`)
  const early = await owner.post(`/tags/${tagId}/restore`)
  assert.deepEqual([early.status, early.headers.get('x-error-code')], [412, 'still_detaching'])
  await detached()
  assert.equal((await owner.post(`/tags/${tagId}/restore`)).status, 200)
  assert.deepEqual((await owner.get(`/tasks/${first}`)).body.tagIds, [])
  assert.equal((await owner.patch(`/tasks/${first}`, { tagIds: [tagId] })).status, 200)
  await detached()
  assert.deepEqual((await owner.get(`/tasks/${first}`)).body.tagIds, [tagId])
})

test('a type of many tasks is gone at once from all reads, and is removed one by one, each with an event', async () => {
  const { owner, orgId, project, task, taskType, ...world } = await newWorld()
  const { id: typeId } = await taskType()
  const { id } = await task({ projectId: (await project()).id })
  const tasks = await manyTasks(db, orgId, id, many, { typeId })
  const [first = ''] = tasks
  assert.equal((await owner.delete(`/task-types/${typeId}`)).status, 204)
  assert.equal((await owner.get(`/tasks/${first}`)).body.typeId, null)
  assert.deepEqual((await owner.get(`/tasks?typeId=${typeId}`)).body.data, [])
  assert.equal((await owner.post(`/task-types/${typeId}/restore`)).status, 412)
  await detached()
  const events = await eventsOf({ ...world, orgId } as World)
  assert.deepEqual(events.map(({ id }) => id).toSorted(), tasks)
  for (const { changes } of events) assert.deepEqual(changes, { typeId: { from: typeId, to: null } })
  assert.equal((await owner.post(`/task-types/${typeId}/restore`)).status, 200)
})

test('a member with many assigned tasks is gone at once from all reads, and is removed one by one, each with an event', async () => {
  const { owner, member, orgId, project, task, subtask, addToProject, ...world } = await newWorld()
  const { id: projectId } = await project()
  await addToProject(projectId, member)
  const { memberId } = member
  const { id } = await task({ projectId })
  const step = await subtask(id, { assigneeId: memberId })
  const tasks = await manyTasks(db, orgId, id, many, { assigneeId: memberId })
  const [first = ''] = tasks
  assert.equal((await owner.delete(`/members/${memberId}`)).status, 204)
  assert.equal((await member.get('/me')).status, 401)
  assert.deepEqual((await owner.get(`/tasks/${first}`)).body.assigneeIds, [])
  assert.deepEqual((await owner.get(`/tasks/${first}?include=assignees`)).body.assignees, [])
  assert.equal((await owner.get(`/subtasks/${step.id}`)).body.assigneeId, null)
  assert.deepEqual((await owner.get(`/tasks?assigneeId=${memberId}`)).body.data, [])
  assert.deepEqual((await owner.get(`/projects?memberId=${memberId}`)).body.data, [])
  assert.equal((await owner.patch(`/tasks/${first}`, { assigneeIds: [memberId] })).status, 404)
  assert.equal((await owner.post(`/members/${memberId}/restore`)).status, 412)
  await detached()
  const events = (await eventsOf({ ...world, orgId } as World)).slice(-many - 1)
  assert.deepEqual(events.map(({ id }) => id).toSorted(), [...tasks, step.id].toSorted())
  assert.equal((await owner.get('/tasks?assigneeId=none&limit=100')).body.data.length, 100)
  assert.equal((await owner.post(`/members/${memberId}/restore`)).status, 200)
  assert.equal((await member.get('/projects')).body.total, 0)
})

test('a member of many projects is removed without waiting for all writers there, and returns to none', async (t) => {
  const { owner, member, orgId, project, addToProject, task } = await newWorld()
  const { id: projectId } = await project()
  await addToProject(projectId, member)
  await manyMemberships(db, orgId, member.memberId, 300)
  const { id } = await task({ projectId, assigneeIds: [member.memberId] })
  const lock = 'pg_advisory_xact_lock_shared(uuid_hash_extended(id, 0))'
  await hold(t, url, `select ${lock} from projects where org_id = $1 and id = $2`, [orgId, projectId])
  assert.equal((await owner.delete(`/members/${member.memberId}`)).status, 204)
  assert.deepEqual((await owner.get(`/tasks/${id}`)).body.assigneeIds, [])
  await detached()
  assert.deepEqual((await owner.get(`/tasks/${id}`)).body.assigneeIds, [])
  assert.equal((await owner.post(`/members/${member.memberId}/restore`)).status, 200)
  assert.equal((await member.get('/projects')).body.total, 0)
})

test('a write that waited for the removal of a member of many tasks does not assign it: 404', async (t) => {
  const { owner, member, orgId, project, task } = await newWorld()
  const { id } = await task({ projectId: (await project()).id })
  await manyTasks(db, orgId, id, many, { assigneeId: member.memberId })
  const held = await holdCounter(t, url, orgId)
  const removal = owner.delete(`/members/${member.memberId}`)
  await held.waiters(1)
  const assigning = owner.patch(`/tasks/${id}`, { assigneeIds: [member.memberId] })
  await held.waiters(2)
  await held.release()
  assert.deepEqual([(await removal).status, (await assigning).status], [204, 404])
})

test('a job that is interrupted continues where it was, and writes one event for each row', async (t) => {
  const { owner, orgId, world, tagId, tasks } = await worn()
  // what other tests leave would have turns too
  await detached()
  await owner.delete(`/tags/${tagId}`)
  const stopping = new AbortController()
  let turns = 0
  const failed = () => assert.fail()
  const cut = runOnce(
    {
      run: ({ inEach, ...run }) =>
        detachAll({
          ...run,
          inEach: (orgIds, turn) =>
            inEach(orgIds, async (id) => {
              if (++turns === 2) stopping.abort()
              return turn(id)
            }),
        }),
    },
    { db, now: new Date(), signal: stopping.signal, failed },
  )
  await assert.rejects(cut)
  const done = (await eventsOf(world)).length
  assert.ok(done > 0 && done < many)
  // and again with its connection lost in the middle of a batch
  const held = await holdCounter(t, url, orgId)
  const lost = detached()
  const [pid] = await held.waiters(1)
  await db.rows(sql`select pg_terminate_backend(${pid}::int)`)
  assert.equal((await lost).size, 1)
  await held.release()
  assert.equal((await eventsOf(world)).length, done)
  assert.deepEqual([...(await detached())], [])
  assert.deepEqual((await eventsOf(world)).map(({ id }) => id).toSorted(), tasks)
})

test('two processes that remove the same tag do it once', async () => {
  const { owner, world, tagId, tasks } = await worn()
  await owner.delete(`/tags/${tagId}`)
  const other = new Database({ connection: { connectionString: url }, lockTimeoutMs: 60_000 })
  const both = await Promise.all([db, other].map((one) => ranOnce(one, (run) => detachAll(run, 50))))
  await other.close()
  assert.deepEqual(
    both.flatMap((failures) => [...failures]),
    [],
  )
  assert.deepEqual((await eventsOf(world)).map(({ id }) => id).toSorted(), tasks)
})

test('an item that is updated meanwhile keeps the update, and loses the tag once, by the update or by the job', async (t) => {
  const { owner, world, orgId, tagId, tasks } = await worn()
  // of the first batch
  const [renamed = '', emptied = ''] = tasks.slice(-2)
  await owner.delete(`/tags/${tagId}`)
  // the edits have their rows, and wait just before their commits
  const held = await holdCounter(t, url, orgId)
  const edits = [
    owner.patch(`/tasks/${renamed}`, { name: 'Renamed' }),
    owner.patch(`/tasks/${emptied}`, { tagIds: [] }),
  ]
  await held.waiters(2)
  const job = detached()
  await held.waiters(3)
  await held.release()
  assert.deepEqual([...(await job)], [])
  for (const edit of await Promise.all(edits)) {
    const { id, name, tagIds, version } = (await owner.get(`/tasks/${edit.body.id}`)).body
    assert.deepEqual([edit.status, name, tagIds, version], [200, edit.body.name, [], edit.body.version])
    const byJob = (await eventsOf(world)).filter((event) => event.id === id && event.actor === null)
    assert.equal(byJob.length, id === renamed ? 1 : 0)
  }
})

test('a deleted tag is purged only after it is removed from all items', async () => {
  const { owner, orgId, tagId } = await worn()
  await owner.delete(`/tags/${tagId}`)
  const left = async () => (await db.rows(sql`select id from tags where org_id = ${orgId}`)).length
  const purged = () => ranOnce(db, (run) => purge(run), new Date(Date.now() + month))
  assert.deepEqual([...(await purged())], [])
  assert.equal(await left(), 1)
  await detached()
  assert.deepEqual([...(await purged())], [])
  assert.equal(await left(), 0)
})

test('the job looks again for items if some of them were purged meanwhile: none is forgotten', async (t) => {
  const world = await newWorld()
  const { orgId, owner, project, task, taskType } = world
  const [{ id: projectId }, { id: typeId }] = [await project(), await taskType()]
  const { id } = await task({ projectId })
  const tasks = await manyTasks(db, orgId, id, many, { typeId })
  assert.equal((await owner.delete(`/task-types/${typeId}`)).status, 204)
  const statement = 'delete from tasks where org_id = $1 and id = $2'
  // the newest, as they are taken first
  const purging = await hold(t, url, statement, [orgId, tasks.at(-1)])
  const detaching = detached()
  await purging.waiters(1)
  await purging.commit()
  assert.deepEqual(await detaching, new Map())
  const bearing = await db.rows(sql`select id from tasks where org_id = ${orgId} and type_id = ${typeId}`)
  assert.deepEqual([bearing, await pending(world)], [[], []])
})
