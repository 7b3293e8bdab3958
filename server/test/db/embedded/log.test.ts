import assert from 'node:assert/strict'
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { openEmbeddedPostgres } from '../../../src/db/embedded/embedded.ts'
import { ask, madeDataDir, silent } from '../../support/slow/cluster.ts'
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

  test('an error on any other connection is logged without the values that it names', async (t) => {
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

  test('the log has a private file for each weekday, which is overwritten a week later', async (t) => {
    const embedded = await openEmbeddedPostgres({ dataDir: await madeDataDir(t), say: silent })
    const settings = { log_rotation_age: '1d', log_rotation_size: '0', log_truncate_on_rotation: 'on' }
    for (const [name, value] of Object.entries(settings))
      assert.equal(await ask(embedded, `select current_setting('${name}')`), value, name)
    const [name = '', ...others] = await readdir(join(embedded.directory, 'log'))
    assert.match(name, /^postgresql-(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\.log$/)
    assert.deepEqual(others, [])
    assert.equal((await stat(join(embedded.directory, 'log', name))).mode & 0o777, 0o600)
  })

  test('a start removes the files of the previous week, and nothing else', async (t) => {
    const { directory, stop } = await openEmbeddedPostgres({ dataDir: await madeDataDir(t), say: silent })
    await stop()
    const folder = join(directory, 'log')
    const old = ['postgresql-2026-01-01_000000.log', 'postgresql-New.log', 'notes-of-the-operator.log']
    const lastWeek = new Date(Date.now() - 7 * 86_400_000)
    for (const name of old) {
      await writeFile(join(folder, name), '')
      if (!name.includes('New')) await utimes(join(folder, name), lastWeek, lastWeek)
    }
    await openEmbeddedPostgres({ dataDir: dirname(directory), say: silent })
    const left = await readdir(folder)
    assert.deepEqual(
      old.filter((name) => left.includes(name)),
      ['postgresql-New.log', 'notes-of-the-operator.log'],
    )
  })
})

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
