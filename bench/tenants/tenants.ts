import { setTimeout as wait } from 'node:timers/promises'
import { postmasterOf, query } from '../database.ts'
import { percentile } from '../noisy/ordinary.ts'
import { processorUs, residentMb, treeProcessorUs } from '../processor.ts'
import { figureRow, type Row } from '../rows.ts'
import type { Subject } from '../subjects/subject.ts'
import { type Choose, clientsOf, type Met, oneOf, toldOf } from './clients.ts'
import { takenBy } from './machine.ts'
import { somethingForJobs, type Tenant } from './making.ts'

interface Tenancy {
  tenants: readonly Tenant[]
  /** starts the server; a second time once the first one has been stopped */
  start: () => Promise<Subject>
  /** runs something on its database while it is stopped */
  whileStopped: (act: (url: string) => Promise<void>) => Promise<void>
  /** of its database, asked while it runs */
  urlOf: () => Promise<string>
  /** of each measurement */
  seconds: number
  say(sentence: string): void
}

// what all organizations ask for together
const perSecond = 150
const busyOnes = 10
const clientsOfBusy = 4

/** What one server takes for very many small organizations, and what the quiet ones of them meet. */
export async function tenancy({ tenants, start, whileStopped, urlOf, seconds, say }: Tenancy): Promise<Row[]> {
  const rows: Row[] = []
  const note = (row: Row) => {
    rows.push(row)
    say(`  ${row.what}: ${row.value} ${row.figures}`)
  }
  const begunMs = performance.now()
  const first = await start()
  note(figureRow('start', performance.now() - begunMs, ' ms'))
  const url = await urlOf()
  let postmaster = await postmasterOf(url)
  const taken = (server: Subject) => ({
    serverUs: processorUs(server.pid) ?? Number.NaN,
    databaseUs: treeProcessorUs(postmaster) ?? Number.NaN,
  })
  /** Runs it, and tells what was taken of the machine meanwhile. */
  const during = async (server: Subject, what: string, act: () => Promise<Met | undefined>) => {
    say(what)
    const before = { ...taken(server), commits: await commitsOf(url), ms: performance.now() }
    const met = await act()
    const after = { ...taken(server), commits: await commitsOf(url), ms: performance.now() }
    const passed = (after.ms - before.ms) * 1_000
    const share = (us: number) => `${((us / passed) * 100).toFixed(1)} %`
    const held = takenBy(postmaster)
    const figures = [
      ...(met ? [toldOf(met)] : []),
      `processor: server ${share(after.serverUs - before.serverUs)}, PostgreSQL ${share(after.databaseUs - before.databaseUs)}`,
      `${(((after.commits - before.commits) / passed) * 1_000_000).toFixed(0)} transactions/s`,
      `memory: server ${residentMb(server.pid)?.toFixed(0)} MB, PostgreSQL ${held?.memoryMb.toFixed(0)} MB on ${held?.connections} connections, fullest of them ${held?.fullestMb.toFixed(0)} MB`,
    ].join('; ')
    const value = met ? percentile(met.timesMs, 0.99) : (after.ms - before.ms) / 1_000
    note({ ...figureRow(what, value, met ? ' ms' : ' s'), figures })
    return met
  }

  await during(first, 'nobody asks for anything', async () => void (await wait(seconds * 1_000)))
  const clients = clientsOf(first.base)
  const others = tenants.slice(busyOnes)
  const byOwner: Choose = () => owning(oneOf(others))
  const byAnybody: Choose = () => anybodyOf(oneOf(others))
  const byRank: Choose = () => anybodyOf(zipf(tenants))
  await during(first, `${perSecond} requests/s of owners of any organization, p99`, () =>
    clients.steadily(byOwner, perSecond, seconds),
  )
  await during(first, `${perSecond} requests/s of anybody, the n-th organization 1/n as often as the first, p99`, () =>
    clients.steadily(byRank, perSecond, seconds),
  )
  const busy = new AbortController()
  await during(
    first,
    `${perSecond} requests/s of anybody, p99 beside ${busyOnes} organizations that never rest`,
    async () => {
      const loops = tenants
        .slice(0, busyOnes)
        .map((tenant) => clients.busily(() => owning(tenant), clientsOfBusy, busy.signal))
      const met = await clients.steadily(byAnybody, perSecond, seconds)
      busy.abort()
      const asked = (await Promise.all(loops)).reduce((sum, { timesMs }) => sum + timesMs.length, 0)
      say(`  the busy ones had ${(asked / seconds).toFixed(0)} answers/s`)
      return met
    },
  )
  const everybody = tenants.flatMap((tenant) => tenant.keys.map((key) => ({ tenant, key })))
  const shuffled = everybody.map((one) => ({ one, at: Math.random() })).sort((a, b) => a.at - b.at)
  const some = shuffled.slice(0, 2_000).map(({ one }) => one)
  await during(first, 'a page by each of 2,000 keys, p99', () => clients.once(some, 64, seconds))
  await during(first, 'the same keys within the same second and later, p99', () => clients.once(some, 64, seconds))
  const all = shuffled.map(({ one }) => one)
  await during(first, `a page by each of ${all.length.toLocaleString('en-US')} keys, p99`, () =>
    clients.once(all, 64, 3 * seconds),
  )
  const { bytes, ms } = await metricsOf(first.base)
  note({ ...figureRow('/metrics', bytes / 1_000, ' kB'), figures: `${ms.toFixed(0)} ms` })
  clients.close()
  await first.stop()

  say('Something for each job in every organization …')
  await whileStopped(async (url) => {
    for (const statement of somethingForJobs) await query(url, statement)
    await query(url, 'vacuum analyze')
  })
  const second = await start()
  postmaster = await postmasterOf(url)
  const again = clientsOf(second.base)
  await during(second, 'every organization has something for three jobs; requests as before, p99', async () => {
    const met: Met = { timesMs: [], failed: {} }
    const endMs = performance.now() + 6 * seconds * 1_000
    for (let left: string[] = [...jobs]; left.length > 0 && performance.now() < endMs; ) {
      const more = await again.steadily(byAnybody, perSecond, 5)
      for (const time of more.timesMs) met.timesMs.push(time)
      for (const [status, count] of Object.entries(more.failed))
        met.failed[Number(status)] = (met.failed[Number(status)] ?? 0) + count
      const { durations } = await metricsOf(second.base)
      left = jobs.filter((job) => !durations.has(job))
    }
    return met
  })
  const { durations } = await metricsOf(second.base)
  for (const [job, took] of durations) note(figureRow(`its round of ${job}`, took, ' s'))
  again.close()
  await second.stop()
  return rows
}

const jobs = ['reaping', 'purge', 'retention', 'detaching'] as const

const owning = (tenant: Tenant) => ({ tenant, key: tenant.keys[0] ?? '' })
const anybodyOf = (tenant: Tenant) => ({ tenant, key: oneOf(tenant.keys) })

/** The n-th as often as its weight, 1/n, has it. */
function zipf(tenants: readonly Tenant[]): Tenant {
  const place = Math.floor(tenants.length ** Math.random()) - 1
  return tenants[place] ?? oneOf(tenants)
}

const commitsOf = async (url: string): Promise<number> => {
  const [row] = await query(url, 'select xact_commit from pg_stat_database where datname = current_database()')
  return Number(row?.xact_commit)
}

async function metricsOf(base: string) {
  const begunMs = performance.now()
  const text = await (await fetch(`${base}/metrics`)).text()
  const found = [...text.matchAll(/^job_last_duration_seconds\{job="([^"]+)"\} (\S+)$/gm)]
  return {
    ms: performance.now() - begunMs,
    bytes: text.length,
    durations: new Map(found.map(([, job = '', seconds]) => [job, Number(seconds)])),
  }
}
