import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { migrate } from '../../../src/db/migrations/migrate.ts'
import { allMigrations } from '../../../src/db/migrations/released.ts'
import { afterwards } from '../../support/afterwards.ts'
import { goBetween } from '../../support/go-between.ts'
import { sentences } from '../../support/slow/cluster.ts'
import { onFreshDatabase, outcome } from '../../support/slow/processes.ts'
import { until } from '../../support/until.ts'

const first = `
  create table instance (secret bytea, created_at timestamptz);
  create table one as select n, 0 as changes from generate_series(1, 1000) as n;
  create table two as select n, 0 as changes from generate_series(1, 1000) as n;
  create index one_by_n on one (n);
  create index two_by_n on two (n);`

const ofBothTables = `
  create index one_by_changes on one (changes);
  drop index two_by_n;
  alter table two add column note text;
  drop index one_by_n;
  create index one_by_n on one (n);
  create index two_by_n on two (n);`

test('a start migrates beside servers that write to any tables in any order, and none of them fails', async (t) => {
  const { apply, connect } = await story(t)
  await apply({ '0001_first.sql': first })
  let migrated = false
  const writers = Array.from({ length: 6 }, async (_, i) => {
    const client = await connect()
    const [earlier, later] = i % 2 ? ['one', 'two'] : ['two', 'one']
    for (let n = 0; !migrated || n < 10; n++) {
      await client.query('begin')
      await client.query(`update ${earlier} set changes = changes + 1 where n = $1`, [i + 1])
      await client.query('select pg_sleep(0.01)')
      await client.query(`update ${later} set changes = changes + 1 where n = $1`, [i + 1])
      await client.query('commit')
      // as between two requests
      await wait(40 * Math.random())
    }
  })
  const applied = apply({ '0001_first.sql': first, '0002_both.sql': ofBothTables }).finally(() => {
    migrated = true
  })
  await Promise.all([applied, ...writers])
  assert.deepEqual(await applied, ['0002_both.sql'])
})

test('a migration waits for tables in use, says so, and continues when they are free', async (t) => {
  const { apply, connect, said } = await story(t)
  await apply({ '0001_first.sql': first })
  const reader = await connect()
  await reader.query('begin')
  await reader.query('select count(*) from two')
  const applied = apply({ '0001_first.sql': first, '0002_both.sql': ofBothTables })
  await said.first(/^Migration 0002_both\.sql waits for tables in use and tries again for 120 s\.$/)
  // whoever comes later does not wait behind it
  assert.equal((await (await connect()).query('update two set changes = 1 where n = 1')).rowCount, 1)
  await reader.query('commit')
  assert.deepEqual(await applied, ['0002_both.sql'])
})

const slowUntilThirdTry = `
  select pg_sleep(1.5);
  do $$ begin
    if nextval('tries') < 3 then raise 'gave way' using errcode = '40001'; end if;
  end $$;`

test('the time that a migration waits for its tables is limited, the time of its work is not', async (t) => {
  const { apply } = await story(t)
  const begin = { '0001_first.sql': `${first}\ncreate sequence tries;` }
  await apply(begin)
  assert.deepEqual(await apply({ ...begin, '0002_slow.sql': slowUntilThirdTry }, 2_400), ['0002_slow.sql'])
  const never = slowUntilThirdTry.replace('1.5', '0').replace('< 3', '> 0')
  const refused = apply({ ...begin, '0002_slow.sql': slowUntilThirdTry, '0003_never.sql': never }, 2_400)
  await assert.rejects(refused, /0003_never\.sql could not lock its tables within 2\.4 s \(gave way\)/)
})

test('a clock that is set ahead does not end the wait of a migration early', async (t) => {
  const { apply, connect, said } = await story(t)
  await apply({ '0001_first.sql': first })
  const reader = await connect()
  await reader.query('begin')
  await reader.query('select count(*) from two')
  const { now } = Date
  let ahead = 0
  t.mock.method(Date, 'now', () => now() + 3_600_000 * ahead++)
  const applied = apply({ '0001_first.sql': first, '0002_both.sql': ofBothTables })
  await Promise.race([applied, said.first(/waits for tables/)])
  await reader.query('commit')
  assert.deepEqual(await applied, ['0002_both.sql'])
})

test('a waiting migration is given up when the start is', async (t) => {
  const { apply, connect, said, stop } = await story(t)
  await apply({ '0001_first.sql': first })
  const reader = await connect()
  await reader.query('begin')
  await reader.query('select count(*) from two')
  const refused = assert.rejects(apply({ '0001_first.sql': first, '0002_both.sql': ofBothTables }))
  await said.first(/waits for tables/)
  stop.abort()
  await refused
  const { rows } = await reader.query('select name from migrations')
  assert.deepEqual(rows, [{ name: '0001_first.sql' }])
})

const concurrently = `-- outside a transaction: the table is large
create index concurrently if not exists one_by_changes on one (changes);
-- and its twin
create unique index concurrently if not exists two_by_changes on two (changes, n);
`

test('a marked migration runs outside a transaction, beside writers, and is completed after a broken start', async (t) => {
  const { apply, connect } = await story(t)
  await apply({ '0001_first.sql': first })
  const client = await connect()
  // what a build that failed leaves
  await client.query('insert into two values (1, 0)')
  await assert.rejects(client.query('create unique index concurrently two_by_changes on two (changes, n)'))
  await client.query('delete from two where n = 1')
  const both = { '0001_first.sql': first, '0002_indexes.sql': concurrently }
  // and of two starts at once one waits for the other, without being in its way
  const applied = await Promise.all([apply(both), apply(both)])
  assert.deepEqual(applied.flat(), ['0002_indexes.sql'])
  const { rows } = await client.query(
    `select indexrelid::regclass::text as name, indisvalid as valid from pg_index
     where indexrelid::regclass::text like '%_by_changes' order by 1`,
  )
  assert.deepEqual(rows, [
    { name: 'one_by_changes', valid: true },
    { name: 'two_by_changes', valid: true },
  ])
})

const withReference = `-- outside a transaction
create table if not exists three (n integer references two (n));`

test('a migration outside a transaction that refers to a table blocks nobody behind a long write there', async (t) => {
  const { apply, connect } = await story(t)
  const begin = { '0001_first.sql': `${first}\nalter table two add primary key (n);` }
  await apply(begin)
  const [long, short] = [await connect(), await connect()]
  await long.query('begin')
  await long.query('update two set changes = 1 where n = 1')
  const applied = apply({ ...begin, '0002_three.sql': withReference })
  applied.catch(() => {})
  const waiting = `select from pg_stat_activity where query like 'create table%three%' and wait_event_type = 'Lock'`
  await until(async () => (await short.query(waiting)).rowCount === 1, 'The migration does not wait')
  // longer than each try of the migration
  await short.query(`set lock_timeout = '3s'`)
  assert.equal((await short.query('update two set changes = 1 where n = 2')).rowCount, 1)
  await long.query('commit')
  assert.deepEqual(await applied, ['0002_three.sql'])
})

test('if a connection loses BEGIN, nothing of a migration is done', async (t) => {
  const { apply, connect, lead } = await story(t)
  await apply({ '0001_first.sql': first })
  const between = await goBetween(t, lead.url)
  between.interfere((text) => (text.startsWith('begin') ? 'lose' : undefined))
  lead.url = between.url
  const applied = apply({ '0001_first.sql': first, '0002_both.sql': ofBothTables })
  await assert.rejects(applied, /0002_both\.sql failed: A transaction was not run as it was asked for/)
  const { rows } = await (await connect()).query("select from pg_indexes where indexname = 'one_by_changes'")
  assert.deepEqual(rows, [])
})

test('a migration that was changed after it was applied is refused with a message that names it', async (t) => {
  const { apply } = await story(t)
  await apply({ '0001_first.sql': first, '0002_both.sql': ofBothTables })
  const edited = { '0001_first.sql': first, '0002_both.sql': `${ofBothTables}\n-- edited` }
  const refused = {
    name: 'StartupProblem',
    message:
      'This database was migrated with another content of 0002_both.sql: a released migration must not be edited. ' +
      'Restore the file, and put the change into a new migration.',
  }
  await assert.rejects(apply(edited), refused)
  // other ends of lines are no edit
  assert.deepEqual(await apply({ '0001_first.sql': first.replaceAll('\n', '\r\n'), '0002_both.sql': ofBothTables }), [])
  await assert.rejects(apply(edited), refused)
})

test('the database stores the name and hash of each migration of this version', async (t) => {
  const settings = await onFreshDatabase(t)
  await outcome(t, ['migrate'], settings)
  const client = new pg.Client({ connectionString: settings.DATABASE_URL })
  await client.connect()
  const { rows } = await client.query('select name, hash from migrations order by name')
  await client.end()
  assert.deepEqual(
    rows,
    (await allMigrations()).map(({ name, hash }) => ({ name, hash })),
  )
})

/** A database of its own, and how to bring it to where a story of migrations ends. */
async function story(t: TestContext) {
  const { DATABASE_URL: connectionString } = await onFreshDatabase(t)
  const said = sentences()
  const stop = new AbortController()
  /** where migrations connect to */
  const lead = { url: connectionString }
  return {
    lead,
    said,
    stop,
    async apply(files: Record<string, string>, patienceMs?: number): Promise<string[]> {
      const folder = await mkdtemp(join(tmpdir(), 'taskwright-migrations-'))
      afterwards(t, () => rm(folder, { recursive: true }))
      for (const [name, script] of Object.entries(files)) await writeFile(join(folder, name), script)
      const options = { say: said.say, signal: stop.signal, folder: pathToFileURL(`${folder}/`) }
      return migrate({ connectionString: lead.url }, undefined, { ...options, ...(patienceMs && { patienceMs }) })
    },
    async connect(): Promise<pg.Client> {
      const client = new pg.Client({ connectionString })
      client.on('error', () => {})
      await client.connect()
      afterwards(t, () => client.end())
      return client
    },
  }
}
