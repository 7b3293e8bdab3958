import type { Db } from '../db/db.ts'
import { expected } from '../db/expected.ts'
import { newId } from '../db/ids.ts'
import { sql } from '../db/sql.ts'

/** Someone who signs in. */
export interface Person {
  id: string
  name: string
  /** in lower case; null: another person has the address */
  email: string | null
  /** whether the person proved that the address is theirs */
  emailVerified: boolean
}

/** The columns of a person. */
export const personColumns = sql`persons.id, persons.name, persons.email, persons.email_verified as "emailVerified"`

/** Finds the person who has an address. */
export const personWithEmail = (db: Db, email: string): Promise<Person | undefined> =>
  db.row(sql`select ${personColumns} from persons where email = ${email.toLowerCase()}`)

/** Finds a person. */
export const personById = (db: Db, id: string | null): Promise<Person | undefined> =>
  db.row(sql`select ${personColumns} from persons where id = ${id}`)

/** Locks a person until the commit, so that no other transaction changes how they sign in. */
export const lockPerson = (db: Db, id: string): Promise<Person | undefined> =>
  db.row(sql`select ${personColumns} from persons where id = ${id} for update`)

/**
 * Creates a person. A person with a verified address takes the address over from a person who did not verify it: that person
 * keeps their memberships without it. Otherwise, if another person has the address, the new one has none.
 */
export async function createPerson(
  db: Db,
  { name, email, emailVerified }: Omit<Person, 'id'>,
  now: string,
): Promise<Person> {
  const wanted = email?.toLowerCase() ?? null
  if (wanted !== null && emailVerified) await releaseUnverified(db, wanted, now)
  const row = { id: newId(), name, email: wanted, emailVerified: wanted !== null && emailVerified }
  const created = await db.row<Person>(sql`
    insert into persons ${sql.values({ ...row, createdAt: now, updatedAt: now })}
    on conflict (email) do nothing returning ${personColumns}`)
  if (created !== undefined) return created
  const without = { ...row, email: null, emailVerified: false }
  return expected(
    await db.row<Person>(sql`
      insert into persons ${sql.values({ ...without, createdAt: now, updatedAt: now })} returning ${personColumns}`),
    'A person without an address',
  )
}

/** Stores that a person proved an address. It takes the address over from a person who did not prove it. */
export async function verifyEmail(db: Db, personId: string, email: string, now: string): Promise<void> {
  const address = email.toLowerCase()
  await releaseUnverified(db, address, now, personId)
  // another person who proved it keeps it
  await db.rows(sql`
    update persons set email = ${address}, email_verified = true, updated_at = greatest(updated_at, ${now})
    where id = ${personId} and not exists (select from persons other where other.email = ${address} and other.id <> ${personId})`)
}

/**
 * Changes the account of a person who edits themself as a member. A verified address stays, and so does one that another person
 * has.
 */
export async function editPerson(
  db: Db,
  personId: string,
  { name, email }: { name?: string | undefined; email?: string | undefined },
  now: string,
): Promise<void> {
  await db.rows(sql`
    update persons set updated_at = greatest(updated_at, ${now}), name = coalesce(${name ?? null}, name),
      email = case when email_verified or exists (
        select from persons other where other.email = ${email ?? null} and other.id <> ${personId})
        then email else coalesce(${email ?? null}, email) end
    where id = ${personId}`)
}

async function releaseUnverified(db: Db, email: string, now: string, except: string | null = null): Promise<void> {
  await db.rows(sql`
    update persons set email = null, updated_at = greatest(updated_at, ${now})
    where email = ${email} and not email_verified and id is distinct from ${except}`)
}

/** The way in that a person has. */
interface WaysOfPerson {
  passkeys: number
  hasPassword: boolean
  identities: number
}

/** Counts the ways in of a person. */
export async function waysOfPerson(db: Db, personId: string): Promise<WaysOfPerson> {
  const row = await db.row<WaysOfPerson>(sql`
    select password_hash is not null and email is not null as "hasPassword",
      (select count(*)::int from passkeys where passkeys.person_id = persons.id) as passkeys,
      (select count(*)::int from identities where identities.person_id = persons.id) as identities
    from persons where id = ${personId}`)
  return expected(row, 'The person of a session')
}

/** Whether a person can still sign in by themselves. */
export async function hasWayIn(db: Db, personId: string): Promise<boolean> {
  const { passkeys, hasPassword, identities } = await waysOfPerson(db, personId)
  return passkeys > 0 || hasPassword || identities > 0
}

/** A membership of a person, as only that person sees it. */
interface Membership {
  id: string
  name: string
  role: string
  memberId: string
}

/** The organizations in which a person is an active member, by name. */
export const membershipsOf = (db: Db, personId: string): Promise<Membership[]> =>
  db.rows(sql`
    select organizations.org_id as id, organizations.name, members.role, members.id as "memberId" from members
    join organizations on organizations.org_id = members.org_id and organizations.deleted_since is null
    where members.person_id = ${personId} and members.status = 'active' and members.deleted_at is null
    order by lower(organizations.name), organizations.org_id limit 1000`)
