import { type ApiError, refused } from '../contract/errors.ts'
import type { Headers } from '../contract/headers.ts'
import type { StreamedAnswer } from './streaming.ts'

/** What a request was answered with, down to the bytes of the body. */
export interface Answer {
  status: number
  headers: Record<string, string>
  /** a text is sent in UTF-8 */
  body: string | Buffer | undefined
  /** in place of a body, what is written as things happen */
  stream?: StreamedAnswer
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

/** @throws 412 when If-Match names another version than the item's. @see RFC 9110 §13.1.1: compared strongly */
export function refuseUnlessMatching(asked: Headers, item: { version?: number } | undefined): void {
  const wanted = asked['if-match']
  if (wanted === undefined || item?.version === undefined) return
  const tags = tagsIn(wanted)
  if (tags.includes('*') || tags.includes(etagOf(item.version))) return
  throw refused('It changed since you read it; read it again', 'etag_mismatch')
}

/** Whether If-None-Match names the item's version. @see RFC 9110 §13.1.2: compared weakly */
export function isKnown(asked: Headers, etag: string | undefined): boolean {
  const known = asked['if-none-match']
  if (known === undefined || etag === undefined) return false
  return tagsIn(known).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
}

export const etagOf = (version: number) => `"${version}"`
const tagsIn = (header: string | string[]) =>
  String(header)
    .split(',')
    .map((tag) => tag.trim())
