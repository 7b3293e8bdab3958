import { unauthorized } from '../contract/errors.ts'
import type { Headers } from '../contract/headers.ts'

/** The key in `Authorization: Bearer` or `X-API-Key`. Both may be sent only when they are the same. */
export function presentedKey(headers: Headers): string {
  const credential = credentialIn(headers)
  if (credential === undefined) throw unauthorized()
  return credential
}

/** The same; undefined where there is none, or where two differ. */
export function credentialIn(headers: Headers): string | undefined {
  const bearer =
    headers.authorization === undefined ? undefined : /^Bearer ([!-~]+)$/i.exec(String(headers.authorization))
  if (bearer === null) return undefined
  const given = [bearer?.[1], headers['x-api-key']].filter((key) => key !== undefined).map(String)
  const [credential] = given
  return given.some((other) => other !== credential) ? undefined : credential
}
