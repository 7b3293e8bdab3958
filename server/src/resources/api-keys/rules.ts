import type { Caller } from '../../access/caller.ts'
import { forbidden, invalid } from '../../contract/errors.ts'

/**
 * When a new key expires: as wanted, but never later than the key that it is made with. A later default is shortened; a later
 * time that was asked for is refused.
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
  if (wanted && wanted <= now) throw invalid({ expiresAt: ['Must lie in the future'] })
  const expiresAt = wanted === undefined ? otherwise : wanted
  if (latest === null || (expiresAt !== null && expiresAt <= latest)) return expiresAt
  if (wanted === undefined) return latest
  throw invalid({ expiresAt: [`Must not be later than ${latest}, when the key in use expires`] })
}

/** The expiry of a key made now that is valid for as long as another one was meant to be. */
export const asLong = (createdAt: string, madeUntil: string | null, now: string) =>
  madeUntil === null ? null : later(now, Date.parse(madeUntil) - Date.parse(createdAt))

/** So many milliseconds after a moment. */
export const later = (moment: string, ms: number) => new Date(Date.parse(moment) + ms).toISOString()

/** @throws 403 */
export function refuseWider(caller: Caller, wanted: readonly string[]): void {
  if (wanted.every((scope) => caller.scopes.includes(scope))) return
  throw forbidden('Nobody makes a key of wider scopes than the one in use', 'wider_scopes')
}
