import { randomUUID } from 'node:crypto'
import { migrate } from '../server/src/for-tools.ts'
import { openEmptyStore, openStore, postmasterOf, query } from './database.ts'
import { chooseGenerator } from './generators/generator.ts'
import { type Leaving, leaving } from './leaving.ts'
import type { Bench } from './measurements/bench.ts'
import { familiesLike } from './measurements/families.ts'
import type { Family } from './measurements/family.ts'
import { soak } from './measurements/soak.ts'
import { start } from './measurements/start.ts'
import { warmUp } from './measurements/warm-up.ts'
import { noisy } from './noisy/noisy.ts'
import { type Options, readOptions, usage } from './options.ts'
import { cursorAt, randomPlacesIn } from './places.ts'
import { Unanswered } from './rounds.ts'
import { type Row, unansweredRow } from './rows.ts'
import { settingOf } from './setting.ts'
import { readRival } from './subjects/rival.ts'
import { type Subject, startOther, startTaskwright } from './subjects/subject.ts'
import { table } from './table.ts'
import { makeTenants, type Tenant } from './tenants/making.ts'
import { tenancy } from './tenants/tenants.ts'

/** Measures all of it and prints the table. @returns the exit code */
export async function main(words: readonly string[]): Promise<number> {
  const way = leaving(say)
  try {
    const options = readOptions(words)
    if (options.help) {
      process.stdout.write(`${usage}\n`)
      return 0
    }
    const measured = options.tenants ? runTenants : options.noisy ? runNoisy : run
    const rows = await measured(options, way)
    if (!options.noisy) process.stdout.write(`${table(rows)}\n`)
    return options.quick && rows.some(({ broken }) => broken) ? 1 : 0
  } catch (error) {
    if (!way.interrupted) say(error instanceof Error ? error.message : String(error))
    return 1
  } finally {
    await way.now()
  }
}

async function run(options: Options, way: Leaving): Promise<Row[]> {
  const wanted = familiesLike(options.only, options.quick)
  const store = await openStore({ ...options, beside: wanted.besideFew })
  const stopStore = way.before(store.stop)
  const stops: (() => Promise<void>)[] = []
  const kept = async (starting: Promise<Subject>): Promise<Subject> => {
    const subject = await starting
    stops.push(way.before(subject.stop))
    return subject
  }
  const onto = (url: string, name: string) =>
    kept(startTaskwright(name, { DATABASE_URL: url }, store.logFile(name.replaceAll(' ', '-'))))

  const { all, few } = store
  const depth = Math.floor(all.data.big.tasks * 0.8)
  const bench: Bench = {
    subjects: {
      taskwright: await onto(all.url, 'taskwright'),
      floor: await kept(startOther('floor', all)),
      typical: await kept(startOther('typical', all)),
      bare: await kept(startOther('bare', all)),
    },
    few: few && { taskwright: await onto(few.url, 'taskwright beside few'), data: few.data },
    rival: options.rival === undefined ? undefined : await readRival(options.rival),
    ...{ data: all.data, depth, deepCursor: await cursorAt(all, depth), places: await randomPlacesIn(all, 400) },
    postmaster: await postmasterOf(all.url),
    generator: chooseGenerator(options.generator),
    pace: { rounds: options.rounds, seconds: options.seconds, warmUpSeconds: options.quick ? 0 : 1 },
    ...{ quick: options.quick, say },
  }
  process.stdout.write(`${await settingOf(bench)}\n\n`)
  await warmUp(bench, options.quick ? 2 : 10)
  const rows: Row[] = []
  for (const family of wanted.families) {
    rows.push(...(await answeredRows(family, bench)))
  }
  if (options.soakMinutes !== undefined) {
    rows.push(...(await soak(bench, await onto(all.url, 'taskwright soaked'), options.soakMinutes)))
  }
  if (!wanted.start) return rows
  for (const stop of [...stops, stopStore]) await stop()
  rows.push(...(await start(bench, () => kept(startTaskwright('taskwright', store.settings, store.logFile('start'))))))
  return rows
}

/** The rows of a family, or one that says that the server does not answer what it asks for; the run goes on. */
async function answeredRows({ name, rows }: Family, bench: Bench): Promise<Row[]> {
  try {
    return await rows(bench)
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    bench.say(error.message)
    return [unansweredRow(name)]
  }
}

/** One organization beside another one, on an empty database of its own. Whatever ends it, what was measured is printed. */
async function runNoisy({ seconds, minutes, ways, quick }: Options, way: Leaving): Promise<Row[]> {
  const store = await openEmptyStore()
  way.before(store.stop)
  const operatorToken = randomUUID()
  const settings = { ...store.settings, OPERATOR_TOKEN: operatorToken }
  const taskwright = await startTaskwright('taskwright', settings, store.logFile('noisy'))
  way.before(taskwright.stop)
  const database = await store.url()
  const measurement = noisy({ ...{ taskwright, operatorToken, database, seconds, minutes, ways, quick, say } })
  way.before(async () => {
    const rows = measurement.rows()
    if (rows.length > 0) process.stdout.write(`${table(rows)}\n`)
  })
  await measurement.run()
  return measurement.rows()
}

/** Very many small organizations on one server, on an empty database of their own. */
async function runTenants({ tenants: count = 0, seconds }: Options, way: Leaving): Promise<Row[]> {
  const store = await openEmptyStore()
  way.before(store.stop)
  const whileStopped = async (act: (url: string) => Promise<void>) => {
    const { url, close } = await store.open()
    await act(url).finally(close)
  }
  let tenants: Tenant[] = []
  say(`Making ${count.toLocaleString('en-US')} organizations …`)
  await whileStopped(async (url) => {
    await migrate({ connectionString: url })
    tenants = await makeTenants({ connectionString: url }, count)
    await query(url, 'vacuum analyze')
    await query(url, 'checkpoint').catch(() => {})
  })
  const start = async () => {
    const taskwright = await startTaskwright('taskwright', store.settings, store.logFile('tenants'))
    way.before(taskwright.stop)
    return taskwright
  }
  return tenancy({ ...{ tenants, start, whileStopped, seconds, say }, urlOf: store.url })
}

const say = (sentence: string) => void process.stderr.write(`${sentence}\n`)
