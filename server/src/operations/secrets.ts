import { hkdfSync } from 'node:crypto'
import { refused } from '../contract/errors.ts'
import type { Db } from '../db/db.ts'
import { expected } from '../db/expected.ts'
import { type RowLock, sql } from '../db/sql.ts'
import { decrypt, encrypt } from './encryption.ts'

/** The row that a secret is of: sealed for it, it opens for no other. */
interface Owner {
  orgId: string
  id: string
}

/** Seals secrets that the database keeps for this server: whoever has the database alone cannot read them. */
export interface Secrets {
  /** tells one key from another, and nothing of it */
  fingerprint: Buffer
  seal(owner: Owner, secret: Buffer): Buffer
  /** @throws when it was sealed by another key or for another row */
  open(owner: Owner, sealed: Buffer): Buffer
}

/**
 * Sealed is: form (1), then what `encrypt` makes.
 * @param key SECRET_KEY
 * @see RFC 5869 (HKDF)
 */
export function createSecrets(key: string): Secrets {
  const derived = (purpose: string, bytes: number) => Buffer.from(hkdfSync('sha256', key, '', purpose, bytes))
  const sealingKey = derived('taskwright secrets in the database', 32)
  const rowOf = ({ orgId, id }: Owner) => Buffer.from(`${orgId} ${id}`)
  return {
    fingerprint: derived('taskwright fingerprint of SECRET_KEY', 16),
    seal: (owner, secret) => Buffer.concat([form, encrypt(sealingKey, rowOf(owner), secret)]),
    open(owner, sealed) {
      if (sealed[0] !== form[0]) throw new Error('A secret is sealed in a form that this version does not know')
      return decrypt(sealingKey, rowOf(owner), sealed.subarray(1))
    },
  }
}

const form = Buffer.from([1])

/**
 * Before the first secret of a database is stored: notes by which key it is sealed. From then on all servers need that key.
 * @throws 412 when this server has none, or another one
 */
export async function settleKey(db: Db, secrets: Secrets | undefined): Promise<Secrets> {
  if (secrets === undefined) {
    throw refused(
      'This server has no SECRET_KEY to seal secrets with; its operator has to set one',
      'secret_key_missing',
    )
  }
  const { fingerprint } = secrets
  if ((await fingerprintIn(db)) === null) {
    // of two servers that store their first secret at once, the second waits here for the first
    await db.rows(sql`
      update instance set secret_key_fingerprint = ${fingerprint} where secret_key_fingerprint is null`)
  }
  // held, so that no change of the key misses what is stored now
  if (fingerprint.equals((await fingerprintIn(db, 'share')) ?? Buffer.alloc(0))) return secrets
  throw refused(
    'This server has another SECRET_KEY than the others; its operator has to set theirs',
    'secret_key_differs',
  )
}

/** Of the key by which the secrets in the database are sealed; null while there are none. */
export async function fingerprintIn(db: Db, lock: RowLock = 'none'): Promise<Buffer | null> {
  const row = await db.row<{ fingerprint: Buffer | null }>(sql`
    select secret_key_fingerprint as fingerprint from instance ${sql.lock(lock, sql`instance`)}`)
  return expected(row, 'The row of the instance').fingerprint
}
