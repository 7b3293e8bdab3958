import type { RawClaims } from './claims.ts'

// their values name nobody
const shownWhole = ['iss', 'aud', 'azp', 'email_verified', 'exp', 'iat', 'nbf', 'auth_time']

/** Claims for a log or a screen: each name with its type, and only so much of a value that its owner knows it again. */
export const maskClaims = (raw: RawClaims): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(raw)
      .slice(0, 50)
      .filter(([name]) => !/^(nonce|sid|at_hash|c_hash|jti)$/.test(name))
      .map(([name, value]) => [name.slice(0, 100), shownWhole.includes(name) ? value : maskValue(value)]),
  )

function maskValue(value: unknown): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value
  if (typeof value !== 'string') return Array.isArray(value) ? `list of ${value.length}` : 'object'
  const [local = '', domain] = value.split('@')
  return domain === undefined
    ? `${value.slice(0, 2)}… (${value.length} characters)`
    : `${local.slice(0, 1)}…@${domain.slice(0, 100)}`
}
