import { type ApiError, refused } from '../contract/errors.ts'
import type { Headers } from '../contract/headers.ts'
import { compressedTag, type Encoding, encodings, preferredEncoding, uncompressedTag } from './encodings.ts'
import type { StreamedAnswer } from './streaming.ts'

/** What a request was answered with, down to the bytes of the body. */
export interface Answer {
  status: number
  headers: Record<string, string>
  /** a text is sent in UTF-8 */
  body: string | Buffer | undefined
  /** where the same body is kept in other encodings */
  encoded?: EncodedBodies
  /** in place of a body, what is written as things happen */
  stream?: StreamedAnswer
}

/** A body in the encodings that it was sent in before. */
interface EncodedBodies {
  get(encoding: Encoding): Buffer | undefined
  set(encoding: Encoding, body: Buffer): void
}

/** Where the API begins. */
export const prefix = '/api/v1'

/** The content type of all that is not said to be something else. */
export const json = 'application/json; charset=utf-8'

/** The envelope of a refusal. */
export function answerForError(error: ApiError): Answer {
  return {
    status: error.status,
    headers: { 'content-type': json, 'x-error-code': error.code, ...error.headers },
    body: JSON.stringify(error.envelope),
  }
}

/**
 * @throws 412 when If-Match names another version than the item's, in whatever encoding it was read.
 * @see RFC 9110 §13.1.1: compared strongly
 */
export function refuseUnlessMatching(asked: Headers, item: { version?: number } | undefined): void {
  const wanted = asked['if-match']
  if (wanted === undefined || item?.version === undefined) return
  const tags = tagsIn(wanted)
  const etag = etagOf(item.version)
  if (tags.some((tag) => tag === '*' || uncompressedTag(tag) === etag)) return
  throw refused('It changed since you read it; read it again', 'etag_mismatch')
}

/**
 * The tag in If-None-Match of what the client may be sent in place of a body: of the item, or of the item in an encoding that
 * it still prefers.
 * @param selected what `*` stands for
 * @see RFC 9110 §13.1.2: compared weakly
 */
export function knownTag(asked: Headers, etag: string | undefined, selected = etag): string | undefined {
  const known = asked['if-none-match']
  if (known === undefined || etag === undefined) return undefined
  for (const tag of tagsIn(known)) {
    if (tag === '*') return selected
    const own = tag.replace(/^W\//, '')
    if (own === etag) return etag
    const encoding = encodings.find((encoding) => own === compressedTag(etag, encoding))
    if (encoding && preferredEncoding(asked, [encoding])) return own
  }
  return undefined
}

export const etagOf = (version: number) => `"${version}"`
const tagsIn = (header: string | string[]) =>
  String(header)
    .split(',')
    .map((tag) => tag.trim())
