import { Counter, type Registry } from 'prom-client'

/** Counts compressed bodies. */
export interface CompressionMetrics {
  /** @param before bytes of a body, which compression reduced to `after` bytes */
  compressed(before: number, after: number): void
  /** a body was sent uncompressed, as too many others were being compressed */
  skipped(): void
}

/** Creates the metrics of compressed bodies. */
export function compressionMetrics(register: Registry): CompressionMetrics {
  const registers = [register]
  const before = new Counter({
    name: 'http_compression_in_bytes_total',
    help: 'Bytes of bodies that were compressed, before that.',
    registers,
  })
  const after = new Counter({
    name: 'http_compression_out_bytes_total',
    help: 'Bytes of the same bodies afterwards, as they were sent.',
    registers,
  })
  const skipped = new Counter({
    name: 'http_compression_skipped_total',
    help: 'Bodies that were sent as they are although their readers accept gzip: others were being compressed.',
    registers,
  })
  return {
    compressed(bytes, compressedBytes) {
      before.inc(bytes)
      after.inc(compressedBytes)
    },
    skipped: () => skipped.inc(),
  }
}
