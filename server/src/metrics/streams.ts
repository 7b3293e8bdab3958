import { Counter, Gauge, type Registry } from 'prom-client'

/** Counts streams of events. */
export interface StreamMetrics {
  opened(): void
  /** @param why it ended */
  closed(why: string): void
  sent(events: number): void
}

/** The metrics of streams of events. */
export function streamMetrics(register: Registry): StreamMetrics {
  const registers = [register]
  const open = new Gauge({
    name: 'event_streams_open',
    help: 'Streams of events that are open.',
    registers,
  })
  const closed = new Counter({
    name: 'event_streams_closed_total',
    help: 'Streams of events that are over. left: by the reader; slow: the reader took too little; key: it no longer opens; stopping: the server ends; failed: the database did not answer; expired, reset: its position is none.',
    labelNames: ['why'] as const,
    registers,
  })
  const streamed = new Counter({
    name: 'events_streamed_total',
    help: 'Events that were sent in streams, once for each reader.',
    registers,
  })
  return {
    opened: () => open.inc(),
    closed(why) {
      open.dec()
      closed.inc({ why })
    },
    sent: (events) => streamed.inc(events),
  }
}
