import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { onFreshDatabase, outcome, serving } from '../support/slow/processes.ts'
import { apiOf, created, databaseUrl } from '../support/world.ts'

test('on a read-only database a start serves reads, refuses writes with 503, and says and logs why; later it writes again', async (t) => {
  const { DATABASE_URL } = await onFreshDatabase(t)
  const first = await serving(t, { DATABASE_URL })
  await created(apiOf(`${first.base}/api/v1`, first.ownersKey).post('/tags', { name: 'A tag' }))
  await first.kill('SIGTERM')
  await onlyReads(DATABASE_URL, true)

  const server = await serving(t, { DATABASE_URL })
  const strict = await serving(t, { DATABASE_URL, READY_WHEN: 'writes' })
  const owner = apiOf(`${server.base}/api/v1`, first.ownersKey)
  const ready = async ({ base }: { base: string }) => {
    const response = await fetch(`${base}/readyz`)
    return [response.status, ((await response.json()) as { writes?: boolean }).writes]
  }
  assert.ok(
    server.err.all.includes(
      'The database is read-only (a standby, or default_transaction_read_only). This server answers reads; writes are 503.',
    ),
  )
  assert.equal((await owner.get('/tags')).body.total, 1)
  assert.equal((await owner.post('/tags', { name: 'Another' }, { 'idempotency-key': 'k' })).status, 503)
  const line = await server.err.first((line) => line.includes('"The database only reads"'))
  assert.match(line, /"msg":"the database takes no writes"/)
  assert.deepEqual(
    [await ready(server), await ready(strict)],
    [
      [200, false],
      [503, undefined],
    ],
  )

  await onlyReads(DATABASE_URL, false)
  while ((await ready(server))[1] === false || (await ready(strict))[0] === 503);
  assert.deepEqual(
    [await ready(server), await ready(strict)],
    [
      [200, true],
      [200, true],
    ],
  )
  assert.equal((await owner.post('/tags', { name: 'Another' }, { 'idempotency-key': 'k' })).status, 201)
})

test('a read-only database that lacks migrations is refused with a message that names them', async (t) => {
  const settings = await onFreshDatabase(t)
  await onlyReads(settings.DATABASE_URL, true)
  const { code, err } = await outcome(t, ['serve'], { ...settings, PORT: '0' })
  assert.equal(code, 1)
  assert.match(
    err.at(-1) ?? '',
    /^The database is read-only .*, and its schema is older than this version \(0001_organizations\.sql, .*\): run taskwright migrate on the primary\.$/,
  )
})

async function onlyReads(url: string, on: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const name = new URL(url).pathname.slice(1)
  await client.query(`alter database ${name} set default_transaction_read_only = ${on}`)
  await client.end()
}
