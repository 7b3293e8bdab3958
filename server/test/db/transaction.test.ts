import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { Database } from '../../src/db/pool/database.ts'
import { failureOf } from '../../src/db/pool/failures.ts'
import { sql } from '../../src/db/sql.ts'
import { afterwards, file } from '../support/afterwards.ts'
import { goBetween } from '../support/go-between.ts'
import { type Api, migratedDatabase, type Reply, startServer } from '../support/world.ts'

// backends are cancelled, which tests beside these would notice
const { url, drop } = await migratedDatabase()
afterwards(file, drop)
const { newWorld, db } = await startServer({ url })
const between = await goBetween(file, url)
const behind = await startServer({ url: between.url })

const newTag = (name: string) => ({ method: 'POST', path: '/tags', body: { name } })
const nowhere = { method: 'POST', path: '/nowhere' }
const refusedBulk = (api: Api, name: string, key?: string) =>
  api.post('/bulk', { operations: [newTag(name), nowhere] }, key === undefined ? {} : { 'idempotency-key': key })

const tagNames = async (api: Api) =>
  (await api.get('/tags?limit=100')).body.data.map(({ name }: { name: string }) => name)

/** How much is kept of what was asked under keys, and how much of it without an answer. */
const claims = (orgId: string) =>
  db.row<{ kept: number; unanswered: number }>(sql`
    select count(*)::integer as kept, count(*) filter (where status is null)::integer as unanswered
    from idempotency_keys where org_id = ${orgId}`)

for (const fate of ['lose', 'refuse'] as const) {
  for (const command of ['begin', 'savepoint']) {
    test(`if a connection ${fate}s ${command.toUpperCase()}, no refused write and no dry run is stored, and later requests work`, async () => {
      const { owner, orgId } = await newWorld()
      const api = behind.api(owner.key)
      between.interfere((text) => (text.startsWith(command) ? fate : undefined))
      const lostBefore = between.seen.lost
      const replies = {
        once: await api.post('/tags', { name: 'once' }, { 'idempotency-key': 'once' }),
        unkeyed: await api.post('/tags', { name: 'unkeyed' }),
        refused: await refusedBulk(api, 'refused', 'refused'),
        refusedUnkeyed: await refusedBulk(api, 'refused without a key'),
        dry: await api.post('/tags?dryRun=true', { name: 'dry run' }),
        taken: await api.post('/tags', { name: 'once' }, { 'idempotency-key': 'taken' }),
        read: await api.get('/tags'),
      }
      between.interfere(() => undefined)
      assert.ok(between.seen.lost > lostBefore)
      assert.equal(replies.read.status, 200)
      const unclear = Object.values(replies).filter(({ status }) => status >= 500)
      assert.deepEqual(new Set(unclear.map(({ status }) => status)), new Set(unclear.length > 0 ? [503] : []))
      const done = (['once', 'unkeyed'] as const).filter((name) => replies[name].status === 201)
      assert.deepEqual(await tagNames(owner), done)
      assert.equal((await claims(orgId))?.unanswered, 0)

      assert.equal((await api.post('/tags', { name: 'once' }, { 'idempotency-key': 'once' })).status, 201)
      assert.equal((await refusedBulk(api, 'refused', 'refused')).status, 404)
      assert.equal((await api.post('/tags', { name: 'once' }, { 'idempotency-key': 'taken' })).status, 422)
      assert.deepEqual(await tagNames(owner), [...new Set(['once', ...done])])
      assert.deepEqual(await claims(orgId), { kept: 3, unanswered: 0 })
      const events = await db.rows(sql`select from events where org_id = ${orgId} and type = 'tag.created'`)
      assert.equal(events.length, (await tagNames(owner)).length)
    })
  }
}

test('if a connection loses BEGIN, a statement that is only sent fails, and nobody takes it for done', async (t) => {
  const lost = new Database({ connection: { connectionString: between.url }, poolSize: 4 })
  afterwards(t, () => lost.close())
  between.interfere((text) => (text.startsWith('begin') ? 'lose' : undefined))
  const sent = lost.transaction(async (tx) => tx.send(sql`update instance set created_at = created_at`))
  await assert.rejects(sent, (error) => failureOf(error) === 'again')
  between.interfere(() => undefined)
})

test('if the response to COMMIT is lost, the request gets 503, and a retry with its key shows that it took effect once', async () => {
  const { owner } = await newWorld()
  const api = behind.api(owner.key)
  let cuts = 0
  // jobs commit beside it
  const isOurs = (asked: string) => asked.includes('answered-once')
  between.interfere((text, asked) => (text === 'commit' && isOurs(asked) && cuts++ === 0 ? 'cut' : undefined))
  const send = () => api.post('/tags', { name: 'once' }, { 'idempotency-key': 'answered-once' })
  assert.equal((await send()).status, 503)
  const again = await send()
  between.interfere(() => undefined)
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true'])
  assert.deepEqual((await owner.get('/tags')).body, { data: [again.body], total: 1 })
})

test('while statements are cancelled all the time every key takes effect once, with a response, and no refused write or dry run is stored', async (t) => {
  const { owner, orgId } = await newWorld()
  const stop = await cancelling()
  afterwards(t, stop)
  const until = async (wanted: number, ask: () => Promise<Reply>) => {
    for (;;) {
      const reply = await ask()
      if (reply.status !== 503) return assert.equal(reply.status, wanted, reply.text)
    }
  }
  const asked = Array.from({ length: 12 }, async (_, client) => {
    for (let n = 0; n < 12; n++) {
      const name = `${client}-${n}`
      await until(201, () => owner.post('/tags', { name }, { 'idempotency-key': name }))
      await until(201, () => owner.post('/tags?dryRun=true', { name: `dry run ${name}` }))
      await until(404, () => refusedBulk(owner, `refused ${name}`, `refused-${name}`))
    }
  })
  await Promise.all(asked)
  const cancelled = await stop()
  assert.ok(cancelled > 100, `${cancelled} were cancelled`)
  assert.equal((await owner.get('/tags?limit=1')).body.total, 144)
  assert.deepEqual(await claims(orgId), { kept: 288, unanswered: 0 })
})

/** Cancels what the server's backends do, until it is told to stop; then says how often. */
async function cancelling() {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let [going, cancelled] = [true, 0]
  const ended = (async () => {
    while (going) {
      // many times in one statement: BEGIN is over in no time
      const { rows } = await client.query(`
        select pg_cancel_backend(pid) from generate_series(1, 500), pg_stat_activity
        where datname = current_database() and application_name = 'taskwright' and random() < 0.02`)
      cancelled += rows.length
    }
    await client.end()
  })()
  return async () => {
    going = false
    await ended
    return cancelled
  }
}
