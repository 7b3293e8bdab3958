import { setTimeout as wait } from 'node:timers/promises'
import type { Authenticator } from '../access/auth.ts'
import { type Caller, operator } from '../access/caller.ts'
import { currentCaller } from '../access/usable-keys.ts'
import { ApiError, forbidden, invalid, orNotFound, unavailable } from '../contract/errors.ts'
import { expected } from '../db/expected.ts'
import type { Transaction, TransactionalDb } from '../db/pool/database.ts'
import { failureOf, isDividedByZero, TransactionLost } from '../db/pool/failures.ts'
import type { EventType } from '../events/event-type.ts'
import type { Notices } from '../events/notices.ts'
import { type Change, collectChanges } from '../events/outbox.ts'
import { type Answer, answerForError } from './answer.ts'
import { answerRead, type ReadServices } from './answer-read.ts'
import { changesAccess, confirmCaller, confirmNow, sendChanges } from './changes.ts'
import type { NestedWrite } from './context.ts'
import { refuseUndeclared } from './declared-changes.ts'
import { refuseMalformedIfMatch } from './etags.ts'
import { fingerprintOf, noteOrganizationOfAnswer, readIdempotencyKey, runOnce } from './idempotency.ts'
import { renderAnswer } from './render-answer.ts'
import { hasSecret, type Route } from './route.ts'
import type { Router } from './router.ts'
import { canonicalUrl, type OperationScope, type Request, refuseUnlessAllowed, runOperation } from './run-operation.ts'

/** The dependencies of all operations. */
export interface Services extends ReadServices {
  authenticator: Authenticator
  /** drops the cached keys of an organization in the other processes of this machine */
  invalidateOthers?: (orgId: string) => Promise<void>
  /** notifies the readers of an organization's events of new ones */
  notices: Pick<Notices, 'note'>
  router: Router
  idempotencyTtlMs: number
  /** runs a part of a write when the database has a place for it; default: at once */
  admit?: <T>(work: () => Promise<T>) => Promise<T>
  eventTypes: readonly EventType[]
}

/**
 * Serves every request after authentication. A read runs on the pool, a write in one transaction, a POST with an
 * Idempotency-Key at most once.
 * @throws ApiError for every expected refusal
 */
export async function answerRequest(route: Route, request: Request, services: Services): Promise<Answer> {
  const now = new Date()
  if (route.method === 'GET') return answerRead(route, request, services, now)
  const header = request.headers['idempotency-key']
  const key = route.method === 'POST' && header !== undefined ? readIdempotencyKey(header) : undefined
  refuseMalformedIfMatch(request.headers)
  const { dryRun, ...query } = request.query as { dryRun?: unknown }
  let own: Request = { ...request, query }
  for (let attempt = 1; ; attempt++) {
    try {
      if (isTrue(dryRun)) return await answerDryRun(route, own, services, now)
      return key === undefined
        ? await answerWrite(route, own, services, now)
        : await answerWriteOnce(route, own, services, now, key)
    } catch (error) {
      // `callerUnchanged`, the last statement of a write, divides by zero if the caller has changed
      const callerChanged = isDividedByZero(error)
      if (!callerChanged && failureOf(error) !== 'again') throw error
      if (attempt === 3 && error instanceof TransactionLost) throw error
      if (attempt === 3) throw unavailable('Too many requests are changing the same resource; try again')
      if (callerChanged) {
        own = { ...own, caller: await authenticateAgain(own, services.authenticator) }
        continue
      }
      // it lost against another transaction, which now goes first
      await wait(attempt * (50 + 100 * Math.random()))
    }
  }
}

/** Authenticates a caller again whose role or scopes changed during the write. @throws 401 */
function authenticateAgain({ caller, headers }: Request, authenticator: Authenticator): Promise<Caller> {
  authenticator.invalidate(caller.orgId)
  return authenticator.memberAgain(headers, caller)
}

/** The database as a write uses it. */
function databaseOf(route: Route, { db, watch, admit = (work) => work() }: Services): TransactionalDb {
  const watched = db.watchedBy(watch?.(route))
  return {
    rows: (statement) => admit(() => watched.rows(statement)),
    row: (statement) => admit(() => watched.row(statement)),
    transaction: (work) => admit(() => watched.transaction(work)),
  }
}

async function answerWrite(route: Route, request: Request, services: Services, now: Date): Promise<Answer> {
  const work = (tx: Transaction) => runWrite(tx, route, request, services, now)
  const result = await databaseOf(route, services).transaction(work)
  return afterCommit(result, services)
}

/** A dry run: it runs the write and renders the response, then rolls back. It neither uses nor stores an Idempotency-Key. */
async function answerDryRun(route: Route, request: Request, services: Services, now: Date): Promise<Answer> {
  refuseUnlessReadable(request.caller)
  class Undo extends Error {}
  let answer: Answer | undefined
  try {
    await databaseOf(route, services).transaction(async (tx) => {
      ;({ answer } = await runWrite(tx, route, request, services, now, { recorded: false }))
      throw new Undo()
    })
  } catch (error) {
    if (!(error instanceof Undo)) throw error
  }
  return expected(answer, 'The answer of a dry run')
}

/** @throws 422 if the value is neither true nor false nor absent */
function isTrue(dryRun: unknown): boolean {
  if (dryRun === undefined || dryRun === 'false') return false
  if (dryRun === 'true') return true
  throw invalid({ dryRun: ['Must be true or false'] })
}

async function answerWriteOnce(
  route: Route,
  request: Request,
  services: Services,
  now: Date,
  key: string,
): Promise<Answer> {
  const { caller, params, url, body } = request
  const fingerprint = request.fingerprint ?? fingerprintOf(route.method, canonicalUrl(route, params, url), body)
  const claim = {
    caller,
    key,
    fingerprint,
    secret: hasSecret(route, body),
    now,
    ttlMs: services.idempotencyTtlMs,
  }
  let result: WriteResult | undefined
  const answer = await runOnce(
    databaseOf(route, services),
    claim,
    async (waited) => {
      if (waited) await confirmNow(request, services)
      refuseUnlessAllowed(route, caller)
    },
    async (tx) => {
      // this may run several times
      result = undefined
      try {
        result = await runWrite(tx, route, request, services, now)
        const other = result.changes.find(({ orgId }) => orgId !== caller.orgId)
        if (other) noteOrganizationOfAnswer(tx, claim, other.orgId)
        return result.answer
      } catch (error) {
        // 401: an operation of a bulk took the caller's own access away, so all of it is rolled back
        if (!(error instanceof ApiError) || error.status === 401 || error.status >= 500) throw error
        tx.rollBackToSavepoint()
        // storing a refusal is a write too
        await confirmCaller(tx, request, [], services)
        return answerForError(error)
      }
    },
  )
  return result ? afterCommit({ ...result, answer }, services) : answer
}

interface WriteResult {
  answer: Answer
  changes: Change[]
}

/**
 * Runs a write and sends its events, which travel with the COMMIT that follows.
 * @param recorded whether to send events; a dry run sends none
 */
async function runWrite(
  tx: Transaction,
  route: Route,
  request: Request,
  services: Services,
  now: Date,
  { recorded } = { recorded: true },
): Promise<WriteResult> {
  const { caller } = request
  const { emit, changes } = collectChanges(caller.orgId, recorded)
  const { cursors, secrets, links, allowedSubnets = [] } = services
  const scope: OperationScope = { db: tx, now, emit, cursors, secrets, links, allowedSubnets, runNested }
  let [nestedWrites, checked] = [0, 0]
  const answer = await answerPart(route, request)
  const byOperator = caller.role === operator
  const actor = {
    memberId: byOperator ? null : caller.memberId,
    keyId: byOperator ? null : caller.keyId,
    requestId: request.id,
  }
  if (recorded) sendChanges(tx, changes, actor, now.toISOString())
  await confirmCaller(tx, request, changes, services, recorded)
  return { answer, changes }

  async function runNested({ method, path, body, ifMatch }: NestedWrite): Promise<Answer> {
    const { route: other, params, query } = orNotFound(services.router.find(method, path))
    if (other.roles === operator || hasSecret(other, body) || other === route)
      throw forbidden('This operation cannot be part of a bulk request', 'not_inside')
    const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch }
    const caller = changes.some(changesAccess) ? await currentCaller(tx, request.caller) : request.caller
    const answer = await answerPart(other, { ...request, caller, url: path, headers, params, query, body })
    nestedWrites++
    return answer
  }

  async function answerPart(asked: Route, part: Request): Promise<Answer> {
    const before = changes.length + nestedWrites
    const item = await runOperation(asked, part, scope)
    if (services.checkAnswers) refuseUndeclared(asked, changes.slice(checked), services.eventTypes)
    checked = changes.length
    const answer = renderAnswer(asked, part, item, services)
    if (changes.length + nestedWrites === before && answer.body !== undefined) refuseUnlessReadable(part.caller)
    return answer
  }
}

/** A write that changes nothing returns the existing state, so it needs the scope `read` too. @throws 403 */
function refuseUnlessReadable({ scopes }: Caller): void {
  if (scopes.includes('read')) return
  throw forbidden('The API key lacks the scope read, and nothing would be changed', 'missing_scope')
}

/**
 * Runs after a commit, before the response is sent. All processes of this machine drop their cached keys if keys changed. Other
 * machines do so on a NOTIFY. It also notifies the readers of events.
 */
async function afterCommit({ answer, changes }: WriteResult, services: Services): Promise<Answer> {
  const changed = new Set(changes.filter(changesAccess).map(({ orgId }) => orgId))
  for (const orgId of new Set(changes.map(({ orgId }) => orgId))) services.notices.note(orgId)
  for (const orgId of changed) services.authenticator.invalidate(orgId)
  await Promise.all([...changed].map((orgId) => services.invalidateOthers?.(orgId)))
  return answer
}
