import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { Authenticator } from '../../src/access/auth.ts'
import { newKey } from '../../src/access/keys.ts'
import { Database, type DatabaseOptions } from '../../src/db/pool/database.ts'
import { afterwards, file, type Scope } from '../support/afterwards.ts'
import { hold } from '../support/holding.ts'
import { inTime, until, untilTaken } from '../support/until.ts'
import { apiOf, migratedDatabase, operatorToken, type Reply, startServer, type World } from '../support/world.ts'

// tables are locked whole, which tests beside these would wait for
const { url, drop } = await migratedDatabase()
afterwards(file, drop)

test('an organization whose writes all wait for a lock leaves connections for the writes of another one', async (t) => {
  const { newWorld } = await serverOf(t, { poolSize: 14 })
  const [busy, quiet] = [await newWorld(), await newWorld()]
  const { id } = await busy.project()
  const { release, waiters } = await hold(t, url, 'select 1 from projects where id = $1 for update', [id])
  const stuck = Array.from({ length: 20 }, (_, n) => busy.owner.patch(`/projects/${id}`, { name: `Name ${n}` }))
  await waiters(3)
  await works(quiet)
  await release()
  assert.deepEqual(new Set((await Promise.all(stuck)).map(({ status }) => status)), new Set([200]))
})

test('an organization whose reads all wait for a lock leaves connections for the reads of another one', async (t) => {
  const { newWorld } = await serverOf(t, { poolSize: 12 })
  const [busy, quiet] = [await newWorld(), await newWorld()]
  const { id } = await busy.taskType()
  const { release, waiters } = await hold(t, url, 'lock table task_types in access exclusive mode')
  const stuck = Array.from({ length: 40 }, (_, n) => busy.owner.get(n % 2 ? '/task-types' : `/task-types/${id}`))
  // beside others it runs as many at a time as there are processors
  await waiters(2)
  await works(quiet)
  await release()
  assert.deepEqual(new Set((await Promise.all(stuck)).map(({ status }) => status)), new Set([200]))
})

test('an organization whose reports are all slow leaves connections for the searches of another one', async (t) => {
  const { newWorld } = await serverOf(t, { poolSize: 12 })
  const [busy, quiet] = [await newWorld(), await newWorld()]
  const { release, waiters } = await hold(t, url, 'lock table time_entries in access exclusive mode')
  const stuck = Array.from({ length: 10 }, () => busy.owner.get('/reports/time?groupBy=project'))
  await waiters(1)
  assert.equal((await quiet.owner.get('/tasks?q=anything')).status, 200)
  await works(quiet)
  await release()
  assert.deepEqual(new Set((await Promise.all(stuck)).map(({ status }) => status)), new Set([200]))
})

test('an organization with too many waiting requests is refused, and another one is not', async (t) => {
  const { newWorld } = await serverOf(t, { poolSize: 12, mostWaiting: 8 })
  const [busy, quiet] = [await newWorld(), await newWorld()]
  const { id } = await busy.project()
  const { release } = await hold(t, url, 'select 1 from projects where id = $1 for update', [id])
  const sent = Array.from({ length: 30 }, (_, n) => busy.owner.patch(`/projects/${id}`, { name: `Name ${n}` }))
  const refused: Reply[] = []
  for (const one of sent) void one.then((reply) => refused.push(reply))
  // eight wait; of five connections for writes it has three
  await until(() => refused.length >= 30 - 3 - 8, 'Too few are refused')
  for (const { status, body, headers } of refused) {
    assert.equal(status, 503)
    assert.deepEqual(body, { error: 'Too many requests at once; try again' })
    assert.equal(headers.get('retry-after'), '1')
  }
  await works(quiet)
  await release()
  const answered = (await Promise.all(sent)).filter(({ status }) => status === 200).length
  assert.ok(answered >= 1 + 8, `${answered}`)
})

test('a locked table blocks no request that does not use it', async (t) => {
  const { newWorld } = await serverOf(t, { poolSize: 12, lockTimeoutMs: 100 })
  const world = await newWorld()
  const { id } = await world.task({ projectId: (await world.project()).id })
  const { release } = await hold(t, url, 'lock table tasks in access exclusive mode')
  const stuck = Array.from({ length: 30 }, (_, n) => world.owner.get(n % 2 ? '/tasks' : `/tasks/${id}`))
  for (let n = 0; n < 10; n++) await works(world)
  await release()
  assert.ok((await Promise.all(stuck)).every(({ status }) => status === 503 || status === 200))
})

test('while all pages wait for a lock, the server says that it is ready', async (t) => {
  const { base, newWorld } = await serverOf(t, { poolSize: 12 })
  const worlds = [await newWorld(), await newWorld()]
  const { release, waiters } = await hold(t, url, 'lock table task_types in access exclusive mode')
  const stuck = worlds.flatMap(({ owner }) => Array.from({ length: 12 }, () => owner.get('/task-types')))
  await waiters(3)
  const ready = await inTime(fetch(`${base}/readyz`), 'It does not say')
  assert.deepEqual(await ready.json(), { status: 'ready', writes: true })
  await release()
  await Promise.all(stuck)
})

test('no caller waits because key uses cannot be written', async (t) => {
  const { newWorld } = await serverOf(t, { poolSize: 4 })
  const worlds = [await newWorld(), await newWorld(), await newWorld()]
  const { release, waiters } = await hold(t, url, 'lock table api_keys in share mode')
  for (const { owner } of worlds) assert.equal((await owner.get('/me')).status, 200)
  await waiters(1)
  for (const { owner } of worlds) assert.equal((await owner.get('/me')).status, 200)
  await release()
})

test('a key of an organization whose keys, roles or members just changed is still known as its own', async (t) => {
  const { base, newWorld } = await serverOf(t, { poolSize: 4, mostWaiting: 8 })
  const world = await newWorld()
  assert.equal((await world.owner.get('/tags')).status, 200)
  await world.join('Nora New', 'member')
  await isKnown(t, world, base)
})

test('a transaction that takes too long is undone and gets 503, and its connection is free', async (t) => {
  const { api } = await serverOf(t, { poolSize: 4, transactionTimeoutMs: 500, ...noOtherLimit })
  // what it begins with is made where nothing takes too long
  const world = await (await startServer({ url })).newWorld()
  const { id } = await world.project()
  const owner = api(world.owner.key)
  const { release } = await hold(t, url, 'select 1 from projects where id = $1 for update', [id])
  const operations = [
    { method: 'POST', path: '/tags', body: { name: 'Undone' } },
    { method: 'PATCH', path: `/projects/${id}`, body: { name: 'Too late' } },
  ]
  const late = await owner.post('/bulk', { operations }, { 'idempotency-key': 'late' })
  assert.equal(late.status, 503)
  assert.deepEqual(late.body, { error: 'The request took too long and was undone; request less at once' })
  assert.equal((await owner.get('/tags')).body.total, 0)
  await nobodyWaits()
  assert.equal((await untilTaken(() => owner.post('/tags', { name: 'In time' }))).status, 201)
  await release()
  const again = await untilTaken(() => owner.post('/bulk', { operations }, { 'idempotency-key': 'late' }))
  assert.equal(again.status, 200)
})

const noOtherLimit = { lockTimeoutMs: 600_000, statementTimeoutMs: 600_000, answerTimeoutMs: 600_000 }

/** What every organization does all the time: nothing of it waits. */
async function works({ owner }: World) {
  const { status, body } = await owner.post('/tags', { name: `Tag ${performance.now()}` })
  assert.equal(status, 201)
  for (const path of ['/me', '/tags', `/tags/${body.id}`]) assert.equal((await owner.get(path)).status, 200, path)
}

/** Once no backend waits for a lock any more, though it is still held. */
async function nobodyWaits(): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  try {
    await inTime(
      (async () => {
        while ((await client.query(waiting)).rowCount !== 0);
      })(),
      'A backend still waits',
    )
  } finally {
    await client.end()
  }
}

/** Asserts that its key is looked up while look-ups of unknown ones, from where it comes from too, are refused for their number. */
async function isKnown(t: Scope, { owner }: World, base: string): Promise<void> {
  const { release, waiters } = await hold(t, url, 'lock table api_keys in access exclusive mode')
  const unknown = () => apiOf(`${base}/api/v1`, newKey(randomUUID()).secret).get('/tags')
  const crowd = Array.from({ length: 100 }, unknown)
  await waiters(1)
  assert.equal((await inTime(Promise.any(crowd), 'Nobody is refused')).status, 503)
  const asked = owner.get('/tags')
  // which comes behind it
  assert.equal((await fetch(`${base}/healthz`)).status, 200)
  await release()
  assert.equal((await asked).status, 200)
  await Promise.all(crowd)
}

/** A server with few connections. */
async function serverOf(
  t: Scope,
  { mostWaiting = 1_000, ...options }: Omit<DatabaseOptions, 'connection'> & { mostWaiting?: number },
) {
  const db = new Database({
    connection: { connectionString: url },
    waitTimeoutMs: 60_000,
    lockTimeoutMs: 60_000,
    statementTimeoutMs: 60_000,
    transactionTimeoutMs: 90_000,
    answerTimeoutMs: 90_000,
    ...options,
  })
  afterwards(t, () => db.close())
  const patience = { longestWaitMs: 60_000, mostWaiting }
  const authenticator = new Authenticator(db, operatorToken, () => {}, patience)
  return { ...(await startServer({ db, url, authenticator, patience })), authenticator }
}
