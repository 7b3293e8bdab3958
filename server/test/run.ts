import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { builtProgram } from '../build.mjs'
import { openEmbeddedPostgres } from '../src/db/embedded/embedded.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { built } from './support/built.ts'
import { filesNotOnCitus, onCitus } from './support/citus.ts'
import { newDatabase } from './support/databases.ts'
import { scratchFolder } from './support/scratch.ts'
import { browses, sharedProcesses, standsAlone, waits } from './support/sharing.ts'
import { openCitus } from './support/slow/open-citus.ts'
import { compiledProgram } from './support/slow/program.ts'
import { isInTier, type Tier, tierFrom, tierOption } from './support/tiers.ts'

const root = new URL('../../', import.meta.url).pathname
/** Where tests stand. */
const folders = ['server/test', 'client/test', 'cli/test', 'console/test']
// for tests that need it in a process of its own
const embeddedSource = new URL('../src/db/embedded/embedded.ts', import.meta.url).pathname

// half of the time a file waits: for what takes a while on purpose, or for other processes
const atOnce = 2 * Math.max(2, availableParallelism())

/**
 * Runs the tests on a database of their own: in the PostgreSQL of TEST_DATABASE_URL, on the Citus cluster of TEST_CITUS, or
 * in an embedded one that lives as long as the run. Ends with the line `N passed, N failed`.
 * @param words parts of file names; a tier such as `--tier=slow`, which is `all` beside names and else `quick`; and options of
 *   Node's test runner, such as `--test-name-pattern=…`
 * @returns the exit code
 */
export async function runTests(words: readonly string[]): Promise<number> {
  const wanted = words.filter((word) => !word.startsWith('--'))
  const options = words.filter((word) => word.startsWith('--') && !word.startsWith(tierOption))
  const tier = tierFrom(
    words.findLast((word) => word.startsWith(tierOption)),
    wanted.length > 0 ? 'all' : 'quick',
  )
  const directory = await scratchFolder()
  const temporary = join(directory, 'tmp')
  await mkdir(temporary)
  // as the system's own is
  await chmod(temporary, 0o1777)
  const { url, stop } = await openPostgres(directory)
  const migrated = await newDatabase(url, 'migrated')
  try {
    await migrate({ connectionString: migrated.url })
    const files = (await testFiles(tier)).filter(
      (file) => wanted.length === 0 || wanted.some((part) => file.includes(part)),
    )
    if (files.length === 0) throw new Error(`No test file of this tier is named like ${wanted.join(', ')}`)
    const tally = join(directory, 'tally.tap')
    // a server that runs from its sources has the console from there too
    await builtProgram()
    const [embeddedModule = '', ...tests] = await built([embeddedSource, ...files], join(directory, 'built'))
    const program = await onCopyOf(migrated, url, (databaseUrl) =>
      compiledProgram(join(directory, 'built'), databaseUrl),
    )
    // options such as a part of titles, or a debugger, are for files by themselves
    const shared = options.length > 0 ? undefined : await sharing(files, tests, join(directory, 'shared'))
    const code = await onCopyOf(migrated, url, (databaseUrl) =>
      nodeTest(options, shared?.entries ?? tests, tally, {
        TEST_DATABASE_URL: databaseUrl,
        TMPDIR: temporary,
        TEST_MIGRATED_DATABASE: migrated.name,
        TEST_CLUSTER: join(directory, 'cluster'),
        TEST_EMBEDDED_MODULE: embeddedModule,
        TEST_PROGRAM: program,
        TEST_TIER: tier,
      }),
    )
    const { passed, failed } = count(await readFile(tally, 'utf8'))
    const unfinished = (await shared?.unfinished()) ?? []
    for (const name of unfinished) process.stdout.write(`A process ended in the middle of ${name}\n`)
    const isGreen = code === 0 && passed > 0 && unfinished.length === 0
    process.stdout.write(`${passed} passed, ${isGreen ? failed : Math.max(failed, 1)} failed\n`)
    return isGreen ? 0 : code || 1
  } finally {
    await migrated.drop()
    await stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function sharing(sources: readonly string[], tests: readonly string[], folder: string) {
  const files = sources.map(async (source, place) => {
    const text = await readFile(source, 'utf8')
    return {
      name: nameOf(source),
      built: tests[place] ?? '',
      alone: standsAlone(text),
      browses: browses(text),
      waits: waits(text),
    }
  })
  return sharedProcesses(await Promise.all(files), folder, atOnce)
}

async function onCopyOf<T>({ name }: { name: string }, url: string, work: (url: string) => Promise<T>): Promise<T> {
  const copy = await newDatabase(url, 'test', name)
  return work(copy.url).finally(copy.drop)
}

async function openPostgres(directory: string) {
  if (onCitus) return openCitus()
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, stop: async () => {} }
  const say = (sentence: string) => process.stderr.write(`${sentence}\n`)
  const embedded = await openEmbeddedPostgres({ dataDir: directory, say })
  const { host, port, user, database } = embedded.connection
  return {
    url: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    stop: () => embedded.stop(),
  }
}

async function testFiles(tier: Tier): Promise<string[]> {
  const found = folders.map(async (folder) => {
    const entries = existsSync(join(root, folder)) ? await readdir(join(root, folder), { recursive: true }) : []
    return entries.filter((entry) => entry.endsWith('.test.ts')).map((entry) => join(root, folder, entry))
  })
  const taken = (await Promise.all(found)).flat().map(async (file) => {
    if (onCitus && nameOf(file) in filesNotOnCitus) return []
    return isInTier(tier, relative(root, file), await readFile(file, 'utf8')) ? [file] : []
  })
  return (await Promise.all(taken)).flat().sort()
}

/** What a file of tests is called: those of the server by their path among them. */
const nameOf = (file: string) => relative(root, file).replace('server/test/', '')

function nodeTest(
  options: readonly string[],
  files: readonly string[],
  tally: string,
  settings: Record<string, string>,
): Promise<number> {
  const reporters = [
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...['--test-reporter=tap', `--test-reporter-destination=${tally}`],
  ]
  const flags = ['--enable-source-maps', '--test', `--test-concurrency=${atOnce}`, ...reporters, ...options]
  const child = spawn(process.execPath, [...flags, ...files], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'test', ...settings },
  })
  // who interrupts the run ends the tests; then what they stood on is taken away
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

function count(tap: string): { passed: number; failed: number } {
  const last = (name: string) => Number([...tap.matchAll(new RegExp(`^# ${name} (\\d+)$`, 'gm'))].at(-1)?.[1] ?? 0)
  return { passed: last('pass'), failed: last('fail') + last('cancelled') }
}
