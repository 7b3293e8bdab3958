import { hash } from 'node:crypto'
import type { z } from 'zod'
import { badRequest, refused } from '../contract/errors.ts'
import type { Headers } from '../contract/headers.ts'
import { acceptsGzip, gzipTag, plainTag } from './gzip.ts'

/** The fields of an item that make up its tag. Only members of a project have no `id`. */
export interface Versioned {
  id?: string
  projectId?: string | null
  memberId?: string
  version?: number
  /** of an API key: it changes without a new version, so the tag includes it */
  lastUsedAt?: string | null
}

/**
 * The ETag of a resource: `"<id>.<version>"`. It includes the id because clients and caches compare tags of different
 * resources. A browser may use the keys of two organizations, or a task key may now name another task.
 * @param fields the selected fields: other bytes, so another tag
 */
export function etagOf(item: Versioned, fields?: readonly string[]): string {
  const parts = [...(fields ?? [])].sort().concat(item.lastUsedAt ?? [])
  const form = parts.length > 0 ? `.${hash('sha256', parts.join(), 'hex').slice(0, 8)}` : ''
  return `"${stateOf(item)}${form}"`
}

const stateOf = ({ id, projectId, memberId, version }: Versioned) => `${id ?? `${projectId}.${memberId}`}.${version}`

/** The fields from which the ETag of an item is made. */
export const fieldsOfTag = ({ shape }: z.ZodObject): readonly string[] =>
  'id' in shape ? ['id', 'version'] : ['projectId', 'memberId', 'version']

/**
 * Compares If-Match with the resource of a request.
 * @param byId whether the request names the item by its id. Only then a version alone matches, such as `"7"` from clients of
 *   0.1: a key such as WEB-1 may name another task by now.
 * @throws 400 if it is malformed; 412 if it names another state, or if the resource has no version
 * @see RFC 9110 §13.1.1: compared strongly
 */
export function refuseUnlessMatching(asked: Headers, item: Versioned | undefined, byId: boolean): void {
  const wanted = asked['if-match']
  if (wanted === undefined) return
  const tags = tagsOfIfMatch(wanted)
  if (tags === '*') return
  if (item?.version === undefined) {
    throw refused(
      'If-Match needs a path that names one resource; in a bulk request, use ifMatch of an operation',
      mismatch,
    )
  }
  const states = tags.map((tag) => plainTag(tag).slice(1, -1))
  const state = stateOf(item)
  if (states.some((known) => known === state || known.startsWith(`${state}.`))) return
  if (!states.includes(String(item.version)))
    throw refused('The resource changed since you read it; read it again', mismatch)
  if (!byId) throw refused('The path has a key instead of an id: send the whole ETag, not only the version', mismatch)
}

const mismatch = 'etag_mismatch'

/** The syntax of If-Match. @see RFC 9110 §13.1.1 */
export const formOfIfMatch = /^(\*|(W\/)?"[^"]*"([ \t]*,[ \t]*(W\/)?"[^"]*")*)$/

/** Checks the syntax before a replay, which must not answer such a request. @throws 400 if If-Match is malformed */
export function refuseMalformedIfMatch(asked: Headers): void {
  if (asked['if-match'] !== undefined) tagsOfIfMatch(asked['if-match'])
}

function tagsOfIfMatch(header: string | string[]): string[] | '*' {
  const value = String(header)
  if (!formOfIfMatch.test(value)) {
    throw badRequest(`If-Match must be an ETag as you received it, in double quotes: "${example}"`, 'invalid_if_match')
  }
  return value === '*' ? '*' : (value.match(/(W\/)?"[^"]*"/g) ?? [])
}

const example = '0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f.1'

/**
 * The matching tag in If-None-Match, so that the client needs no body. It is the item's tag, or its tag in an encoding that the
 * client still accepts.
 * @param selected the tag for `*`
 * @see RFC 9110 §13.1.2: compared weakly
 */
export function knownTag(asked: Headers, etag: string | undefined, selected = etag): string | undefined {
  const known = asked['if-none-match']
  if (known === undefined || etag === undefined) return undefined
  for (const tag of String(known).split(',')) {
    const own = tag.trim().replace(/^W\//, '')
    if (own === '*') return selected
    if (own === etag) return etag
    if (own === gzipTag(etag) && acceptsGzip(asked)) return own
  }
  return undefined
}
