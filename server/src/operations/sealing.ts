import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Caller } from '../access/caller.ts'
import { forbidden } from '../contract/errors.ts'

/** The request whose answer holds a secret. */
interface SealedFor {
  caller: Caller
  fingerprint: Buffer
}

/** Seals an answer: salt (16), nonce (12), tag (16), ciphertext. @see NIST SP 800-38D (AES-GCM), RFC 5869 (HKDF) */
export function seal(asked: SealedFor, body: Buffer): Buffer {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', sealingKey(asked, salt), nonce).setAAD(asked.fingerprint)
  const sealed = Buffer.concat([cipher.update(body), cipher.final()])
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), sealed])
}

/** @throws 403 when it was sealed under another API key */
export function unseal(asked: SealedFor, sealed: Buffer): Buffer {
  const key = sealingKey(asked, sealed.subarray(0, 16))
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(16, 28)).setAAD(asked.fingerprint)
  decipher.setAuthTag(sealed.subarray(28, 44))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(44)), decipher.final()])
  } catch {
    throw forbidden('This answer holds a secret; only the API key that asked for it may read it again', 'sealed')
  }
}

// derived from the API key of the request; the database only has its hash
const sealingKey = ({ caller }: SealedFor, salt: Buffer) =>
  Buffer.from(hkdfSync('sha256', caller.credential, salt, 'taskwright idempotent answer', 32))
