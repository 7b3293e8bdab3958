import { hkdfSync, randomBytes } from 'node:crypto'
import type { Caller } from '../access/caller.ts'
import { forbidden } from '../contract/errors.ts'
import { decrypt, encrypt } from './encryption.ts'

/** The request whose response contains a secret. */
interface SecretRequest {
  caller: Caller
  fingerprint: Buffer
}

/** Seals a response: salt (16), then the output of `encrypt`. @see RFC 5869 (HKDF) */
export function seal(asked: SecretRequest, body: Buffer): Buffer {
  const salt = randomBytes(16)
  return Buffer.concat([salt, encrypt(sealingKey(asked, salt), asked.fingerprint, body)])
}

/** @throws 403 if it was sealed under another API key */
export function unseal(asked: SecretRequest, sealed: Buffer): Buffer {
  const key = sealingKey(asked, sealed.subarray(0, 16))
  try {
    return decrypt(key, asked.fingerprint, sealed.subarray(16))
  } catch {
    throw forbidden(
      'This response holds a secret; only the API key that sent the first request can read it again',
      'sealed',
    )
  }
}

// derived from the API key of the request; the database only has its hash
const sealingKey = ({ caller }: SecretRequest, salt: Buffer) =>
  Buffer.from(hkdfSync('sha256', caller.credential, salt, 'taskwright idempotent answer', 32))
