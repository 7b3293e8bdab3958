import { hash } from 'node:crypto'
import Negotiator from 'negotiator'
import type { Caller } from '../access/caller.ts'
import { type Headers, variesByCaller } from '../contract/headers.ts'
import { Prerendered } from '../contract/prerendered.ts'
import { type Answer, json, type NoContent, prefix } from './answer.ts'
import { etagOf, knownTag, refuseUnlessMatching } from './etags.ts'
import { fieldsIn, schemaOfSelected, select } from './fields.ts'
import { hasSecret, type Resource, type Route } from './route.ts'
import { isNamedById } from './run-operation.ts'

/** Settings for responses. */
export interface RenderServices {
  /** whether to validate each item against its published schema; for tests */
  checkAnswers: boolean
  /** the path prefix that clients use and a proxy strips: `/tasks`, or empty */
  publicPath: string
}

interface RenderedRequest {
  caller: Caller
  url: string
  headers: Headers
  params: Record<string, string>
  query: unknown
  body: unknown
}

/** Renders a response with a resource, with a page, or without a body. */
export function renderAnswer(
  route: Route,
  asked: RenderedRequest,
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
  // included resources have their own versions, so the item's version does not identify the whole response
  const isTagged = (whole as Resource).version !== undefined && !('include' in (asked.query as object))
  if (route.method === 'GET' && isTagged)
    refuseUnlessMatching(asked.headers, whole as Resource, isNamedById(route, asked.params))
  const tag = isTagged ? etagOf(whole as Resource, fields) : undefined
  const known = route.method === 'GET' ? answerIfUnchanged(asked, tag) : undefined
  if (known) return known
  const secret = hasSecret(route, asked.body)
  const isCsv = route.csv !== undefined && prefersCsv(asked.headers)
  const body = isCsv ? route.csv?.(item) : item instanceof Prerendered ? item.text : JSON.stringify(item)
  const type = isCsv ? csv : json
  const etag = route.isTaggedByBody && !secret ? tagOfBody(asked, type, body ?? '') : tag
  const unchanged = route.isTaggedByBody ? answerIfUnchanged(asked, etag) : undefined
  if (unchanged) return unchanged
  const location = route.created && { location: publicPath + prefix + route.created(item as Resource) }
  return {
    status: route.created ? 201 : 200,
    headers: Object.assign(validatorsOf(secret, etag), { 'content-type': type }, location),
    body,
  }
}

/** The ETag of a list or a report: a hash of the caller, the URL and the response. */
function tagOfBody({ caller, url }: RenderedRequest, type: string, body: string): string {
  const hashed = hash('sha1', `${caller.orgId}\n${caller.memberId}\n${url}\n${type}\n${body}`, 'base64url')
  return `"${hashed.slice(0, 22)}"`
}

/** The content type of reports for spreadsheets. @see RFC 4180, RFC 7111 */
const csv = 'text/csv; charset=utf-8; header=present'

const prefersCsv = (headers: Headers): boolean => new Negotiator({ headers }).mediaType([json, csv]) === csv

/**
 * The 304 for a client that already has the response; undefined if it does not.
 * @param etag of the response
 */
function answerIfUnchanged(asked: RenderedRequest, etag: string | undefined): Answer | undefined {
  const known = knownTag(asked.headers, etag)
  return known === undefined ? undefined : { status: 304, headers: validatorsOf(false, known), body: undefined }
}

/** The headers that control caching: who may store a response, and its validator. */
function validatorsOf(secret: boolean, etag: string | undefined): Record<string, string> {
  const validators: Record<string, string> = {
    'cache-control': secret ? 'no-store' : 'private, no-cache',
    vary: variesByCaller,
  }
  if (etag !== undefined) validators.etag = etag
  return validators
}
