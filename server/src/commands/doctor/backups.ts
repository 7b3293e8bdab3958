import { mkdtemp, readdir, rmdir, stat, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { type CheckResult, ok, warning, wrong } from './finding.ts'
import { nearestThere } from './place.ts'

/** Checks that the directory of scheduled backups is writable and has space for one more. */
export async function checkBackups({ backups }: Config): Promise<CheckResult[]> {
  if (!backups) return []
  const place = resolve(backups.directory)
  const nearest = await nearestThere(place)
  if (!(await stat(nearest)).isDirectory())
    return [wrong('backups', `${nearest} is a file: give a directory as BACKUP_DIR`)]
  const problem = await writingProblem(nearest)
  if (problem === 'EROFS')
    return [wrong('backups', `${nearest} is on a read-only file system: give another BACKUP_DIR`)]
  if (problem !== undefined)
    return [
      wrong(
        'backups',
        `user id ${process.geteuid?.()} cannot write in ${nearest} (${problem}): change its owner, or BACKUP_DIR`,
      ),
    ]
  const { bavail, bsize } = await statfs(nearest)
  const needed = await largestIn(place)
  if (bavail * bsize < needed)
    return [
      warning(
        'backups',
        `${place} has no space for one more: the next backup can need ${Math.ceil(needed / 1_000_000)} MB, and the oldest is removed after it`,
      ),
    ]
  return [ok('backups', `${place} is writable and has space for one more`)]
}

/** Creates a directory and removes it: the access rights do not stop root, but a file system can. */
async function writingProblem(directory: string): Promise<string | undefined> {
  try {
    await rmdir(await mkdtemp(join(directory, '.taskwright-doctor-')))
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

/** The size of the largest archive in a directory, in bytes; 0 if there is none. */
async function largestIn(directory: string): Promise<number> {
  const names = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith('.tar'))
  const sizes = await Promise.all(names.map((name) => stat(join(directory, name)).then(({ size }) => size)))
  return Math.max(0, ...sizes)
}
