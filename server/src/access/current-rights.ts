import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { Caller, Role } from './caller.ts'
import { isLiveSession, sessionsWithMembers } from './sessions.ts'
import { isActive, keysWithOwners } from './usable-keys.ts'

/** The rights of a key or session, and the time at which it expires. */
export interface KeyAccess {
  role: Role
  scopes: string[]
  expiresAtMs: number
}

interface CurrentRights {
  id: string
  role: Role
  scopes: string[]
  expiresAt: string | null
}

/**
 * The current rights of callers of an organization, by the id of the key or session. It leaves out callers whose key or session
 * no longer works.
 */
export async function currentRights(
  db: Db,
  orgId: string,
  callers: readonly Caller[],
): Promise<Map<string, KeyAccess>> {
  const keyIds = [...new Set(callers.flatMap(({ keyId }) => keyId ?? []))]
  const sessionIds = [...new Set(callers.flatMap(({ session }) => session?.id ?? []))]
  const isLive = isLiveSession(Date.now())
  const [keys, sessions] = await Promise.all([
    keyIds.length > 0 &&
      db.rows<CurrentRights>(sql`
        select members.role, api_keys.id, api_keys.scopes, api_keys.expires_at as "expiresAt"
        from ${keysWithOwners} where api_keys.org_id = ${orgId} and api_keys.id = any(${keyIds}::uuid[]) and ${isActive}`),
    sessionIds.length > 0 &&
      db.rows<CurrentRights>(sql`
        select members.role, sessions.id, array['read', 'write'] as scopes, sessions.expires_at as "expiresAt"
        from ${sessionsWithMembers} where members.org_id = ${orgId} and sessions.id = any(${sessionIds}::uuid[])
          and ${isLive}`),
  ])
  const standings = [...(keys || []), ...(sessions || [])].map(
    ({ id, role, scopes, expiresAt }) => [id, { role, scopes, expiresAtMs: momentOf(expiresAt) }] as const,
  )
  return new Map(standings.filter(([, { expiresAtMs }]) => Date.now() < expiresAtMs))
}

/** The time of an expiry in milliseconds. @param expiresAt null: never */
export const momentOf = (expiresAt: string | null) =>
  expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)
