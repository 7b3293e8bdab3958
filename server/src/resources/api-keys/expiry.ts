import { invalid } from '../../contract/errors.ts'

/**
 * The expiry of a new key: never later than the expiry of the key in use. A later default is shortened. A later
 * requested time is refused.
 * @param otherwise the default; null: never
 * @throws 422
 */
export function expiryOf(
  wanted: string | null | undefined,
  otherwise: string | null,
  inUse: { expiresAt: string | null },
  now: string,
): string | null {
  const latest = inUse.expiresAt
  if (wanted && wanted <= now) throw invalid({ expiresAt: ['Must be in the future'] })
  const expiresAt = wanted === undefined ? otherwise : wanted
  if (latest === null || (expiresAt !== null && expiresAt <= latest)) return expiresAt
  if (wanted === undefined) return latest
  throw invalid({ expiresAt: [`Must not be later than ${latest}, when the key you use expires`] })
}

/** The default expiry after a rotation: the new key lives as long as the old one was meant to live. */
export const asLong = (createdAt: string, madeUntil: string | null, now: string) =>
  madeUntil === null ? null : later(now, Date.parse(madeUntil) - Date.parse(createdAt))

export const later = (moment: string, ms: number) => new Date(Date.parse(moment) + ms).toISOString()
