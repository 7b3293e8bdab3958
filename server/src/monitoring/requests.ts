import { Counter, Histogram, type Registry } from 'prom-client'

/** Counts requests. */
export interface RequestMetrics {
  /** @param route the path with placeholders for ids, so that the number of series does not grow with the data */
  answered(method: string, route: string | undefined, status: number, seconds: number): void
  /** the client closed the connection before the response was sent */
  abandoned(method: string, route: string | undefined): void
  /** the server refused an invalid or incomplete request before it knew the route */
  unreadable(status: number): void
}

/** Creates the metrics of requests and their responses. */
export function requestMetrics(register: Registry): RequestMetrics {
  const [labelNames, registers] = [['method', 'route', 'status'] as const, [register]]
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the first byte of a request to the last of its answer; of a stream, to its first.',
    labelNames,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  const total = new Counter({ name: 'http_requests_total', help: 'Answered requests.', labelNames, registers })
  const abandoned = new Counter({
    name: 'http_requests_abandoned_total',
    help: 'Requests whose connection closed before all of the answer had left.',
    labelNames: ['method', 'route'],
    registers,
  })
  const unreadable = new Counter({
    name: 'http_requests_unreadable_total',
    help: 'Requests refused before their path was read: 400 no valid HTTP, 408 too slow, 431 headers too large.',
    labelNames: ['status'],
    registers,
  })
  return {
    abandoned: (method, route = 'unknown') => abandoned.inc({ method, route }),
    unreadable: (status) => unreadable.inc({ status }),
    answered(method, route = 'unknown', status, seconds) {
      const labels = { method, route, status }
      duration.observe(labels, seconds)
      total.inc(labels)
    },
  }
}
