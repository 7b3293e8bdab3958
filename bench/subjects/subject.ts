import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import type { Filled } from '../database.ts'

/** A server that is measured. */
export interface Subject {
  name: string
  base: string
  /** of its process, where it is known */
  pid: number | undefined
  stop(): Promise<void>
}

const here = new URL('.', import.meta.url).pathname
const made = new URL('../data/', import.meta.url).pathname
const program = new URL('../../server/bin/taskwright.mjs', import.meta.url).pathname

/** Starts another server, made like the server itself, in a process that ends with this one. */
export async function startOther(name: 'floor' | 'typical' | 'bare', { url, file }: Filled): Promise<Subject> {
  const program = `${made}${name}.mjs`
  await build({
    entryPoints: [`${here}${name}.ts`],
    outfile: program,
    // what is not asked for stays out of it, as server/package.json says that importing has no effect
    ...{ bundle: true, packages: 'external', platform: 'node', format: 'esm', target: 'node20.19' },
  })
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, BENCH_DATABASE_URL: url, BENCH_DATA: file },
  })
  watched(child)
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`The ${name} ended with status ${code}`)))
  const [{ base }] = await Promise.race([once(child, 'message'), ended])
  return subject(name, base, child)
}

/**
 * Starts the real server with all of its settings as they come, but a free port, and what it takes to send webhooks to this
 * machine; its log goes to a file, as an operator's would.
 * @param settings where its database is
 */
export async function startTaskwright(
  name: string,
  settings: Record<string, string>,
  logFile: string,
): Promise<Subject> {
  const { PATH = '', HOME = '', NODE_OPTIONS = '' } = process.env
  const child = spawn(process.execPath, [program, 'serve'], {
    stdio: ['ignore', 'pipe', openSync(logFile, 'w')],
    env: { PATH, HOME, NODE_OPTIONS, PORT: '0', ...forWebhooks, ...settings },
    // Ctrl-C ends the measurement, which ends it
    detached: true,
  })
  watched(child)
  const base = await baseIn(child)
  if (base === undefined) throw new Error(`${name} ended before it listened; see ${logFile}`)
  return subject(name, base, child)
}

// the same for all that open a database
const forWebhooks = { WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8', SECRET_KEY: 'what-the-benchmark-seals-with-is-no-secret' }

async function baseIn({ stdout }: ChildProcess): Promise<string | undefined> {
  if (stdout === null) return undefined
  const prefix = 'Taskwright listening on '
  for await (const line of createInterface(stdout)) {
    if (line.startsWith(prefix)) {
      // what it says later goes nowhere
      stdout.resume()
      return line.slice(prefix.length)
    }
  }
  return undefined
}

/** Ends a process with this one, also while it is still starting. */
function watched(child: ChildProcess): void {
  const end = () => void child.kill()
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
}

const subject = (name: string, base: string, child: ChildProcess): Subject => ({
  name,
  base,
  pid: child.pid,
  async stop() {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const patience = setTimeout(() => child.kill('SIGKILL'), 20_000)
    await ended
    clearTimeout(patience)
  },
})
