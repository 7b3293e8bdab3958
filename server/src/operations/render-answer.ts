import Negotiator from 'negotiator'
import type { Headers } from '../contract/headers.ts'
import { Prerendered } from '../contract/prerendered.ts'
import { type Answer, etagOf, json, knownTag, prefix, refuseUnlessMatching } from './answer.ts'
import { fieldsIn, schemaOfSelected, select } from './fields.ts'
import type { Resource, Route } from './route.ts'

const csv = 'text/csv; charset=utf-8; header=present'

interface AskedFor {
  headers: Headers
  query: unknown
}

/**
 * The answer with a resource, a page, or nothing.
 * @param check whether the item is validated against its published schema; for tests
 */
export function renderAnswer(route: Route, asked: AskedFor, whole: unknown, check: boolean): Answer {
  const { returns, selectable } = route
  if (returns === undefined) return { status: 204, headers: {}, body: undefined }
  const fields = selectable && fieldsIn(selectable, asked.query)
  const item = selectable && fields ? select(selectable, fields, whole) : whole
  if (check) {
    const schema = selectable && fields ? schemaOfSelected(selectable, fields, returns) : returns
    schema.parse(item instanceof Prerendered ? item.item : item)
  }
  // included resources have versions of their own, so the item's version does not stand for the whole answer
  const version = (asked.query as { include?: unknown }).include === undefined ? (whole as Resource).version : undefined
  const validators: Record<string, string> = { 'cache-control': route.secret ? 'no-store' : 'private, no-cache' }
  if (route.csv || route.stream) validators.vary = 'accept, origin'
  if (version !== undefined) validators.etag = etagOf(version)
  if (route.method === 'GET' && version !== undefined) refuseUnlessMatching(asked.headers, { version })
  const known = route.method === 'GET' ? knownTag(asked.headers, validators.etag) : undefined
  if (known !== undefined) return { status: 304, headers: { ...validators, etag: known }, body: undefined }
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
