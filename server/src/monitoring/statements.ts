import { Counter, Histogram, type Registry } from 'prom-client'
import type { StatementWatch } from '../db/pool/statement-watch.ts'

/** Counts statements, by what they are for. */
export interface StatementMetrics {
  /** @param operation the name of an operation, or of what runs by itself */
  of(operation: string): StatementWatch
}

// all operations there are, and some that come
const mostOperations = 500

/** The metrics of statements: how long the database takes, and which take far longer than they usually do. */
export function statementMetrics(register: Registry): StatementMetrics {
  const [labelNames, registers] = [['operation'] as const, [register]]
  const duration = new Histogram({
    name: 'database_statement_duration_seconds',
    help: 'How long the database took for statements of an operation, without waits for connections.',
    labelNames,
    buckets: [0.001, 0.0025, 0.01, 0.025, 0.1, 0.5, 2.5, 10],
    registers,
  })
  const answeredRows = new Counter({
    name: 'database_statement_rows_total',
    help: 'Rows that statements of an operation answered or changed.',
    labelNames,
    registers,
  })
  const beyondUsual = new Counter({
    name: 'database_statements_beyond_usual_total',
    help: 'Statements that took more than 20 times what the same statement usually takes here, and at least 0.1 s: when it goes on, a plan has changed, or the database is short of something.',
    labelNames,
    registers,
  })
  const usual = new UsualTimes()
  const watches = new Map<string, StatementWatch>()

  function watchOf(operation: string): StatementWatch {
    const labels = { operation }
    duration.zero(labels)
    answeredRows.inc(labels, 0)
    beyondUsual.inc(labels, 0)
    return {
      answered({ name }, ms, rows) {
        duration.observe(labels, ms / 1_000)
        answeredRows.inc(labels, rows)
        if (name !== undefined && usual.isExceeded(name, ms)) beyondUsual.inc(labels)
      },
    }
  }

  return {
    of(name) {
      const operation = watches.size < mostOperations || watches.has(name) ? name : 'others'
      const known = watches.get(operation) ?? watchOf(operation)
      watches.set(operation, known)
      return known
    },
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
