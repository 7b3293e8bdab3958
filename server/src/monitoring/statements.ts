import type { Metric, Registry } from 'prom-client'
import type { StatementWatch } from '../db/pool/statement-watch.ts'

/** Counts statements, by what they are for. */
export interface StatementMetrics {
  /** @param operation the name of an operation, or of what runs by itself */
  of(operation: string): StatementWatch
}

const upperBounds = [0.001, 0.0025, 0.01, 0.025, 0.1, 0.5, 2.5, 10]
// all operations there are, and some that come
const mostOperations = 500

/** The metrics of statements: how long the database takes, and which take far longer than they usually do. */
export function statementMetrics(register: Registry): StatementMetrics {
  const all = new Map<string, Operation>()
  const usual = new UsualTimes()
  register.registerMetric(
    shown('database_statement_duration_seconds', 'histogram', durationHelp, () => [...all].flatMap(durations)),
  )
  register.registerMetric(
    shown('database_statement_rows_total', 'counter', rowsHelp, () =>
      [...all].map(([operation, { rows }]) => ({ value: rows, labels: { operation } })),
    ),
  )
  register.registerMetric(
    shown('database_statements_beyond_usual_total', 'counter', beyondHelp, () =>
      [...all].map(([operation, { beyondUsual }]) => ({ value: beyondUsual, labels: { operation } })),
    ),
  )
  return {
    of(name) {
      const operation = all.size < mostOperations || all.has(name) ? name : 'others'
      const known = all.get(operation) ?? new Operation(usual)
      all.set(operation, known)
      return known
    },
  }
}

const durationHelp = 'How long the database took for statements of an operation, without waits for connections.'
const rowsHelp = 'Rows that statements of an operation answered or changed.'
const beyondHelp =
  'Statements that took more than 20 times what the same statement usually takes here, and at least 0.1 s: when it goes on, a plan has changed, or the database is short of something.'

/** Adds up what statements of one operation took: each costs some additions, and no label is looked up. */
class Operation implements StatementWatch {
  readonly #usual: UsualTimes
  readonly counts = upperBounds.map(() => 0)
  count = 0
  seconds = 0
  rows = 0
  beyondUsual = 0

  constructor(usual: UsualTimes) {
    this.#usual = usual
  }

  answered({ name }: { name?: string | undefined }, ms: number, rows: number): void {
    const seconds = ms / 1_000
    this.count++
    this.seconds += seconds
    this.rows += rows
    const bucket = upperBounds.findIndex((bound) => seconds <= bound)
    if (bucket >= 0) this.counts[bucket] = (this.counts[bucket] ?? 0) + 1
    if (name !== undefined && this.#usual.isExceeded(name, ms)) this.beyondUsual++
  }
}

/** What each prepared statement usually takes; there are at most some hundred names of them. */
class UsualTimes {
  readonly #of = new Map<string, { ms: number; seen: number }>()

  /** Takes one into account. @returns whether it took far longer than the same statement usually does */
  isExceeded(name: string, ms: number): boolean {
    const usual = this.#of.get(name)
    if (usual === undefined) {
      this.#of.set(name, { ms, seen: 1 })
      return false
    }
    usual.seen++
    const exceeded = usual.seen > learnedAfter && ms >= shortestMs && ms > timesUsual * usual.ms
    // one that took very long says little; if they all do, that becomes usual after some hundred
    usual.ms += (Math.min(ms, 4 * usual.ms + 0.1) - usual.ms) / Math.min(usual.seen, memory)
    return exceeded
  }
}

const learnedAfter = 50
const memory = 256
const timesUsual = 20
const shortestMs = 100

interface Value {
  value: number
  labels: Record<string, string | number>
  metricName?: string
}

/** A metric of the library whose values are at hand. */
const shown = (name: string, type: 'counter' | 'histogram', help: string, values: () => Value[]) =>
  ({ name, help, get: async () => ({ name, help, type, aggregator: 'sum', values: values() }) }) as unknown as Metric

function durations([operation, { counts, count, seconds }]: [string, Operation]): Value[] {
  const name = 'database_statement_duration_seconds'
  const buckets = upperBounds.map((le, i) => ({
    value: counts.slice(0, i + 1).reduce((sum, more) => sum + more, 0),
    labels: { le, operation },
    metricName: `${name}_bucket`,
  }))
  return [
    ...buckets,
    { value: count, labels: { le: '+Inf', operation }, metricName: `${name}_bucket` },
    { value: seconds, labels: { operation }, metricName: `${name}_sum` },
    { value: count, labels: { operation }, metricName: `${name}_count` },
  ]
}
