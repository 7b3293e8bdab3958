import { Counter, Gauge, type Registry } from 'prom-client'

/** Counts pages that are sent from memory. */
export interface KeptPageMetrics {
  /** a page was sent as it was kept */
  sent(): void
  /** @param bytes that all of them take; asked whenever the metrics are read */
  watch(bytes: () => number): void
}

/** The metrics of pages that are kept. */
export function keptPageMetrics(register: Registry): KeptPageMetrics {
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
