import { Counter, type Registry } from 'prom-client'

/** Counts what is compressed. */
export interface CompressionMetrics {
  /** @param before bytes of a body, which are `after` now */
  compressed(encoding: string, before: number, after: number): void
  /** one was sent as it is, as its organization, or all of them, had their share of compressing */
  skipped(): void
}

/** The metrics of compressed bodies. */
export function compressionMetrics(register: Registry): CompressionMetrics {
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
