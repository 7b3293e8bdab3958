import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { watch } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Account, nobody, ownAccount, passes } from '../src/db/embedded/account.ts'
import { hydrateSymlinks, packageHome, usableBinaries } from '../src/db/embedded/binaries.ts'
import { isAlive } from '../src/db/embedded/pid-file.ts'
import { stopPostmaster } from '../src/db/embedded/postmaster.ts'
import { claimForServer, type EmbeddedPostgres, leaveEmbedded, openEmbeddedPostgres } from '../src/db/embedded.ts'

const isRoot = ownAccount().uid === 0
const onlyRoot = isRoot ? {} : { skip: 'only root can change accounts' }
const silent = () => {}

// each waits more than it computes
describe('the embedded PostgreSQL', { concurrency: 4 }, () => {
  test('the first start makes a durable UTF-8 cluster that is private and never listens on TCP', async (t) => {
    const dataDir = await emptyDataDir(t)
    const embedded = await openEmbeddedPostgres({ dataDir, say: silent })
    assert.equal(embedded.adopted, false)
    assert.equal((await stat(embedded.directory)).mode & 0o777, 0o700)
    assert.equal((await stat(join(dataDir, 'postgres.log'))).mode & 0o777, 0o600)
    const settings = {
      data_checksums: 'on',
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      listen_addresses: '',
      max_connections: '350',
      server_encoding: 'UTF8',
      TimeZone: 'UTC',
    }
    for (const [name, value] of Object.entries(settings)) {
      assert.equal(await ask(embedded, `select current_setting('${name}')`), value, name)
    }
    assert.equal(await ask(embedded, 'select datcollate from pg_database where datname = current_database()'), 'C')
  })

  test('a second open adopts the running postmaster', async (t) => {
    const dataDir = await emptyDataDir(t)
    const first = await openEmbeddedPostgres({ dataDir, say: silent })
    const pid = await postmasterPid(first)
    const second = await openEmbeddedPostgres({ dataDir, say: silent })
    assert.equal(second.adopted, true)
    assert.equal(await postmasterPid(second), pid)
    assert.deepEqual(second.connection, first.connection)
  })

  test('a server killed with SIGKILL leaves a postmaster that the next start adopts', async (t) => {
    const dataDir = await emptyDataDir(t)
    const server = inAnotherProcess(dataDir, 'await openEmbeddedPostgres({ dataDir, say })')
    await server.ready()
    await server.kill('SIGKILL')
    const embedded = await openEmbeddedPostgres({ dataDir, say: silent })
    assert.equal(embedded.adopted, true)
    assert.equal(await ask(embedded, 'select 1'), 1)
  })

  test('Ctrl-C on the server does not reach the postmaster', async (t) => {
    const dataDir = await emptyDataDir(t)
    const server = inAnotherProcess(dataDir, 'await openEmbeddedPostgres({ dataDir, say })')
    await server.ready()
    await server.kill('SIGINT')
    assert.equal((await openEmbeddedPostgres({ dataDir, say: silent })).adopted, true)
  })

  test('a postmaster killed with SIGKILL is started again and has lost nothing', async (t) => {
    const dataDir = await emptyDataDir(t)
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
    assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres.log'])

    await Promise.all(opened.map((one) => one.stop()))
    const again = await Promise.all([1, 2, 3, 4].map(() => openEmbeddedPostgres({ dataDir, say: silent })))
    assert.deepEqual(again.map((one) => one.adopted).sort(), [false, true, true, true])
  })

  test('a start during a shutdown waits for its end and starts anew', async (t) => {
    const dataDir = await emptyDataDir(t)
    const first = await openEmbeddedPostgres({ dataDir, say: silent })
    const lingering = new pg.Client(first.connection)
    await lingering.connect()
    // a smart shutdown waits for the last client
    process.kill(await postmasterPid(first), 'SIGTERM')
    const said = sentences()
    const second = openEmbeddedPostgres({ dataDir, say: said.say })
    await said.first(/^Waiting for PostgreSQL in .*, which is recovering or being stopped\.$/)
    await lingering.end()
    assert.equal((await second).adopted, false)
    assert.equal(await ask(await second, 'select 1'), 1)
  })

  test('stopping an adopted postmaster returns once it is gone', async (t) => {
    const dataDir = await emptyDataDir(t)
    const pid = await postmasterPid(await openEmbeddedPostgres({ dataDir, say: silent }))
    const adopted = await openEmbeddedPostgres({ dataDir, say: silent })
    await adopted.stop()
    await assertGone(adopted, pid)
    assert.equal(await adopted.ensureRunning(), false)
  })

  test('a second server is refused while the first lives, and accepted once it died', async (t) => {
    const dataDir = await emptyDataDir(t)
    const server = inAnotherProcess(dataDir, 'await claimForServer(await openEmbeddedPostgres({ dataDir, say }))')
    await server.ready()
    const embedded = await openEmbeddedPostgres({ dataDir, say: silent })
    await assert.rejects(claimForServer(embedded), {
      name: 'StartupProblem',
      message: `Another Taskwright server is running on ${embedded.directory}: stop it first, or give this one another DATA_DIR.`,
    })
    await server.kill('SIGKILL')
    const claim = await claimForServer(embedded)
    await claim.release()
  })

  test('a server whose PostgreSQL was killed brings it back and claims it again', async (t) => {
    const dataDir = await emptyDataDir(t)
    const said = sentences()
    const embedded = await openEmbeddedPostgres({ dataDir, say: said.say })
    const claim = await claimForServer(embedded)
    process.kill(await postmasterPid(embedded), 'SIGKILL')
    await said.first(/had ended and was started again/)
    // it is said as soon as PostgreSQL runs, which is before the claim
    const claims = `select count(*)::int from pg_locks where locktype = 'advisory'`
    while ((await ask(embedded, claims)) !== 1) await wait(20)
    await assert.rejects(
      claimForServer(await openEmbeddedPostgres({ dataDir, say: silent })),
      /Another Taskwright server/,
    )
    await claim.release()
  })

  test('leaving stops PostgreSQL only when no server holds the claim', async (t) => {
    const dataDir = await emptyDataDir(t)
    const server = await openEmbeddedPostgres({ dataDir, say: silent })
    const claim = await claimForServer(server)
    await leaveEmbedded(await openEmbeddedPostgres({ dataDir, say: silent }))
    assert.equal(await ask(server, 'select 1'), 1)
    await claim.release()
    const pid = await postmasterPid(server)
    await leaveEmbedded(await openEmbeddedPostgres({ dataDir, say: silent }))
    await assertGone(server, pid)
  })

  test('of several commands the last one to leave stops PostgreSQL', async (t) => {
    const dataDir = await emptyDataDir(t)
    const embedded = await openEmbeddedPostgres({ dataDir, say: silent })
    const otherCommand = new pg.Client(embedded.connection)
    await otherCommand.connect()
    await leaveEmbedded(embedded)
    assert.equal((await otherCommand.query('select 1 as one')).rows[0].one, 1)
    await otherCommand.end()
    const pid = await postmasterPid(embedded)
    await leaveEmbedded(embedded)
    await assertGone(embedded, pid)
  })

  test('a claim brings back what a leaving command stopped just before', async (t) => {
    const dataDir = await emptyDataDir(t)
    const server = await openEmbeddedPostgres({ dataDir, say: silent })
    await leaveEmbedded(await openEmbeddedPostgres({ dataDir, say: silent }))
    const claim = await claimForServer(server)
    assert.equal(await ask(server, 'select 1'), 1)
    await claim.release()
  })

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
    const dataDir = await emptyDataDir(t)
    await mkdir(join(dataDir, 'postgres'), { mode: 0o700 })
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '15\n')
    await assert.rejects(openEmbeddedPostgres({ dataDir, say: silent }), {
      name: 'StartupProblem',
      message: /written by PostgreSQL 15, but this Taskwright brings PostgreSQL 18: keep a copy of it, dump it/,
    })
    assert.equal(await readFile(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8'), '15\n')
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

  test('a cluster that PostgreSQL cannot open is refused with the end of its log', async (t) => {
    const dataDir = await emptyDataDir(t)
    const { directory, stop } = await openEmbeddedPostgres({ dataDir, say: silent })
    await stop()
    await truncate(join(directory, 'global', 'pg_control'), 0)
    await assert.rejects(openEmbeddedPostgres({ dataDir, say: silent }), {
      name: 'StartupProblem',
      message: /does not start; see .*postgres\.log, which ends in:\n(.|\n)*pg_control/,
    })
  })

  test('a directory that an ordinary user cannot write is refused in a sentence', async (t) => {
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

  test('a cluster of another user is refused in a sentence', onlyRoot, async (t) => {
    const dataDir = await emptyDataDir(t)
    const account = await ordinaryAccount(t)
    if (!account) return
    await mkdir(join(dataDir, 'postgres'))
    await chown(join(dataDir, 'postgres'), 12345, 12345)
    const user = inAnotherProcess(dataDir, printsProblem, account)
    assert.match(await user.ready(), new RegExp(`belongs to user id 12345, but this process runs as ${account.uid}`))
  })

  test(
    'an ordinary user needs nothing but a directory, even below one that is closed to others',
    onlyRoot,
    async (t) => {
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
    },
  )

  test('root runs a cluster as the user who owns it', onlyRoot, async (t) => {
    const dataDir = await emptyDataDir(t)
    const { directory, stop } = await openEmbeddedPostgres({ dataDir, say: silent })
    await stop()
    for (const path of ['', ...(await readdir(directory, { recursive: true }))])
      await chown(join(directory, path), 12345, 12345)
    const embedded = await openEmbeddedPostgres({ dataDir, say: silent })
    assert.equal((await stat(`/proc/${await postmasterPid(embedded)}`)).uid, 12345)
  })

  test('a copy of the cluster restored by root is handed to the account that runs it', onlyRoot, async (t) => {
    const dataDir = await emptyDataDir(t)
    const { directory, stop } = await openEmbeddedPostgres({ dataDir, say: silent })
    await stop()
    for (const path of ['', ...(await readdir(directory, { recursive: true }))])
      await chown(join(directory, path), 0, 0)
    const embedded = await openEmbeddedPostgres({ dataDir, say: silent })
    assert.equal(await ask(embedded, 'select 1'), 1)
  })

  test('a start killed while it makes the cluster does not stand in the way of the next', async (t) => {
    const dataDir = await emptyDataDir(t)
    const begun = once(watch(dataDir, { persistent: false }), 'change')
    const killed = inAnotherProcess(dataDir, 'await openEmbeddedPostgres({ dataDir, say })')
    await begun
    await killed.kill('SIGKILL')
    assert.match((await readdir(dataDir)).join(), /^postgres\.new-[^,]*$/)
    const embedded = await openEmbeddedPostgres({ dataDir, say: silent })
    assert.equal(await ask(embedded, 'select 1'), 1)
    assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres.log'])
  })

  test('lock files whose pid meanwhile belongs to another program do not stand in the way', async (t) => {
    const dataDir = await emptyDataDir(t)
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
        said.all.join(),
        new RegExp(`^The database is in ${fallbackBase}/data-.* can not enter ${home}/data\\.$`),
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
        message: /who can no longer enter that directory: let everybody pass/,
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

  test('links that npm’s install script did not make are made', async (t) => {
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

/** An empty directory that every account can enter; afterwards everything that was started in it is stopped. */
async function emptyDataDir(t: TestContext): Promise<string> {
  const base = await mkdtemp(join(tmpdir(), 'taskwright-embedded-'))
  await chmod(base, 0o755)
  const dataDir = join(base, 'data')
  await mkdir(dataDir, { mode: 0o755 })
  t.after(async () => {
    const left = [...processes].filter((one) => one.dataDir.startsWith(base))
    await Promise.all(left.map((one) => one.kill('SIGKILL')))
    const pidFiles = (await readdir(base, { recursive: true })).filter((path) => basename(path) === 'postmaster.pid')
    for (const path of pidFiles) await stopPostmaster(dirname(join(base, path)))
    await rm(base, { recursive: true, force: true })
  })
  return dataDir
}

async function ask(embedded: EmbeddedPostgres, question: string): Promise<unknown> {
  const client = new pg.Client({ ...embedded.connection, ssl: false })
  await client.connect()
  try {
    return (await client.query({ text: question, rowMode: 'array' })).rows[0]?.[0]
  } finally {
    await client.end()
  }
}

async function postmasterPid(embedded: EmbeddedPostgres): Promise<number> {
  return Number((await readFile(join(embedded.directory, 'postmaster.pid'), 'utf8')).split('\n')[0])
}

/** The postmaster has shut down, which ends with its lock file; its process stays visible a moment after it has ended. */
async function assertGone({ directory }: EmbeddedPostgres, pid: number): Promise<void> {
  assert.equal((await readdir(directory)).includes('postmaster.pid'), false)
  const deadline = Date.now() + 10_000
  while (isAlive(pid) && Date.now() < deadline) await wait(10)
  assert.equal(isAlive(pid), false)
}

/** Keeps what was said; `first` resolves as soon as something like that is. */
function sentences() {
  const all: string[] = []
  const spoken = new EventEmitter()
  return {
    all,
    say(sentence: string) {
      all.push(sentence)
      spoken.emit('sentence')
    },
    async first(pattern: RegExp) {
      while (!all.some((sentence) => pattern.test(sentence))) await once(spoken, 'sentence')
    },
  }
}

const processes = new Set<{ dataDir: string; kill(signal: NodeJS.Signals): Promise<void> }>()

const printsProblem = 'await openEmbeddedPostgres({ dataDir, say }).catch((problem) => print(problem.message))'

/** Runs the code in a process group of its own, which lives until it is killed. `ready`: its first line, when it is done. */
function inAnotherProcess(dataDir: string, code: string, account: Account = ownAccount()) {
  const script = `
    import { claimForServer, openEmbeddedPostgres } from ${JSON.stringify(new URL('../src/db/embedded.ts', import.meta.url))}
    const dataDir = ${JSON.stringify(dataDir)}
    const say = () => {}
    const print = console.log
    ${code}
    print('ready')
    setInterval(() => {}, 60_000)`
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', script], {
    ...account,
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const firstLine = once(createInterface(child.stdout), 'line')
  const running = {
    dataDir,
    async ready(): Promise<string> {
      const [line] = await Promise.race([firstLine, exited.then(() => ['ended without a word'])])
      return line
    },
    async kill(signal: NodeJS.Signals): Promise<void> {
      processes.delete(running)
      if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, signal)
      await exited
    },
  }
  processes.add(running)
  return running
}

/** This process's account when it is an ordinary one, else nobody's; undefined, with a skip, when nobody cannot read the code. */
async function ordinaryAccount(t: TestContext): Promise<Account | undefined> {
  const account = isRoot ? await nobody() : ownAccount()
  if (await passes(account, 'test -r "$0"', fileURLToPath(import.meta.url))) return account
  t.skip('an ordinary user cannot read this clone')
  return undefined
}
