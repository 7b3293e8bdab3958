import { type Headers, variesByCaller } from '../contract/headers.ts'
import { Prerendered } from '../contract/prerendered.ts'
import { type Answer, json, type NoContent, prefix } from './answer.ts'
import { csv, prefersCsv } from './cache-key.ts'
import { isNamedById } from './canonical-url.ts'
import { etagOf, knownTag, refuseUnlessMatching } from './etags.ts'
import { fieldsIn, schemaOfSelected, select } from './fields.ts'
import type { Resource, Route } from './route.ts'

/** What answers are made with. */
export interface RenderServices {
  /** whether an item is validated against its published schema; for tests */
  checkAnswers: boolean
  /** the path at which clients reach the server, where a proxy takes it off: `/tasks`, or empty */
  publicPath: string
}

interface AskedFor {
  headers: Headers
  params: Record<string, string>
  query: unknown
}

/**
 * The answer with a resource, a page, or nothing.
 * @param tag of a list or a report
 */
export function renderAnswer(
  route: Route,
  asked: AskedFor,
  whole: unknown,
  { checkAnswers, publicPath }: RenderServices,
  tag?: string,
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
  const etag = isTagged ? etagOf(whole as Resource, fields) : tag
  const unchanged = route.method === 'GET' ? answerIfUnchanged(route, asked, etag) : undefined
  if (unchanged) return unchanged
  const validators = validatorsOf(route, etag)
  if (route.csv && prefersCsv(asked.headers)) {
    return { status: 200, headers: { 'content-type': csv, ...validators }, body: route.csv(item) }
  }
  const location = route.created && { location: publicPath + prefix + route.created(item as Resource) }
  return {
    status: route.created ? 201 : 200,
    headers: Object.assign(validators, { 'content-type': json }, location),
    body: item instanceof Prerendered ? item.text : JSON.stringify(item),
  }
}

/**
 * The answer to a client that has what it asks for; undefined when it has not.
 * @param etag of what it would be answered
 */
export function answerIfUnchanged(route: Route, asked: AskedFor, etag: string | undefined): Answer | undefined {
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
