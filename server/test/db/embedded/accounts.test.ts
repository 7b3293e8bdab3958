import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, chown, cp, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { nobody, ownAccount, passes } from '../../../src/db/embedded/account.ts'
import { hydrateSymlinks, packageHome, usableBinaries } from '../../../src/db/embedded/binaries.ts'
import { openEmbeddedPostgres } from '../../../src/db/embedded/embedded.ts'
import {
  ask,
  emptyDataDir,
  inAnotherProcess,
  madeDataDir,
  onlyRoot,
  ordinaryAccount,
  postmasterPid,
  printsProblem,
  sentences,
  silent,
} from '../../support/slow/cluster.ts'

// each waits more than it computes
describe('accounts of the embedded PostgreSQL', { concurrency: 4 }, () => {
  test('a directory that an ordinary user cannot write is refused with a message', async (t) => {
    const dataDir = await emptyDataDir(t)
    const account = await ordinaryAccount(t)
    if (!account) return
    await chmod(dataDir, 0o555)
    const user = inAnotherProcess(dataDir, printsProblem, account)
    assert.match(
      await user.ready(),
      new RegExp(`^${dataDir} cannot be used by user id ${account.uid}: change its owner`),
    )
    const inIt = inAnotherProcess(join(dataDir, 'new'), printsProblem, account)
    assert.match(
      await inIt.ready(),
      new RegExp(`^${dataDir}/new cannot be used by user id ${account.uid}: change its owner`),
    )
  })

  test('a cluster of another user is refused with a message', onlyRoot, async (t) => {
    const dataDir = await emptyDataDir(t)
    const account = await ordinaryAccount(t)
    if (!account) return
    await chown(dataDir, account.uid, account.gid)
    await mkdir(join(dataDir, 'postgres'), { mode: 0o700 })
    const user = inAnotherProcess(dataDir, printsProblem, account)
    const sentence = new RegExp(`^${dataDir}/postgres cannot be used by user id ${account.uid}: change its owner`)
    assert.match(await user.ready(), sentence)
  })

  test('an ordinary user needs only a directory, even below one that is closed to others', onlyRoot, async (t) => {
    const dataDir = await emptyDataDir(t)
    const account = await ordinaryAccount(t)
    if (!account) return
    await chmod(dataDir, 0o700)
    await chown(dataDir, account.uid, account.gid)
    const user = inAnotherProcess(
      join(dataDir, 'below'),
      'const { directory, stop } = await openEmbeddedPostgres({ dataDir, say }); await stop(); print(directory)',
      account,
    )
    assert.equal(await user.ready(), join(dataDir, 'below', 'postgres'))
  })

  test('root runs a cluster as the user who owns it', onlyRoot, async (t) => {
    const dataDir = await clusterOf(t, 12345)
    const embedded = await openEmbeddedPostgres({ dataDir, say: silent })
    assert.equal((await stat(`/proc/${await postmasterPid(embedded)}`)).uid, 12345)
  })

  test('a copy of the cluster that belongs to root is refused with a fix that works', onlyRoot, async (t) => {
    const dataDir = await clusterOf(t, 0)
    const problem = await openEmbeddedPostgres({ dataDir, say: silent }).catch((error) => error)
    const [, command = ''] = /\((chown -R \d+:\d+ .*)\), then start again\.$/.exec(problem.message) ?? []
    await promisify(execFile)('/bin/sh', ['-c', command])
    const embedded = await openEmbeddedPostgres({ dataDir, say: silent })
    assert.equal(await ask(embedded, 'select 1'), 1)
  })

  test(
    'below a directory closed to others, root’s database goes elsewhere, says where, and stays there',
    onlyRoot,
    async (t) => {
      const base = await emptyDataDir(t)
      const [home, fallbackBase] = [join(base, 'home'), join(base, 'var')]
      await mkdir(home, { mode: 0o700 })
      const said = sentences()
      const wanted = { dataDir: join(home, 'data'), fallbackBase, say: said.say }
      const first = await openEmbeddedPostgres(wanted)
      assert.match(first.directory, new RegExp(`^${fallbackBase}/data-[0-9a-f]{12}/postgres$`))
      assert.match(
        said.all.join('\n'),
        new RegExp(`^The database is in ${fallbackBase}/data-.* cannot enter ${home}/data\\.$`, 'm'),
      )
      assert.equal(await ask(first, 'select 1'), 1)
      await first.stop()
      await chmod(home, 0o755)
      const second = await openEmbeddedPostgres(wanted)
      assert.equal(second.directory, first.directory)
    },
  )

  test(
    'a database that its account can no longer reach is reported, not replaced by an empty one',
    onlyRoot,
    async (t) => {
      const base = await emptyDataDir(t)
      const home = join(base, 'home')
      await mkdir(home, { mode: 0o755 })
      const wanted = { dataDir: join(home, 'data'), fallbackBase: join(base, 'var'), say: silent }
      const { stop } = await openEmbeddedPostgres(wanted)
      await stop()
      await chmod(home, 0o700)
      await assert.rejects(openEmbeddedPostgres(wanted), {
        name: 'StartupProblem',
        message: /cannot enter that directory: let everybody pass/,
      })
    },
  )

  test(
    'programs below a directory closed to others are copied once, to where their account can run them',
    onlyRoot,
    async (t) => {
      const base = await emptyDataDir(t)
      const closed = join(base, 'closed')
      await mkdir(closed, { mode: 0o700 })
      await cp(packageHome(), join(closed, 'package'), { recursive: true, verbatimSymlinks: true })
      const said = sentences()
      const use = async () => usableBinaries(await nobody(), join(base, 'copies'), said.say, join(closed, 'package'))
      const { bin, major } = await use()
      assert.equal(major, '18')
      assert.ok(bin.startsWith(join(base, 'copies', 'postgresql-18.')))
      assert.ok(await passes(await nobody(), '"$0/postgres" -V && "$0/initdb" -V', bin))
      assert.deepEqual(await use(), { bin, major })
      assert.equal(said.all.length, 1)
    },
  )

  test('missing links of npm’s install script are created', async (t) => {
    const base = await emptyDataDir(t)
    await cp(packageHome(), base, { recursive: true, verbatimSymlinks: true })
    const runs = () => passes(ownAccount(), '"$0/native/bin/postgres" -V', base)
    const links = JSON.parse(await readFile(join(base, 'native', 'pg-symlinks.json'), 'utf8')) as { target: string }[]
    for (const { target } of links) await rm(join(base, target), { force: true })
    assert.equal(await runs(), false)
    assert.equal(await hydrateSymlinks(base), true)
    assert.equal(await runs(), true)
    assert.equal(await hydrateSymlinks(base), true)
  })
})

/** A directory with a cluster that does not run and whose files belong to a user. */
async function clusterOf(t: TestContext, uid: number): Promise<string> {
  const dataDir = await madeDataDir(t)
  const directory = join(dataDir, 'postgres')
  for (const path of ['', ...(await readdir(directory, { recursive: true }))])
    await chown(join(directory, path), uid, uid)
  return dataDir
}
