import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterwards, type Scope } from '../support/afterwards.ts'
import { onMigratedDatabase, serving } from '../support/slow/processes.ts'
import { apiOf, databaseUrl } from '../support/world.ts'

test('while the database accepts no connection the server lives, is not ready, and returns 503; then it continues', async (t) => {
  const settings = await onMigratedDatabase(t)
  const server = await serving(t, settings)
  const status = async (path: string) => (await fetch(server.base + path)).status
  const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)
  assert.deepEqual([await status('/healthz'), await status('/readyz')], [200, 200])

  const { letIn, breakConnections } = await superuser(t, settings.DATABASE_URL)
  await letIn(false)
  await breakConnections()
  assert.deepEqual([await status('/healthz'), await status('/readyz')], [200, 503])
  const refused = await owner.post('/tags', { name: 'A tag' }, { 'idempotency-key': 'k' })
  assert.equal(refused.status, 503)
  assert.deepEqual(Object.keys(refused.body), ['error'])
  assert.ok(refused.headers.get('retry-after'))

  await letIn(true)
  assert.equal(await status('/readyz'), 200)
  const created = await owner.post('/tags', { name: 'A tag' }, { 'idempotency-key': 'k' })
  assert.deepEqual([created.status, created.headers.get('idempotent-replayed')], [201, null])
})

test('connections that are cut while idle or in use cost 503 at most, and the server continues', async (t) => {
  const settings = await onMigratedDatabase(t)
  const server = await serving(t, settings)
  const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)
  const { breakConnections } = await superuser(t, settings.DATABASE_URL)
  const seen = new Set<number>()
  for (let round = 0; round < 5; round++) {
    const asking = Array.from({ length: 40 }, (_, n) =>
      n % 2 ? owner.get('/tags') : owner.post('/tags', { name: `Tag ${round} ${n}` }),
    )
    await breakConnections()
    for (const { status } of await Promise.all(asking)) seen.add(status)
  }
  assert.deepEqual(
    [...seen].filter((status) => ![200, 201, 503].includes(status)),
    [],
  )
  let status = 503
  while (status === 503) status = (await owner.get('/me')).status
  assert.equal(status, 200)
})

/** What an administrator does to a database from beside it. */
async function superuser(t: Scope, url: string) {
  const name = new URL(url).pathname.slice(1)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  afterwards(t, () => client.end())
  return {
    letIn: (allowed: boolean) => client.query(`alter database ${name} allow_connections ${allowed}`),
    /** returns once some are gone: just broken, they may not have been made again */
    async breakConnections(): Promise<void> {
      const sql = 'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1'
      while ((await client.query(sql, [name])).rows.length === 0) await wait(10)
    },
  }
}
