import { setTimeout as wait } from 'node:timers/promises'
import { ApiError, notFound, unauthorized } from '../contract/errors.ts'
import type { Headers } from '../contract/headers.ts'
import { nilId } from '../db/ids.ts'
import type { Database } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'
import { Admission, type Patience } from './admission.ts'
import { type Caller, operator, type Role } from './caller.ts'
import { currentRights, type KeyAccess, momentOf } from './current-rights.ts'
import { credentialIn, presentedKey, readKey } from './keys.ts'
import { OperatorTokens } from './operator-tokens.ts'
import { RefusalThrottle } from './refusal-throttle.ts'
import { RefusedSignIns } from './refused-sign-ins.ts'
import { findSessionCaller, presentsKey, recordSessionUse, sessionTokenIn, sessionUsedPrecisionMs } from './sessions.ts'
import { isActive, keysWithOwners, LastUsedWriter, lastUsedPrecisionMs } from './usable-keys.ts'

/** The channel whose NOTIFY carries the id of an organization with changed keys, roles or members. */
export const accessChannel = 'taskwright_access'

const cacheTtlMs = 1_000
const mostCached = 10_000
// a lookup takes a tenth of a millisecond; one address gets at most two thirds of these
const lookUpsAtOnce = 64

interface CachedCaller {
  caller: Caller
  expiresAtMs: number
  /** on the monotonic clock; minus infinity after an invalidation */
  readAtMs: number
}

/**
 * Identifies the caller of a request. It caches a key for one second. When keys, roles or members of an organization change,
 * its cached keys are invalidated at once.
 */
export class Authenticator {
  readonly #db: Database
  readonly #operatorTokens: OperatorTokens
  readonly #keyUsage: LastUsedWriter
  readonly #refusedSignIns: RefusedSignIns
  readonly #refusalThrottle = new RefusalThrottle()
  /** limits lookups: for a key that was good here by its organization, for any other key by the address of the client */
  readonly #lookUps: Admission
  /** by key, or by session and organization; the one that was read longest ago first */
  readonly #cache = new Map<string, CachedCaller>()
  readonly #listeners: ((orgId: string | undefined) => void)[] = []
  /** without an organization: a session, of which it is not known yet */
  readonly #lookUpsInFlight = new Set<{ orgId: string | undefined; outdated: boolean }>()
  readonly #onError: (error: unknown) => void
  readonly #isSecure: boolean

  /** @param options `isSecure`: whether browsers use https; others: the patience of lookups of keys */
  constructor(
    db: Database,
    operatorToken: string | undefined,
    onError: (error: unknown) => void,
    { isSecure = false, ...patience }: Patience & { isSecure?: boolean } = {},
  ) {
    this.#db = db
    this.#onError = onError
    this.#isSecure = isSecure
    this.#operatorTokens = new OperatorTokens(db.own, operatorToken)
    this.#keyUsage = new LastUsedWriter(db, onError)
    this.#refusedSignIns = new RefusedSignIns(db, onError)
    this.#lookUps = new Admission({ places: lookUpsAtOnce, ...patience })
  }

  /**
   * @param from the address of the client
   * @throws 401 unless the key is known, active and neither expired nor revoked; delayed after many bad keys from this address
   */
  member(headers: Headers, from: string): Promise<Caller> {
    return this.#throttled(headers, from, true)
  }

  /** Whether the cookie of a session identifies the caller. A request with a key does not use its cookies. */
  presentsSession(headers: Headers): boolean {
    return !presentsKey(headers) && sessionTokenIn(headers, this.#isSecure) !== undefined
  }

  /** Like `member`, for a caller that was admitted before: a refusal here does not count as a failed sign-in. */
  memberAgain(headers: Headers, { orgId }: Caller): Promise<Caller> {
    return this.#throttled(headers, orgId, false)
  }

  /** @param from by which refusals are counted: an address, or the organization of a caller that was admitted before */
  async #throttled(headers: Headers, from: string, signsIn: boolean): Promise<Caller> {
    try {
      return await this.#member(headers, from, signsIn)
    } catch (error) {
      const waitMs = error instanceof ApiError ? this.#refusalThrottle.waitMs(from, performance.now()) : 0
      if (waitMs > 0) await wait(waitMs)
      throw error
    }
  }

  async #member(headers: Headers, from: string, signsIn: boolean): Promise<Caller> {
    if (this.presentsSession(headers)) return this.#memberOfSession(headers, from)
    const credential = presentedKey(headers)
    const nowMs = Date.now()
    const cached = this.#cache.get(credential)
    const known =
      cached && performance.now() - cached.readAtMs <= cacheTtlMs
        ? cached
        : await this.#lookUp(credential, from, { wasGood: cached !== undefined, signsIn })
    if (!(nowMs < known.expiresAtMs))
      throw this.#refusedKey(known.caller.orgId, known.caller.keyId ?? undefined, signsIn ? from : undefined)
    return known.caller
  }

  async #memberOfSession(headers: Headers, from: string): Promise<Caller> {
    const token = sessionTokenIn(headers, this.#isSecure) ?? ''
    const organization = headers['x-organization']?.toString()
    const name = `${token} ${organization ?? ''}`
    const cached = this.#cache.get(name)
    if (cached && performance.now() - cached.readAtMs <= cacheTtlMs && Date.now() < cached.expiresAtMs)
      return cached.caller
    const asking = { orgId: cached?.caller.orgId, outdated: false }
    this.#lookUpsInFlight.add(asking)
    const readAtMs = performance.now()
    const nowMs = Date.now()
    const find = () => findSessionCaller(this.#db.own, token, organization, nowMs)
    const looking = this.#lookUps.run(cached ? cached.caller.orgId : from, find)
    const known = await looking.finally(() => this.#lookUpsInFlight.delete(asking))
    if (!asking.outdated) this.#store(name, { ...known, readAtMs })
    if (nowMs - known.lastUsedAtMs > sessionUsedPrecisionMs)
      void recordSessionUse(this.#db, known.caller, nowMs).catch(this.#onError)
    return known.caller
  }

  /** Reads the operator's tokens at the start, so that they are known when the database is down. */
  async prepare(): Promise<void> {
    await this.#operatorTokens.knows(undefined)
  }

  /** @throws 404 if the instance has no operator token, 401 if another token is presented */
  async operator(headers: Headers): Promise<Caller> {
    const credential = credentialIn(headers)
    const isKnown = await this.#operatorTokens.knows(credential)
    if (isKnown === undefined) throw notFound()
    if (!isKnown || credential === undefined) throw unauthorized()
    return { orgId: nilId, memberId: nilId, keyId: nilId, role: operator, scopes: ['read', 'write'], credential }
  }

  /** Checks the operator's token against its current state. @throws 401 */
  async operatorAgain(headers: Headers): Promise<void> {
    if (!(await this.#operatorTokens.knowsNow(credentialIn(headers)))) throw unauthorized()
  }

  /**
   * Whether the operator sends this request; false if the instance has no operator token.
   * @throws 401 if it has one and another is presented
   */
  async operatorIfAny(headers: Headers): Promise<boolean> {
    const isKnown = await this.#operatorTokens.knows(credentialIn(headers))
    if (isKnown === false) throw unauthorized()
    return isKnown === true
  }

  /** Calls back with each organization with changed keys, roles or members, and with undefined if it may be any. */
  onInvalidation(told: (orgId: string | undefined) => void): void {
    this.#listeners.push(told)
  }

  /** Invalidates the cached keys of an organization, or of all of them. */
  invalidate(orgId: string | undefined): void {
    for (const told of this.#listeners) told(orgId)
    // a lookup in flight began before the change, so its result must not be cached
    for (const one of this.#lookUpsInFlight)
      if (orgId === undefined || one.orgId === undefined || one.orgId === orgId) one.outdated = true
    for (const known of this.#cache.values()) {
      // keep the entry: the key most likely still belongs to this organization, by which its next lookup is limited
      if (orgId === undefined || known.caller.orgId === orgId) known.readAtMs = Number.NEGATIVE_INFINITY
    }
  }

  /** The current rights of these callers of an organization. Used by streams. */
  current(orgId: string, callers: readonly Caller[]): Promise<Map<string, KeyAccess>> {
    return currentRights(this.#db.own, orgId, callers)
  }

  /** Writes the last uses of keys and the counts of refusals; it drops writes that fail. */
  async writeKeyUsage(): Promise<void> {
    await Promise.all([this.#keyUsage.write(), this.#refusedSignIns.write()])
  }

  /** Counts a refused sign-in. @returns the error to throw */
  #refusedKey(orgId: string, keyId: string | undefined, from: string | undefined): ApiError {
    if (from !== undefined) this.#refusedSignIns.note(orgId, keyId, from)
    return unauthorized()
  }

  /** @param wasGood whether the key worked before: anybody can write the id of an organization into a key */
  async #lookUp(
    credential: string,
    from: string,
    { wasGood, signsIn }: { wasGood: boolean; signsIn: boolean },
  ): Promise<CachedCaller> {
    const key = readKey(credential)
    if (key === undefined) throw unauthorized()
    const asking = { orgId: key.orgId, outdated: false }
    this.#lookUpsInFlight.add(asking)
    const readAtMs = performance.now()
    const find = () =>
      this.#db.own.row<KeyRow>(sql`
        select members.id as "memberId", members.role, api_keys.id as "keyId", api_keys.scopes,
          api_keys.expires_at as "expiresAt", api_keys.last_used_at as "lastUsedAt", ${isActive} as usable
        from ${keysWithOwners} where api_keys.org_id = ${key.orgId} and api_keys.secret_hash = ${key.hash}`)
    const looking = this.#lookUps.run(wasGood ? key.orgId : from, find)
    const row = await looking.finally(() => this.#lookUpsInFlight.delete(asking))
    if (!row?.usable) {
      this.#cache.delete(credential)
      throw this.#refusedKey(key.orgId, row?.keyId, signsIn ? from : undefined)
    }
    const { memberId, role, keyId, scopes } = row
    const known = {
      caller: { orgId: key.orgId, memberId, keyId, role, scopes, credential },
      expiresAtMs: momentOf(row.expiresAt),
      readAtMs,
    }
    if (!asking.outdated) this.#store(credential, known)
    if (row.lastUsedAt === null || Date.now() - Date.parse(row.lastUsedAt) > lastUsedPrecisionMs) {
      this.#keyUsage.recordUse(key.orgId, keyId)
    }
    return known
  }

  #store(credential: string, known: CachedCaller): void {
    this.#cache.delete(credential)
    this.#cache.set(credential, known)
    const [oldest] = this.#cache.keys()
    if (oldest !== undefined && this.#cache.size > mostCached) this.#cache.delete(oldest)
  }
}

interface KeyRow {
  memberId: string
  role: Role
  keyId: string
  scopes: string[]
  expiresAt: string | null
  lastUsedAt: string | null
  /** whether it works, apart from its expiry */
  usable: boolean
}
