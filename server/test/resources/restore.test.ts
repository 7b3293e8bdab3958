import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { routes } from '../../src/resources/index.ts'
import { named } from '../support/catalogue.ts'
import type { Things } from '../support/sample-bodies.ts'
import { hiddenNouns, oneOfEach } from '../support/samples.ts'
import { sharedServer, type World } from '../support/world.ts'

const { db, newWorld } = await sharedServer()

/** All that can be restored, by the name of its path. */
const kinds = routes.filter(({ deleted }) => deleted).map(({ path }) => path.split('/')[1] ?? '')
type Kind = string

/** What no member restores, and why. */
const notRestored: Record<string, string> = {
  'api-keys': 'a key that was revoked opens nothing again',
  invitations: 'a revoked link works no more, so the member is invited again',
  'projects/members': 'a member is taken into a project again',
  organization: 'no key of it opens anything, so the operator brings it back',
}

/** One of each, of which nothing keeps another one from being deleted; the time entry is on the subtask. */
async function oneOfEachKind(world: World): Promise<Record<Kind, { id: string }>> {
  const { nextStage, ...things } = await oneOfEach(world)
  assert.equal((await world.owner.delete(`/time-entries/${things['time-entries']}`)).status, 204)
  const { id: entry } = await world.timeEntry({ subtaskId: things.subtasks })
  assert.equal((await world.owner.delete(`/subtasks/${things.nextSubtask}`)).status, 204)
  const ids: Things = { ...things, stages: nextStage ?? '', 'time-entries': entry }
  return Object.fromEntries(kinds.map((kind) => [kind, { id: ids[kind] ?? assert.fail(`samples.ts has no ${kind}`) }]))
}

async function setUp() {
  const world = await newWorld()
  const { owner } = world
  const one = await oneOfEachKind(world)
  const idOf = (kind: Kind) => one[kind]?.id ?? assert.fail(`Nothing of the kind ${kind}`)
  const path = (kind: Kind) => `/${kind}/${idOf(kind)}`
  return {
    ...{ ...world, idOf, path },
    status: async (kind: Kind) => (await owner.get(path(kind))).status,
    // a workspace is deleted once it holds no tasks
    remove: async (kind: Kind) => {
      if (kind === 'workspaces') await owner.post(`${path('tasks')}/move`, { workspaceId: null })
      assert.equal((await owner.delete(path(kind))).status, 204, kind)
    },
    restore: (kind: Kind) => owner.post(`${path(kind)}/restore`),
  }
}

test('members can restore everything that can be deleted, except what is deleted for good or with its organization', () => {
  const nouns = routes
    .filter(({ method }) => method === 'DELETE')
    .map(({ path }) => path.replace(/\/\{\w+\}/g, '').slice(1))
  assert.deepEqual(nouns.toSorted(), [...kinds, ...Object.keys(notRestored)].toSorted())
})

test('every deleted resource is restored as it was, under the next version, with an event', async () => {
  const { owner, orgId, idOf, path, remove, restore, status } = await setUp()
  for (const kind of kinds) {
    if (kind === 'workspaces') await owner.post(`${path('tasks')}/move`, { workspaceId: null })
    const { body: before } = await owner.get(path(kind))
    await remove(kind)
    assert.equal(await status(kind), 404, kind)
    const restored = await restore(kind)
    assert.equal(restored.status, 200, `${kind}: ${restored.text}`)
    const { version, updatedAt, ...shown } = restored.body
    assert.deepEqual({ ...before, version, updatedAt }, { ...shown, version, updatedAt })
    assert.ok(version > before.version && updatedAt >= before.updatedAt)
    assert.equal(restored.headers.get('etag'), `"${restored.body.id}.${version}"`)
    assert.deepEqual((await owner.get(path(kind))).body, restored.body)
    const events = await db.rows<{ projectId: string | null }>(sql`
      select project_id as "projectId" from events
      where org_id = ${orgId} and resource_id = ${idOf(kind)} and type like '%.restored'`)
    const projectId = hiddenNouns.includes(kind) ? idOf('projects') : null
    assert.deepEqual(events, [{ projectId }], kind)
  }
})

test('a resource that is not deleted cannot be restored, and nothing can be restored twice: 404', async () => {
  const { remove, restore } = await setUp()
  for (const kind of kinds) {
    assert.equal((await restore(kind)).status, 404, kind)
    await remove(kind)
    assert.equal((await restore(kind)).status, 200, kind)
    assert.equal((await restore(kind)).status, 404, kind)
  }
})

test('only owners and admins can restore: 403 for a member, even a lead who can delete', async () => {
  const { admin, member, idOf, path, remove, addToProject } = await setUp()
  await addToProject(idOf('projects'), member, 'lead')
  for (const kind of kinds) {
    await remove(kind)
    const refused = await member.post(`${path(kind)}/restore`)
    assert.equal(refused.status, 403, kind)
    assert.equal((await admin.post(`${path(kind)}/restore`)).status, 200, kind)
  }
})

test('a deleted resource of another organization is not found: 404', async () => {
  const { path, remove, restore } = await setUp()
  const stranger = (await newWorld()).owner
  for (const kind of kinds) {
    await remove(kind)
    const { status, body } = await stranger.post(`${path(kind)}/restore`)
    assert.deepEqual([status, body], [404, (await stranger.post(`/${kind}/${randomUUID()}/restore`)).body], kind)
    assert.equal((await restore(kind)).status, 200, kind)
  }
})

test('a resource deleted more than 30 days ago is not found: 404', async () => {
  const { orgId, idOf, remove, restore } = await setUp()
  // what is made ancient comes back without what was deleted with it, so that was tried before
  for (const kind of kinds.toReversed()) {
    const age = (days: number) => {
      const deletedAt = new Date(Date.now() - days * 86_400_000 + 60_000).toISOString()
      const table = named(kind.replaceAll('-', '_'))
      return db.rows(sql`update ${table} set deleted_at = ${deletedAt} where org_id = ${orgId} and id = ${idOf(kind)}`)
    }
    await remove(kind)
    await age(30.01)
    assert.equal((await restore(kind)).status, 404, kind)
    await age(30)
    assert.equal((await restore(kind)).status, 200, kind)
  }
})

test('a restore that is repeated with its Idempotency-Key is replayed', async () => {
  const { owner, path, remove } = await setUp()
  for (const kind of kinds) {
    await remove(kind)
    const key = { 'idempotency-key': randomUUID() }
    const first = await owner.post(`${path(kind)}/restore`, undefined, key)
    const again = await owner.post(`${path(kind)}/restore`, undefined, key)
    assert.deepEqual([first.status, again.status, again.text], [200, 200, first.text], kind)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
  }
})

test('a restore takes an empty body and an id: 422 and 404 otherwise', async () => {
  const { owner, path, remove } = await setUp()
  await remove('tags')
  assert.equal((await owner.post(`${path('tags')}/restore`, { name: 'Other' })).status, 422)
  assert.equal((await owner.post(`${path('tags')}/restore?force=true`)).status, 422)
  assert.equal((await owner.post('/tags/1/restore')).status, 404)
  assert.equal((await owner.post(`${path('tags')}/restore`, {})).status, 200)
})

test('a restore gets 422 while its name or key is taken, until that is free', async () => {
  const world = await newWorld()
  const { owner } = world
  const board = await world.workspace({ stages: [] })
  const cases = [
    ['tags', 'name', () => owner.post('/tags', { name: 'Urgent' })],
    ['task-types', 'name', () => owner.post('/task-types', { name: 'Bug' })],
    ['stages', 'name', () => owner.post(`/workspaces/${board.id}/stages`, { name: 'Review' })],
    ['projects', 'key', () => owner.post('/projects', { name: 'Site', key: 'SITE' })],
  ] as const
  for (const [kind, field, create] of cases) {
    const { id } = (await create()).body
    await owner.delete(`/${kind}/${id}`)
    const taker = (await create()).body
    const refused = await owner.post(`/${kind}/${id}/restore`)
    assert.equal(refused.status, 422, kind)
    assert.deepEqual(refused.body.details.fieldErrors, { [field]: ['Is already taken'] })
    await owner.delete(`/${kind}/${taker.id}`)
    assert.equal((await owner.post(`/${kind}/${id}/restore`)).status, 200, kind)
  }
})

test('a part of a deleted resource is refused with 412 until that is restored', async () => {
  const cases: [Kind, Kind][] = [
    ['stages', 'workspaces'],
    ['subtasks', 'tasks'],
    ['comments', 'tasks'],
    ['time-entries', 'subtasks'],
  ]
  for (const [kind, parent] of cases) {
    const { remove, restore } = await setUp()
    await remove(kind)
    await remove(parent)
    const refused = await restore(kind)
    assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [412, 'parent_deleted'], kind)
    await restore(parent)
    assert.equal((await restore(kind)).status, 200, kind)
  }
})

test('an item in a deleted project is not found until the project is restored', async () => {
  const { remove, restore, status } = await setUp()
  await remove('tasks')
  await remove('projects')
  assert.equal((await restore('tasks')).status, 404)
  await restore('projects')
  assert.equal(await status('tasks'), 404)
  assert.equal((await restore('tasks')).status, 200)
})

test('a task comes back with exactly the items that were deleted with it', async () => {
  const { owner, idOf, path, remove, restore, status, subtask, timeEntry } = await setUp()
  const earlier = await subtask(idOf('tasks'))
  const [onTask, onEarlier] = [
    await timeEntry({ taskId: idOf('tasks') }),
    await timeEntry({ subtaskId: earlier.id, startedAt: '2026-01-01T00:00:00Z' }),
  ]
  await owner.delete(`/subtasks/${earlier.id}`)
  await remove('comments')
  await remove('tasks')
  assert.deepEqual((await owner.get('/time-entries')).body.data, [])
  assert.equal((await restore('tasks')).status, 200)
  assert.deepEqual([await status('subtasks'), await status('time-entries'), await status('comments')], [200, 200, 404])
  assert.equal((await owner.get(`/subtasks/${earlier.id}`)).status, 404)
  assert.equal((await owner.get(`${path('tasks')}/subtasks`)).body.total, 1)
  const times = (await owner.get('/time-entries')).body.data.map(({ id }: { id: string }) => id)
  assert.deepEqual(times.sort(), [onTask.id, idOf('time-entries')].sort())
  assert.equal((await owner.post(`/subtasks/${earlier.id}/restore`)).status, 200)
  assert.equal((await owner.get(`/time-entries/${onEarlier.id}`)).status, 200)
})

test('a workspace comes back with the stages that were deleted with it, not earlier ones', async () => {
  const { owner, path, remove, restore, status } = await setUp()
  await remove('stages')
  await remove('workspaces')
  assert.equal((await restore('workspaces')).status, 200)
  assert.equal(await status('stages'), 404)
  assert.equal((await owner.get(`${path('workspaces')}/stages`)).body.total, 1)
})

test('a project comes back with everything that was in it, not with what was deleted before', async () => {
  const { remove, restore, status } = await setUp()
  await remove('comments')
  await remove('projects')
  const inside: Kind[] = ['workspaces', 'stages', 'tasks', 'subtasks', 'time-entries']
  for (const kind of inside) assert.equal(await status(kind), 404, kind)
  assert.equal((await restore('projects')).status, 200)
  for (const kind of inside) assert.equal(await status(kind), 200, kind)
  assert.equal(await status('comments'), 404)
})

test('a task whose stage was deleted meanwhile returns off the board, alone and with its project', async () => {
  const world = await newWorld()
  const { owner } = world
  const { id: projectId } = await world.project()
  for (const way of ['tasks', 'projects']) {
    const board = await world.workspace()
    const task = await world.task({ projectId, workspaceId: board.id })
    const gone = way === 'tasks' ? `/tasks/${task.id}` : `/projects/${projectId}`
    await owner.delete(gone)
    assert.equal((await owner.delete(`/workspaces/${board.id}`)).status, 204)
    assert.equal((await owner.post(`${gone}/restore`)).status, 200)
    const { body } = await owner.get(`/tasks/${task.id}`)
    assert.deepEqual([body.workspaceId, body.stageId], [null, null], way)
  }
})

test('a task returns without the tag and the type that were deleted meanwhile', async () => {
  const world = await newWorld()
  const { owner } = world
  const [tag, type] = [await world.tag(), await world.taskType()]
  const { id: projectId } = await world.project()
  const task = await world.task({ projectId, tagIds: [tag.id], typeId: type.id })
  for (const path of [`/tasks/${task.id}`, `/tags/${tag.id}`, `/task-types/${type.id}`]) await owner.delete(path)
  const { body } = await owner.post(`/tasks/${task.id}/restore`)
  assert.deepEqual([body.tagIds, body.typeId], [[], null])
})

test('a task with a running timer returns with its time up to the deletion, even if another timer runs by now', async () => {
  const world = await newWorld()
  const { owner } = world
  const { id: projectId } = await world.project()
  const [first, second] = [await world.task({ projectId }), await world.task({ projectId })]
  const { id } = (await owner.post('/timer/start', { taskId: first.id })).body
  await owner.delete(`/tasks/${first.id}`)
  const other = (await owner.post('/timer/start', { taskId: second.id })).body
  assert.equal((await owner.post(`/tasks/${first.id}/restore`)).status, 200)
  assert.ok((await owner.get(`/time-entries/${id}`)).body.endedAt <= other.startedAt)
  assert.deepEqual((await owner.get('/timer')).body.timeEntry, other)
})

test('time on a subtask that was finalized meanwhile is frozen: its restore is refused with 412', async () => {
  const { owner, path, remove, restore } = await setUp()
  await remove('time-entries')
  await owner.post(`${path('subtasks')}/finalize`)
  assert.equal((await restore('time-entries')).status, 412)
  await owner.post(`${path('subtasks')}/reopen`)
  assert.equal((await restore('time-entries')).status, 200)
})

test('a deleted task can also be restored by its key', async () => {
  const { owner, idOf, remove, restore } = await setUp()
  const { key } = (await owner.get(`/tasks/${idOf('tasks')}`)).body
  await remove('tasks')
  assert.equal((await owner.post(`/tasks/${key}/restore`)).body.id, idOf('tasks'))
  assert.equal((await owner.post(`/tasks/${key}/restore`)).status, 404)
  assert.equal((await restore('tasks')).status, 404)
})
