import { hkdfSync } from 'node:crypto'
import { refused } from '../contract/errors.ts'
import type { Db } from '../db/db.ts'
import { expected } from '../db/expected.ts'
import { type RowLock, sql } from '../db/sql.ts'
import { decrypt, encrypt } from './encryption.ts'

/** The row of a secret. The sealed secret opens for this row only. */
interface Owner {
  orgId: string
  id: string
}

/** Seals secrets for the database: the database alone is not enough to read them. */
export interface Secrets {
  /** distinguishes keys without revealing them */
  fingerprint: Buffer
  seal(owner: Owner, secret: Buffer): Buffer
  /** @throws if it was sealed by another key or for another row */
  open(owner: Owner, sealed: Buffer): Buffer
}

/**
 * Seals secrets as: format (1), then the output of `encrypt`.
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
 * Before the database stores its first secret, notes the key that seals it. From then on all servers need this key.
 * @throws 412 if this server has no key, or another one
 */
export async function claimSecretKey(db: Db, secrets: Secrets | undefined): Promise<Secrets> {
  if (secrets === undefined) {
    throw refused(
      'This server has no SECRET_KEY to encrypt secrets with; its operator must set one',
      'secret_key_missing',
    )
  }
  const { fingerprint } = secrets
  if ((await fingerprintIn(db)) === null) {
    // if two servers store their first secret at the same time, the second one waits here for the first
    await db.rows(sql`
      update instance set secret_key_fingerprint = ${fingerprint} where secret_key_fingerprint is null`)
  }
  // lock the row, so that a change of the key includes the secret that is stored now
  if (fingerprint.equals((await fingerprintIn(db, 'share')) ?? Buffer.alloc(0))) return secrets
  throw refused(
    'This server has a different SECRET_KEY than the others; its operator must set the same one',
    'secret_key_differs',
  )
}

/** The fingerprint of the key that seals the secrets in the database; null if it has none. */
export async function fingerprintIn(db: Db, lock: RowLock = 'none'): Promise<Buffer | null> {
  const row = await db.row<{ fingerprint: Buffer | null }>(sql`
    select secret_key_fingerprint as fingerprint from instance ${sql.lock(lock, sql`instance`)}`)
  return expected(row, 'The row of the instance').fingerprint
}
