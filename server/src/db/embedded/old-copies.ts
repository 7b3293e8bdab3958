import { execFile } from 'node:child_process'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Removes copies of PostgreSQL's programs that nothing needs any more: those that a start left unfinished, and those of older
 * versions of the same major one, unless a program of them runs. Who starts such a version again copies it again.
 * @param version the one in use
 */
export async function removeOldCopies(copiesIn: string, version: string): Promise<void> {
  const [major = ''] = version.split('.')
  const names = (await readdir(copiesIn)).filter((name) => name.startsWith('postgresql-'))
  const unfinished = names.filter((name) => unfinishedForm.test(name))
  const older = names.filter(
    (name) =>
      !unfinishedForm.test(name) &&
      name.startsWith(`postgresql-${major}.`) &&
      name.localeCompare(`postgresql-${version}`, 'en', { numeric: true }) < 0,
  )
  const running = older.length === 0 ? [] : await commandLines()
  const unused = older.filter((name) => !running.some((line) => line.includes(`/${name}/native/bin/`)))
  for (const path of unused.map((name) => join(copiesIn, name))) await rm(path, { recursive: true, force: true })
  for (const path of unfinished.map((name) => join(copiesIn, name))) {
    // a twin may be making it
    if ((await stat(path)).mtimeMs < Date.now() - longestCopyMs) await rm(path, { recursive: true, force: true })
  }
}

const unfinishedForm = /\.new-./

const longestCopyMs = 600_000

/** Of all programs that run here, whoever runs them. */
async function commandLines(): Promise<string[]> {
  if (process.platform !== 'linux')
    return (await promisify(execFile)('ps', ['-axww', '-o', 'command='], { maxBuffer: 2 ** 24 })).stdout.split('\n')
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
}
