import { Gauge, Histogram, type Registry } from 'prom-client'

/** Metrics of requests to webhooks. */
export interface DeliveryMetrics {
  /** @param result outcome of the attempt */
  attempted(result: string, seconds: number): void
  /** @param state called at each scrape */
  watch(state: () => { inFlight: number; lagSeconds: number }): void
}

/** Creates the metrics of requests to webhooks. */
export function deliveryMetrics(register: Registry): DeliveryMetrics {
  const registers = [register]
  const attempts = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Attempts to deliver an event to a webhook, by result: delivered, refused by an answer, unanswered.',
    labelNames: ['result'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers,
  })
  let now = () => ({ inFlight: 0, lagSeconds: 0 })
  new Gauge({
    name: 'webhook_turns_under_way',
    help: 'Webhooks that this process sends to at this moment.',
    registers,
    collect() {
      this.set(now().inFlight)
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
