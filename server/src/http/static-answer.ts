import { createHash } from 'node:crypto'
import type { Headers } from '../contract/headers.ts'
import type { Answer } from '../operations/answer.ts'
import { compressedTag, type Encoding } from '../operations/encodings.ts'
import { knownTag } from '../operations/etags.ts'
import { compressedAnswer, encodingOf, varying } from './compression/compression.ts'
import { compressors } from './compression/compressors.ts'

/** Answers a GET of something that never changes while the server runs. */
export type StaticAnswer = (asked: Headers) => Answer

interface StaticOptions {
  compression: boolean
  others?: Record<string, string>
}

/**
 * Answers with these bytes and their ETag, or with 304 to a client that has them. Each encoding is made once, for the first
 * who accepts it.
 */
export function staticAnswer(
  body: Buffer,
  contentType: string,
  { compression, others = {} }: StaticOptions,
): StaticAnswer {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const headers = { etag, 'cache-control': 'no-cache', ...others }
  const made = new Map<Encoding, Buffer>()
  return (asked) => {
    const encoding = compression ? encodingOf(body, asked) : undefined
    const known = knownTag(asked, etag, encoding ? compressedTag(etag, encoding) : etag)
    if (known !== undefined) {
      const answer = { status: 304, headers: { ...headers, etag: known }, body: undefined }
      return compression ? varying(answer) : answer
    }
    const answer = { status: 200, headers: { ...headers, 'content-type': contentType }, body }
    if (encoding) return compressedAnswer(answer, encoding, compressedOnce(encoding))
    return compression ? varying(answer) : answer
  }

  function compressedOnce(encoding: Encoding): Buffer {
    const compressed = made.get(encoding) ?? compressors[encoding]?.well(body) ?? body
    made.set(encoding, compressed)
    return compressed
  }
}

/** The same of a text that is made for the first who asks. */
export function madeWhenAsked(make: () => string, contentType: string, options: StaticOptions): StaticAnswer {
  let made: StaticAnswer | undefined
  return (asked) => {
    made ??= staticAnswer(Buffer.from(make()), contentType, options)
    return made(asked)
  }
}
