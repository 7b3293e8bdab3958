import { createHash } from 'node:crypto'
import type { Headers } from '../contract/headers.ts'
import type { Answer } from '../operations/answer.ts'
import { knownTag } from '../operations/etags.ts'
import { gzipTag } from '../operations/gzip.ts'
import { gzippedAnswer, gzippedWell, isGzipped, varying } from './compression.ts'

/** Answers a GET of a body that does not change while the server runs. */
export type StaticAnswer = (asked: Headers) => Answer

interface StaticOptions {
  compression: boolean
  others?: Record<string, string>
}

/**
 * Answers with these bytes and their ETag, or with a 304 if the client has them. It compresses them once, at the first request
 * that accepts gzip.
 */
export function staticAnswer(
  body: Buffer,
  contentType: string,
  { compression, others = {} }: StaticOptions,
): StaticAnswer {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const headers = { etag, 'cache-control': 'no-cache', ...others }
  let gzipped: Buffer | undefined
  return (asked) => {
    const isShort = compression && isGzipped(body, asked)
    const known = knownTag(asked, etag, isShort ? gzipTag(etag) : etag)
    if (known !== undefined) {
      const answer = { status: 304, headers: { ...headers, etag: known }, body: undefined }
      return compression ? varying(answer) : answer
    }
    const answer = { status: 200, headers: { ...headers, 'content-type': contentType }, body }
    if (!isShort) return compression ? varying(answer) : answer
    gzipped ??= gzippedWell(body)
    return gzippedAnswer(answer, gzipped)
  }
}

/** Like `staticAnswer`, for a text that is built at the first request. */
export function madeWhenAsked(make: () => string, contentType: string, options: StaticOptions): StaticAnswer {
  let made: StaticAnswer | undefined
  return (asked) => {
    made ??= staticAnswer(Buffer.from(make()), contentType, options)
    return made(asked)
  }
}
