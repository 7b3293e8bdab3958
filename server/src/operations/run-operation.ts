import { type Caller, isBelow, operator } from '../access/caller.ts'
import type { Loaded } from '../access/loader.ts'
import type { Subnet } from '../contract/addresses.ts'
import { forbidden, invalid, notFound, refused } from '../contract/errors.ts'
import type { Headers } from '../contract/headers.ts'
import { atLeast, type Fields } from '../db/columns.ts'
import type { Db } from '../db/db.ts'
import { violatedConstraint } from '../db/pool/failures.ts'
import type { Emit } from '../events/outbox.ts'
import type { Cursors } from '../lists/cursor.ts'
import { type Answer, prefix } from './answer.ts'
import type { LinkSettings, NestedWrite } from './context.ts'
import { fieldsOfTag, refuseUnlessMatching } from './etags.ts'
import { fieldsToRead } from './fields.ts'
import type { Resource, Route } from './route.ts'
import type { Secrets } from './secrets.ts'
import { validate } from './validation.ts'

/** A request after authentication, with its body parsed. */
export interface Request {
  /** path and query, as sent */
  url: string
  headers: Headers
  /** canonical ids from the path */
  params: Record<string, string>
  query: unknown
  body: unknown
  caller: Caller
  id: string
  /** hash of what the caller sent, if the server built this request for a caller that may repeat it */
  fingerprint?: Buffer | undefined
}

/** The dependencies of a running operation. */
export interface OperationScope {
  /** the transaction of a write, the pool of a read */
  db: Db
  now: Date
  emit: Emit<string>
  cursors: Cursors
  secrets: Secrets | undefined
  links: LinkSettings
  allowedSubnets: readonly Subnet[]
  runNested: (operation: NestedWrite) => Promise<Answer>
}

/** Runs the checks of a request in their order, then its handler. */
export async function runOperation(route: Route, request: Request, scope: OperationScope): Promise<unknown> {
  const { caller, params } = request
  const { db } = scope
  const fields = route.selectable && fieldsToRead(route.selectable, request.query)
  const target = await loadTarget(route, request, db, fields) // 404
  refuseUnlessAllowed(route, caller, target) // 403
  const { query: valid, body } = validate(route, request) // 422
  const query = fields ? { ...(valid as object), fields } : valid
  const loadingReferences = loadReferences(route, body, caller, db)
  const preloading = route.preload?.(db, caller)
  preloading?.catch(() => {})
  const references = await loadingReferences // 404, 403
  // a read compares If-Match in `renderAnswer`, as its response may be something other than the target
  if (route.method !== 'GET') refuseUnlessMatching(request.headers, target?.item, isNamedById(route, params)) // 412
  refuseIfArchived(route, target, references) // 412
  if (target && changesNothing(route, body)) return target.item
  const preloaded = await preloading
  const { emit, cursors, secrets, links, allowedSubnets, runNested } = scope
  const now = scope.now.toISOString()
  const [item, role] = target ? [target.item, target.role] : [undefined, 'viewer' as const]
  // biome-ignore format: what a handler is given, at a glance
  const context = {
    db, caller, params, query, body, references, preloaded, target: item, role, emit, cursors, secrets, links, allowedSubnets, runNested, now,
  }
  return translateViolations(route, () => route.handle(context)) // 400, 412 or 422 by rules of the domain, 422 for a name that is taken
}

/** Whether an update names no field: then it makes no new version and no event. */
const changesNothing = ({ method }: Route, body: unknown) => method === 'PATCH' && namesNothing(body ?? {})

// a nested object, such as settings, is empty if everything in it is
const namesNothing = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && Object.values(body).every(namesNothing)

async function loadTarget(
  route: Route,
  { params, caller, headers }: Request,
  db: Db,
  fields: Fields,
): Promise<Loaded<Resource> | undefined> {
  const path = route.ids.map((name) => params[name] ?? '')
  const accepted = (index: number) => (index === path.length - 1 ? route.accepts : route.target?.acceptsWithin)
  if (!path.every((id, index) => isUuid(id) || accepted(index)?.test(id))) throw notFound()
  const { selectable } = route
  if (route.target === undefined) return undefined
  const wanted = {
    ...{ ids: path.slice(-1), within: path.at(-2), deleted: route.deleted },
    // a list's fields are not fields of the resource in its path
    fields: selectable && !selectable.inList ? atLeast(fields, ...fieldsOfTag(selectable.item)) : undefined,
  }
  // an exclusive lock makes others wait, so check the permission before taking it
  if (route.lock === 'update') {
    const [seen] = await route.target.load(db, caller, { lock: 'none', ...wanted })
    if (seen === undefined) throw notFound()
    refuseUnlessAllowed(route, caller, seen)
  }
  // with If-Match the row must not change between the comparison and the write
  const compared = headers['if-match'] !== undefined && route.lock === 'key share'
  const [found] = await route.target.load(db, caller, { lock: compared ? 'no key update' : route.lock, ...wanted })
  if (found === undefined) throw notFound()
  return found
}

export function refuseUnlessAllowed(route: Route, caller: Caller, target?: Loaded<Resource>): void {
  const scope = route.method === 'GET' ? 'read' : 'write'
  if (!caller.scopes.includes(scope)) throw forbidden(`The API key lacks the scope ${scope}`, 'missing_scope')
  if (caller.role !== operator && !route.roles.includes(caller.role)) {
    throw lacksOrganizationRole()
  }
  const { needs } = route
  if (target === undefined || needs === undefined) return
  const needed = typeof needs === 'string' ? needs : needs.isOwn(target.item, caller) ? needs.own : needs.others
  if (isBelow(target.role, needed)) throw lacksRole(needed, target)
}

function lacksRole(needed: string, { archived }: Loaded<Resource>) {
  if (needed === 'nobody') return forbidden('Only another member can do this, such as the author', 'not_yours')
  if (archived === undefined) return lacksOrganizationRole()
  return forbidden(`This needs the role ${needed} in the project`, 'missing_project_role')
}

const lacksOrganizationRole = () => forbidden('Your role in the organization does not allow this', 'missing_role')

async function loadReferences(route: Route, body: unknown, caller: Caller, db: Db) {
  const given = (body ?? {}) as Record<string, string | string[] | null | undefined>
  const resolving = Object.entries(route.references).map(async ([field, { to, fields, needs, lock = 'key share' }]) => {
    const ids = [given[field] ?? []].flat()
    const items = ids.length === 0 ? [] : await to.load(db, caller, { ids, lock, fields })
    return { field, ids, items, needs }
  })
  const all = await Promise.all(resolving)
  if (all.some(({ ids, items }) => items.length < ids.length)) throw notFound()
  for (const { items, needs } of all) {
    const short = needs && items.find(({ role }) => isBelow(role, needs))
    if (short) throw lacksRole(needs, short)
  }
  return Object.fromEntries(all.map(({ field, items }) => [field, items]))
}

/** Refuses writes in an archived project, found through the path or a reference. @throws 412 */
function refuseIfArchived(
  route: Route,
  target: Loaded<Resource> | undefined,
  references: Record<string, Loaded<Resource>[]>,
) {
  if (route.method === 'GET' || route.evenArchived) return
  const into = Object.entries(references).flatMap(([field, found]) => (route.references[field]?.needs ? found : []))
  if (![target, ...into].some((found) => found?.archived)) return
  throw refused('The project is archived; unarchive it first', 'project_archived')
}

async function translateViolations<T>(route: Route, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const meaning = route.constraints[violatedConstraint(error) ?? '']
    if (meaning === undefined) throw error
    throw typeof meaning === 'string' ? invalid({ [meaning]: ['Is already taken'] }) : meaning()
  }
}

/**
 * The ids of a path in canonical spelling: UUIDs in lowercase, keys such as WEB-12 in capitals. So keys ignore case in paths,
 * as they do in searches.
 */
export const canonicalIds = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, id]) => [
      name,
      isUuid(id) ? id.toLowerCase() : id.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
    ]),
  )

/** The URL of a request with its canonical ids. */
export function canonicalUrl({ path }: Route, ids: Record<string, string>, url: string): string {
  const [, query = ''] = url.split(/\?(.*)/s)
  const canonical = prefix + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''))
  return query === '' ? canonical : `${canonical}?${query}`
}

/** Whether a request names its resource by id. The caller's organization is in no path: the API key names it. */
export const isNamedById = ({ ids }: Route, params: Record<string, string>): boolean =>
  ids.every((name) => isUuid(params[name] ?? ''))

export const isUuid = (text: string) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
