import { createHash, randomBytes } from 'node:crypto'
import { parseCookie } from 'cookie'
import { badRequest, forbidden, unauthorized } from '../contract/errors.ts'
import type { Headers } from '../contract/headers.ts'
import type { Db } from '../db/db.ts'
import type { Database } from '../db/pool/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Caller, CallerSession, Role } from './caller.ts'

/** A session ends after this time without use. */
export const sessionIdleMs = 14 * 86_400_000
/** A session ends after this time in any case. */
export const sessionLongestMs = 90 * 86_400_000
/** The precision of the stored last use of a session. */
export const sessionUsedPrecisionMs = 10 * 60_000
/** An act that cannot be undone needs a sign-in that is not older. */
const recentMs = 15 * 60_000

/** The name of the session cookie. Over https, the prefix keeps other hosts and paths from setting it. @see RFC 6265bis §4.1.3 */
export const sessionCookie = (isSecure: boolean) => (isSecure ? '__Host-tw_session' : 'tw_session')

const tokenForm = /^tws_[\w-]{43}$/

/** A new token of a session. The database stores only its hash. */
export function newSessionToken(): { token: string; hash: Buffer } {
  const token = `tws_${randomBytes(32).toString('base64url')}`
  return { token, hash: tokenHash(token) }
}

/** The hash by which the database knows a token. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The value of a cookie. */
export const cookieIn = ({ cookie }: Headers, name: string): string | undefined =>
  typeof cookie === 'string' && cookie.includes(name) ? parseCookie(cookie)[name] : undefined

/** The token of the session cookie, or undefined if there is none or it is malformed. */
export function sessionTokenIn(headers: Headers, isSecure: boolean): string | undefined {
  const token = cookieIn(headers, sessionCookie(isSecure))
  return token !== undefined && tokenForm.test(token) ? token : undefined
}

/** Whether a request presents an API key, right or wrong. Then the server ignores its cookies. */
export const presentsKey = (headers: Headers): boolean =>
  headers.authorization !== undefined || headers['x-api-key'] !== undefined

/** Condition: the session has not ended. */
export function isLiveSession(nowMs: number): Sql {
  const [now, unusedSince] = [new Date(nowMs).toISOString(), new Date(nowMs - sessionIdleMs).toISOString()]
  return sql`sessions.expires_at > ${now} and sessions.last_used_at > ${unusedSince}`
}

/** Joins: sessions with the active members of their person, and their organizations. */
export const sessionsWithMembers = sql`sessions
  join members on members.person_id = sessions.person_id and members.status = 'active' and members.deleted_at is null
  join organizations on organizations.org_id = members.org_id and organizations.deleted_since is null`

interface SessionRow {
  sessionId: string
  personId: string
  signedInAt: string
  lastUsedAt: string
  expiresAt: string
  orgId: string | null
  memberId: string | null
  role: Role | null
}

/** The caller of a request with a session, and when the session ends. */
interface SessionCaller {
  caller: Caller
  expiresAtMs: number
  lastUsedAtMs: number
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Finds the caller of a session.
 * @param organization the `X-Organization` of the request; needed if the person has several memberships
 * @throws 401 for a session that has ended, 400 without an organization, 403 for any organization that is not the person's
 */
export async function findSessionCaller(
  db: Db,
  token: string,
  organization: string | undefined,
  nowMs: number,
): Promise<SessionCaller> {
  if (organization !== undefined && !uuid.test(organization)) throw notAMember()
  const inIt = organization === undefined ? sql`true` : sql`members.org_id = ${organization.toLowerCase()}`
  const rows = await db.rows<SessionRow>(sql`
    select sessions.id as "sessionId", sessions.person_id as "personId", sessions.signed_in_at as "signedInAt",
      sessions.last_used_at as "lastUsedAt", sessions.expires_at as "expiresAt",
      member.org_id as "orgId", member.id as "memberId", member.role
    from sessions left join lateral (
      select members.org_id, members.id, members.role from members
      join organizations on organizations.org_id = members.org_id and organizations.deleted_since is null
      where members.person_id = sessions.person_id and members.status = 'active' and members.deleted_at is null and ${inIt}
      limit 2) member on true
    where sessions.token_hash = ${tokenHash(token)} and ${isLiveSession(nowMs)}`)
  const [row] = rows
  if (row === undefined) throw unauthorized()
  if (row.orgId === null || row.memberId === null || row.role === null) throw notAMember()
  if (rows.length > 1) throw organizationNeeded()
  const { sessionId: id, personId, orgId, memberId, role } = row
  const session = { id, personId, signedInAtMs: Date.parse(row.signedInAt) }
  return {
    caller: { orgId, memberId, role, keyId: null, session, scopes: ['read', 'write'], credential: token },
    expiresAtMs: Math.min(Date.parse(row.expiresAt), Date.parse(row.lastUsedAt) + sessionIdleMs),
    lastUsedAtMs: Date.parse(row.lastUsedAt),
  }
}

/** Stores that a session is in use, at most once in ten minutes. */
export async function recordSessionUse(db: Database, { session }: Caller, nowMs: number): Promise<void> {
  const [now, before] = [nowMs, nowMs - sessionUsedPrecisionMs].map((ms) => new Date(ms).toISOString())
  await db.transaction(async (tx) => {
    // no response depends on this, so the commit need not wait for the disk
    tx.send('set local synchronous_commit = off')
    tx.send(sql`
      update sessions set last_used_at = ${now} where id = ${session?.id ?? null} and last_used_at < ${before}`)
  })
}

/** The same bytes for an organization that exists and for one that does not. */
const notAMember = () => forbidden('You are not a member of this organization', 'not_a_member')

const organizationNeeded = () =>
  badRequest('You are a member of several organizations; name one by its id in X-Organization', 'organization_needed')

/**
 * Refuses an act that cannot be undone if the caller's session began too long ago. A key is not asked again.
 * @throws 403
 */
export function refuseUnlessRecent(
  { session }: { session?: Pick<CallerSession, 'signedInAtMs'> },
  nowMs = Date.now(),
): void {
  if (session === undefined || nowMs - session.signedInAtMs <= recentMs) return
  throw forbidden('Sign in again to confirm that it is you; your sign-in is older than 15 minutes', 'sign_in_again')
}

/**
 * Refuses a request that a page of another site may have sent. A browser says where a request comes from in
 * `Sec-Fetch-Site` and `Origin`.
 * @param hasSession whether the request presents a session: then one of the headers must prove the origin
 * @throws 403
 */
export function refuseCrossSite(headers: Headers, origin: string, hasSession: boolean): void {
  const { 'sec-fetch-site': site, origin: from } = headers
  const isOwn = site === undefined ? from === origin : site === 'same-origin'
  const isUnknown = site === undefined && from === undefined
  if (isOwn || (isUnknown && !hasSession)) return
  throw forbidden(`Only pages of ${origin} can send this request with a session`, 'cross_site')
}
