import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/**
 * Encrypts and authenticates a text: nonce (12), tag (16), ciphertext.
 * @param key 32 bytes
 * @param about the owner of the text: with another owner it does not decrypt
 * @see NIST SP 800-38D (AES-GCM)
 */
export function encrypt(key: Buffer, about: Buffer, plain: Buffer): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(about)
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** @throws if another key encrypted it, or if it belongs to another owner */
export function decrypt(key: Buffer, about: Buffer, encrypted: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, 12)).setAAD(about)
  decipher.setAuthTag(encrypted.subarray(12, 28))
  return Buffer.concat([decipher.update(encrypted.subarray(28)), decipher.final()])
}
