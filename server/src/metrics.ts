import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from './db/database.ts'

/** What a Prometheus server scrapes. */
export interface Metrics {
  contentType: string
  text(): Promise<string>
  /** @param route the path with names for its ids, so that the number of series does not grow with the data */
  count(method: string, route: string | undefined, status: number, seconds: number): void
}

/** @param ofProcess whether memory, CPU and event loop of this process are shown too */
export function createMetrics(db: Database, { ofProcess }: { ofProcess: boolean }): Metrics {
  const register = new Registry()
  if (ofProcess) collectDefaultMetrics({ register })
  const labelNames = ['method', 'route', 'status'] as const
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the first byte of a request to the last of its answer.',
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
      const { total, idle, waiting } = db.load
      this.set({ state: 'busy' }, total - idle)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  return {
    contentType: register.contentType,
    text: () => register.metrics(),
    count(method, route = 'unknown', status, seconds) {
      const labels = { method, route, status }
      duration.observe(labels, seconds)
      total.inc(labels)
    },
  }
}
