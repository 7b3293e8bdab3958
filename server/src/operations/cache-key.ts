import { hash } from 'node:crypto'
import Negotiator from 'negotiator'
import type { AlsoChangedBy } from '../contract/fields.ts'
import type { Headers } from '../contract/headers.ts'
import type { AsOf } from '../db/as-of.ts'
import { json } from './answer.ts'
import type { Route } from './route.ts'
import type { Request } from './run-operation.ts'

/** Who asks for which list or report. While nothing is written, requests of one key have one answer, to the byte. */
export interface CacheKey {
  orgId: string
  /** equal only where the same is asked for by the same caller */
  key: string
  /** whether the answer changes with the day too, and with a timer that runs */
  changesByTime: boolean
}

/**
 * @param version of the server: another one may answer otherwise
 * @returns undefined where what is asked for changes without being written, or is a resource with a version of its own
 */
export function cacheKeyOf(route: Route, request: Request, version: string, now: Date): CacheKey | undefined {
  const { caller, url, headers, query } = request
  if (route.changing === undefined) return undefined
  const changes = changesOf(route.changing, query)
  if (changes === 'without events') return undefined
  const { orgId, memberId, role, scopes } = caller
  const changesByTime = changes === 'by time'
  // wherever a day begins, so does a quarter of an hour
  const quarter = changesByTime ? Math.floor(now.getTime() / 900_000) : ''
  const type = route.csv && prefersCsv(headers) ? 'csv' : ''
  const asked = `${version}\n${orgId}\n${memberId}\n${role}\n${scopes}\n${quarter}\n${type}\n${url}`
  return { orgId, key: hash('sha256', asked, 'base64url').slice(0, 22), changesByTime }
}

function changesOf({ itself, included }: NonNullable<Route['changing']>, query: unknown): AlsoChangedBy | undefined {
  const { include } = query as { include?: unknown }
  if (included.size === 0 || typeof include !== 'string') return itself
  const all = include.split(',').map((name) => included.get(name))
  return all.includes('without events')
    ? 'without events'
    : (itself ?? all.find((alsoChangedBy) => alsoChangedBy !== undefined))
}

/** The ETag of an answer; none while nobody can tell as of which write it is. */
export const listTag = ({ key }: CacheKey, asOf: AsOf | undefined): string | undefined =>
  asOf == null ? undefined : `"${key}.${asOf}"`

/** Whether the client has an answer of this key, be it outdated. */
export const isKnown = ({ key }: CacheKey, headers: Headers): boolean => {
  const known = headers['if-none-match']
  return known !== undefined && String(known).includes(key)
}

/** The type of reports for those who calculate with tables. @see RFC 4180, RFC 7111 */
export const csv = 'text/csv; charset=utf-8; header=present'

/** Whether a client would rather have CSV than JSON. */
export const prefersCsv = (headers: Headers): boolean => new Negotiator({ headers }).mediaType([json, csv]) === csv
