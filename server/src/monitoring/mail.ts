import { Counter, Gauge, type Registry } from 'prom-client'

/** Metrics of mail that the server sends. */
export interface MailMetrics {
  /** @param result outcome of an attempt */
  attempted(result: string): void
  queue(state: { waiting: number; oldestAgeSeconds: number }): void
}

/** Creates the metrics of mail, for a server that sends mail. */
export function mailMetrics(register: Registry): MailMetrics {
  const registers = [register]
  const attempts = new Counter({
    name: 'mail_attempts_total',
    help: 'Attempts to send a mail, by result: sent, skipped, retried, failed, unknown, or unreachable for the SMTP server.',
    labelNames: ['result'],
    registers,
  })
  const waiting = new Gauge({ name: 'mail_waiting', help: 'Mails that wait to be sent.', registers })
  const age = new Gauge({
    name: 'mail_oldest_waiting_seconds',
    help: 'Age of the oldest mail that waits to be sent; 0: none waits.',
    registers,
  })
  return {
    attempted: (result) => attempts.inc({ result }),
    queue(state) {
      waiting.set(state.waiting)
      age.set(state.oldestAgeSeconds)
    },
  }
}
