import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openEmbeddedPostgres } from '../../../src/db/embedded/embedded.ts'
import { ask, emptyDataDir, madeDataDir, silent } from '../../support/slow/cluster.ts'

// each waits more than it computes
describe('directories of the embedded PostgreSQL', { concurrency: 4 }, () => {
  test('a path too long for a Unix socket works, and is found again', async (t) => {
    const dataDir = join(await emptyDataDir(t), 'a-directory-with-a-long-name/'.repeat(4))
    const first = await openEmbeddedPostgres({ dataDir, say: silent })
    t.after(() => rm(first.connection.host, { recursive: true, force: true }))
    assert.notEqual(first.connection.host, first.directory)
    assert.equal((await stat(first.connection.host)).mode & 0o777, 0o700)
    const second = await openEmbeddedPostgres({ dataDir, say: silent })
    assert.equal(second.adopted, true)
    await second.stop()
    const third = await openEmbeddedPostgres({ dataDir, say: silent })
    assert.deepEqual(third.connection, first.connection)
  })

  test('a path with blanks, commas and quotes works', async (t) => {
    const dataDir = join(await emptyDataDir(t), `it's "one", two`)
    const embedded = await openEmbeddedPostgres({ dataDir, say: silent })
    assert.equal(await ask(embedded, 'select 1'), 1)
    assert.equal((await openEmbeddedPostgres({ dataDir, say: silent })).adopted, true)
  })

  test('a cluster of another major version is refused with a message that names both, and is left alone', async (t) => {
    const dataDir = await madeDataDir(t)
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '15\n')
    await assert.rejects(openEmbeddedPostgres({ dataDir, say: silent }), {
      name: 'StartupProblem',
      message:
        /written by PostgreSQL 15, but this Taskwright brings PostgreSQL 18: run taskwright backup of the Taskwright that it is from,/,
    })
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '99\n')
    await assert.rejects(openEmbeddedPostgres({ dataDir, say: silent }), {
      name: 'StartupProblem',
      message:
        /written by PostgreSQL 99, but this Taskwright brings PostgreSQL 18: start the newer Taskwright that it is from/,
    })
    assert.equal(await readFile(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8'), '99\n')
  })

  test('a directory with other content is refused and left alone', async (t) => {
    const dataDir = await emptyDataDir(t)
    await mkdir(join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres', 'letter.txt'), 'dear')
    await assert.rejects(openEmbeddedPostgres({ dataDir, say: silent }), {
      name: 'StartupProblem',
      message: /is not a PostgreSQL data directory/,
    })
    assert.deepEqual(await readdir(join(dataDir, 'postgres')), ['letter.txt'])
  })

  for (const mode of [0o755, 0o770])
    test(`a copied cluster with mode ${mode.toString(8)} is closed to others, and opens`, async (t) => {
      const dataDir = await madeDataDir(t)
      await chmod(join(dataDir, 'postgres'), mode)
      const embedded = await openEmbeddedPostgres({ dataDir, say: silent })
      assert.equal(await ask(embedded, 'select 1'), 1)
      assert.equal((await stat(embedded.directory)).mode & 0o777, 0o700)
    })

  test("PostgreSQL's output before its log begins is shown, and no log is named", async (t) => {
    const dataDir = await madeDataDir(t)
    await rm(join(dataDir, 'postgres', 'global', 'pg_control'))
    // of a start before
    await mkdir(join(dataDir, 'postgres', 'log'))
    await writeFile(join(dataDir, 'postgres', 'log', 'postgresql-2026-01-01_000000.log'), 'all is well\n')
    await assert.rejects(openEmbeddedPostgres({ dataDir, say: silent }), ({ message }) => {
      assert.match(message, /^PostgreSQL in \S+ does not start\. It said:\n.*pg_control/s)
      assert.doesNotMatch(message, /see /)
      return true
    })
  })

  test('a file in place of the directory is refused with a message', async (t) => {
    const dataDir = await emptyDataDir(t)
    const file = join(dataDir, 'postgres')
    await writeFile(file, '')
    for (const wanted of [dataDir, file, join(file, 'below')]) {
      await assert.rejects(openEmbeddedPostgres({ dataDir: wanted, say: silent }), {
        name: 'StartupProblem',
        message: /postgres(\/below)? is, or leads through, a file: set DATA_DIR to another directory\.$/,
      })
    }
  })

  for (const [what, content] of [
    ['is empty', ''],
    ['is garbled', 'garbled\n'],
  ] as const) {
    test(`a lock file that ${what} is named in a message that says what to do`, async (t) => {
      const dataDir = await madeDataDir(t)
      const { directory, stop } = await openEmbeddedPostgres({ dataDir, say: silent })
      await stop()
      await writeFile(join(directory, 'postmaster.pid'), content)
      await assert.rejects(openEmbeddedPostgres({ dataDir, say: silent }), ({ name, message }) => {
        assert.equal(name, 'StartupProblem')
        assert.match(message, /does not start\. It said:\npg_ctl: .*\/postmaster\.pid"/)
        assert.match(
          message,
          /\nMake sure that no PostgreSQL runs on that directory, remove the lock file, then start again\.$/,
        )
        return true
      })
    })
  }

  test('a cluster that PostgreSQL cannot open is refused with the end of its log', async (t) => {
    const dataDir = await madeDataDir(t)
    const { directory, stop } = await openEmbeddedPostgres({ dataDir, say: silent })
    await stop()
    const wal = await readdir(join(directory, 'pg_wal'), { withFileTypes: true })
    for (const { name } of wal.filter((entry) => entry.isFile())) await truncate(join(directory, 'pg_wal', name), 0)
    await assert.rejects(openEmbeddedPostgres({ dataDir, say: silent }), {
      name: 'StartupProblem',
      message: /does not start; see .*postgres\/log, which ends in:\n(.|\n)*checkpoint record/,
    })
  })
})
