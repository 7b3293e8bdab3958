import { Counter, Gauge, type Registry } from 'prom-client'

/** Metrics of event streams. */
export interface StreamMetrics {
  opened(): void
  /** @param why the reason of its end */
  closed(why: string): void
  sent(events: number): void
  /** @param state called at each scrape */
  watch(state: () => { behind: number; waitingBytes: number }): void
}

/** Creates the metrics of event streams. */
export function streamMetrics(register: Registry): StreamMetrics {
  const registers = [register]
  const open = new Gauge({
    name: 'event_streams_open',
    help: 'Streams of events that are open.',
    registers,
  })
  const closed = new Counter({
    name: 'event_streams_closed_total',
    help: 'Event streams that ended, by reason: left (the reader closed it), slow (the reader was slow), key (its key ended), stopping (the server stops), failed (no database), expired, reset.',
    labelNames: ['why'] as const,
    registers,
  })
  const streamed = new Counter({
    name: 'events_streamed_total',
    help: 'Events that were sent in streams, once for each reader.',
    registers,
  })
  let now = () => ({ behind: 0, waitingBytes: 0 })
  new Gauge({
    name: 'event_streams_behind_events',
    help: 'How many events of one organization were not read for its streams yet when that was looked at last, at most.',
    registers,
    collect() {
      this.set(now().behind)
    },
  })
  new Gauge({
    name: 'event_streams_waiting_bytes',
    help: 'Bytes written to streams that their readers have not read yet.',
    registers,
    collect() {
      this.set(now().waitingBytes)
    },
  })
  return {
    watch(state) {
      now = state
    },
    opened: () => open.inc(),
    closed(why) {
      open.dec()
      closed.inc({ why })
    },
    sent: (events) => streamed.inc(events),
  }
}
