import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { isAlive } from '../../../src/db/embedded/pid-file.ts'
import { afterwards, type Scope } from '../afterwards.ts'
import { inTime } from '../until.ts'
import { migratedDatabase } from '../world.ts'
import { freshDatabase } from './fresh-database.ts'
import { copyCluster, stopPostgres } from './made-cluster.ts'

/** The program as whoever has a clone starts it; other tests start the same sources, made to be started often. */
export const thisVersion = fileURLToPath(new URL('../../../bin/taskwright.mjs', import.meta.url))
const { TEST_PROGRAM: oftenStarted = thisVersion } = process.env

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
}

export type Running = ReturnType<typeof taskwright>

/**
 * Runs the command line in a process of its own, with nothing but these settings; it is killed when the test ends.
 * @param words such as `key create`; none: the server
 * @param before what a shell does first in that process: `ulimit -n 200`
 * @param program another one
 */
export function taskwright(
  t: Scope,
  words: readonly string[],
  settings: Record<string, string>,
  before = ':',
  program = oftenStarted,
) {
  const { PATH, HOME } = process.env
  const env = { ...(PATH === undefined ? {} : { PATH }), ...(HOME === undefined ? {} : { HOME }), ...settings }
  const shell = ['-c', `${before}; exec "$0" "$@"`, process.execPath, program, ...words]
  const child = spawn('/bin/sh', shell, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal }))
  const running = {
    pid: child.pid ?? 0,
    out: linesOf(child.stdout),
    err: linesOf(child.stderr),
    /** how it ended, once its last line is read */
    ended,
    kill: (signal: NodeJS.Signals) => end(child, ended, signal),
  }
  afterwards(t, () => running.kill('SIGKILL'))
  return running
}

/** What a command came to. */
export async function outcome(t: Scope, words: readonly string[], settings: Record<string, string>, program?: string) {
  const { out, err, ended } = taskwright(t, words, settings, undefined, program)
  const { code } = await inTime(ended, 'The command does not end')
  return { code, out: out.all, err: err.all }
}

/** Starts a server on a free port; returns once it listens. */
export async function serving(t: Scope, settings: Record<string, string>, before?: string, program?: string) {
  const server = taskwright(t, [], { PORT: '0', LOG_LEVEL: 'warn', ...settings }, before, program)
  const prefix = 'Taskwright listening on '
  const ready = server.out.first((line) => line.startsWith(prefix))
  const line = await inTime(Promise.race([ready, server.ended.then(() => undefined)]), 'The server does not listen')
  if (line === undefined) throw new Error(`The server did not start:\n${server.err.all.join('\n')}`)
  const base = line.slice(prefix.length)
  return { ...server, base, port: Number(new URL(base).port), ownersKey: keyIn(server.out.all) }
}

/** The API key that was printed, or an empty text. */
export const keyIn = (lines: readonly string[]) => /\btw_[0-9A-Za-z]{58}\b/.exec(lines.join('\n'))?.[0] ?? ''

/** The settings of a server on an empty database of its own in the PostgreSQL of this run. */
export const onFreshDatabase = async (t: Scope) => settingsOf(t, await freshDatabase())

/** The same with our tables in it, for a start that has only to found an organization. */
export const onMigratedDatabase = async (t: Scope) => settingsOf(t, await migratedDatabase())

function settingsOf(t: Scope, { url, drop }: { url: string; drop: () => Promise<unknown> }) {
  afterwards(t, drop)
  return { DATABASE_URL: url }
}

/** The settings of a server on an embedded PostgreSQL in an empty directory; what runs there is stopped afterwards. */
export async function onEmptyDirectory(t: Scope) {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'taskwright-process-')))
  // PostgreSQL runs as another account when this is root
  await chmod(directory, 0o755)
  afterwards(t, async () => {
    await stopPostgres(join(directory, 'postgres'))
    await rm(directory, { recursive: true, force: true })
  })
  return { DATA_DIR: directory }
}

/** The same with a cluster in it that was never opened, for a start that has only to open it. */
export async function onMadeCluster(t: Scope) {
  const settings = await onEmptyDirectory(t)
  await copyCluster(settings.DATA_DIR)
  return settings
}

/** The number of the postmaster in a data directory, undefined when none is alive. */
export async function postmasterIn(dataDir: string): Promise<number | undefined> {
  const file = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(file.split('\n')[0])
  return pid > 0 && isAlive(pid) ? pid : undefined
}

async function end(child: ChildProcess, ended: Promise<Ended>, signal: NodeJS.Signals): Promise<Ended> {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal)
  return inTime(ended, `The process does not end on ${signal}`)
}

/** Keeps the lines of a stream; `first` resolves as soon as one fits. */
export function linesOf(stream: Readable) {
  const all: string[] = []
  const spoken = new EventEmitter().setMaxListeners(0)
  createInterface(stream).on('line', (line) => {
    all.push(line)
    spoken.emit('line')
  })
  return {
    all,
    async first(fits: (line: string) => boolean): Promise<string> {
      for (;;) {
        const line = all.find(fits)
        if (line !== undefined) return line
        await once(spoken, 'line')
      }
    },
  }
}
