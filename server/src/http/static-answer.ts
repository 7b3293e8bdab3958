import { createHash } from 'node:crypto'
import type { Headers } from '../contract/headers.ts'
import { type Answer, isKnown } from '../operations/answer.ts'

/** Answers a GET of something that never changes while the server runs. */
export type StaticAnswer = (asked: Headers) => Answer

/** Answers with these bytes and their ETag, or with 304 to a client that has them. */
export function staticAnswer(body: Buffer, contentType: string, others: Record<string, string> = {}): StaticAnswer {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const headers = { etag, 'cache-control': 'no-cache', ...others }
  return (asked) =>
    isKnown(asked, etag)
      ? { status: 304, headers, body: undefined }
      : { status: 200, headers: { ...headers, 'content-type': contentType }, body }
}

/** The same of a text that is made for the first who asks. */
export function madeWhenAsked(make: () => string, contentType: string): StaticAnswer {
  let made: StaticAnswer | undefined
  return (asked) => {
    made ??= staticAnswer(Buffer.from(make()), contentType)
    return made(asked)
  }
}
