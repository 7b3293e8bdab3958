import { accessChannel } from '../access/auth.ts'
import { isLiveSession, newSessionToken, sessionLongestMs, tokenHash } from '../access/sessions.ts'
import type { Db } from '../db/db.ts'
import { newId } from '../db/ids.ts'
import { type Sql, sql } from '../db/sql.ts'
import { type Person, personColumns } from './persons.ts'

/** How a person proved who they are. */
export type SignedInBy = 'password' | 'passkey' | 'oidc' | 'link'

/** The browser that a session belongs to. */
interface Device {
  address: string
  userAgent: string
}

/** A session that has not ended, and its person. */
export interface LiveSession {
  id: string
  signedInAtMs: number
  person: Person
}

const mostSessions = 50

/** Starts a session of a person. The oldest ones end if there are too many. @returns the token for the cookie */
export async function startSession(
  db: Db,
  personId: string,
  { address, userAgent }: Device,
  by: SignedInBy,
  now: string,
): Promise<string> {
  const { token, hash } = newSessionToken()
  const expiresAt = new Date(Date.parse(now) + sessionLongestMs).toISOString()
  const times = { signedInAt: now, createdAt: now, lastUsedAt: now, expiresAt }
  const row = { id: newId(), personId, tokenHash: hash, signedInBy: by, ...times }
  const device = { address: address.slice(0, 64), userAgent: userAgent.slice(0, 300) }
  await db.rows(sql`insert into sessions ${sql.values({ ...row, ...device })}`)
  const kept = sql`select id from sessions where person_id = ${personId} order by last_used_at desc, id desc limit ${mostSessions}`
  await endSessions(db, sql`person_id = ${personId} and id not in (${kept})`)
  return token
}

/** Finds a session by its token. */
export async function liveSession(db: Db, token: string, nowMs: number): Promise<LiveSession | undefined> {
  const row = await db.row<Person & { sessionId: string; signedInAt: string }>(sql`
    select sessions.id as "sessionId", sessions.signed_in_at as "signedInAt", ${personColumns}
    from sessions join persons on persons.id = sessions.person_id
    where sessions.token_hash = ${tokenHash(token)} and ${isLiveSession(nowMs)}`)
  if (row === undefined) return undefined
  const { sessionId: id, signedInAt, ...person } = row
  return { id, signedInAtMs: Date.parse(signedInAt), person }
}

/** A session, as its person sees it. */
interface OwnSession extends Device {
  id: string
  signedInBy: SignedInBy
  signedInAt: string
  lastUsedAt: string
}

/** The sessions of a person that have not ended, the last used one first. */
export const sessionsOf = (db: Db, personId: string, nowMs: number): Promise<OwnSession[]> =>
  db.rows(sql`
    select id, signed_in_by as "signedInBy", signed_in_at as "signedInAt", last_used_at as "lastUsedAt", address,
      user_agent as "userAgent"
    from sessions where person_id = ${personId} and ${isLiveSession(nowMs)}
    order by last_used_at desc, id desc limit ${mostSessions}`)

/**
 * Ends sessions. All processes drop their cached callers at the commit, so the sessions end within a second everywhere.
 * @param which condition: the sessions
 * @returns how many ended
 */
export async function endSessions(db: Db, which: Sql): Promise<number> {
  const ended = await db.rows<{ personId: string }>(sql`
    delete from sessions where ${which} returning person_id as "personId"`)
  const personIds = [...new Set(ended.map(({ personId }) => personId))]
  if (personIds.length > 0)
    await db.rows(sql`
      select pg_notify(${accessChannel}, org_id::text) from members where person_id = any(${personIds}::uuid[])`)
  return ended.length
}
