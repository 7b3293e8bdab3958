import Negotiator from 'negotiator'
import { type ApiError, refused } from '../contract/errors.ts'
import type { Headers } from '../contract/headers.ts'
import { Prerendered } from '../contract/prerendered.ts'
import type { Resource, Route } from './route.ts'

/** What a request was answered with, down to the bytes of the body. */
export interface Answer {
  status: number
  headers: Record<string, string>
  /** a text is sent in UTF-8 */
  body: string | Buffer | undefined
}

/** Where the API begins. */
export const prefix = '/api/v1'

/** The content type of all that is not said to be something else. */
export const json = 'application/json; charset=utf-8'
const csv = 'text/csv; charset=utf-8; header=present'

interface Asked {
  headers: Headers
  query: unknown
}

/**
 * The answer that holds a resource, a page, or nothing.
 * @param check whether the item is held to the schema that is published for it; for tests
 */
export function rendered(route: Route, asked: Asked, item: unknown, check: boolean): Answer {
  if (route.returns === undefined) return { status: 204, headers: {}, body: undefined }
  if (check) route.returns.parse(item instanceof Prerendered ? item.item : item)
  // what was included has versions of its own, so that of the item says nothing of the whole
  const version = (asked.query as { include?: unknown }).include === undefined ? (item as Resource).version : undefined
  const validators: Record<string, string> = { 'cache-control': route.secret ? 'no-store' : 'private, no-cache' }
  if (route.csv) validators.vary = 'accept, origin'
  if (version !== undefined) validators.etag = etagOf(version)
  if (route.method === 'GET' && version !== undefined) refuseUnlessMatching(asked.headers, { version })
  if (route.method === 'GET' && isKnown(asked.headers, validators.etag))
    return { status: 304, headers: validators, body: undefined }
  if (route.csv && new Negotiator({ headers: asked.headers }).mediaType([json, csv]) === csv) {
    return { status: 200, headers: { 'content-type': csv, ...validators }, body: route.csv(item) }
  }
  const location = route.created && { location: prefix + route.created(item as Resource) }
  return {
    status: route.created ? 201 : 200,
    headers: Object.assign(validators, { 'content-type': json }, location),
    body: item instanceof Prerendered ? item.text : JSON.stringify(item),
  }
}

/** The envelope of a refusal. */
export function answerOf(error: ApiError): Answer {
  return {
    status: error.status,
    headers: { 'content-type': json, 'x-error-code': error.code, ...error.headers },
    body: JSON.stringify(error.envelope),
  }
}

/** @throws 412 when If-Match names another version than the item's. @see RFC 9110 §13.1.1: compared strongly */
export function refuseUnlessMatching(asked: Headers, item: Resource | undefined): void {
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

const etagOf = (version: number) => `"${version}"`
const tagsIn = (header: string | string[]) =>
  String(header)
    .split(',')
    .map((tag) => tag.trim())
