import assert from 'node:assert/strict'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { backUp } from '../../../src/db/backup/back-up.ts'
import { digestsOf } from '../../../src/db/backup/verify.ts'
import { migrate } from '../../../src/db/migrations/migrate.ts'
import { afterwards, file } from '../../support/afterwards.ts'
import { emptyDirectory } from '../../support/slow/archives.ts'
import { sentences } from '../../support/slow/cluster.ts'
import { created, migratedDatabase, startServer } from '../../support/world.ts'

const source = await migratedDatabase()
afterwards(file, source.drop)
const connection = { connectionString: source.url }

/** A backup that has begun, and goes on when it is let. */
async function heldBackup() {
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let begun = () => {}
  const writing = new Promise<void>((resolve) => {
    begun = resolve
  })
  const sink = {
    async write() {
      begun()
      await held
    },
  }
  const done = backUp(connection, sink, { version: '0.1.0' })
  await writing
  return { goOn, done }
}

test('writes continue during a backup, which has what was there at its beginning and nothing of them', async () => {
  const server = await startServer({ url: source.url })
  const { owner } = await server.newWorld()
  const before = await digestsOf(connection)
  const backup = await heldBackup()
  await created(owner.post('/tags', { name: 'Made meanwhile' }))
  backup.goOn()
  const { checksums } = await backup.done
  assert.deepEqual(checksums.tables.tags, before.tags)
  assert.notDeepEqual((await digestsOf(connection)).tags, before.tags)
})

test('a backup takes one connection and locks that only migrations notice, which wait for it and say so', async (t) => {
  const backup = await heldBackup()
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query(
    `select array_agg(distinct pg_locks.mode) as modes, count(distinct pid) as connections
     from pg_locks join pg_stat_activity using (pid)
     where application_name = 'taskwright-backup' and datname = current_database() and locktype = 'relation'`,
  )
  assert.deepEqual(rows, [{ modes: ['AccessShareLock'], connections: '1' }])
  await client.end()
  assert.deepEqual(await migrate(connection), [], 'a start that has nothing to migrate does not wait')

  const folder = await emptyDirectory(t)
  await cp(new URL('../../../migrations/', import.meta.url), folder, { recursive: true })
  await writeFile(join(folder, '9000_later.sql'), 'create table later (org_id uuid primary key);')
  const told = sentences()
  let migrated = false
  const newer = { say: told.say, folder: pathToFileURL(`${folder}/`) }
  const migrating = migrate(connection, undefined, newer).finally(() => {
    migrated = true
  })
  await told.first(/^Migrations wait for a running backup, which reads all tables in one snapshot\.$/)
  assert.equal(migrated, false)
  backup.goOn()
  await backup.done
  assert.deepEqual(await migrating, ['9000_later.sql'])
})
