import { setTimeout as wait } from 'node:timers/promises'
import { type Authenticator, asOfNow, stillIs } from '../access/auth.ts'
import { type Caller, operator } from '../access/caller.ts'
import { ApiError, forbidden, found, invalid, unavailable } from '../contract/errors.ts'
import type { Database, TenantDatabase, Transaction } from '../db/database.ts'
import type { Db } from '../db/db.ts'
import { expected } from '../db/expected.ts'
import { failureOf, isDividedByZero, TransactionLost } from '../db/failures.ts'
import type { Change } from '../events/outbox.ts'
import type { Cursors } from '../lists/cursor.ts'
import { type Answer, answerOf } from './answer.ts'
import { changesAccess, changesOf, sendChanges } from './changes.ts'
import { fingerprintOf, once, readIdempotencyKey } from './idempotency.ts'
import { perform, type Request, refuseUnlessAllowed, type Setting } from './perform.ts'
import { rendered } from './rendering.ts'
import type { Operation, Route } from './route.ts'
import type { Router } from './router.ts'

/** What requests are answered with. */
export interface Means {
  db: Database
  cursors: Cursors
  authenticator: Authenticator
  /** has other processes of this machine forget what they believe of an organization */
  haveOthersForget?: (orgId: string) => Promise<void>
  router: Router
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
  const { dryRun, ...query } = request.query as { dryRun?: unknown }
  let own: Request = { ...request, query }
  for (let attempt = 1; ; attempt++) {
    try {
      if (isTrue(dryRun)) return await rehearse(route, own, means, now)
      return key === undefined ? await write(route, own, means, now) : await writeOnce(route, own, means, now, key)
    } catch (error) {
      const changed = isDividedByZero(error)
      if (!changed && failureOf(error) !== 'again') throw error
      if (attempt === 3 && error instanceof TransactionLost) throw error
      if (attempt === 3) throw unavailable('Too many requests are changing the same thing; try again')
      if (changed) {
        own = { ...own, caller: await afresh(own, means.authenticator) }
        continue
      }
      // whom it gave way to goes first
      await wait(attempt * (50 + 100 * Math.random()))
    }
  }
}

/** Who is asking now: no longer who the write took them for. @throws 401 */
function afresh({ caller, headers }: Request, authenticator: Authenticator): Promise<Caller> {
  authenticator.forget(caller.orgId)
  return authenticator.member(headers, caller.orgId)
}

async function read(route: Route, request: Request, means: Means, now: Date): Promise<Answer> {
  const { cursors } = means
  const db = sharedBy(request, means)
  const item = await perform(route, request, { db, lookUps: db.lookUps, cursors, now, emit, operate: onlyInWrites })
  return rendered(route, request, item, means.checkAnswers)
}

const sharedBy = ({ caller }: Request, { db }: Means): TenantDatabase => db.forTenant(caller.orgId)

async function write(route: Route, request: Request, means: Means, now: Date): Promise<Answer> {
  const written = await sharedBy(request, means).transaction((tx) => change(tx, route, request, means, now))
  return published(written, means)
}

/** A dry run: everything is done and answered as it would be, then undone. Its key is neither used nor kept. */
async function rehearse(route: Route, request: Request, means: Means, now: Date): Promise<Answer> {
  refuseToRead(request.caller)
  class Undo extends Error {}
  let answer: Answer | undefined
  try {
    await sharedBy(request, means).transaction(async (tx) => {
      ;({ answer } = await change(tx, route, request, means, now, { kept: false }))
      throw new Undo()
    })
  } catch (error) {
    if (!(error instanceof Undo)) throw error
  }
  return expected(answer, 'The answer of a rehearsal')
}

/** @throws 422 when it is neither true nor false nor absent */
function isTrue(dryRun: unknown): boolean {
  if (dryRun === undefined || dryRun === 'false') return false
  if (dryRun === 'true') return true
  throw invalid({ dryRun: ['Must be true or false'] })
}

async function writeOnce(route: Route, request: Request, means: Means, now: Date, key: string): Promise<Answer> {
  const { caller, url, body } = request
  const fingerprint = fingerprintOf(route.method, url, body)
  const claim = { caller, key, fingerprint, secret: route.secret, now, ttlMs: means.idempotencyTtlMs }
  let written: Written | undefined
  const answer = await once(
    sharedBy(request, means),
    claim,
    () => refuseUnlessAllowed(route, caller),
    async (tx) => {
      try {
        written = await change(tx, route, request, means, now)
        return written.answer
      } catch (error) {
        // a 401 is of a write that gave up its own right within a bulk, which is undone
        if (!(error instanceof ApiError) || error.status === 401 || error.status >= 500) throw error
        tx.rollBackToSavepoint()
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

/**
 * Performs a write and sends its events; the commit that follows takes them along.
 * @param kept whether there will be one: what is rehearsed sends no events
 */
async function change(
  tx: Transaction,
  route: Route,
  request: Request,
  means: Means,
  now: Date,
  { kept } = { kept: true },
): Promise<Written> {
  const { caller } = request
  const { emit, changes } = changesOf(caller.orgId, kept)
  const setting: Setting = { db: tx, lookUps: tx, now, emit, cursors: means.cursors, operate }
  let operations = 0
  const answer = await answered(route, request)
  const byOperator = caller.role === operator
  const actor = {
    memberId: byOperator ? null : caller.memberId,
    keyId: byOperator ? null : caller.keyId,
    requestId: request.id,
  }
  if (kept) sendChanges(tx, changes, actor, now.toISOString())
  if (!byOperator) await confirm(caller, changes, tx, sharedBy(request, means).lookUps)
  return { answer, changes }

  async function operate({ method, path, body, ifMatch }: Operation): Promise<Answer> {
    const { route: other, params, query } = found(means.router.find(method, path))
    if (other.roles === operator || other.secret || other === route)
      throw forbidden('Not inside another request', 'not_inside')
    const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch }
    const caller = changes.some(changesAccess) ? await asOfNow(tx, request.caller) : request.caller
    const answer = await answered(other, { ...request, caller, url: path, headers, params, query, body })
    operations++
    return answer
  }

  async function answered(asked: Route, part: Request): Promise<Answer> {
    const before = changes.length + operations
    const item = await perform(asked, part, setting)
    const answer = rendered(asked, part, item, means.checkAnswers)
    if (changes.length + operations === before && answer.body !== undefined) refuseToRead(part.caller)
    return answer
  }
}

/** @throws 403 when the key may not read: what a write answers that changed nothing was there before */
function refuseToRead({ scopes }: Caller): void {
  if (scopes.includes('read')) return
  throw forbidden('The API key lacks the scope read, and nothing would be changed', 'missing_scope')
}

/** Holds the caller of a write to be who it was when the request came, whatever the write waited for. */
async function confirm(caller: Caller, changes: readonly Change[], tx: Transaction, lookUps: Db): Promise<void> {
  const asking = stillIs(caller, Date.now())
  const changesItself = changes.some(({ resourceId }) => resourceId === caller.memberId || resourceId === caller.keyId)
  // who gave up a right of their own had it: what the transaction wrote is not seen from outside
  if (changesItself) await lookUps.rows(asking)
  else tx.send(asking)
}

const emit = () => {}
const onlyInWrites = () => Promise.reject(new Error('A read runs no other operations'))

/**
 * What must follow a commit, before its answer leaves: all processes of this machine forget what the change made wrong;
 * those of others hear it by NOTIFY.
 */
async function published({ answer, changes }: Written, means: Means): Promise<Answer> {
  const changed = new Set(changes.filter(changesAccess).map(({ orgId }) => orgId))
  for (const orgId of changed) means.authenticator.forget(orgId)
  await Promise.all([...changed].map((orgId) => means.haveOthersForget?.(orgId)))
  return answer
}
