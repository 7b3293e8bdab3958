import { Counter, Gauge, type Registry } from 'prom-client'

/** Counts pages that are sent from the cache. */
export interface PageCacheMetrics {
  /** a page was sent from the cache */
  sent(): void
  /** @param bytes that all of them take; asked whenever the metrics are read */
  watch(bytes: () => number): void
}

/** The metrics of the cache of pages. */
export function pageCacheMetrics(register: Registry): PageCacheMetrics {
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
