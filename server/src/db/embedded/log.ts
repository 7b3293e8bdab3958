import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { asAccount } from './account.ts'
import type { Cluster } from './cluster.ts'
import { openNoFollow } from './no-follow.ts'

/**
 * How PostgreSQL logs: files of its own in `log` below PGDATA, a new one each day and each 10 MB, and nothing of what
 * customers wrote, which stands in details and statements.
 */
export const logSettings = {
  logging_collector: 'on',
  log_destination: 'stderr',
  log_directory: 'log',
  // of names in the order of time; no two files of a size-based rotation have the same
  log_filename: 'postgresql-%Y-%m-%d_%H%M%S.log',
  log_file_mode: '0600',
  log_rotation_age: '1d',
  log_rotation_size: '10MB',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_error_verbosity: 'terse',
  // which is how never is said
  log_min_error_statement: 'panic',
}

/** What a connection of ours asks for: a statement that fails is told to who sent it, and may quote customers. */
export const quietOption = '-c log_min_messages=fatal'

const mostFiles = 100
const mostBytes = 50_000_000

/** Removes the oldest files of the log where there are more than 100 or they come to more than 50 MB. */
export async function pruneLog({ directory, account }: Cluster): Promise<void> {
  const folder = join(directory, logSettings.log_directory)
  const [newest, ...older] = (await filesIn(folder)).reverse()
  if (newest === undefined) return
  let kept = await sizeOf(join(folder, newest))
  const gone: string[] = []
  for (const [i, name] of older.entries()) {
    kept += await sizeOf(join(folder, name))
    if (i + 2 > mostFiles || kept > mostBytes) gone.push(name)
  }
  if (gone.length > 0) await asAccount(account, 'cd "$0" && rm -f -- "$@"', [folder, ...gone])
}

/** The last lines that PostgreSQL logged. */
export async function endOfLog(directory: string): Promise<string[]> {
  const folder = join(directory, logSettings.log_directory)
  const newest = (await filesIn(folder)).at(-1)
  if (newest === undefined) return []
  const file = await openNoFollow(join(folder, newest))
  if (!file) return []
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(10_000),
      position: Math.max(0, size - 10_000),
    })
    return buffer.subarray(0, bytesRead).toString().trim().split('\n')
  } finally {
    await file.close()
  }
}

/** Where PostgreSQL has logged something; undefined where it has not come that far. */
export async function logFolder(directory: string): Promise<string | undefined> {
  const folder = join(directory, logSettings.log_directory)
  return (await filesIn(folder)).length > 0 ? folder : undefined
}

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => [])
  return names.filter((name) => /^postgresql-[\d_-]+\.log$/.test(name)).sort()
}

const sizeOf = (path: string) =>
  lstat(path).then(
    ({ size }) => size,
    () => 0,
  )
