import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Job } from './job.ts'

/** The backups that are made by themselves. */
export interface Backups {
  everyMs: number
  /** how many are kept */
  keep: number
  directory: string
}

/** What is told of them. */
export interface BackupsNoted {
  /** @param last the newest backup that is there, if any */
  found(last: { madeMs: number; sizeBytes: number } | undefined): void
  made(seconds: number): void
  failed(): void
}

const lookEveryMs = 60_000
const pauseMs = 900_000

/**
 * Makes a backup whenever the newest one in the directory is old enough, also after a restart, and takes away the oldest. A
 * process of its own does it, so that requests wait for none of it.
 */
export const backingUp = (backups: Backups, noted: BackupsNoted): Job => {
  let pausedUntilMs = 0
  return {
    name: 'backup',
    everyMs: Math.min(lookEveryMs, backups.everyMs),
    async run({ now, signal }) {
      await tellNewest(backups, noted)
      if (performance.now() < pausedUntilMs || !(await isDue(backups, now.getTime()))) return
      const begunMs = performance.now()
      try {
        await makeOne(backups, now, signal)
      } catch (error) {
        // what failed, as on a full disk, is not tried again each minute
        pausedUntilMs = performance.now() + Math.min(pauseMs, backups.everyMs)
        if (!signal.aborted) noted.failed()
        throw error
      }
      noted.made((performance.now() - begunMs) / 1_000)
      await removeOldest(backups)
      await tellNewest(backups, noted)
    },
  }
}

async function makeOne({ directory }: Backups, now: Date, signal: AbortSignal): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  for (const name of await readdir(directory)) if (leftover.test(name)) await rm(join(directory, name), { force: true })
  const child = spawn(process.execPath, [program, 'backup', join(directory, nameAt(now))], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stop = () => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  try {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-1_000)
    })
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`The backup failed: ${said.trim().split('\n').at(-1)}`)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const program = fileURLToPath(new URL('../../bin/taskwright.mjs', import.meta.url))

/** taskwright-20261123T020000Z.tar, by the time when it was begun. */
const nameAt = (now: Date) => `taskwright-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.tar`
const finished = /^taskwright-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar$/
const leftover = /^taskwright-\d{8}T\d{6}Z\.tar\.\d+\.partial$/

/** The names of those that are there, the oldest first. */
const namesIn = async (directory: string): Promise<string[]> =>
  (await readdir(directory).catch(() => [])).filter((name) => finished.test(name)).sort()

const madeMsOf = (name: string) => Date.parse(name.replace(finished, '$1-$2-$3T$4:$5:$6Z'))

async function isDue({ directory, everyMs }: Backups, nowMs: number): Promise<boolean> {
  const newest = (await namesIn(directory)).at(-1)
  if (newest === undefined) return true
  const ageMs = nowMs - madeMsOf(newest)
  // one of the future was made by a clock that was wrong
  return ageMs >= everyMs || ageMs < 0
}

async function removeOldest({ directory, keep }: Backups): Promise<void> {
  for (const name of (await namesIn(directory)).slice(0, -keep)) await rm(join(directory, name), { force: true })
}

async function tellNewest({ directory }: Backups, { found }: BackupsNoted): Promise<void> {
  const newest = (await namesIn(directory)).at(-1)
  const size = newest && (await stat(join(directory, newest)).catch(() => undefined))?.size
  found(newest && size ? { madeMs: madeMsOf(newest), sizeBytes: size } : undefined)
}
