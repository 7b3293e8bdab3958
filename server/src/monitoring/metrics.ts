import { type Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Database } from '../db/pool/database.ts'
import { type CompressionMetrics, compressionMetrics } from './compression.ts'
import { databaseMetrics } from './database.ts'
import { type JobMetrics, rejectionMetric } from './jobs.ts'
import { type RequestMetrics, requestMetrics } from './requests.ts'
import { type StatementMetrics, statementMetrics } from './statements.ts'
import { type StreamMetrics, streamMetrics } from './streams.ts'
import { joinMetrics, shareMetrics, sumOfAllWorkers } from './workers.ts'

/** The metrics that a Prometheus server scrapes, by subject. */
export interface Metrics {
  contentType: string
  /** of this process */
  register: Registry
  text(): Promise<string>
  requests: RequestMetrics
  statements: StatementMetrics
  streams: StreamMetrics
  compression: CompressionMetrics
  unhandledRejections: Counter
}

interface MetricsOptions {
  version: string
  /** whether to show memory, CPU and event loop of this process too */
  ofProcess: boolean
  /** whether this process is one of several workers, so that it shows the sum over all of them */
  ofWorkers?: boolean
  /** metrics of jobs to show after these */
  beside?: JobMetrics
}

/** Creates the metrics of a process that serves requests. */
export function createMetrics(
  db: Database,
  { version, ofProcess, ofWorkers = false, beside }: MetricsOptions,
): Metrics {
  const register = new Registry()
  buildMetrics(register, version)
  if (ofProcess) collectDefaultMetrics({ register })
  databaseMetrics(register, db)
  const subjects = {
    requests: requestMetrics(register),
    statements: statementMetrics(register),
    streams: streamMetrics(register),
    compression: compressionMetrics(register),
    unhandledRejections: rejectionMetric(register, 'unhandled_rejections'),
  }
  db.watch = subjects.statements.of('others')
  if (ofWorkers) shareMetrics(register)
  return {
    contentType: register.contentType,
    register,
    text: ofWorkers ? sumOfAllWorkers : () => joinMetrics(register.metrics(), beside),
    ...subjects,
  }
}

function buildMetrics(register: Registry, version: string): void {
  new Gauge({
    name: 'taskwright_build_info',
    help: 'Always 1: the version of Taskwright and of Node that answers.',
    labelNames: ['version', 'node'],
    registers: [register],
    aggregator: 'max',
  }).set({ version, node: process.versions.node }, 1)
}
