import { unauthorized } from '../contract/errors.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Caller } from './caller.ts'

/**
 * The caller as of now, for a transaction that changed who may do what.
 * @throws 401 when its key no longer opens anything
 */
export async function currentCaller(db: Db, caller: Caller): Promise<Caller> {
  const row = await db.row<Pick<Caller, 'role' | 'scopes'>>(sql`
    select members.role, api_keys.scopes
    from ${keysOfMembers}
    where api_keys.org_id = ${caller.orgId} and api_keys.id = ${caller.keyId} and ${isUsable}`)
  if (row === undefined) throw unauthorized()
  return { ...caller, ...row }
}

/**
 * A statement that fails (it divides by zero) when the caller has another role or other scopes by now, or its key no longer
 * works. It is sent last in a write, after all waiting for locks, and needs no round trip of its own. If it fails, the
 * COMMIT after it rolls everything back.
 */
export const callerUnchanged = ({ orgId, keyId, role, scopes }: Caller, nowMs: number): Sql => sql`
  select 1 / count(*) as "the caller is who it was" from ${keysOfMembers}
  where api_keys.org_id = ${orgId} and api_keys.id = ${keyId} and ${isUsable}
    and members.role = ${role} and api_keys.scopes = ${scopes}::text[]
    and (api_keys.expires_at is null or api_keys.expires_at > ${new Date(nowMs).toISOString()})`

/** Joins: keys with their members and organizations. */
export const keysOfMembers = sql`api_keys
  join members on members.org_id = api_keys.org_id and members.id = api_keys.member_id
  join organizations on organizations.org_id = api_keys.org_id`

/** Condition: the key is not revoked, its member active and the organization there. Expiry is checked apart. */
export const isUsable = sql`api_keys.revoked_at is null and members.status = 'active' and members.deleted_at is null
  and organizations.deleted_since is null`
