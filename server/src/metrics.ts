import cluster from 'node:cluster'
import { on } from 'node:events'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from './db/database.ts'

/** The metrics that a Prometheus server scrapes. */
export interface Metrics {
  contentType: string
  text(): Promise<string>
  /** @param route the path with placeholders for ids, so that the number of series does not grow with the data */
  count(method: string, route: string | undefined, status: number, seconds: number): void
  streams: {
    opened(): void
    /** @param why it ended */
    closed(why: string): void
    sent(events: number): void
  }
  compression: {
    /** @param before bytes of a body, which are `after` now */
    compressed(encoding: string, before: number, after: number): void
    /** one was sent as it is, as its organization, or all of them, had their share of compressing */
    skipped(): void
  }
  keptPages: {
    /** a page was sent as it was kept */
    sent(): void
    /** @param bytes that all of them take; asked whenever the metrics are read */
    watch(bytes: () => number): void
  }
}

/** The metrics of the jobs that this process runs. */
export interface JobMetrics {
  text(): Promise<string>
  /** @param failures how often something went wrong in a run, in one organization or in all */
  ran(job: string, seconds: number, failures: number): void
  /** of what is sent to webhooks */
  deliveries: {
    /** @param result what came of an attempt */
    attempted(result: string, seconds: number): void
    /** @param state asked whenever the metrics are read */
    watch(state: () => { underWay: number; lagSeconds: number }): void
  }
}

interface MetricsOptions {
  /** whether memory, CPU and event loop of this process are shown too */
  ofProcess: boolean
  /** whether this is one of several workers: then the sum over all of them is shown */
  ofWorkers?: boolean
  /** what is shown beside it */
  beside?: JobMetrics
}

/** The metrics of what answers requests. */
export function createMetrics(db: Database, { ofProcess, ofWorkers = false, beside }: MetricsOptions): Metrics {
  const register = new Registry()
  if (ofProcess) collectDefaultMetrics({ register })
  const labelNames = ['method', 'route', 'status'] as const
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the first byte of a request to the last of its answer; of a stream, to its first.',
    labelNames,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [register],
  })
  const total = new Counter({
    name: 'http_requests_total',
    help: 'Answered requests.',
    labelNames,
    registers: [register],
  })
  new Gauge({
    name: 'database_connections',
    help: 'Connections of the pool; waiting: requests that wait for one.',
    labelNames: ['state'],
    registers: [register],
    collect() {
      const { total, idle, waiting } = db.connectionCounts
      this.set({ state: 'busy' }, total - idle)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  new Counter({
    name: 'database_shared_transactions_total',
    help: 'Transactions that writes of one organization shared. writes: what was done in them; alone: writes that had to run by themselves after all.',
    labelNames: ['of'],
    registers: [register],
    collect() {
      this.reset()
      for (const [of, count] of Object.entries(db.sharedCounts)) this.inc({ of }, count)
    },
  })
  const openStreams = new Gauge({
    name: 'event_streams_open',
    help: 'Streams of events that are open.',
    registers: [register],
  })
  const closedStreams = new Counter({
    name: 'event_streams_closed_total',
    help: 'Streams of events that are over. left: by the reader; slow: the reader took too little; key: it no longer opens; stopping: the server ends; failed: the database did not answer; expired, reset: its position is none.',
    labelNames: ['why'] as const,
    registers: [register],
  })
  const streamed = new Counter({
    name: 'events_streamed_total',
    help: 'Events that were sent in streams, once for each reader.',
    registers: [register],
  })
  const compression = compressionMetrics(register)
  if (ofWorkers) shareMetrics(register)
  return {
    contentType: register.contentType,
    text: ofWorkers ? askForAggregate : () => together(register.metrics(), beside),
    count(method, route = 'unknown', status, seconds) {
      const labels = { method, route, status }
      duration.observe(labels, seconds)
      total.inc(labels)
    },
    streams: {
      opened: () => openStreams.inc(),
      closed(why) {
        openStreams.dec()
        closedStreams.inc({ why })
      },
      sent: (events) => streamed.inc(events),
    },
    compression,
    keptPages: keptPageMetrics(register),
  }
}

function keptPageMetrics(register: Registry): Metrics['keptPages'] {
  const registers = [register]
  const sent = new Counter({
    name: 'kept_pages_sent_total',
    help: 'Pages that were sent from memory, as nothing was written since they were read.',
    registers,
  })
  let bytes = () => 0
  new Gauge({
    name: 'kept_pages_bytes',
    help: 'What pages that are asked for again and again take of the memory.',
    registers,
    collect() {
      this.set(bytes())
    },
  })
  return {
    sent: () => sent.inc(),
    watch(asked) {
      bytes = asked
    },
  }
}

function compressionMetrics(register: Registry): Metrics['compression'] {
  const [labelNames, registers] = [['encoding'] as const, [register]]
  const before = new Counter({
    name: 'http_compression_in_bytes_total',
    help: 'Bytes of bodies that were compressed, before that.',
    labelNames,
    registers,
  })
  const after = new Counter({
    name: 'http_compression_out_bytes_total',
    help: 'Bytes of the same bodies afterwards, as they were sent.',
    labelNames,
    registers,
  })
  const skipped = new Counter({
    name: 'http_compression_skipped_total',
    help: 'Bodies that were sent as they are although their readers accept an encoding: their organization, or all of them, had their share of compressing.',
    registers,
  })
  return {
    compressed(encoding, bytes, compressedBytes) {
      before.inc({ encoding }, bytes)
      after.inc({ encoding }, compressedBytes)
    },
    skipped: () => skipped.inc(),
  }
}

/** The metrics of jobs, which only the process that runs them has. */
export function createJobMetrics(): JobMetrics {
  const register = new Registry()
  const [labelNames, registers] = [['job'] as const, [register]]
  const lastRun = new Gauge({
    name: 'job_last_run_timestamp_seconds',
    help: 'When a job last came to its end, in the one process of all that runs it.',
    labelNames,
    registers,
  })
  const duration = new Gauge({
    name: 'job_last_duration_seconds',
    help: 'How long the last run of a job took.',
    labelNames,
    registers,
  })
  const failures = new Counter({
    name: 'job_failures_total',
    help: 'How often a job failed, in one organization or as a whole.',
    labelNames,
    registers,
  })
  return {
    text: () => register.metrics(),
    deliveries: deliveryMetrics(register),
    ran(job, seconds, failed) {
      lastRun.set({ job }, Date.now() / 1_000)
      duration.set({ job }, seconds)
      failures.inc({ job }, failed)
    },
  }
}

function deliveryMetrics(register: Registry): JobMetrics['deliveries'] {
  const registers = [register]
  const attempts = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Attempts to deliver an event to a webhook, by result: delivered, refused by an answer, unanswered.',
    labelNames: ['result'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers,
  })
  let now = () => ({ underWay: 0, lagSeconds: 0 })
  new Gauge({
    name: 'webhook_turns_under_way',
    help: 'Webhooks that this process sends to at this moment.',
    registers,
    collect() {
      this.set(now().underWay)
    },
  })
  new Gauge({
    name: 'webhook_lag_seconds',
    help: 'Age of the oldest event that this process has yet to try on a webhook that takes events.',
    registers,
    collect() {
      this.set(now().lagSeconds)
    },
  })
  return {
    attempted: (result, seconds) => attempts.observe({ result }, seconds),
    watch(state) {
      now = state
    },
  }
}

const together = async (text: Promise<string>, beside: JobMetrics | undefined) =>
  `${await text}${beside ? await beside.text() : ''}`

/**
 * In the first process: adds up the metrics of all workers, for the worker that is asked for them.
 * @param own the metrics of this process itself
 */
export function aggregateMetrics(own: JobMetrics): void {
  const all = new AggregatorRegistry()
  cluster.on('message', (worker, { sumWanted }: { sumWanted?: number }) => {
    if (sumWanted === undefined) return
    const answer = (sum: { text: string } | { problem: string }) => worker.send({ ...sum, sumWanted }, () => {})
    together(all.clusterMetrics(), own).then(
      (text) => answer({ text }),
      (error) => answer({ problem: String(error) }),
    )
  })
}

/** In a worker: gives its metrics to the first process. */
function shareMetrics(register: Registry): void {
  AggregatorRegistry.setRegistries(register)
  // its constructor begins to answer the first process
  new AggregatorRegistry()
}

let asked = 0

/** In a worker: the sum over all of them. */
async function askForAggregate(): Promise<string> {
  const sumWanted = ++asked
  const messages = on(process, 'message')
  process.send?.({ sumWanted })
  for await (const [message] of messages) {
    if (message.sumWanted !== sumWanted) continue
    if (message.problem !== undefined) throw new Error(message.problem)
    return message.text
  }
  throw new Error('The process that adds up is gone')
}
