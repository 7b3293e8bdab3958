import { hash } from 'node:crypto'
import Negotiator from 'negotiator'
import type { Caller } from '../access/caller.ts'
import { type Headers, variesByCaller } from '../contract/headers.ts'
import { Prerendered } from '../contract/prerendered.ts'
import { type Answer, json, type NoContent, prefix } from './answer.ts'
import { etagOf, knownTag, refuseUnlessMatching } from './etags.ts'
import { fieldsIn, schemaOfSelected, select } from './fields.ts'
import type { Resource, Route } from './route.ts'
import { isNamedById } from './run-operation.ts'

/** What answers are made with. */
export interface RenderServices {
  /** whether an item is validated against its published schema; for tests */
  checkAnswers: boolean
  /** the path at which clients reach the server, where a proxy takes it off: `/tasks`, or empty */
  publicPath: string
}

interface AskedFor {
  caller: Caller
  url: string
  headers: Headers
  params: Record<string, string>
  query: unknown
}

/** The answer with a resource, a page, or nothing. */
export function renderAnswer(
  route: Route,
  asked: AskedFor,
  whole: unknown,
  { checkAnswers, publicPath }: RenderServices,
): Answer {
  const { returns, selectable } = route
  if (returns === undefined) {
    return { status: 204, headers: { ...(whole as NoContent | undefined)?.answerHeaders }, body: undefined }
  }
  const fields = selectable && fieldsIn(selectable, asked.query)
  const item = selectable && fields ? select(selectable, fields, whole) : whole
  if (checkAnswers) {
    const schema = selectable && fields ? schemaOfSelected(selectable, fields, returns) : returns
    schema.parse(item instanceof Prerendered ? item.item : item)
  }
  // included resources have versions of their own, so the item's version does not stand for the whole answer
  const isTagged = (whole as Resource).version !== undefined && !('include' in (asked.query as object))
  if (route.method === 'GET' && isTagged)
    refuseUnlessMatching(asked.headers, whole as Resource, isNamedById(route, asked.params))
  const tag = isTagged ? etagOf(whole as Resource, fields) : undefined
  const known = route.method === 'GET' ? answerIfUnchanged(route, asked, tag) : undefined
  if (known) return known
  const isCsv = route.csv !== undefined && prefersCsv(asked.headers)
  const body = isCsv ? route.csv?.(item) : item instanceof Prerendered ? item.text : JSON.stringify(item)
  const type = isCsv ? csv : json
  const etag = route.isTaggedByBody && !route.secret ? tagOfBody(asked, type, body ?? '') : tag
  const unchanged = route.isTaggedByBody ? answerIfUnchanged(route, asked, etag) : undefined
  if (unchanged) return unchanged
  const location = route.created && { location: publicPath + prefix + route.created(item as Resource) }
  return {
    status: route.created ? 201 : 200,
    headers: Object.assign(validatorsOf(route, etag), { 'content-type': type }, location),
    body,
  }
}

/** The ETag of a list or a report: a hash of who asks, for what, and of the answer. */
function tagOfBody({ caller, url }: AskedFor, type: string, body: string): string {
  const hashed = hash('sha1', `${caller.orgId}\n${caller.memberId}\n${url}\n${type}\n${body}`, 'base64url')
  return `"${hashed.slice(0, 22)}"`
}

/** The type of reports for those who calculate with tables. @see RFC 4180, RFC 7111 */
const csv = 'text/csv; charset=utf-8; header=present'

/** Whether a client would rather have CSV than JSON. */
const prefersCsv = (headers: Headers): boolean => new Negotiator({ headers }).mediaType([json, csv]) === csv

/**
 * The answer to a client that has what it asks for; undefined when it has not.
 * @param etag of what it would be answered
 */
function answerIfUnchanged(route: Route, asked: AskedFor, etag: string | undefined): Answer | undefined {
  const known = knownTag(asked.headers, etag)
  return known === undefined ? undefined : { status: 304, headers: validatorsOf(route, known), body: undefined }
}

/** What says whether an answer may be kept, for whom, and by what it is known again. */
function validatorsOf({ secret }: Route, etag: string | undefined): Record<string, string> {
  const validators: Record<string, string> = {
    'cache-control': secret ? 'no-store' : 'private, no-cache',
    vary: variesByCaller,
  }
  if (etag !== undefined) validators.etag = etag
  return validators
}
