import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chown, link, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { databaseAccount, nobody } from '../../../src/db/embedded/account.ts'
import { openEmbeddedPostgres } from '../../../src/db/embedded/embedded.ts'
import {
  ask,
  emptyDataDir,
  inAnotherProcess,
  madeDataDir,
  onlyRoot,
  postmasterPid,
  sentences,
  silent,
} from '../../support/slow/cluster.ts'
import { stopPostgres } from '../../support/slow/made-cluster.ts'

// each waits more than it computes
describe('root and the account of its database', { concurrency: 4 }, () => {
  test('root runs its database by another account', onlyRoot, async (t) => {
    const embedded = await openEmbeddedPostgres({ dataDir: await emptyDataDir(t), say: silent })
    const { uid } = await databaseAccount(silent)
    assert.equal((await stat(`/proc/${await postmasterPid(embedded)}`)).uid, uid)
    assert.notEqual(uid, 0)
  })

  test('without a suitable account, root runs the database as nobody, and says what that means', onlyRoot, async () => {
    const said = sentences()
    assert.deepEqual(await databaseAccount(said.say, 'no-such-account'), await nobody())
    assert.match(said.all.join(), /so it runs as nobody, and .* useradd --system no-such-account$/)
  })

  test('no other account can connect', onlyRoot, async (t) => {
    const dataDir = await emptyDataDir(t)
    const { connection } = await openEmbeddedPostgres({ dataDir, say: silent })
    const connecting = inAnotherProcess(
      dataDir,
      `const { default: pg } = await import(${JSON.stringify(import.meta.resolve('pg'))})
      const client = new pg.Client(${JSON.stringify(connection)})
      await client.connect().then(() => print('connected'), ({ message }) => print(message))`,
      // of nobody's, which may run the database
      { uid: 12345, gid: 12345 },
    )
    assert.match(await connecting.ready(), /EACCES/)
  })

  test("root changes no file of its own through links in the account's directory", onlyRoot, async (t) => {
    const { dataDir, directory } = await clusterOfNobody(t)
    const rootsFile = join(dirname(dataDir), 'roots-file')
    const lines = `${process.pid}\n${directory}\n0\n5432\n${directory}\n\n`
    await writeFile(rootsFile, lines, { mode: 0o600 })
    await symlink(rootsFile, join(directory, 'postmaster.pid'))
    await symlink(rootsFile, join(directory, '.s.PGSQL.5432.lock'))
    await symlink(dirname(dataDir), join(directory, 'elsewhere'))
    await link(rootsFile, join(directory, 'second-name'))
    await openEmbeddedPostgres({ dataDir, say: silent }).catch(() => {})
    assert.equal(await readFile(rootsFile, 'utf8'), lines)
    assert.deepEqual([(await stat(rootsFile)).uid, (await stat(dirname(dataDir))).uid], [0, 0])
  })

  test('a lock file does not lead root to a process that is not of its database', onlyRoot, async (t) => {
    const { directory } = await clusterOfNobody(t)
    const script = 'setInterval(() => {}, 60_000)'
    const bystander = spawn(process.execPath, ['-e', script, '--', '-D', directory], { argv0: 'postgres' })
    t.after(() => bystander.kill())
    await writeFile(join(directory, 'postmaster.pid'), `${bystander.pid}\n${directory}\n0\n5432\n${directory}\n\n`)
    await assert.rejects(stopPostgres(directory), /Operation not permitted/)
    assert.notEqual(await readFile(`/proc/${bystander.pid}/cmdline`, 'utf8'), '', 'a process that was ended has none')
  })
})

/** A cluster with a table in it that does not run and belongs to nobody. */
async function clusterOfNobody(t: TestContext) {
  const dataDir = await madeDataDir(t)
  const embedded = await openEmbeddedPostgres({ dataDir, say: silent })
  await ask(embedded, 'create table kept as select generate_series(1, 1000) as n')
  await embedded.stop()
  const { uid, gid } = await nobody()
  for (const path of ['', ...(await readdir(embedded.directory, { recursive: true }))])
    await chown(join(embedded.directory, path), uid, gid)
  return { dataDir, directory: embedded.directory }
}
