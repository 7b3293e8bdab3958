import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Admission } from '../access/admission.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { type Person, personColumns } from './persons.ts'
import { networkOf } from './throttle.ts'

/** The work that a hash takes: 2^ln blocks of r, p times. */
interface Cost {
  ln: number
  r: number
  p: number
}

/** New hashes take this work: 32 MiB of memory. Raise it here; older hashes follow at the next sign-in. @see OWASP Password Storage Cheat Sheet */
const cost: Cost = { ln: 15, r: 8, p: 3 }
const [saltBytes, hashBytes] = [16, 32]

// two of the four threads that Node has for files, names and hashes stay free
const hashing = new Admission({ places: 2, mostWaiting: 64, longestWaitMs: 10_000 })

/**
 * Hashes a password.
 * @param from the address of the client: networks take turns, and no one fills the queue
 * @returns a PHC string, such as `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`
 * @throws 503 if too many wait
 */
export async function hashPassword(password: string, from: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  return phc(cost, salt, await derive(password, salt, cost, from))
}

/**
 * Checks a password. Without a hash it does the same work, so that the time does not tell whether there is one.
 * @returns `outdated`: the password is right, and its hash takes less work than a new one
 * @throws 503 if too many wait
 */
export async function checkPassword(
  password: string,
  stored: string | null,
  from: string,
): Promise<'right' | 'outdated' | 'wrong'> {
  const known = stored === null ? undefined : parsed(stored)
  const { cost: used, salt, hash } = known ?? { cost, salt: Buffer.alloc(saltBytes), hash: Buffer.alloc(hashBytes) }
  const derived = await derive(password, salt, used, from)
  const isEqual = timingSafeEqual(derived, hash)
  if (!isEqual || known === undefined) return 'wrong'
  return used.ln === cost.ln && used.r === cost.r && used.p === cost.p ? 'right' : 'outdated'
}

const scryptOf = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

function derive(password: string, salt: Buffer, { ln, r, p }: Cost, from: string): Promise<Buffer> {
  const N = 2 ** ln
  // the library asks for a little more than the 128 · N · r bytes of the algorithm
  const options = { N, r, p, maxmem: 256 * N * r }
  return hashing.run(networkOf(from), () => scryptOf(normalized(password), salt, hashBytes, options))
}

/** The same text, however the keyboard wrote it. @see NIST SP 800-63B-4 §3.1.1.2 */
export const normalized = (password: string): string => password.normalize('NFKC')

const phc = ({ ln, r, p }: Cost, salt: Buffer, hash: Buffer): string =>
  `$scrypt$ln=${ln},r=${r},p=${p}$${unpadded(salt)}$${unpadded(hash)}`

// bounded: base64 ends with two = at most
const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function parsed(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const fields = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored)
  if (fields === null) throw new Error('A stored password has an unknown form')
  const [, ln, r, p, salt = '', hash = ''] = fields
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

/** A person with the hash of their password. */
export type PersonWithPassword = Person & { passwordHash: string | null }

/** Finds a person and the hash of their password. */
export const findPassword = (db: Db, by: { email: string } | { id: string }): Promise<PersonWithPassword | undefined> =>
  db.row(sql`
    select ${personColumns}, persons.password_hash as "passwordHash" from persons
    where ${'id' in by ? sql`id = ${by.id}` : sql`email = ${by.email.toLowerCase()}`}`)

/** Stores a password. @param hash null removes it */
export async function storePassword(db: Db, personId: string, hash: string | null, now: string): Promise<void> {
  await db.rows(sql`
    update persons set password_hash = ${hash}, password_changed_at = ${now}, updated_at = greatest(updated_at, ${now}) where id = ${personId}`)
}

/** Stores a new hash of the same password. */
export async function renewHash(db: Db, personId: string, hash: string): Promise<void> {
  await db.rows(sql`update persons set password_hash = ${hash} where id = ${personId}`)
}
