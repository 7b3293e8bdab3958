import assert from 'node:assert/strict'
import { copyFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { checkedArchive } from '../../../src/db/backup/reading.ts'
import { restore } from '../../../src/db/backup/restore.ts'
import { digestsOf } from '../../../src/db/backup/verify.ts'
import { migrate } from '../../../src/db/migrations/migrate.ts'
import { afterwards, file } from '../../support/afterwards.ts'
import { oneOfEach } from '../../support/samples.ts'
import { archiveOf, emptyDatabase, emptyDirectory, repacked } from '../../support/slow/archives.ts'
import { migratedDatabase, startServer } from '../../support/world.ts'

const source = await migratedDatabase()
afterwards(file, source.drop)
const server = await startServer({ url: source.url })
await oneOfEach(await server.newWorld())
const archive = await archiveOf(file, source.url)

/** Nothing but what was there before. */
async function tablesOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query("select tablename from pg_tables where schemaname = 'public'")
  await client.end()
  return rows.map(({ tablename }) => tablename)
}

test('an archive that is cut short anywhere is refused before anything is in the database', async (t) => {
  const directory = await emptyDirectory(t)
  const { length } = await readFile(archive.file)
  for (const share of [0, 0.001, 0.1, 0.35, 0.7, 0.99, 1]) {
    const cut = join(directory, `cut-${share}.tar`)
    await copyFile(archive.file, cut)
    // the last kilobyte is the end of any tar
    await truncate(cut, Math.floor(share * (length - 1_025)))
    await assert.rejects(checkedArchive(cut), {
      name: 'ArchiveProblem',
      message: /is not a complete archive of Taskwright \(.+\): nothing was restored/,
    })
  }
})

test('an archive with one flipped bit is refused, or has the same content', async (t) => {
  const directory = await emptyDirectory(t)
  const bytes = await readFile(archive.file)
  let refused = 0
  for (let n = 0; n < 200; n++) {
    const changed = Buffer.from(bytes)
    const at = Math.floor(((n + Math.random()) / 200) * bytes.length)
    changed[at] = (changed[at] ?? 0) ^ (1 << (n % 8))
    const path = join(directory, 'changed.tar')
    await writeFile(path, changed)
    const read = await checkedArchive(path).catch((error) => {
      assert.equal(error.name, 'ArchiveProblem', `byte ${at}: ${error.stack}`)
      refused++
    })
    if (read) assert.deepEqual([read.contents, read.checksums], [archive.contents, archive.checksums], `byte ${at}`)
  }
  assert.ok(refused > 150, `only ${refused} were refused`)
})

test('a file that is not an archive gets a message', async (t) => {
  const path = join(await emptyDirectory(t), 'notes.txt')
  await writeFile(path, 'Not a tar at all, but long enough to be read as if it were one. '.repeat(100))
  await assert.rejects(checkedArchive(path), /is not a complete archive of Taskwright/)
  await assert.rejects(checkedArchive(join(path, '..', 'none.tar')), /^ArchiveProblem: There is no .+none\.tar\.$/)
})

test('an archive of a newer format, or of a version with more migrations, is refused with a message that says which', async (t) => {
  const newerForm = await repacked(t, archive, (contents) => ({ ...contents, format: 2, taskwright: '9.1.0' }))
  await assert.rejects(
    checkedArchive(newerForm),
    /was made by a newer Taskwright \(9\.1\.0\): restore it with that version\.$/,
  )
  const migrations = [
    ...archive.contents.migrations,
    { name: '9000_later.sql', hash: '0'.repeat(64), appliedAt: '2030-01-01' },
  ]
  const newer = await repacked(t, archive, (contents) => ({ ...contents, migrations, taskwright: '9.1.0' }))
  const url = await emptyDatabase(t)
  await assert.rejects(
    restore({ connectionString: url }, await checkedArchive(newer)),
    /was made by a newer Taskwright \(9\.1\.0; 9000_later\.sql\): restore it with that version\.$/,
  )
  assert.deepEqual(await tablesOf(url), [])
})

test('a non-empty database, and one of another application, are refused and stay as they are', async (t) => {
  // its server may note meanwhile when a key was used
  const digests = async () => ({ ...(await digestsOf({ connectionString: source.url })), api_keys: undefined })
  const before = await digests()
  await assert.rejects(
    restore({ connectionString: source.url }, archive),
    /^ArchiveProblem: The database is not empty\. Nothing was restored\./,
  )
  assert.deepEqual(await digests(), before)

  const url = await emptyDatabase(t)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create table invoices (id integer primary key)')
  await client.end()
  await assert.rejects(
    restore({ connectionString: url }, archive),
    /^ArchiveProblem: The database belongs to another application/,
  )
  assert.deepEqual(await tablesOf(url), ['invoices'])
})

test('an error during loading is undone, no server starts on it, and a restore can begin again', async (t) => {
  const url = await emptyDatabase(t)
  const wrong = structuredClone(archive)
  const { tags } = wrong.checksums.tables
  if (tags) tags.sha256 = '0'.repeat(64)
  await assert.rejects(restore({ connectionString: url }, wrong), /the rows of tags have changed/)
  await assert.rejects(migrate({ connectionString: url }), {
    name: 'StartupProblem',
    message: /^A restore was started here and did not finish: run taskwright restore with the archive again\./,
  })
  await restore({ connectionString: url }, archive)
  assert.deepEqual(await migrate({ connectionString: url }), [])
  assert.deepEqual(await digestsOf({ connectionString: url }), archive.checksums.tables)
})

test('a migrated database without data counts as empty', async (t) => {
  const url = await emptyDatabase(t)
  await migrate({ connectionString: url })
  await restore({ connectionString: url }, archive)
  assert.deepEqual(await digestsOf({ connectionString: url }), archive.checksums.tables)
})

test('an archive of an older version is restored and migrated', async (t) => {
  const old = await emptyDatabase(t)
  const names = archive.contents.migrations.map(({ name }) => name)
  const before = names.slice(0, names.indexOf('0050_progress.sql'))
  await migrate({ connectionString: old }, undefined, { restoring: before })
  const client = new pg.Client({ connectionString: old })
  await client.connect()
  await client.query(`insert into organizations (org_id, name, created_at, updated_at)
    values ('01890000-0000-7000-8000-000000000001', 'Of old', '2026-01-01', '2026-01-01')`)
  await client.end()
  const older = await archiveOf(t, old)
  assert.equal(older.contents.migrations.length, before.length)
  const url = await emptyDatabase(t)
  const { applied } = await restore({ connectionString: url }, older)
  assert.deepEqual(applied, names.slice(before.length))
  assert.deepEqual(await migrate({ connectionString: url }), [])
  // of tables that have all columns of then
  const same = older.contents.tables.filter(({ name }) => ['organizations', 'instance'].includes(name))
  const { organizations, instance } = await digestsOf({ connectionString: url }, same)
  const { tables } = older.checksums
  assert.deepEqual([organizations, instance], [tables.organizations, tables.instance])
})
