import type { Database, Db, Transaction } from '../db/database.ts'
import { failureOf, violatedConstraint } from '../db/failures.ts'
import { type Change, collectChanges, type Emit } from '../events/outbox.ts'
import { type Answer, answerOf, refuseUnlessMatching, rendered } from './answer.ts'
import type { Authenticator, Headers } from './auth.ts'
import { changesAccess, sendChanges } from './changes.ts'
import type { Cursors } from './cursor.ts'
import { ApiError, flatten, forbidden, invalid, notFound, unavailable } from './errors.ts'
import { fingerprintOf, once, readIdempotencyKey } from './idempotency.ts'
import { type Caller, type Found, type Lock, operator, type Resource, type Route } from './route.ts'

/** A request whose caller is known and whose body is JSON. */
export interface Request {
  /** path and query, as sent */
  url: string
  headers: Headers
  params: Record<string, string>
  query: unknown
  body: unknown
  caller: Caller
  id: string
}

/** What requests are answered with. */
export interface Means {
  db: Database
  cursors: Cursors
  authenticator: Authenticator
  idempotencyTtlMs: number
  /** whether each answer is checked against the schema that is published for it; for tests */
  checkAnswers: boolean
}

/**
 * The path of every request behind authentication: a read runs on the pool, a write in one transaction, a POST with a
 * key at most once.
 * @throws ApiError for every foreseen refusal
 */
export async function handle(route: Route, request: Request, means: Means): Promise<Answer> {
  const now = new Date()
  if (route.method === 'GET') return read(route, request, means, now)
  const header = request.headers['idempotency-key']
  const key = route.method === 'POST' && header !== undefined ? readIdempotencyKey(header) : undefined
  for (let attempt = 1; ; attempt++) {
    try {
      return key === undefined
        ? await write(route, request, means, now)
        : await writeOnce(route, request, means, now, key)
    } catch (error) {
      if (failureOf(error) !== 'again') throw error
      if (attempt === 3) throw unavailable('Too many requests are changing the same thing; try again')
    }
  }
}

async function read(route: Route, request: Request, means: Means, now: Date): Promise<Answer> {
  const item = await perform(route, request, means, means.db, now, () => {})
  return rendered(route, request.headers, item, means.checkAnswers)
}

async function write(route: Route, request: Request, means: Means, now: Date): Promise<Answer> {
  const written = await means.db.transaction((tx) => change(tx, route, request, means, now))
  return published(written, means)
}

async function writeOnce(route: Route, request: Request, means: Means, now: Date, key: string): Promise<Answer> {
  const { caller, url, body } = request
  const fingerprint = fingerprintOf(route.method, url, body)
  const claim = { caller, key, fingerprint, secret: route.secret, now, ttlMs: means.idempotencyTtlMs }
  let written: Written | undefined
  const answer = await once(
    means.db,
    claim,
    () => refuseUnlessAllowed(route, caller),
    async (tx) => {
      try {
        written = await change(tx, route, request, means, now)
        return written.answer
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error
        tx.send('rollback to savepoint effect')
        return answerOf(error)
      }
    },
  )
  return written ? published({ ...written, answer }, means) : answer
}

interface Written {
  answer: Answer
  changes: Change[]
}

/** Performs a write and sends its events; the commit that follows takes them along. */
async function change(tx: Transaction, route: Route, request: Request, means: Means, now: Date): Promise<Written> {
  const { caller } = request
  const { emit, changes } = collectChanges(caller.orgId)
  const item = await perform(route, request, means, tx, now, emit)
  const answer = rendered(route, request.headers, item, means.checkAnswers)
  const byOperator = caller.role === operator
  const actor = {
    memberId: byOperator ? null : caller.memberId,
    keyId: byOperator ? null : caller.keyId,
    requestId: request.id,
  }
  sendChanges(tx, changes, actor, now.toISOString())
  return { answer, changes }
}

/** What must follow a commit: this process forgets at once what the change made wrong; others hear it by NOTIFY. */
function published({ answer, changes }: Written, means: Means): Answer {
  for (const changed of changes) if (changesAccess(changed)) means.authenticator.forget(changed.orgId)
  return answer
}

/** The checks of a request in their order, then its handler. */
async function perform(route: Route, request: Request, means: Means, db: Db, now: Date, emit: Emit) {
  const { caller, params } = request
  const at = await located(route, request, db) // 404
  refuseUnlessAllowed(route, caller, at) // 403
  const { query, body } = validated(route, request) // 422
  const references = await resolved(route, body, caller, db) // 404, 403
  refuseUnlessMatching(request.headers, at?.item) // 412
  return translating(route, () =>
    route.handle({
      db,
      caller,
      params,
      query,
      body,
      at: at?.item,
      role: at?.role ?? 'viewer',
      references,
      emit,
      now: now.toISOString(),
      cursors: means.cursors,
    }),
  ) // 400, 412
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const heldBy: Record<Route['method'], Lock> = {
  GET: 'none',
  POST: 'no key update',
  PATCH: 'no key update',
  DELETE: 'update',
}

async function located(route: Route, { params, caller }: Request, db: Db): Promise<Found<Resource> | undefined> {
  const path = route.ids.map((name) => params[name] ?? '')
  if (!path.every((id) => uuid.test(id))) throw notFound()
  if (route.at === undefined) return undefined
  const wanted = { ids: path.slice(-1), within: path.at(-2), lock: heldBy[route.method] }
  const [found] = await route.at.find(db, caller, wanted)
  if (found === undefined) throw notFound()
  return found
}

const ranks = ['viewer', 'contributor', 'lead']

function refuseUnlessAllowed(route: Route, caller: Caller, at?: Found<Resource>): void {
  const scope = route.method === 'GET' ? 'read' : 'write'
  if (!caller.scopes.includes(scope)) throw forbidden(`The API key lacks the scope ${scope}`, 'missing_scope')
  if (caller.role !== operator && !route.roles.includes(caller.role)) {
    throw forbidden('Your role in the organization does not allow this', 'missing_role')
  }
  if (at === undefined || route.needs === undefined) return
  const needed = typeof route.needs === 'function' ? route.needs(at.item, caller) : route.needs
  if (ranks.indexOf(at.role) < ranks.indexOf(needed)) throw lacksRole(needed)
}

const lacksRole = (needed: string) => forbidden(`This takes the role ${needed} in the project`, 'missing_project_role')

function validated(route: Route, request: Request): { query: unknown; body: unknown } {
  const query = route.query.safeParse(request.query)
  const body = route.body?.safeParse(request.body === undefined ? {} : request.body)
  if (query.success && body?.success !== false) return { query: query.data, body: body?.data }
  const inQuery = flatten(query.error?.issues ?? [], 'Unknown parameter')
  const inBody = flatten(body?.error?.issues ?? [], 'Unknown field')
  const fieldErrors = { ...inQuery.fieldErrors, ...inBody.fieldErrors }
  throw invalid(fieldErrors, [...inQuery.formErrors, ...inBody.formErrors])
}

async function resolved(route: Route, body: unknown, caller: Caller, db: Db) {
  const given = (body ?? {}) as Record<string, string | string[] | null | undefined>
  const resolving = Object.entries(route.references).map(async ([field, { to, needs, lock = 'key share' }]) => {
    const ids = [given[field] ?? []].flat()
    const items = ids.length === 0 ? [] : await to.find(db, caller, { ids, lock })
    return { field, ids, items, needs }
  })
  const all = await Promise.all(resolving)
  if (all.some(({ ids, items }) => items.length < ids.length)) throw notFound()
  for (const { items, needs } of all) {
    if (needs && items.some(({ role }) => ranks.indexOf(role) < ranks.indexOf(needs))) throw lacksRole(needs)
  }
  return Object.fromEntries(all.map(({ field, items }) => [field, items]))
}

async function translating<T>(route: Route, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const meaning = route.constraints[violatedConstraint(error) ?? '']
    if (meaning === undefined) throw error
    throw typeof meaning === 'string' ? invalid({ [meaning]: ['Is already taken'] }) : meaning()
  }
}
