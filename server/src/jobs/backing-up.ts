import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BackupFile, backupName, backupsIn, newestWhole } from '../db/backup/backup-files.ts'
import { instanceStatement } from '../db/backup/contents-of-database.ts'
import { expected } from '../db/expected.ts'
import type { Job } from './job.ts'

/** The settings of automatic backups. */
export interface Backups {
  everyMs: number
  /** number of backups to keep */
  keep: number
  directory: string
}

/** The metrics of automatic backups. */
export interface BackupsNoted {
  /** @param last the newest complete backup of this instance, if any */
  found(last: BackupFile | undefined): void
  /** @param count archives in the directory that this instance did not make */
  foreign(count: number): void
  made(seconds: number): void
  failed(): void
}

const lookEveryMs = 60_000
const pauseMs = 900_000

/**
 * Makes a backup when the newest one of this instance is old enough, also after a restart. Then it deletes this instance's
 * oldest backups. A child process makes the backup, so that requests do not wait for it.
 * @param warn receives a sentence when the directory contains foreign or broken archives
 */
export const backingUp = (backups: Backups, noted: BackupsNoted, warn: (sentence: string) => void): Job => {
  const { directory, keep } = backups
  let pausedUntilMs = 0
  let warned = ''
  return {
    name: 'backup',
    everyMs: Math.min(lookEveryMs, backups.everyMs),
    async run({ db, now, signal }) {
      const { instance } = expected(await db.row<{ instance: string }>(instanceStatement), 'The instance')
      const newest = await lookAround(instance, now)
      if (performance.now() < pausedUntilMs || !isDue(backups, newest, now)) return
      const begunMs = performance.now()
      try {
        await makeOne(directory, instance, now, signal)
      } catch (error) {
        // do not retry each minute: a failure such as a full disk lasts
        pausedUntilMs = performance.now() + Math.min(pauseMs, backups.everyMs)
        if (!signal.aborted) noted.failed()
        throw error
      }
      noted.made((performance.now() - begunMs) / 1_000)
      const { own } = await backupsIn(directory, instance, now)
      const { older } = await newestWhole(own, keep)
      for (const path of older) await rm(path, { force: true })
      await lookAround(instance, now)
    },
  }

  /** Reports the archives in the directory. @returns the newest complete archive of this instance */
  async function lookAround(instance: string, now: Date): Promise<BackupFile | undefined> {
    const { own, foreign } = await backupsIn(directory, instance, now)
    const {
      whole: [newest],
      broken,
    } = await newestWhole(own, 1)
    noted.found(newest)
    noted.foreign(foreign.length)
    const sentence = [
      some(
        foreign,
        'made by another instance, or have names that tell none. This server neither counts nor removes them',
      ),
      some(broken, 'not whole. They count as no backup'),
    ]
      .filter((part) => part !== undefined)
      .join(' ')
    if (sentence !== '' && sentence !== warned) warn(sentence)
    warned = sentence
    return newest
  }

  function some(paths: readonly string[], what: string): string | undefined {
    if (paths.length === 0) return undefined
    const names = paths.slice(0, 3).map((path) => basename(path))
    return `Archives in ${directory}: ${paths.length} (${names.join(', ')}${paths.length > 3 ? ', …' : ''}) are ${what}.`
  }
}

function isDue({ everyMs }: Backups, newest: BackupFile | undefined, now: Date): boolean {
  const ageMs = newest === undefined ? everyMs : now.getTime() - newest.begunMs
  // negative: a wrong clock named the archive
  return ageMs < 0 || ageMs >= everyMs
}

async function makeOne(directory: string, instance: string, now: Date, signal: AbortSignal): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { leftovers } = await backupsIn(directory, instance, now)
  for (const path of leftovers) await rm(path, { force: true })
  const child = spawn(process.execPath, [program, 'backup', join(directory, backupName(instance, now))], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stop = () => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  try {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-1_000)
    })
    const [code, endedBy] = await once(child, 'close')
    if (endedBy !== null) throw new Error(`The backup was ended by ${endedBy}`)
    if (code !== 0) throw new Error(`The backup failed: ${said.trim().split('\n').at(-1)}`)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const program = fileURLToPath(new URL('../../bin/taskwright.mjs', import.meta.url))
