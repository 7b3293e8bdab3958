import type { Db } from '../db/db.ts'
import { newId } from '../db/ids.ts'
import { sql } from '../db/sql.ts'

/** An account of a person at a provider. The provider never gives its subject to another account; the address can change. */
export interface Identity {
  id: string
  personId: string
  issuer: string
  /** as the provider named it at the last sign-in, verified or not */
  email: string | null
  createdAt: string
  lastUsedAt: string | null
}

const columns = sql`id, person_id as "personId", issuer, email, created_at as "createdAt", last_used_at as "lastUsedAt"`

/** Takes a lock on an account at a provider, so that two first sign-ins at once make one person. */
export async function lockIdentity(db: Db, issuer: string, subject: string): Promise<void> {
  await db.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`${issuer} ${subject}`}, 0))`)
}

/** Takes a lock on an address, so that two people with one address do not join at once. */
export async function lockAddress(db: Db, email: string): Promise<void> {
  await db.rows(sql`select pg_advisory_xact_lock(hashtextextended(${email}, 1))`)
}

/** Finds an account by issuer and subject. */
export const findIdentity = (db: Db, issuer: string, subject: string): Promise<Identity | undefined> =>
  db.row(sql`select ${columns} from identities where issuer = ${issuer} and subject = ${subject}`)

/** Adds an account to a person. */
export async function addIdentity(
  db: Db,
  personId: string,
  { issuer, subject, email }: { issuer: string; subject: string; email: string | null },
  now: string,
): Promise<void> {
  const row = { id: newId(), personId, issuer, subject, email, createdAt: now, lastUsedAt: now }
  await db.rows(sql`insert into identities ${sql.values(row)}`)
}

/** Stores that a person signed in with an account, and the address that it has now. */
export async function recordIdentityUse(db: Db, id: string, email: string | null, now: string): Promise<void> {
  await db.rows(sql`update identities set last_used_at = ${now}, email = ${email} where id = ${id}`)
}

/** The accounts of a person, the oldest first. */
export const identitiesOf = (db: Db, personId: string): Promise<Identity[]> =>
  db.rows(sql`select ${columns} from identities where person_id = ${personId} order by created_at, id`)

/** Removes an account from a person. */
export async function removeIdentity(db: Db, personId: string, id: string): Promise<void> {
  await db.rows(sql`delete from identities where person_id = ${personId} and id = ${id}`)
}
