import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { reap } from '../../src/jobs/idempotency-retention.ts'
import { hold, holdCounter } from '../support/holding.ts'
import { ranOnce } from '../support/running.ts'
import { type Api, databaseUrl, type Reply, sharedServer, startServer } from '../support/world.ts'

const { newWorld, db } = await sharedServer()
const impatient = await startServer({ lockTimeoutMs: 200 })

const lockProject = 'select 1 from projects where id = $1 for update'

test('fifty copies sent at once create one row: one of them runs, the others replay its response byte for byte', async () => {
  const { owner } = await newWorld()
  const replies = await twins(50, () => owner.post('/tags', { name: 'Once' }, { 'idempotency-key': 'k' }))
  assertOneRan(replies)
  const { body } = await owner.get('/tags')
  assert.equal(body.total, 1)
  assert.equal(body.data[0].id, replies[0]?.body.id)
})

test('one of fifty different requests under one key runs, and the others get 409', async () => {
  const { owner } = await newWorld()
  const replies = await twins(50, (n) => owner.post('/tags', { name: `Tag ${n}` }, { 'idempotency-key': 'k' }))
  const [winner, ...others] = replies.toSorted((a, b) => a.status - b.status)
  assert.deepEqual([winner?.status, ...new Set(others.map(({ status }) => status))], [201, 409])
  assert.deepEqual((await owner.get('/tags')).body, { data: [winner?.body], total: 1 })
})

test('one key of two members is two keys', async () => {
  const { owner, member } = await newWorld()
  const replies = await Promise.all(
    [owner, member].map((api, n) => api.post('/tags', { name: `Tag ${n}` }, { 'idempotency-key': 'k' })),
  )
  assert.deepEqual(
    replies.map(({ status }) => status),
    [201, 201],
  )
})

test('a 5xx response is not stored: the retry runs', async (t) => {
  const { owner, project } = await impatient.newWorld()
  const { id } = await project()
  const create = () => owner.post('/tasks', { projectId: id, name: 'A task' }, { 'idempotency-key': 'k' })
  const held = await hold(t, databaseUrl, lockProject, [id])
  const failed = await create()
  assert.equal(failed.status, 503)
  assert.equal(failed.headers.get('retry-after'), '1')
  await held.release()
  assertRan(await create())
  assert.equal(await tasksOf(owner), 1)
})

test('a key that was claimed and got no response is free: one of many requests with it runs', async () => {
  const { owner, orgId } = await newWorld()
  const create = (name: string) => owner.post('/tags', { name }, { 'idempotency-key': 'k' })
  assertRan(await create('First'))
  const forget = sql`update idempotency_keys set status = null, headers = null, body = null where org_id = ${orgId}`
  await db.rows(forget)
  assertOneRan(await twins(20, () => create('Second')))
  await db.rows(forget)
  // by a server that knows nothing of the key
  assertRan(await impatient.api(owner.key).post('/tags', { name: 'Third' }, { 'idempotency-key': 'k' }))
})

test('a request whose connection breaks has done nothing, and the first of its waiting copies runs', async (t) => {
  const { owner, project } = await newWorld()
  const { id } = await project()
  const held = await hold(t, databaseUrl, lockProject, [id])
  const replies = twins(5, () => owner.post('/tasks', { projectId: id, name: 'A task' }, { 'idempotency-key': 'k' }))
  const [winner] = await held.waiters(1)
  await db.rows(sql`select pg_terminate_backend(${winner}::integer)`)
  await held.waiters(1)
  await held.release()
  const [failed, ...others] = (await replies).toSorted((a, b) => b.status - a.status)
  assert.equal(failed?.status, 503)
  assertOneRan(others)
  assert.equal(await tasksOf(owner), 1)
})

test('copies of a request wait without a database connection, so others are served meanwhile', async (t) => {
  const { owner, project } = await newWorld()
  const { id } = await project()
  const held = await hold(t, databaseUrl, lockProject, [id])
  // more than there are connections; each that waits does so for 10 s at most
  const waiting = twins(40, () => owner.post('/tasks', { projectId: id, name: 'A task' }, { 'idempotency-key': 'k' }))
  await held.waiters(1)
  const others = await twins(15, (n) => owner.post('/tags', { name: `Tag ${n}` }, { 'idempotency-key': `k${n}` }))
  assert.ok(others.every(({ status }) => status === 201))
  assert.equal((await held.waiters(1)).length, 1)
  await held.release()
  assertOneRan(await waiting)
  assert.equal(await tasksOf(owner), 1)
})

test('an expired key is forgotten, and then stored again', async () => {
  const { owner, orgId } = await newWorld()
  const create = () => owner.post('/task-types', { name: randomUUID() }, { 'idempotency-key': 'k' })
  assertRan(await create())
  await expire(orgId)
  assertRan(await create())
  assert.equal((await create()).status, 409)
})

test('a key that is taken over while expired keys are removed is kept', async (t) => {
  const { owner, orgId } = await newWorld()
  const create = () => owner.post('/tags', { name: 'A tag' }, { 'idempotency-key': 'k' })
  const { body } = await create()
  await owner.delete(`/tags/${body.id}`)
  await expire(orgId)
  // what every change counts up last
  const held = await holdCounter(t, databaseUrl, orgId)
  const taken = create()
  await held.waiters(1)
  const reaped = ranOnce(db, reap)
  await held.waiters(2)
  await held.release()
  const [second] = await Promise.all([taken, reaped])
  assertRan(second)
  const third = await create()
  assert.equal(third.headers.get('idempotent-replayed'), 'true')
  assert.equal(third.text, second.text)
})

const twins = (count: number, send: (n: number) => Promise<Reply>) =>
  Promise.all(Array.from({ length: count }, (_, n) => send(n)))

function assertRan({ status, text, headers }: Reply): void {
  assert.equal(status, 201, text)
  assert.equal(headers.get('idempotent-replayed'), null)
}

function assertOneRan(replies: Reply[]): void {
  const shown = ({ status, text, headers }: Reply) =>
    JSON.stringify([status, text, ...['content-type', 'location', 'etag'].map((name) => headers.get(name))])
  assert.deepEqual(new Set(replies.map(shown)).size, 1, replies.map(shown).join('\n'))
  assert.equal(replies[0]?.status, 201)
  const replayed = replies.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')
  assert.equal(replayed.length, replies.length - 1)
}

const tasksOf = async (api: Api) => (await api.get('/tasks')).body.data.length

const expire = (orgId: string) =>
  db.rows(sql`update idempotency_keys set expires_at = ${new Date().toISOString()} where org_id = ${orgId}`)
