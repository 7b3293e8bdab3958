import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdir, open, readdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { checkClock, checkDisk, checkNode } from '../../src/commands/doctor/machine.ts'
import { isTypoOf } from '../../src/commands/doctor/settings.ts'
import { afterwards, file } from '../support/afterwards.ts'
import {
  onEmptyDirectory,
  onFreshDatabase,
  onMadeCluster,
  onMigratedDatabase,
  outcome,
  postmasterIn,
  serving,
} from '../support/slow/processes.ts'
import { told } from '../support/told.ts'

const secretKey = 'k'.repeat(32)
const everything = ['settings', 'node', 'port', 'disk', 'database', 'encoding', 'clock', 'durability', 'plans']
const ofTables = [
  ...['connections', 'locks', 'pooler', 'writes', 'standbys', 'migrations', 'rights', 'extensions', 'secrets'],
]

test('beside a running server the doctor finds nothing wrong, and prints one line for each check', async (t) => {
  const settings = { ...(await onMigratedDatabase(t)), SECRET_KEY: secretKey }
  const server = await serving(t, settings)
  const { code, out, err } = await outcome(t, ['doctor'], { ...settings, PORT: String(server.port) })
  // the database of a test run flushes nothing
  const wrong = out.filter((line) => line.startsWith('wrong')).map(checkOf)
  assert.deepEqual(
    wrong.filter((check) => check !== 'durability'),
    [],
  )
  assert.deepEqual([code, err], wrong.length === 0 ? [0, []] : [1, [`${wrong.length} of ${out.length} checks: wrong.`]])
  assert.deepEqual(out.map(checkOf).sort(), [...everything, ...ofTables].sort())
  assert.match(out.join('\n'), /^ok {6}port .*a Taskwright server listens there$/m)
  assert.match(out.join('\n'), /^ok {6}migrations +all \d+ are applied/m)
})

test('without a server the doctor checks the embedded database, and leaves it stopped', async (t) => {
  const settings = { ...(await onMadeCluster(t)), PORT: '0' }
  const { code, out } = await outcome(t, ['doctor', '--json'], settings)
  const { healthy, checks } = JSON.parse(out.join('\n'))
  assert.deepEqual([code, healthy], [0, true], out.join('\n'))
  assert.deepEqual(new Set(checks.flatMap(Object.keys)), new Set(['check', 'state', 'says']))
  assert.equal(checks.find(({ check }: { check: string }) => check === 'database').state, 'ok')
  assert.equal(await postmasterIn(settings.DATA_DIR), undefined)
})

test('the doctor creates no database', async (t) => {
  const settings = { ...(await onEmptyDirectory(t)), PORT: '0' }
  assert.match((await said(settings)).text, /^ok {6}database +there is none yet/m)
  assert.deepEqual(await readdir(settings.DATA_DIR), [])
})

test('invalid settings are wrong, and a name that looks like a setting is a warning', async () => {
  const { code, text } = await said({ PORT: 'many', WORKERS: '0', DRAIN_DELY: '5s', TASKWRIGHT_LOG_LEVEL: 'info' })
  assert.equal(code, 1)
  assert.match(text, /^wrong {3}settings +PORT must be/m)
  assert.match(text, /^wrong {3}settings +WORKERS must be/m)
  assert.match(text, /^warning settings +DRAIN_DELY is not a setting. Did you mean DRAIN_DELAY\?$/m)
  assert.match(text, /^warning settings +TASKWRIGHT_LOG_LEVEL is not a setting. Did you mean LOG_LEVEL\?$/m)
})

test("the doctor does not take the machine's own variables for typing errors", () => {
  const ordinary = ['PATH', 'HOME', 'HOSTNAME', 'SHELL', 'LANG', 'TERM', 'PWD', 'USER', 'LOGNAME', 'NODE_ENV', 'PORTS']
  for (const name of ordinary) assert.ok(!['HOST', 'PORT', 'MCP', 'LOG_LEVEL'].some((it) => isTypoOf(name, it)), name)
  for (const name of ['DATABASEURL', 'database_url', 'DATABSE_URL', 'DATABASE_URI'])
    assert.ok(isTypoOf(name, 'DATABASE_URL'), name)
})

test('the doctor warns if everybody can reach a server without an operator token', async (t) => {
  const settings = { ...(await onEmptyDirectory(t)), PORT: '0', HOST: '0.0.0.0' }
  assert.match((await said(settings)).text, /^warning operator token +none is set/m)
})

test('a port that something else uses is wrong, and so is an address of another machine', async (t) => {
  const other = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
  await once(other.listen(0, '127.0.0.1'), 'listening')
  afterwards(t, async () => void other.close())
  const settings = await onEmptyDirectory(t)
  const taken = await said({ ...settings, PORT: String((other.address() as AddressInfo).port) })
  assert.deepEqual([taken.code, /^wrong {3}port +something else listens/m.test(taken.text)], [1, true], taken.text)
  const elsewhere = await said({ ...settings, HOST: '203.0.113.1', PORT: '0' })
  assert.match(elsewhere.text, /^wrong {3}port +203\.0\.113\.1 cannot be listened on/m)
})

test('a data directory that is a file, or that others can write or read, is wrong', async (t) => {
  const { DATA_DIR } = await onEmptyDirectory(t)
  await writeFile(join(DATA_DIR, 'file'), '')
  const isFile = await said({ DATA_DIR: join(DATA_DIR, 'file'), PORT: '0' })
  assert.match(isFile.text, /^wrong {3}data directory +.* is a file/m)
  await chmod(DATA_DIR, 0o777)
  await writeFile(join(DATA_DIR, 'secret-key'), `${secretKey}\n`)
  await chmod(join(DATA_DIR, 'secret-key'), 0o644)
  const open = await said({ DATA_DIR, PORT: '0' })
  assert.equal(open.code, 1)
  assert.match(open.text, /^wrong {3}data directory +others may write in/m)
  assert.match(open.text, /^wrong {3}secret key +others may read .*: chmod 600/m)
  await chmod(DATA_DIR, 0o755)
  await mkdir(join(DATA_DIR, 'postgres'), { mode: 0o755 })
  assert.match((await said({ DATA_DIR, PORT: '0' })).text, /^wrong {3}data directory +others may look into/m)
})

test('the doctor checks the backup directory: it reports a file, an unwritable directory, and too little room', async (t) => {
  const { DATA_DIR } = await onEmptyDirectory(t)
  const backups = { DATA_DIR, PORT: '0', BACKUP_EVERY: '24h', BACKUP_DIR: join(DATA_DIR, 'backups') }
  assert.match((await said(backups)).text, /^ok {6}backups +.* is writable/m)
  await writeFile(join(DATA_DIR, 'file'), '')
  const isFile = await said({ ...backups, BACKUP_DIR: join(DATA_DIR, 'file') })
  assert.deepEqual([isFile.code, /^wrong {3}backups +.* is a file/m.test(isFile.text)], [1, true], isFile.text)
  // which root, too, cannot write
  for (const BACKUP_DIR of ['/proc/self/backups', '/proc/backups']) {
    const unwritable = await said({ ...backups, BACKUP_DIR })
    assert.deepEqual([unwritable.code, /^wrong {3}backups +/m.test(unwritable.text)], [1, true], unwritable.text)
  }
  await mkdir(backups.BACKUP_DIR)
  const huge = await open(join(backups.BACKUP_DIR, 'taskwright-20260101T000000Z.tar'), 'w')
  await huge.truncate(2 ** 43).finally(() => huge.close())
  assert.match((await said(backups)).text, /^warning backups +.* has no space for one more/m)
})

test('a database that cannot be reached is wrong', async () => {
  const { code, text } = await said({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing', PORT: '0' })
  assert.equal(code, 1)
  assert.match(text, /^wrong {3}database +.*ECONNREFUSED/m)
  assert.match(text, /^warning secret key +SECRET_KEY is not set/m)
})

const { DATABASE_URL } = await onMigratedDatabase(file)
const database = new URL(DATABASE_URL).pathname.slice(1)
const settings = { DATABASE_URL, PORT: '0', SECRET_KEY: secretKey }

/** What is changed in the database for one look, and what is seen then. */
const changes: [title: string, change: string, undo: string, seen: RegExp][] = [
  [
    'database settings that lose acknowledged writes',
    `alter database ${database} set synchronous_commit = off`,
    `alter database ${database} reset synchronous_commit`,
    /^wrong {3}durability +.*synchronous_commit = off/m,
  ],
  [
    'database settings that spoil plans',
    `alter database ${database} set enable_indexscan = off`,
    `alter database ${database} reset enable_indexscan`,
    /^warning plans +enable_indexscan = off/m,
  ],
  [
    'a read-only database',
    `alter database ${database} set default_transaction_read_only = on`,
    `set default_transaction_read_only = off; alter database ${database} reset default_transaction_read_only`,
    /^warning writes +default_transaction_read_only is on/m,
  ],
  [
    'too few connections',
    `alter database ${database} connection limit 20`,
    `alter database ${database} connection limit -1`,
    /^wrong {3}connections +\S+ of 20 connections/m,
  ],
  [
    'a migration that is missing',
    `alter table migrations rename to aside; create table migrations as select * from aside where name <> (select max(name) from aside)`,
    'drop table migrations; alter table aside rename to migrations',
    /^warning migrations +1 are not applied/m,
  ],
  [
    'a schema of a newer version',
    `insert into migrations (name, applied_at) values ('9000_later.sql', now())`,
    `delete from migrations where name = '9000_later.sql'`,
    /^wrong {3}migrations +The database was migrated by a newer Taskwright/m,
  ],
  [
    'secrets that are sealed by another key',
    String.raw`update instance set secret_key_fingerprint = '\x00'`,
    'update instance set secret_key_fingerprint = null',
    /^wrong {3}secrets +the key does not match/m,
  ],
  [
    'a replication slot that nobody reads',
    `select pg_create_physical_replication_slot('${database}')`,
    `select pg_drop_replication_slot('${database}')`,
    /^warning slots +nobody reads/m,
  ],
  [
    'an old PostgreSQL without autovacuum, with room for few locks, of another time, whose standby is behind, and which lacks extensions',
    `create schema fake;
      create function fake.current_setting(name text) returns text language sql as $$
        select case name when 'server_version_num' then '140010' when 'server_encoding' then 'LATIN1'
          when 'autovacuum' then 'off' when 'max_locks_per_transaction' then '1' else pg_catalog.current_setting(name) end $$;
      create function fake.clock_timestamp() returns timestamptz language sql as
        $$ select pg_catalog.clock_timestamp() + interval '1 hour' $$;
      create view fake.pg_stat_replication as select '0/0'::pg_lsn as replay_lsn;
      create view fake.pg_available_extensions as select null::name as name, null::text as installed_version where false;
      create function fake.pg_wal_lsn_diff(pg_lsn, pg_lsn) returns numeric language sql as 'select 1e9';
      alter database ${database} set search_path = fake, public, pg_catalog`,
    `alter database ${database} reset search_path; drop schema fake cascade`,
    /^wrong {3}database +PostgreSQL \S+.* is too old[\s\S]*^wrong {3}encoding +LATIN1[\s\S]*^wrong {3}clock +the database's is 3[56]\d\d\.\d s ahead[\s\S]*^wrong {3}autovacuum[\s\S]*^warning locks +there is room for \d+ locks, and one organization may hold 6400: raise[\s\S]*^warning standbys[\s\S]*^wrong {3}extensions +not available: btree_gin, btree_gist/m,
  ],
]

for (const [title, change, undo, seen] of changes) {
  test(`${title}: the doctor says so`, async (t) => {
    const client = new pg.Client({ connectionString: DATABASE_URL })
    await client.connect()
    afterwards(t, async () => {
      await client.query(undo)
      await client.end()
    })
    await client.query(change)
    const { code, text } = await said(settings)
    assert.match(text, seen)
    assert.equal(code, /^wrong/m.test(text) ? 1 : 0)
  })
}

for (const [title, make, seen] of [
  ['may make no tables', onFreshDatabase, /^wrong {3}rights +\w+ cannot create tables: grant create on schema public/m],
  ['does not own the tables that are there', onMigratedDatabase, /^wrong {3}rights +\w+ does not own \w+/m],
] as const) {
  test(`a role that ${title}: the doctor says so`, async (t) => {
    const { DATABASE_URL: url } = await make(t)
    const role = `${new URL(url).pathname.slice(1)}_guest`
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`create role ${role}`)
    if (make === onMigratedDatabase)
      await client.query(
        `grant create on schema public to ${role}; grant select on all tables in schema public to ${role}`,
      )
    afterwards(t, async () => {
      await client.query(`drop owned by ${role}; drop role ${role}`)
      await client.end()
    })
    // the embedded PostgreSQL lets in one account alone, which then takes the other's part
    const asGuest = `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(`-c role=${role}`)}`
    const { code, text } = await said({ ...settings, DATABASE_URL: asGuest })
    assert.match(text, seen)
    assert.equal(code, 1)
  })
}

test('a Node version that is too old is wrong, one past its end or untested is a warning', () => {
  const today = new Date('2026-11-23')
  const states = ['18.20.0', '20.18.1', '20.19.0', '22.20.0', '23.1.0', '24.21.0', '25.9.0', '26.10.0'].map(
    (version) => checkNode(version, today).state,
  )
  assert.deepEqual(states, ['wrong', 'wrong', 'warning', 'ok', 'warning', 'ok', 'warning', 'warning'])
  assert.equal(checkNode('24.21.0', new Date('2028-05-01')).state, 'warning')
})

test('a disk with little room is a warning, one with hardly any is wrong', () => {
  const all = 100e9
  const states = [50e9, 4e9, 1e9, 1e8].map((free) => checkDisk('/data', { free, all }).state)
  assert.deepEqual(states, ['ok', 'warning', 'warning', 'wrong'])
})

test('clocks that are seconds apart are a warning, minutes apart are wrong', () => {
  assert.deepEqual(
    [100, -3_000, 90_000, -90_000].map((aheadMs) => checkClock(aheadMs).state),
    ['ok', 'warning', 'wrong', 'wrong'],
  )
})

const checkOf = (line: string) => line.slice(8, 24).trim()

async function said(environment: Record<string, string>) {
  const { code, out } = await told(['doctor'], environment)
  return { code, text: out.join('\n') }
}
