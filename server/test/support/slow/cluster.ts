import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Account, nobody, ownAccount, passes } from '../../../src/db/embedded/account.ts'
import type { EmbeddedPostgres } from '../../../src/db/embedded/embedded.ts'
import { isAlive } from '../../../src/db/embedded/pid-file.ts'
import { copyCluster, stopPostgres } from './made-cluster.ts'

const isRoot = ownAccount().uid === 0

/** For what can only be tried as root. */
export const onlyRoot = isRoot ? {} : { skip: 'only root can change accounts' }

export const silent = () => {}

/** An empty directory that every account can enter; afterwards everything that was started in it is stopped. */
export async function emptyDataDir(t: TestContext): Promise<string> {
  const base = await mkdtemp(join(tmpdir(), 'taskwright-embedded-'))
  await chmod(base, 0o755)
  const dataDir = join(base, 'data')
  await mkdir(dataDir, { mode: 0o755 })
  t.after(async () => {
    const left = [...processes].filter((one) => one.dataDir.startsWith(base))
    await Promise.all(left.map((one) => one.kill('SIGKILL')))
    // with their types, as else what links lead to would be listed too
    const entries = await readdir(base, { recursive: true, withFileTypes: true })
    // some tests leave files there that lead nowhere
    for (const { name, parentPath } of entries)
      if (name === 'postmaster.pid') await stopPostgres(parentPath).catch(() => {})
    await rm(base, { recursive: true, force: true })
  })
  return dataDir
}

/** The same with a cluster in it that was never opened. */
export async function madeDataDir(t: TestContext): Promise<string> {
  const dataDir = await emptyDataDir(t)
  await copyCluster(dataDir)
  return dataDir
}

/** The one value that answers a question. */
export async function ask(embedded: EmbeddedPostgres, question: string): Promise<unknown> {
  const client = new pg.Client({ ...embedded.connection, ssl: false })
  await client.connect()
  try {
    return (await client.query({ text: question, rowMode: 'array' })).rows[0]?.[0]
  } finally {
    await client.end()
  }
}

/** What the lock file says. */
export async function postmasterPid(embedded: EmbeddedPostgres): Promise<number> {
  return Number((await readFile(join(embedded.directory, 'postmaster.pid'), 'utf8')).split('\n')[0])
}

/** The postmaster has shut down, which ends with its lock file; its process stays visible a moment after it has ended. */
export async function assertGone({ directory }: EmbeddedPostgres, pid: number): Promise<void> {
  assert.equal((await readdir(directory)).includes('postmaster.pid'), false)
  const deadline = Date.now() + 10_000
  while (isAlive(pid) && Date.now() < deadline) await wait(10)
  assert.equal(isAlive(pid), false)
}

/** Keeps what was said; `first` resolves as soon as something like that is. */
export function sentences() {
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

/** Code for `inAnotherProcess`. */
export const printsProblem = 'await openEmbeddedPostgres({ dataDir, say }).catch((problem) => print(problem.message))'

/** Runs the code in a process group of its own, which lives until it is killed. `ready`: its first line, when it is done. */
export function inAnotherProcess(dataDir: string, code: string, account: Account = ownAccount()) {
  const script = `
    import { lockForServer, openEmbeddedPostgres } from ${JSON.stringify(process.env.TEST_EMBEDDED_MODULE)}
    const dataDir = ${JSON.stringify(dataDir)}
    const say = () => {}
    const print = console.log
    ${code}
    print('ready')
    setInterval(() => {}, 60_000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
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
export async function ordinaryAccount(t: TestContext): Promise<Account | undefined> {
  const account = isRoot ? await nobody() : ownAccount()
  if (await passes(account, 'test -r "$0"', fileURLToPath(import.meta.url))) return account
  t.skip('an ordinary user cannot read this clone')
  return undefined
}
