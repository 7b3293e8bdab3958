import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { Headers } from '../contract/headers.ts'
import type { Answer } from '../operations/answer.ts'
import { acceptsGzip, gzipTag } from '../operations/gzip.ts'

interface CompressionCounts {
  /** @param before bytes of the plain body @param after bytes of the compressed body */
  compressed(before: number, after: number): void
  /** a body was sent plain because all threads were busy */
  skipped(): void
}

/** Compresses a response if its client accepts that. */
export type Compress = (answer: Answer, asked: Headers) => Answer | Promise<Answer>

// characters: a shorter body fits into one packet with its headers, even without compression
const shortest = 1_400
// a longer body would block the event loop for more than a millisecond
const longestAtOnce = 131_072
// out of Node's four threads, which also look up host names and read files
const mostThreads = 2
// higher levels save a few bytes and take several times as long (decision 44)
const level = 3

const inThread = promisify(zlib.gzip) as (body: Buffer, options: zlib.ZlibOptions) => Promise<Buffer>

/** Compresses long bodies with gzip. If all threads are busy, it sends the body plain instead of waiting. */
export function createCompression(counts: CompressionCounts): Compress {
  let threads = 0

  return (answer, asked) => {
    const { status, body } = answer
    // the 200 that this 304 stands for can be long enough for compression
    if (status === 304) return varying(answer)
    if (body === undefined || body.length < shortest) return answer
    if (!acceptsGzip(asked)) return varying(answer)
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    if (body.length <= longestAtOnce) return counted(answer, bytes, zlib.gzipSync(bytes, { level }))
    if (threads < mostThreads) return beside(answer, bytes)
    counts.skipped()
    return varying(answer)
  }

  async function beside(answer: Answer, bytes: Buffer): Promise<Answer> {
    threads++
    try {
      return counted(answer, bytes, await inThread(bytes, { level }))
    } finally {
      threads--
    }
  }

  function counted(answer: Answer, bytes: Buffer, gzipped: Buffer): Answer {
    counts.compressed(bytes.length, gzipped.length)
    return gzippedAnswer(answer, gzipped)
  }
}

/** Whether the server sends this unchanging body compressed. */
export const isGzipped = (body: Buffer, asked: Headers): boolean => body.length >= shortest && acceptsGzip(asked)

/** Compresses at the highest level: for a body that never changes and is compressed once. */
export const gzippedWell = (body: Buffer): Buffer => zlib.gzipSync(body, { level: 9 })

/** Replaces the body of a response by its compressed form. */
export function gzippedAnswer(answer: Answer, body: Buffer): Answer {
  const { status, headers } = varying(answer)
  const etag = headers.etag === undefined ? {} : { etag: gzipTag(headers.etag) }
  return { status, headers: { ...headers, 'content-encoding': 'gzip', ...etag }, body }
}

/** Adds `accept-encoding` to Vary. @see RFC 9110 §12.5.5 */
export function varying({ status, headers, body }: Answer): Answer {
  // this header replaces the `vary: origin` of CORS, so it must repeat it
  return { status, headers: { ...headers, vary: `${headers.vary ?? 'origin'}, accept-encoding` }, body }
}
