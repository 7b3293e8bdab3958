import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import pg from 'pg'
import { openEmbeddedPostgres } from '../../../src/db/embedded/embedded.ts'
import {
  ask,
  assertGone,
  emptyDataDir,
  inAnotherProcess,
  madeDataDir,
  postmasterPid,
  sentences,
  silent,
} from '../../support/slow/cluster.ts'

// each waits more than it computes
describe('starting the embedded PostgreSQL', { concurrency: 4 }, () => {
  test('the first start creates a durable, private UTF-8 cluster that never listens on TCP', async (t) => {
    const dataDir = await emptyDataDir(t)
    const embedded = await openEmbeddedPostgres({ dataDir, say: silent })
    assert.equal(embedded.adopted, false)
    assert.equal((await stat(embedded.directory)).mode & 0o777, 0o700)
    const settings = {
      data_checksums: 'on',
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      listen_addresses: '',
      huge_pages: 'off',
      max_connections: '350',
      server_encoding: 'UTF8',
      TimeZone: 'UTC',
    }
    for (const [name, value] of Object.entries(settings)) {
      assert.equal(await ask(embedded, `select current_setting('${name}')`), value, name)
    }
    // also for what opens it without our flags, as initdb does
    assert.match(await readFile(join(embedded.directory, 'postgresql.conf'), 'utf8'), /^huge_pages = off/m)
    assert.equal(await ask(embedded, 'select datcollate from pg_database where datname = current_database()'), 'C')
  })

  test('a second open adopts the running postmaster', async (t) => {
    const dataDir = await madeDataDir(t)
    const first = await openEmbeddedPostgres({ dataDir, say: silent })
    const pid = await postmasterPid(first)
    const second = await openEmbeddedPostgres({ dataDir, say: silent })
    assert.equal(second.adopted, true)
    assert.equal(await postmasterPid(second), pid)
    assert.deepEqual(second.connection, first.connection)
  })

  test('the next start adopts the postmaster of a server that was killed with SIGKILL', async (t) => {
    const dataDir = await madeDataDir(t)
    const server = inAnotherProcess(dataDir, 'await openEmbeddedPostgres({ dataDir, say })')
    await server.ready()
    await server.kill('SIGKILL')
    const embedded = await openEmbeddedPostgres({ dataDir, say: silent })
    assert.equal(embedded.adopted, true)
    assert.equal(await ask(embedded, 'select 1'), 1)
  })

  test('Ctrl-C on the server does not reach the postmaster', async (t) => {
    const dataDir = await madeDataDir(t)
    const server = inAnotherProcess(dataDir, 'await openEmbeddedPostgres({ dataDir, say })')
    await server.ready()
    await server.kill('SIGINT')
    assert.equal((await openEmbeddedPostgres({ dataDir, say: silent })).adopted, true)
  })

  test('a postmaster killed with SIGKILL is started again and has lost nothing', async (t) => {
    const dataDir = await madeDataDir(t)
    const first = await openEmbeddedPostgres({ dataDir, say: silent })
    await ask(first, 'create table kept as select generate_series(1, 1000) as n')
    process.kill(await postmasterPid(first), 'SIGKILL')
    const second = await openEmbeddedPostgres({ dataDir, say: silent })
    assert.equal(second.adopted, false)
    assert.equal(await ask(second, 'select count(*)::int from kept'), 1000)
  })

  test('several starts at once give one postmaster', async (t) => {
    const dataDir = await emptyDataDir(t)
    const other = inAnotherProcess(
      dataDir,
      'const { adopted } = await openEmbeddedPostgres({ dataDir, say }); print(adopted)',
    )
    const opened = await Promise.all([1, 2, 3].map(() => openEmbeddedPostgres({ dataDir, say: silent })))
    const adopted = [...opened.map((one) => one.adopted), (await other.ready()) === 'true']
    assert.deepEqual(adopted.sort(), [false, true, true, true])
    const started = await Promise.all(opened.map((one) => ask(one, 'select pg_postmaster_start_time()::text')))
    assert.equal(new Set(started).size, 1)
    assert.deepEqual((await readdir(dataDir)).sort(), ['postgres'])

    await Promise.all(opened.map((one) => one.stop()))
    const again = await Promise.all([1, 2, 3, 4].map(() => openEmbeddedPostgres({ dataDir, say: silent })))
    assert.deepEqual(again.map((one) => one.adopted).sort(), [false, true, true, true])
  })

  test('a start during a shutdown waits for its end and then starts', async (t) => {
    const dataDir = await madeDataDir(t)
    const first = await openEmbeddedPostgres({ dataDir, say: silent })
    const lingering = new pg.Client(first.connection)
    await lingering.connect()
    // a smart shutdown waits for the last client
    process.kill(await postmasterPid(first), 'SIGTERM')
    const said = sentences()
    const second = openEmbeddedPostgres({ dataDir, say: said.say })
    await said.first(/^Waiting for PostgreSQL in .*, which is recovering or stopping\.$/)
    await lingering.end()
    assert.equal((await second).adopted, false)
    assert.equal(await ask(await second, 'select 1'), 1)
  })

  test('stopping an adopted postmaster returns once it is gone', async (t) => {
    const dataDir = await madeDataDir(t)
    const pid = await postmasterPid(await openEmbeddedPostgres({ dataDir, say: silent }))
    const adopted = await openEmbeddedPostgres({ dataDir, say: silent })
    await adopted.stop()
    await assertGone(adopted, pid)
    assert.equal(await adopted.ensureRunning(), false)
  })

  test('a start killed while it creates the cluster does not block the next one', async (t) => {
    const dataDir = await emptyDataDir(t)
    const begun = once(watch(dataDir, { persistent: false }), 'change')
    const killed = inAnotherProcess(dataDir, 'await openEmbeddedPostgres({ dataDir, say })')
    await begun
    await killed.kill('SIGKILL')
    assert.match((await readdir(dataDir)).join(), /^postgres\.new-[^,]*$/)
    const embedded = await openEmbeddedPostgres({ dataDir, say: silent })
    assert.equal(await ask(embedded, 'select 1'), 1)
  })

  test('lock files whose pid now belongs to another program do not block a start', async (t) => {
    const dataDir = await madeDataDir(t)
    const first = await openEmbeddedPostgres({ dataDir, say: silent })
    const locks = [join(first.directory, 'postmaster.pid'), join(first.connection.host, '.s.PGSQL.5432.lock')]
    process.kill(await postmasterPid(first), 'SIGKILL')
    const { uid, gid } = await stat(first.directory)
    const bystander = spawn('/bin/sleep', ['60'], { uid, gid, cwd: '/' })
    t.after(() => bystander.kill())
    for (const lock of locks) {
      const [, ...rest] = (await readFile(lock, 'utf8')).split('\n')
      await writeFile(lock, [bystander.pid, ...rest].join('\n'))
    }
    const second = await openEmbeddedPostgres({ dataDir, say: silent })
    assert.equal(await ask(second, 'select 1'), 1)
    assert.equal(bystander.exitCode, null)
  })
})
