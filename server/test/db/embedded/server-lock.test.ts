import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { lockForServer, openEmbeddedPostgres, stopIfUnused } from '../../../src/db/embedded/embedded.ts'
import {
  ask,
  assertGone,
  inAnotherProcess,
  madeDataDir,
  postmasterPid,
  sentences,
  silent,
} from '../../support/slow/cluster.ts'

// each waits more than it computes
describe('holding the lock of the embedded PostgreSQL', { concurrency: 4 }, () => {
  test('a second server is refused while the first one lives, and accepted after it died', async (t) => {
    const dataDir = await madeDataDir(t)
    const server = inAnotherProcess(dataDir, 'await lockForServer(await openEmbeddedPostgres({ dataDir, say }))')
    await server.ready()
    const embedded = await openEmbeddedPostgres({ dataDir, say: silent })
    await assert.rejects(lockForServer(embedded), {
      name: 'StartupProblem',
      message: `Another Taskwright server is running on ${embedded.directory}: stop it first, or give this one another DATA_DIR.`,
    })
    await server.kill('SIGKILL')
    const lock = await lockForServer(embedded)
    await lock.release()
  })

  test('a server whose PostgreSQL was killed starts it again and locks it again', async (t) => {
    const dataDir = await madeDataDir(t)
    const said = sentences()
    const embedded = await openEmbeddedPostgres({ dataDir, say: said.say })
    const lock = await lockForServer(embedded)
    process.kill(await postmasterPid(embedded), 'SIGKILL')
    await said.first(/had stopped and was started again/)
    // it is said as soon as PostgreSQL runs, which is before the lock
    const locks = `select count(*)::int from pg_locks where locktype = 'advisory'`
    while ((await ask(embedded, locks)) !== 1) await wait(20)
    await assert.rejects(
      lockForServer(await openEmbeddedPostgres({ dataDir, say: silent })),
      /Another Taskwright server/,
    )
    await lock.release()
  })

  test('leaving stops PostgreSQL only when no server holds the lock', async (t) => {
    const dataDir = await madeDataDir(t)
    const server = await openEmbeddedPostgres({ dataDir, say: silent })
    const lock = await lockForServer(server)
    await stopIfUnused(await openEmbeddedPostgres({ dataDir, say: silent }))
    assert.equal(await ask(server, 'select 1'), 1)
    await lock.release()
    const pid = await postmasterPid(server)
    await stopIfUnused(await openEmbeddedPostgres({ dataDir, say: silent }))
    await assertGone(server, pid)
  })

  test('the last of several commands to leave stops PostgreSQL', async (t) => {
    const dataDir = await madeDataDir(t)
    const embedded = await openEmbeddedPostgres({ dataDir, say: silent })
    const otherCommand = new pg.Client(embedded.connection)
    await otherCommand.connect()
    await stopIfUnused(embedded)
    assert.equal((await otherCommand.query('select 1 as one')).rows[0].one, 1)
    await otherCommand.end()
    const pid = await postmasterPid(embedded)
    await stopIfUnused(embedded)
    await assertGone(embedded, pid)
  })

  test('a server that locks restarts what a leaving command stopped just before', async (t) => {
    const dataDir = await madeDataDir(t)
    const server = await openEmbeddedPostgres({ dataDir, say: silent })
    await stopIfUnused(await openEmbeddedPostgres({ dataDir, say: silent }))
    const lock = await lockForServer(server)
    assert.equal(await ask(server, 'select 1'), 1)
    await lock.release()
  })
})
