import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { unauthorized } from '../contract/errors.ts'
import type { Headers } from '../contract/headers.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = /^tw_([0-9A-Za-z]{22})([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/**
 * A new API key: `tw_`, the organization's id (22 base62), 178 random bits (30 base62), their CRC32 (6 base62). The key
 * contains its organization, so that a lookup touches one tenant only. The checksum finds typing errors and lets scanners find
 * leaked keys.
 */
export function newKey(orgId: string) {
  const random = Array.from({ length: 30 }, () => alphabet[randomInt(62)]).join('')
  const start = base62(BigInt(`0x${orgId.replaceAll('-', '')}`), 22) + random
  const secret = `tw_${start}${checksum(start)}`
  return { secret, hash: hashOf(secret), prefix: secret.slice(0, 29) }
}

/** The organization and the hash of a key, or undefined if it is malformed. */
export function readKey(secret: string): { orgId: string; hash: Buffer } | undefined {
  const [, org, random, sum] = form.exec(secret) ?? []
  if (org === undefined || random === undefined || checksum(org + random) !== sum) return undefined
  let number = 0n
  for (const digit of org) number = number * 62n + BigInt(alphabet.indexOf(digit))
  const hex = number.toString(16).padStart(32, '0')
  if (hex.length > 32) return undefined
  return { orgId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), hash: hashOf(secret) }
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

const checksum = (start: string) => base62(BigInt(crc32(start)), 6)

function base62(number: bigint, length: number): string {
  let digits = ''
  for (let rest = number; rest > 0n; rest /= 62n) digits = alphabet[Number(rest % 62n)] + digits
  return digits.padStart(length, '0')
}

/** The key in `Authorization: Bearer` or `X-API-Key`. @throws 401 if there is none, or if the two differ */
export function presentedKey(headers: Headers): string {
  const credential = credentialIn(headers)
  if (credential === undefined) throw unauthorized()
  return credential
}

/** Like `presentedKey`, but undefined if there is no key, or if the two differ. */
export function credentialIn(headers: Headers): string | undefined {
  const bearer =
    headers.authorization === undefined ? undefined : /^Bearer ([!-~]+)$/i.exec(String(headers.authorization))
  if (bearer === null) return undefined
  const given = [bearer?.[1], headers['x-api-key']].filter((key) => key !== undefined).map(String)
  const [credential] = given
  return given.some((other) => other !== credential) ? undefined : credential
}
