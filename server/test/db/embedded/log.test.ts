import assert from 'node:assert/strict'
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../../src/db/embedded/embedded.ts'
import { madeDataDir, silent } from '../../support/slow/cluster.ts'
import { onMadeCluster, serving } from '../../support/slow/processes.ts'
import { inTime } from '../../support/until.ts'
import { apiOf, created } from '../../support/world.ts'

// each waits more than it computes
describe('the log of the embedded PostgreSQL', { concurrency: 4 }, () => {
  test('a request that the database refuses leaves no trace in its log', async (t) => {
    const { DATA_DIR } = await onMadeCluster(t)
    const { base, ownersKey } = await serving(t, { DATA_DIR })
    const owner = apiOf(`${base}/api/v1`, ownersKey)
    const ann = { name: 'Ann', email: 'ann.private@example.com', role: 'member' }
    await created(owner.post('/members', ann))
    const log = () => logged(join(DATA_DIR, 'postgres'))
    const before = await log()
    for (let n = 0; n < 5; n++) assert.equal((await owner.post('/members', ann)).status, 422)
    assert.equal(await log(), before)
  })

  test('what fails on any other connection is logged without the values that it names', async (t) => {
    const { connection, directory } = await openEmbeddedPostgres({ dataDir: await madeDataDir(t), say: silent })
    const client = new pg.Client({ ...connection, options: '' })
    await client.connect()
    await client.query('create table people (email text unique)')
    const insert = { text: 'insert into people values ($1)', values: ['ann.private@example.com'] }
    await client.query(insert)
    await assert.rejects(client.query(insert), { code: '23505' })
    await client.end()
    const refusal = /ERROR: {2}duplicate key value violates unique constraint "people_email_key"\n/
    assert.doesNotMatch(await inTime(loggedUntil(directory, refusal), 'It is not logged'), /ann\.private/)
  })

  test('it begins a new file by size and by day, private ones', async (t) => {
    const embedded = await openEmbeddedPostgres({ dataDir: await madeDataDir(t), say: silent })
    const client = new pg.Client(embedded.connection)
    await client.connect()
    const { rows } = await client.query(`select name || '=' || current_setting(name) as setting
      from pg_settings where name in ('log_rotation_age', 'log_rotation_size') order by name`)
    await client.end()
    assert.deepEqual(
      rows.map(({ setting }) => setting),
      ['log_rotation_age=1d', 'log_rotation_size=10MB'],
    )
    for (const name of await files(embedded)) {
      assert.equal((await stat(join(embedded.directory, 'log', name))).mode & 0o777, 0o600)
    }
  })

  test('its oldest files go while a server runs, so that it never takes more than 50 MB or 100 files', async (t) => {
    const embedded = await openEmbeddedPostgres({ dataDir: await madeDataDir(t), say: silent })
    const make = async (name: string, bytes: number) => {
      await writeFile(join(embedded.directory, 'log', name), '')
      await truncate(join(embedded.directory, 'log', name), bytes)
    }
    const [newest] = await files(embedded)
    const day = (n: number) => `postgresql-2020-01-${String(n).padStart(2, '0')}_000000.log`
    for (let n = 1; n <= 8; n++) await make(day(n), 10_000_000)
    await make('notes-of-the-operator.log', 10_000_000)
    await embedded.pruneLog()
    assert.deepEqual(await files(embedded), [day(5), day(6), day(7), day(8), newest])
    const seconds = Array.from({ length: 120 }, (_, n) => `postgresql-2021-01-01_0${10_000 + n}.log`)
    for (const name of seconds) await make(name, 0)
    await embedded.pruneLog()
    assert.deepEqual(await files(embedded), [...seconds.slice(-99), newest])
    assert.ok((await readdir(join(embedded.directory, 'log'))).includes('notes-of-the-operator.log'))
  })

  test('the one file of former versions, which held what customers wrote, is gone after the next start', async (t) => {
    const dataDir = await madeDataDir(t)
    for (const name of ['postgres.log', 'postgres.log.1'])
      await writeFile(join(dataDir, name), 'ann.private@example.com')
    await openEmbeddedPostgres({ dataDir, say: silent })
    assert.deepEqual(await readdir(dataDir), ['postgres'])
  })
})

async function files({ directory }: EmbeddedPostgres): Promise<string[]> {
  const names = await readdir(join(directory, 'log'))
  return names.filter((name) => name.startsWith('postgresql-')).sort()
}

/** Who sent a statement hears that it failed before another process has written it down. */
async function loggedUntil(directory: string, last: RegExp): Promise<string> {
  for (;;) {
    const text = await logged(directory)
    if (last.test(text)) return text
    await wait(10)
  }
}

async function logged(directory: string): Promise<string> {
  const folder = join(directory, 'log')
  const texts = (await readdir(folder)).sort().map((name) => readFile(join(folder, name), 'utf8'))
  return (await Promise.all(texts)).join('')
}
