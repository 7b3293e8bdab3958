import assert from 'node:assert/strict'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { newId } from '../../src/db/ids.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { allMigrations } from '../../src/db/migrations/released.ts'
import { settingsOfNodes } from '../../src/db/pool/session.ts'
import { afterwards, type Scope } from '../support/afterwards.ts'
import { joinNodes, onlyOnCitus, settingsOnNodes } from '../support/citus.ts'
import { idFiltersOf, inUsefulOrder, lineOf, startScenes, wordsOf } from '../support/scene.ts'
import { freshDatabase } from '../support/slow/fresh-database.ts'
import { databaseUrl, startServer } from '../support/world.ts'

test('each statement of a request runs on one shard', onlyOnCitus, async () => {
  const { scene } = await startScenes({ url: refusingMoreShards(databaseUrl) })
  for (const caller of ['owner', 'member'] as const) {
    const { ask, world, open } = await scene()
    for (const route of inUsefulOrder) {
      if (caller === 'member' && !(route.roles as readonly string[]).includes('member')) continue
      const headers: Record<string, string> = route.method === 'POST' ? { 'idempotency-key': newId() } : {}
      const queries = [
        ...wordsOf(route, 'include').map((part) => `?include=${part}`),
        ...idFiltersOf(route).map((filter) => `?${filter}=${open.projects}`),
      ]
      for (const query of ['', ...queries]) {
        const { status, text } = await ask(world[caller], route, { headers, query })
        assert.ok(status < 500, `${lineOf(route)}${query} is ${status}: ${text}`)
      }
    }
  }
})

test(
  'a migration distributes every table with org_id beside the organizations, once, and sends the settings to all nodes',
  onlyOnCitus,
  async (t) => {
    const { url, client } = await fresh(t)
    await migrate({ connectionString: url })
    const before = await placesOf(client)
    assert.ok(before.length > 20)
    assert.deepEqual(before, await wantedPlaces(client))
    for (const given of await settingsOnNodes(url)) {
      const here = new Map(given.map((one) => one.toLowerCase().split('=') as [string, string]))
      // what is set already stays
      for (const [name, value] of Object.entries(settingsOfNodes))
        assert.equal(here.get(name), name === 'lock_timeout' ? '60000' : value.toLowerCase(), name)
    }
    assert.deepEqual(await migrate({ connectionString: url }), [])
    assert.deepEqual(await placesOf(client), before)
  },
)

test('every later migration updates a database that is already distributed', onlyOnCitus, async (t) => {
  const { url, client } = await fresh(t)
  const all = await allMigrations()
  const folder = await mkdtemp(join(tmpdir(), 'taskwright-migrations-'))
  afterwards(t, () => rm(folder, { recursive: true }))
  for (const { name } of all) {
    await copyFile(new URL(`../../migrations/${name}`, import.meta.url), join(folder, name))
    assert.deepEqual(await migrate({ connectionString: url }, undefined, { folder: pathToFileURL(`${folder}/`) }), [
      name,
    ])
  }
  assert.deepEqual(await placesOf(client), await wantedPlaces(client))
  const { newWorld } = await startServer({ url })
  assert.equal((await (await newWorld()).owner.get('/tasks')).status, 200)
})

test('data from before a database came to Citus is there afterwards', onlyOnCitus, async (t) => {
  const { url, client } = await fresh(t)
  await client.query('drop extension citus')
  await migrate({ connectionString: url })
  const { owner, project, task } = await (await startServer({ url })).newWorld()
  const { id } = await task({ projectId: (await project()).id })
  await joinNodes(url, databaseUrl)
  await migrate({ connectionString: url })
  assert.deepEqual(await placesOf(client), await wantedPlaces(client))
  const { api } = await startServer({ url })
  assert.equal((await api(owner.key).get(`/tasks/${id}`)).status, 200)
  const { rows } = await client.query(
    'select count(*)::int as left from pg_class where relname = $1 and relpages > 0',
    ['tasks'],
  )
  assert.deepEqual(rows, [{ left: 0 }])
})

/** With it, a statement that needs more than one shard fails. */
function refusingMoreShards(url: string): string {
  const made = new URL(url)
  made.searchParams.set('options', '-c citus.multi_task_query_log_level=error')
  return String(made)
}

async function fresh(t: Scope) {
  const { url, drop } = await freshDatabase()
  afterwards(t, drop)
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  afterwards(t, () => client.end())
  return { url, client }
}

interface Place {
  name: string
  by: string
  beside: boolean
}

/** How each table is distributed. */
async function placesOf(client: pg.Client): Promise<Place[]> {
  const { rows } = await client.query<Place>(`
    select logicalrelid::text as name, column_to_column_name(logicalrelid, partkey) as by,
      colocationid = (select colocationid from pg_dist_partition where logicalrelid = 'organizations'::regclass) as beside
    from pg_dist_partition order by 1`)
  return rows
}

async function wantedPlaces(client: pg.Client): Promise<Place[]> {
  const { rows } = await client.query<Place>(`
    select relname::text as name, 'org_id' as by, true as beside from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and exists (
      select from pg_attribute where attrelid = pg_class.oid and attname = 'org_id' and not attisdropped) order by 1`)
  return rows
}
