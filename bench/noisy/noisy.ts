import { setTimeout as wait } from 'node:timers/promises'
import { residentMb } from '../processor.ts'
import type { Row } from '../rows.ts'
import type { Subject } from '../subjects/subject.ts'
import { type Plan, whileAttacked } from './attack.ts'
import { founded } from './client.ts'
import { nothingMet, settled, works } from './ordinary.ts'
import { figuresOf, rowOf } from './outcome.ts'
import { ways } from './ways.ts'

interface Noisy {
  taskwright: Subject
  operatorToken: string
  /** the URL of its database */
  database: string
  /** of each way */
  seconds: number
  /** of all ways together */
  minutes: number
  /** a part of the names of the rows that are wanted */
  ways: string
  /** wide limits, for a machine that does other things too */
  quick: boolean
  say(sentence: string): void
}

/** What is measured, one row after the other. */
interface Measurement {
  run(): Promise<void>
  /** what was measured so far */
  rows(): Row[]
}

const begunMs = 1_000
const restMs = 3_000
const longestQuietSeconds = 60
const longestPreparingSeconds = 600
const toldEveryMs = 30_000

/**
 * What an ordinary organization meets while another one does its worst, by each way that was found, and by all of them at
 * once: how many times its own quiet p99.
 * @throws Error when no way is named so
 */
export function noisy(bench: Noisy): Measurement {
  const { taskwright, operatorToken, database, quick, say } = bench
  const { base, pid } = taskwright
  const plans = plansOf(bench)
  const rows: Row[] = []
  let underWay: (() => Row) | undefined

  return { run, rows: () => (underWay ? [...rows, underWay()] : rows) }

  async function run() {
    const { client, orgId: victimId } = await founded(base, operatorToken, 'Ordinary')
    const work = await settled(client)
    await works(client, work, 3)
    for (const [n, plan] of plans.entries()) {
      say(`${n + 1} of ${plans.length}: ${plan.what}, for ${lasting(plan.seconds)}`)
      // each time: what else the machine does changes from minute to minute
      const quiet = await works(client, work, Math.min(plan.seconds, longestQuietSeconds))
      const met = nothingMet()
      const memory = watched(pid)
      const outcome = () => ({ met, quiet, peakMb: memory.peakMb() })
      const preparingMs = performance.now()
      const preparing = new AbortController()
      // people go on meanwhile, and keep their connections
      const meanwhile = works(client, work, longestPreparingSeconds, nothingMet(), preparing.signal)
      await whileAttacked({ base, operatorToken, database, victimId }, plan, async () => {
        preparing.abort()
        await meanwhile
        const startedMs = performance.now()
        say(`  prepared in ${lasting((startedMs - preparingMs) / 1_000)}`)
        const passed = () => lasting((performance.now() - startedMs) / 1_000)
        await wait(begunMs)
        underWay = () => rowOf(`${plan.what} (the first ${passed()})`, outcome(), quick)
        const telling = setInterval(() => say(`  after ${passed()}: ${figuresOf(outcome())}`), toldEveryMs)
        await works(client, work, plan.seconds, met).finally(() => clearInterval(telling))
      }).finally(() => {
        preparing.abort()
        memory.stop()
      })
      const row = rowOf(plan.what, outcome(), quick)
      rows.push(row)
      underWay = undefined
      say(`  p99 ${row.value} times, ${row.figures}`)
      await wait(restMs)
    }
  }
}

/** @throws Error when none is named so */
function plansOf({ seconds, minutes, ways: part }: Noisy): (Plan & { what: string })[] {
  const all = { ways: Object.keys(ways), seconds: minutes * 60 }
  const plans: (Plan & { what: string })[] = [
    { what: 'nobody', ways: [], by: 'one', seconds },
    ...all.ways.map((name): Plan & { what: string } => ({ what: name, ways: [name], by: 'one', seconds })),
    { what: 'all of these, by one organization', by: 'one', ...all },
    { what: 'all of these, by as many organizations', by: 'each', ...all },
  ]
  const wanted = plans.filter(({ what }) => what.includes(part))
  if (wanted.length > 0) return wanted
  throw new Error(`No way has "${part}" in its name: ${plans.map(({ what }) => what).join('; ')}`)
}

const lasting = (seconds: number) => (seconds < 100 ? `${Math.round(seconds)} s` : `${(seconds / 60).toFixed(1)} min`)

function watched(pid: number | undefined) {
  let mostMb = residentMb(pid)
  const timer = setInterval(() => {
    const nowMb = residentMb(pid)
    if (nowMb !== undefined) mostMb = Math.max(mostMb ?? 0, nowMb)
  }, 100)
  return { peakMb: () => mostMb, stop: () => clearInterval(timer) }
}
