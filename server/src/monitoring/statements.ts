import { Counter, Histogram, type Registry } from 'prom-client'
import type { StatementWatch } from '../db/pool/statement-watch.ts'

/** Counts statements by operation. */
export interface StatementMetrics {
  /** @param operation the name of an operation or a job */
  of(operation: string): StatementWatch
}

// room for all operations of today and some more
const mostOperations = 500

/** Creates the metrics of statements: their duration, their rows, and how many took far longer than usual. */
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
    help: 'Statements that took more than 20 times their usual time, and at least 0.1 s. If the number keeps growing, a plan has changed or the database lacks a resource.',
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

/** The usual duration of each prepared statement. There are at most a few hundred names. */
class UsualTimes {
  readonly #of = new Map<string, { ms: number; seen: number }>()

  /** Adds one duration. @returns whether it took far longer than the statement usually does */
  isExceeded(name: string, ms: number): boolean {
    const usual = this.#of.get(name)
    if (usual === undefined) {
      this.#of.set(name, { ms, seen: 1 })
      return false
    }
    usual.seen++
    const exceeded = usual.seen > learnedAfter && ms >= shortestMs && ms > timesUsual * usual.ms
    // limit the weight of one slow statement; if all become slow, that is usual after a few hundred
    usual.ms += (Math.min(ms, 4 * usual.ms + 0.1) - usual.ms) / Math.min(usual.seen, memory)
    return exceeded
  }
}

const learnedAfter = 50
const memory = 256
const timesUsual = 20
const shortestMs = 100
