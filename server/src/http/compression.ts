import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { Headers } from '../contract/headers.ts'
import type { Answer } from '../operations/answer.ts'
import { acceptsGzip, gzipTag } from '../operations/gzip.ts'

/** What is counted of it. */
interface CompressionCounts {
  /** @param before bytes of the body, which are `after` now */
  compressed(before: number, after: number): void
  /** a body was sent as it is, as others were being compressed */
  skipped(): void
}

/** An answer as its reader accepts it. */
export type Compress = (answer: Answer, asked: Headers) => Answer | Promise<Answer>

// characters: a shorter body leaves in one packet with its headers, compressed or not
const shortest = 1_400
// a longer body would hold the event loop for more than a millisecond
const longestAtOnce = 131_072
// of the four threads, which look up names and read files too
const mostThreads = 2
// beyond it a few bytes less cost several times the time (decision 44)
const level = 3

const inThread = promisify(zlib.gzip) as (body: Buffer, options: zlib.ZlibOptions) => Promise<Buffer>

/** Compresses bodies that are worth it by gzip. No body waits for another one: it is sent as it is then. */
export function createCompression(counts: CompressionCounts): Compress {
  let threads = 0

  return (answer, asked) => {
    const { status, body } = answer
    // what it stands for may be long
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

/** Whether a body that never changes is sent compressed. */
export const isGzipped = (body: Buffer, asked: Headers): boolean => body.length >= shortest && acceptsGzip(asked)

/** The body of something that never changes, compressed once and sent often. */
export const gzippedWell = (body: Buffer): Buffer => zlib.gzipSync(body, { level: 9 })

/** The answer with this body in place of its own. */
export function gzippedAnswer(answer: Answer, body: Buffer): Answer {
  const { status, headers } = varying(answer)
  const etag = headers.etag === undefined ? {} : { etag: gzipTag(headers.etag) }
  return { status, headers: { ...headers, 'content-encoding': 'gzip', ...etag }, body }
}

/** The answer, saying that another client may be sent it in another encoding. @see RFC 9110 §12.5.5 */
export function varying({ status, headers, body }: Answer): Answer {
  // what is set here takes the place of what was set for CORS
  return { status, headers: { ...headers, vary: `${headers.vary ?? 'origin'}, accept-encoding` }, body }
}
