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
      const names = await namesIn(backups, now)
      await tellNewest(backups, names, noted)
      if (performance.now() < pausedUntilMs || !isDue(backups, names, now)) return
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
      const made = await namesIn(backups, now)
      await removeOldest(backups, made)
      await tellNewest(backups, made, noted)
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

const madeMsOf = (name: string) => Date.parse(name.replace(finished, '$1-$2-$3T$4:$5:$6Z'))

/** The names of those that are there, the oldest first: before them those of the future, by a clock that was wrong. */
async function namesIn({ directory }: Backups, now: Date): Promise<string[]> {
  const all = (await readdir(directory).catch(() => [])).filter((name) => finished.test(name)).sort()
  return [...all.filter((name) => isAhead(name, now)), ...all.filter((name) => !isAhead(name, now))]
}

const isAhead = (name: string, now: Date) => madeMsOf(name) > now.getTime()

function isDue({ everyMs }: Backups, names: readonly string[], now: Date): boolean {
  const newest = names.at(-1)
  return newest === undefined || isAhead(newest, now) || now.getTime() - madeMsOf(newest) >= everyMs
}

async function removeOldest({ directory, keep }: Backups, names: readonly string[]): Promise<void> {
  for (const name of names.slice(0, -keep)) await rm(join(directory, name), { force: true })
}

async function tellNewest({ directory }: Backups, names: readonly string[], { found }: BackupsNoted): Promise<void> {
  const newest = names.at(-1)
  const size = newest && (await stat(join(directory, newest)).catch(() => undefined))?.size
  found(newest && size ? { madeMs: madeMsOf(newest), sizeBytes: size } : undefined)
}
