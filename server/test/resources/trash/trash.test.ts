import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { routes } from '../../../src/resources/index.ts'
import { kinds } from '../../../src/resources/trash/trash.ts'
import { named } from '../../support/catalogue.ts'
import { oneDeletedOfEach } from '../../support/samples.ts'
import { type Api, created, sharedServer, type World } from '../../support/world.ts'

const { db, newWorld } = await sharedServer()

interface Item {
  kind: string
  id: string
  name: string | null
  projectId: string | null
  deletedAt: string
  deletedBy: string | null
  restorableUntil: string
}

const trashOf = async (api: Api, query = ''): Promise<Item[]> => {
  const { status, body, text } = await api.get(`/trash?limit=100${query}`)
  assert.equal(status, 200, text)
  assert.equal(body.pagination.nextCursor, null)
  return body.data
}
const idsIn = async (api: Api, query = '') => (await trashOf(api, query)).map(({ id }) => id)

async function remove({ owner }: World, path: string): Promise<void> {
  assert.equal((await owner.delete(path)).status, 204, path)
}

async function restore({ owner }: World, path: string): Promise<void> {
  const { status, text } = await owner.post(`${path}/restore`)
  assert.equal(status, 200, `${path}: ${text}`)
}

/** The noun of a path, as a kind: `time-entries` is `time_entry`. */
const kindOf = (noun: string) => noun.replace('-', '_').replace(/ies$/, 'y').replace(/s$/, '')

test('the trash lists one item of each kind that can be restored, until it is restored', async () => {
  const world = await newWorld()
  const { owner } = world
  const deleted = Object.entries(await oneDeletedOfEach(world))
  assert.deepEqual(deleted.map(([noun]) => kindOf(noun)).toSorted(), kinds.toSorted())
  const restorable = routes.filter((route) => route.deleted).map(({ path }) => kindOf(path.split('/')[1] ?? ''))
  assert.deepEqual(kinds.toSorted(), restorable.toSorted())
  const items = await trashOf(owner)
  for (const [noun, id] of deleted) {
    const item = items.find((one) => one.id === id) ?? assert.fail(`${noun} is not listed`)
    assert.deepEqual([item.kind, item.deletedBy], [kindOf(noun), owner.memberId])
    assert.equal(Date.parse(item.restorableUntil) - Date.parse(item.deletedAt), 30 * 86_400_000)
    assert.deepEqual(await trashOf(owner, `&id=${id}`), [item])
    await restore(world, `/${noun}/${id}`)
    assert.deepEqual(await idsIn(owner, `&id=${id}`), [], noun)
  }
})

test('an item of the trash shows its name and its project', async () => {
  const world = await newWorld()
  const { owner } = world
  const { id: projectId } = await world.project({ name: 'Web site' })
  const { id: taskId } = await world.task({ projectId, name: 'Paint the fence' })
  const body = `${'🙂'.repeat(250)} and more words`
  const { id: comment } = await created(owner.post(`/tasks/${taskId}/comments`, { body }))
  const { id: described } = await world.timeEntry({ taskId, description: 'First coat' })
  const { id: bare } = await world.timeEntry({ taskId })
  const { id: webhook } = await created(owner.post('/webhooks', { url: 'https://example.com/hook' }))
  for (const path of [
    ...[`comments/${comment}`, `time-entries/${described}`, `time-entries/${bare}`, `tasks/${taskId}`],
    ...[`webhooks/${webhook}`],
  ])
    await remove(world, `/${path}`)
  const items = await trashOf(owner)
  assert.deepEqual(
    items.map(({ id, name, projectId }) => [id, name, projectId]),
    [
      [webhook, 'https://example.com/hook', null],
      [taskId, 'Paint the fence', projectId],
      [bare, null, projectId],
      [described, 'First coat', projectId],
      [comment, `${'🙂'.repeat(250)} and `, projectId],
    ],
  )
  await remove(world, `/projects/${projectId}`)
  const [project] = await trashOf(owner, '&kind=project')
  assert.deepEqual([project?.id, project?.name, project?.projectId], [projectId, 'Web site', projectId])
})

test('the trash does not list items that were deleted with something else, even if they were edited at the same time', async () => {
  const world = await newWorld()
  const { owner } = world
  const { id: workspaceId } = await world.workspace()
  const { id: projectId } = await world.project()
  const { id: taskId } = await world.task({ projectId })
  const [first, second] = [await world.subtask(taskId), await world.subtask(taskId)]
  await world.timeEntry({ taskId })
  await world.timeEntry({ subtaskId: first.id })
  const { id: commentId } = await created(owner.post(`/tasks/${taskId}/comments`, { body: 'Fine' }))
  await remove(world, `/subtasks/${first.id}`)
  const operations = [
    { method: 'PATCH', path: `/subtasks/${second.id}`, body: { name: 'Another name' } },
    { method: 'PATCH', path: `/comments/${commentId}`, body: { body: 'Finer' } },
    { method: 'DELETE', path: `/tasks/${taskId}` },
  ]
  const { status, text } = await owner.post('/bulk', { operations })
  assert.equal(status, 200, text)
  await remove(world, `/workspaces/${workspaceId}`)
  assert.deepEqual(await idsIn(owner), [workspaceId, taskId, first.id])
  await restore(world, `/tasks/${taskId}`)
  assert.deepEqual(await idsIn(owner), [workspaceId, first.id])
})

test('the trash lists items that were deleted in a project, unless that project is deleted too', async () => {
  const world = await newWorld()
  const { owner } = world
  const { id: projectId } = await world.project()
  const { id: taskId } = await world.task({ projectId })
  await remove(world, `/tasks/${taskId}`)
  assert.deepEqual(await idsIn(owner), [taskId])
  await remove(world, `/projects/${projectId}`)
  assert.deepEqual(await idsIn(owner), [projectId])
  await restore(world, `/projects/${projectId}`)
  assert.deepEqual(await idsIn(owner), [taskId])
})

test('owners and admins see the trash of their organization: 403 for a member, and nothing for others', async () => {
  const world = await newWorld()
  const { id } = await world.tag()
  await remove(world, `/tags/${id}`)
  assert.deepEqual(await idsIn(world.admin), [id])
  assert.equal((await world.member.get('/trash')).status, 403)
  const stranger = (await newWorld()).owner
  assert.deepEqual(await trashOf(stranger), [])
  assert.deepEqual(await trashOf(stranger, `&id=${id}`), [])
})

test('the trash does not list what can never be restored: items after 30 days, a revoked key, an erased member', async () => {
  const world = await newWorld()
  const { orgId, owner } = world
  const [recent, old] = [await world.tag(), await world.tag()]
  for (const { id } of [recent, old]) await remove(world, `/tags/${id}`)
  const age = (id: string, days: number) => {
    const deletedAt = new Date(Date.now() - days * 86_400_000 + 60_000).toISOString()
    return db.rows(sql`update ${named('tags')} set deleted_at = ${deletedAt} where org_id = ${orgId} and id = ${id}`)
  }
  await age(recent.id, 30)
  await age(old.id, 31)
  const leaver = await world.join('Ann Leaver', 'member')
  const key = await created(owner.post('/api-keys', { name: 'Spare', memberId: owner.memberId }))
  await remove(world, `/api-keys/${key.id}`)
  assert.equal((await owner.post(`/members/${leaver.memberId}/erase`)).status, 200)
  assert.deepEqual(await idsIn(owner), [recent.id])
})

test('without events the trash still lists every item, but not the member who deleted it', async () => {
  const world = await newWorld()
  const { owner, admin, orgId } = world
  const { id } = await world.tag()
  await remove(world, `/tags/${id}`)
  await restore(world, `/tags/${id}`)
  assert.equal((await admin.delete(`/tags/${id}`)).status, 204)
  const [known] = await trashOf(owner)
  assert.deepEqual([known?.id, known?.deletedBy], [id, admin.memberId])
  await db.rows(sql`delete from events where org_id = ${orgId}`)
  assert.deepEqual(await trashOf(owner), [{ ...known, deletedBy: null }])
})

test('a client that pages through the trash gets each item that stays exactly once, during any deletions and restores', async () => {
  const world = await newWorld()
  const { owner } = world
  // some in one moment, too
  const tags = await Promise.all(Array.from({ length: 8 }, () => world.tag()))
  const operations = tags.slice(0, 5).map(({ id }) => ({ method: 'DELETE', path: `/tags/${id}` }))
  assert.equal((await owner.post('/bulk', { operations })).status, 200)
  for (const { id } of tags.slice(5)) await remove(world, `/tags/${id}`)
  const before = await idsIn(owner)
  assert.equal(before.length, 8)
  const [seen, gone]: [string[], string[]] = [[], []]
  for (let cursor = ''; ; ) {
    const { data, pagination } = (await owner.get(`/trash?limit=2${cursor}`)).body
    seen.push(...data.map(({ id }: Item) => id))
    if (pagination.nextCursor === null) break
    cursor = `&cursor=${pagination.nextCursor}`
    // the item that the cursor stands for is restored, one that is yet to come too, and another thing is deleted
    const toCome = before.findLast((id) => !seen.includes(id))
    for (const id of [seen.at(-1) ?? '', ...(gone.length < 2 && toCome ? [toCome] : [])]) {
      await restore(world, `/tags/${id}`)
      gone.push(id)
    }
    await remove(world, `/tags/${(await world.tag()).id}`)
  }
  const stayed = before.filter((id) => !gone.includes(id) || seen.includes(id))
  assert.ok(stayed.length < before.length)
  assert.deepEqual(seen, stayed)
})
