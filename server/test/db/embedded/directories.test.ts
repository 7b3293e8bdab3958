import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { clusterIn } from '../../../src/db/embedded/cluster.ts'
import { openEmbeddedPostgres } from '../../../src/db/embedded/embedded.ts'
import { ensureCluster } from '../../../src/db/embedded/initdb.ts'
import { untilReady } from '../../../src/db/embedded/readiness.ts'
import {
  ask,
  assertGone,
  emptyDataDir,
  madeDataDir,
  postmasterPid,
  sentences,
  silent,
} from '../../support/slow/cluster.ts'

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

  test('a cluster of another major version is refused in a sentence that names both, and left alone', async (t) => {
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

  test('a directory that holds something else is refused and left alone', async (t) => {
    const dataDir = await emptyDataDir(t)
    await mkdir(join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres', 'letter.txt'), 'dear')
    await assert.rejects(openEmbeddedPostgres({ dataDir, say: silent }), {
      name: 'StartupProblem',
      message: /holds something else than a PostgreSQL cluster/,
    })
    assert.deepEqual(await readdir(join(dataDir, 'postgres')), ['letter.txt'])
  })

  for (const mode of [0o755, 0o770])
    test(`a cluster that a copy left with mode ${mode.toString(8)} is closed to others, and opens`, async (t) => {
      const dataDir = await madeDataDir(t)
      await chmod(join(dataDir, 'postgres'), mode)
      const said = sentences()
      const embedded = await openEmbeddedPostgres({ dataDir, say: said.say })
      assert.equal(await ask(embedded, 'select 1'), 1)
      assert.equal((await stat(embedded.directory)).mode & 0o777, 0o700)
      assert.deepEqual(said.all, [`Closed ${embedded.directory} to others (chmod 700), as PostgreSQL demands.`])
    })

  test('a database child that is ended by a signal is told in a sentence, and no log is named that is not there', async (t) => {
    const dataDir = await madeDataDir(t)
    const bin = join(dirname(dataDir), 'bin')
    await mkdir(bin, { mode: 0o755 })
    await writeFile(join(bin, 'postgres'), '#!/bin/sh\nkill -BUS $$\n', { mode: 0o755 })
    const cluster = await clusterIn(dataDir, '/var/lib/taskwright', silent)
    await assert.rejects(untilReady(cluster, { bin, major: '18' }, silent), {
      name: 'StartupProblem',
      message: /^PostgreSQL in \S+\/postgres was ended by SIGBUS\.$/,
    })

    const empty = await emptyDataDir(t)
    const signalled = 'child process was terminated by signal 7: Bus error'
    await writeFile(join(bin, 'initdb'), `#!/bin/sh\necho "${signalled}" >&2\nexit 1\n`, { mode: 0o755 })
    await assert.rejects(ensureCluster(await clusterIn(empty, '/var/lib/taskwright', silent), { bin, major: '18' }), {
      name: 'StartupProblem',
      message: /^The database could not be made in \S+: child process was terminated by signal 7: Bus error$/,
    })
  })

  test('what PostgreSQL says before its log begins is shown, and no log is named', async (t) => {
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

  test('a file in place of the directory is refused in a sentence', async (t) => {
    const dataDir = await emptyDataDir(t)
    const file = join(dataDir, 'postgres')
    await writeFile(file, '')
    for (const wanted of [dataDir, file, join(file, 'below')]) {
      await assert.rejects(openEmbeddedPostgres({ dataDir: wanted, say: silent }), {
        name: 'StartupProblem',
        message: /postgres(\/below)? is, or leads through, a file: give another directory as DATA_DIR\.$/,
      })
    }
  })

  for (const [what, content] of [
    ['is empty', ''],
    ['holds no process number', 'garbled\n'],
  ] as const) {
    test(`a lock file that ${what} is named in a sentence that says what to do`, async (t) => {
      const dataDir = await madeDataDir(t)
      const { directory, stop } = await openEmbeddedPostgres({ dataDir, say: silent })
      await stop()
      await writeFile(join(directory, 'postmaster.pid'), content)
      await assert.rejects(openEmbeddedPostgres({ dataDir, say: silent }), {
        name: 'StartupProblem',
        message:
          `PostgreSQL's lock file ${directory}/postmaster.pid ${what}, as a full disk or a power loss may leave it: ` +
          'make sure that no PostgreSQL runs on that directory, remove the file, then start again.',
      })
    })
  }

  test('a cluster without the database of that name is told in a sentence, and PostgreSQL is not left running', async (t) => {
    const dataDir = await madeDataDir(t)
    const embedded = await openEmbeddedPostgres({ dataDir, say: silent })
    await ask({ ...embedded, connection: { ...embedded.connection, database: 'postgres' } }, 'drop database taskwright')
    const pid = await postmasterPid(embedded)
    await embedded.stop()
    await assertGone(embedded, pid)
    await assert.rejects(openEmbeddedPostgres({ dataDir, say: silent }), {
      name: 'StartupProblem',
      message:
        /has no database taskwright, as when a first start was cut short: if nothing was ever stored there, remove/,
    })
    assert.equal((await readdir(embedded.directory)).includes('postmaster.pid'), false)
  })

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
