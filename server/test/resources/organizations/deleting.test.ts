import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { organizationsWith } from '../../../src/jobs/organizations.ts'
import { assertRefused } from '../../support/envelope.ts'
import { hold, holdCounter } from '../../support/holding.ts'
import { migratedDatabase, operatorToken, startServer, type World } from '../../support/world.ts'

// of its own, as one test sets back since when organizations are deleted
const { url, drop } = await migratedDatabase()
const { api, db, newWorld } = await startServer({ url })
after(drop)
// another process on the same database
const other = await startServer({ url })

const operator = api(operatorToken)

/** Deletes it by its owner. */
async function remove({ owner }: World): Promise<void> {
  assert.equal((await owner.delete(await pathOf(owner))).status, 204)
}

const pathOf = async (owner: World['owner']) =>
  `/organization?name=${encodeURIComponent((await owner.get('/organization')).body.name)}`

const restore = (orgId: string) => operator.post(`/organizations/${orgId}/restore`)

test('an owner deletes the organization by its name, and from then on no key of it works in any process', async () => {
  const world = await newWorld()
  const keys = [world.owner, world.admin, world.member].map(({ key }) => key)
  for (const key of keys) assert.equal((await other.api(key).get('/me')).status, 200)
  await remove(world)
  for (const key of keys) assertRefused(await api(key).get('/me'), 401)
  for (const key of keys) assertRefused(await api(key).post('/tags', { name: 'Late' }, { 'idempotency-key': 'k' }), 401)
  // word of it may still be on its way
  for (const key of keys) while ((await other.api(key).get('/me')).status === 200);
  for (const key of keys) assertRefused(await other.api(key).get('/me'), 401)
})

test('a wrong name deletes no organization: 422; a caller who is not an owner gets 403', async () => {
  const { owner, admin, member } = await newWorld()
  const path = await pathOf(owner)
  for (const name of ['', 'Acme', `${(await owner.get('/organization')).body.name}x`]) {
    const { status, body } = await owner.delete(`/organization?name=${encodeURIComponent(name)}`)
    assert.deepEqual([status, Object.keys(body.details.fieldErrors)], [422, ['name']])
  }
  assertRefused(await owner.delete('/organization'), 422)
  for (const one of [admin, member]) assertRefused(await one.delete(path), 403)
  assertRefused(await owner.delete(path, { 'if-match': '"99"' }), 412)
  assert.equal((await owner.delete(`${path}&dryRun=true`)).status, 204)
  // names are compared as everywhere: without case and accents
  await owner.patch('/organization', { name: 'Café Zürich' })
  assert.equal((await owner.delete('/organization?name=cafe%20ZURICH&dryRun=true')).status, 204)
  assert.equal((await owner.get('/me')).status, 200)
})

test('a write that is in progress when its organization is deleted stores nothing after it, not even a refusal', async (t) => {
  const world = await newWorld()
  const [row] = await db.rows<{ name: string }>(sql`select name from organizations where org_id = ${world.orgId}`)
  const { id: projectId } = await world.project()
  // they wait for the row that is held here, after they were let in
  const held = await hold(t, url, 'select from projects where id = $1 for update', [projectId])
  const keyed = { 'idempotency-key': 'under-way' }
  const writes = [
    world.owner.patch(`/projects/${projectId}`, { name: 'Too late' }),
    other.api(world.owner.key).post('/tasks', { projectId, name: 'Too late' }, keyed),
    other
      .api(world.owner.key)
      .post('/tasks', { projectId, name: 'x', stageId: randomUUID() }, { 'idempotency-key': 'r' }),
  ]
  await held.waiters(2)
  assert.equal((await world.owner.delete(`/organization?name=${encodeURIComponent(row?.name ?? '')}`)).status, 204)
  await held.release()
  for (const write of writes) assertRefused(await write, 401)
  const left = await db.rows(sql`
    select key from idempotency_keys where org_id = ${world.orgId} union all
    select type from events where org_id = ${world.orgId} and sequence > (
      select sequence from events where org_id = ${world.orgId} and type = 'organization.deleted')`)
  assert.deepEqual(left, [])
})

test('a caller who changes their own member or key during the deletion of the organization changes nothing after it', async (t) => {
  const world = await newWorld()
  const path = await pathOf(world.owner)
  const { member, apiKey } = (await world.admin.get('/me')).body
  const { release, waiters } = await holdCounter(t, url, world.orgId)
  const deletion = world.owner.delete(path)
  await waiters(1)
  const writes = [
    world.admin.patch(`/members/${member.id}`, { name: 'Too late' }),
    world.admin.post(`/api-keys/${apiKey.id}/rotate`, {}, { 'idempotency-key': 'rotated' }),
  ]
  await waiters(3)
  await release()
  assert.equal((await deletion).status, 204)
  for (const write of writes) assertRefused(await write, 401)
  const [last] = await db.rows<{ type: string }>(sql`
    select type from events where org_id = ${world.orgId} order by sequence desc limit 1`)
  assert.equal(last?.type, 'organization.deleted')
})

test('a stream ends when its organization is deleted', async () => {
  const world = await newWorld()
  const response = await fetch(`${other.base}/api/v1/events`, {
    headers: { authorization: `Bearer ${world.owner.key}`, accept: 'text/event-stream' },
  })
  assert.equal(response.status, 200)
  const text = response.text()
  await remove(world)
  await text
})

test('the operator restores a deleted organization for 30 days, with its keys; one that is not deleted, or is purged, gets 404', async () => {
  const world = await newWorld()
  const tag = await world.tag()
  assertRefused(await restore(world.orgId), 404)
  await remove(world)
  const { status, body } = await restore(world.orgId)
  assert.deepEqual([status, body.id], [200, world.orgId])
  while ((await other.api(world.owner.key).get('/me')).status === 401);
  assert.equal((await world.member.get(`/tags/${tag.id}`)).status, 200)
  const { data } = (await world.owner.get('/events?type=organization.*')).body
  assert.deepEqual(
    data.map(({ type }: { type: string }) => type),
    ['organization.created', 'organization.deleted', 'organization.restored'],
  )
  assertRefused(await restore(world.orgId), 404)
  assertRefused(await api(world.owner.key).post(`/organizations/${world.orgId}/restore`), 401)
  await remove(world)
  const longAgo = new Date(Date.now() - 31 * 86_400_000).toISOString()
  await db.rows(sql`update organizations set deleted_since = ${longAgo} where org_id = ${world.orgId}`)
  assertRefused(await restore(world.orgId), 404)
})

test('jobs leave a deleted organization alone', async () => {
  const [gone, there] = [await newWorld(), await newWorld()]
  await remove(gone)
  const found = await organizationsWith(db, sql`members where members.org_id = organizations.org_id`)
  assert.deepEqual([found.has(gone.orgId), found.has(there.orgId)], [false, true])
})

test('a new organization can have the name and address of a deleted one', async () => {
  const founding = { name: 'Phoenix', owner: { name: 'Olivia', email: 'phoenix@example.com' } }
  for (let twice = 0; twice < 2; twice++) {
    const { status, body } = await operator.post('/organizations', founding)
    assert.equal(status, 201)
    assert.equal((await api(body.apiKey.secret).delete('/organization?name=Phoenix')).status, 204)
  }
})
