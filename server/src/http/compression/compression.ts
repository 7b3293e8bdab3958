import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Headers } from '../../contract/headers.ts'
import type { Answer } from '../../operations/answer.ts'
import { compressedTag, type Encoding, preferredEncoding } from '../../operations/encodings.ts'
import { CompressionTime, ordinaryShares } from './compression-time.ts'
import { type Compressor, compressors, supported } from './compressors.ts'

/** Who is sent an answer. */
interface Reader {
  orgId: string
  headers: Headers
  socket: Socket
}

/** What is counted of it. */
interface CompressionCounts {
  /** @param before bytes of the body, which are `after` now */
  compressed(encoding: string, before: number, after: number): void
  /** a body was sent as it is, as its organization, or all of them, had their share of compressing */
  skipped(): void
}

/** An answer as its reader accepts it. */
export type Compress = (answer: Answer, reader: Reader) => Answer | Promise<Answer>

// in characters: a shorter body leaves in one packet with its headers, compressed or not
const shortest = 1_400
// up to here it takes the event loop about as long as to render the body; handing over to a thread would take half of that
const longestAtOnce = 131_072
// of the four, which look up names and read files too
const mostThreads = 2

/**
 * Compresses the bodies that are worth it for clients that accept it: longer ones beside the event loop, one of each
 * organization at a time and two in all. Nothing waits: what would have to, or takes more than its share, is sent as it is.
 * @param clock milliseconds
 */
export function createCompression(
  counts: CompressionCounts,
  shares = ordinaryShares,
  clock = () => performance.now(),
): Compress {
  const inFlight = new Set<string>()
  const time = new CompressionTime(shares)

  return (answer, reader) => {
    const { status, body } = answer
    // what it stands for may be long
    if (status === 304) return varying(answer)
    if (body === undefined || body.length < shortest) return answer
    const encoding = preferredEncoding(reader.headers, supported)
    const compressor = encoding && compressors[encoding]
    if (!compressor) return varying(answer)
    const ready = answer.encoded?.get(encoding)
    if (ready) return compressedAnswer(answer, encoding, ready)
    const { orgId } = reader
    const isLong = body.length > longestAtOnce
    const begunMs = clock()
    if (!time.isLeft(orgId, begunMs) || (isLong && (inFlight.size >= mostThreads || inFlight.has(orgId)))) {
      counts.skipped()
      return varying(answer)
    }
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    if (isLong) return beside(answer, bytes, encoding, compressor, reader, begunMs)
    const compressed = compressor.now(bytes)
    time.use(orgId, clock() - begunMs)
    counts.compressed(encoding, bytes.length, compressed.length)
    answer.encoded?.set(encoding, compressed)
    return compressedAnswer(answer, encoding, compressed)
  }

  async function beside(
    answer: Answer,
    bytes: Buffer,
    encoding: Encoding,
    compressor: Compressor,
    { orgId, socket }: Reader,
    begunMs: number,
  ): Promise<Answer> {
    inFlight.add(orgId)
    try {
      const compressed = await compressedFor(socket, bytes, compressor)
      if (compressed === undefined) return varying(answer)
      counts.compressed(encoding, bytes.length, compressed.length)
      answer.encoded?.set(encoding, compressed)
      return compressedAnswer(answer, encoding, compressed)
    } finally {
      inFlight.delete(orgId)
      time.useBeside(orgId, clock() - begunMs)
    }
  }
}

/** How a body that never changes is sent to who accepts it: undefined as it is. */
export const encodingOf = (body: Buffer, headers: Headers): Encoding | undefined =>
  body.length < shortest ? undefined : preferredEncoding(headers, supported)

/** The answer with this body in place of its own. */
export function compressedAnswer(answer: Answer, encoding: Encoding, body: Buffer): Answer {
  const { headers } = varying(answer)
  headers['content-encoding'] = encoding
  if (headers.etag !== undefined) headers.etag = compressedTag(headers.etag, encoding)
  return { status: answer.status, headers, body }
}

/** The answer, saying that another client may be sent it in another encoding. @see RFC 9110 §12.5.5 */
export function varying({ status, headers, body }: Answer): Answer {
  // what is set here takes the place of what was set for CORS
  return { status, headers: { ...headers, vary: `${headers.vary ?? 'origin'}, accept-encoding` }, body }
}

/** The body compressed in a thread; undefined when its reader went away, who would have the thread work on. */
async function compressedFor(socket: Socket, body: Buffer, compressor: Compressor): Promise<Buffer | undefined> {
  const stream = compressor.beside()
  const leave = () => stream.destroy()
  socket.once('close', leave)
  try {
    if (socket.destroyed) stream.destroy()
    return await buffer(stream.end(body))
  } catch (error) {
    if (socket.destroyed) return undefined
    throw error
  } finally {
    socket.off('close', leave)
  }
}
