import { unauthorized } from '../contract/errors.ts'
import type { Db } from '../db/db.ts'
import type { Database } from '../db/pool/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Caller } from './caller.ts'
import { isLiveSession, sessionsWithMembers } from './sessions.ts'

/**
 * The caller with current rights, for a transaction that changed rights.
 * @throws 401 if the key is revoked or the session has ended, or the member or organization is gone; the expiry of keys is not
 * checked here
 */
export async function currentCaller(db: Db, caller: Caller): Promise<Caller> {
  const row = await db.row<Pick<Caller, 'role' | 'scopes'>>(
    caller.session === undefined
      ? sql`select members.role, api_keys.scopes from ${keysWithOwners}
          where api_keys.org_id = ${caller.orgId} and api_keys.id = ${caller.keyId} and ${isActive}`
      : sql`select members.role, ${caller.scopes}::text[] as scopes from ${sessionsWithMembers}
          where ${isSessionOf(caller, Date.now())}`,
  )
  if (row === undefined) throw unauthorized()
  return { ...caller, ...row }
}

/**
 * A statement that fails (it divides by zero) if the caller's role or scopes have changed, or if the key no longer works. A
 * write sends it last, after all waits for locks, without a round trip of its own. If it fails, the COMMIT after it rolls
 * everything back.
 */
export function assertCallerUnchanged(caller: Caller, nowMs: number): Sql {
  const { orgId, keyId, session, role, scopes } = caller
  if (session !== undefined)
    return sql`
      select 1 / count(*) as "the caller is who it was" from ${sessionsWithMembers}
      where ${isSessionOf(caller, nowMs)} and members.role = ${role}`
  return sql`
    select 1 / count(*) as "the caller is who it was" from ${keysWithOwners}
    where api_keys.org_id = ${orgId} and api_keys.id = ${keyId} and ${isActive}
      and members.role = ${role} and api_keys.scopes = ${scopes}::text[]
      and (api_keys.expires_at is null or api_keys.expires_at > ${new Date(nowMs).toISOString()})`
}

/** Condition: the session of a caller, and their member. */
const isSessionOf = ({ orgId, memberId, session }: Caller, nowMs: number): Sql => sql`
  sessions.id = ${session?.id ?? null} and ${isLiveSession(nowMs)}
  and members.org_id = ${orgId} and members.id = ${memberId}`

/** Joins: keys with their members and organizations. */
export const keysWithOwners = sql`api_keys
  join members on members.org_id = api_keys.org_id and members.id = api_keys.member_id
  join organizations on organizations.org_id = api_keys.org_id`

/** Condition: the key is not revoked, its member is active, and the organization exists. Callers check the expiry. */
export const isActive = sql`api_keys.revoked_at is null and members.status = 'active' and members.deleted_at is null
  and organizations.deleted_since is null`

/** The precision of the stored last use of a key. */
export const lastUsedPrecisionMs = 60_000

const writeDelayMs = 5_000

/**
 * Writes when keys were last used. It collects the uses of five seconds and writes one organization after the other. It drops
 * writes that fail; the next use is recorded again.
 */
export class LastUsedWriter {
  readonly #db: Database
  readonly #onError: (error: unknown) => void
  /** ids of keys, by organization */
  #pending = new Map<string, Set<string>>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  constructor(db: Database, onError: (error: unknown) => void) {
    this.#db = db
    this.#onError = onError
  }

  recordUse(orgId: string, keyId: string): void {
    this.#pending.set(orgId, (this.#pending.get(orgId) ?? new Set()).add(keyId))
    this.#writeLater()
  }

  /** Writes the collected uses; never fails. During a write it returns that write, without the uses since. */
  write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
      if (this.#pending.size > 0) this.#writeLater()
    })
    return this.#writing
  }

  #writeLater(): void {
    if (this.#writing === undefined) this.#timer ??= setTimeout(() => void this.write(), writeDelayMs).unref()
  }

  async #writeAll(): Promise<void> {
    const pending = this.#pending
    this.#pending = new Map()
    for (const [orgId, keyIds] of pending) await this.#writeOf(orgId, [...keyIds]).catch(this.#onError)
  }

  async #writeOf(orgId: string, keyIds: string[]): Promise<void> {
    const nowMs = Date.now()
    const usedAt = new Date(nowMs).toISOString()
    const longAgo = new Date(nowMs - lastUsedPrecisionMs).toISOString()
    await this.#db.transaction(async (tx) => {
      // no response depends on this, so the commit need not wait for the disk
      tx.send('set local synchronous_commit = off')
      // skip a key that is being changed; its next use is written
      tx.send(sql`
        update api_keys set last_used_at = ${usedAt}, version = version + 1
        where org_id = ${orgId} and id in (
          select id from api_keys where org_id = ${orgId} and id = any(${keyIds}::uuid[])
            and coalesce(last_used_at < ${longAgo}, true) for no key update skip locked)`)
    })
  }
}
