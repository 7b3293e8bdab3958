import { randomBytes } from 'node:crypto'
import { tokenHash } from '../access/sessions.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** The purpose of a token. A token of one kind never works as another. */
export type TokenKind = 'link' | 'reset' | 'passkey' | 'new_passkey' | 'oidc'

/** The person or member of a token, and further data. */
interface TokenSubject {
  personId?: string | null
  orgId?: string | null
  memberId?: string | null
  data?: Record<string, unknown>
}

/** A token that was used. */
export type UsedToken = Required<TokenSubject>

// strangers make some tokens; a whole office can begin this many sign-ins in ten minutes
const mostOfNetwork = 1_000

/**
 * Makes a token that works once. The database stores only its hash.
 * @param network of the stranger who asks: of too many tokens from one network, the oldest end
 * @returns the token, 43 characters of base64url
 */
export async function makeToken(
  db: Db,
  kind: TokenKind,
  { personId = null, orgId = null, memberId = null, data = {} }: TokenSubject,
  lifetimeMs: number,
  now: string,
  network: string | null = null,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.parse(now) + lifetimeMs).toISOString()
  const subject = { personId, orgId, memberId, data: JSON.stringify(data) }
  const row = { hash: tokenHash(token), kind, ...subject, createdAt: now, expiresAt, network }
  await db.rows(sql`insert into sign_in_tokens ${sql.values(row)}`)
  if (network !== null) await endOldest(db, network)
  return token
}

async function endOldest(db: Db, network: string): Promise<void> {
  // one that another request uses or ends at this moment is left to it
  await db.rows(sql`
    delete from sign_in_tokens where hash = any(array(
      select hash from sign_in_tokens where network = ${network}
      order by created_at desc offset ${mostOfNetwork} for update skip locked))`)
}

/** Uses a token: only one caller gets it. @returns undefined if it was used, has expired or is wrong */
export function useToken(db: Db, kind: TokenKind, token: string, now: string): Promise<UsedToken | undefined> {
  return db.row<UsedToken>(sql`
    delete from sign_in_tokens where hash = ${tokenHash(token)} and kind = ${kind} and expires_at > ${now}
    returning person_id as "personId", org_id as "orgId", member_id as "memberId", data`)
}

/** Finds a token without using it. */
export const findToken = (db: Db, kind: TokenKind, token: string, now: string): Promise<UsedToken | undefined> =>
  db.row<UsedToken>(sql`
    select person_id as "personId", org_id as "orgId", member_id as "memberId", data from sign_in_tokens
    where hash = ${tokenHash(token)} and kind = ${kind} and expires_at > ${now}`)

/** Ends all tokens of one kind that a person has. */
export async function endTokens(db: Db, kind: TokenKind, personId: string): Promise<void> {
  await db.rows(sql`delete from sign_in_tokens where kind = ${kind} and person_id = ${personId}`)
}
