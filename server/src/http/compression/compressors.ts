import type { Transform } from 'node:stream'
import zlib from 'node:zlib'
import { type Encoding, encodings } from '../../operations/encodings.ts'

/** What compresses bodies in one encoding. */
export interface Compressor {
  /** in this turn of the event loop */
  now(body: Buffer): Buffer
  /** beside the event loop, in a thread */
  beside(): Transform
  /** what is compressed once and then sent often */
  well(body: Buffer): Buffer
}

// what a job of a thread writes at most until it is asked for the next one, and can be told that nobody wants it
const chunkSize = 65_536

/** The compressors that this Node has. The levels: decision 44. */
export const compressors: Partial<Record<Encoding, Compressor>> = { ...zstdIfAny(), br: brotli(), gzip: gzip() }

/** The encodings of those. */
export const supported: readonly Encoding[] = encodings.filter((encoding) => compressors[encoding] !== undefined)

function gzip(): Compressor {
  const options = { level: 3 }
  return {
    now: (body) => zlib.gzipSync(body, options),
    beside: () => zlib.createGzip({ ...options, chunkSize }),
    well: (body) => zlib.gzipSync(body, { level: 9 }),
  }
}

function brotli(): Compressor {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = zlib.constants
  // a window of 256 kB: the ordinary one, of 4 MB, saves nothing more here
  const options = (quality: number) => ({ params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_LGWIN]: 18 } })
  const usual = options(3)
  return {
    now: (body) => zlib.brotliCompressSync(body, usual),
    beside: () => zlib.createBrotliCompress({ ...usual, chunkSize }),
    well: (body) => zlib.brotliCompressSync(body, options(9)),
  }
}

/** Node has it since 22.15; its types here are those of 20. */
interface MaybeZstd {
  gzipSync: unknown
  zstdCompressSync?: (body: Buffer, options: object) => Buffer
  createZstdCompress?: (options: object) => Transform
}

function zstdIfAny(): { zstd?: Compressor } {
  const { zstdCompressSync, createZstdCompress }: MaybeZstd = zlib
  if (zstdCompressSync === undefined || createZstdCompress === undefined) return {}
  const { ZSTD_c_compressionLevel = 100 }: { ZSTD_c_compressionLevel?: number; Z_OK: number } = zlib.constants
  const options = (level: number) => ({ params: { [ZSTD_c_compressionLevel]: level } })
  const usual = options(1)
  return {
    zstd: {
      now: (body) => zstdCompressSync(body, usual),
      beside: () => createZstdCompress({ ...usual, chunkSize }),
      well: (body) => zstdCompressSync(body, options(12)),
    },
  }
}
