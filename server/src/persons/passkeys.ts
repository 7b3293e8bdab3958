import { createHash } from 'node:crypto'
import type { Db } from '../db/db.ts'
import { newId } from '../db/ids.ts'
import { sql } from '../db/sql.ts'

/** A passkey, as its person sees it. */
interface Passkey {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
  /** whether a service such as a password manager keeps a copy */
  backedUp: boolean
}

/** The part of a passkey that checks a sign-in. */
export interface PasskeyCredential {
  /** as the authenticator made it */
  credentialId: Uint8Array<ArrayBuffer>
  /** COSE, RFC 9052 */
  publicKey: Uint8Array<ArrayBuffer>
  /** how often it signed; 0: it does not count */
  counter: number
  transports: string[]
}

/** The limit of passkeys of a person. */
export const mostPasskeys = 20

const columns = sql`id, name, created_at as "createdAt", last_used_at as "lastUsedAt", backed_up as "backedUp"`

/** The passkeys of a person, oldest first. */
export const passkeysOf = (db: Db, personId: string): Promise<Passkey[]> =>
  db.rows(sql`select ${columns} from passkeys where person_id = ${personId} order by created_at, id`)

/** The credentials of a person, so that no authenticator gets two of them. */
export const credentialsOf = (
  db: Db,
  personId: string,
): Promise<Pick<PasskeyCredential, 'credentialId' | 'transports'>[]> =>
  db.rows(sql`
    select credential_id as "credentialId", transports from passkeys
    where person_id = ${personId} order by created_at, id limit ${mostPasskeys}`)

/** Finds a passkey by its credential, and locks it until the commit. */
export const lockCredential = (
  db: Db,
  credentialId: Uint8Array,
): Promise<(PasskeyCredential & { id: string; personId: string }) | undefined> =>
  db.row(sql`
    select id, person_id as "personId", credential_id as "credentialId", public_key as "publicKey", counter, transports
    from passkeys where credential_id = ${credentialId} for update`)

/** Stores a passkey. @returns undefined if the credential is stored already */
export const insertPasskey = (
  db: Db,
  personId: string,
  passkey: PasskeyCredential & Pick<Passkey, 'name' | 'backedUp'>,
  now: string,
): Promise<Passkey | undefined> =>
  db.row(sql`
    insert into passkeys ${sql.values({ id: newId(), personId, ...passkey, createdAt: now })}
    on conflict (credential_id) do nothing returning ${columns}`)

/** Stores that a passkey signed a person in. */
export async function recordPasskeyUse(
  db: Db,
  id: string,
  { counter, backedUp }: { counter: number; backedUp: boolean },
  now: string,
): Promise<void> {
  await db.rows(sql`update passkeys set ${sql.set({ counter, backedUp, lastUsedAt: now })} where id = ${id}`)
}

/** Renames a passkey of a person. */
export const renamePasskey = (db: Db, personId: string, id: string, name: string): Promise<Passkey | undefined> =>
  db.row(sql`update passkeys set name = ${name} where person_id = ${personId} and id = ${id} returning ${columns}`)

/** Deletes a passkey of a person. */
export async function deletePasskey(db: Db, personId: string, id: string): Promise<void> {
  await db.rows(sql`delete from passkeys where person_id = ${personId} and id = ${id}`)
}

/** The name of a person for authenticators. It reveals nothing about them, as no response shows the id of a person. */
export const userHandle = (personId: string): Buffer<ArrayBuffer> =>
  createHash('sha256').update(`user handle of ${personId}`).digest()
