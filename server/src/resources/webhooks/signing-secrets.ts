import { randomBytes } from 'node:crypto'
import type { Secrets } from '../../operations/secrets.ts'

/** A new random secret. @see Standard Webhooks 1.0.0: 24 to 64 random bytes */
export const newSecret = (): Buffer => randomBytes(32)

/** A secret in the form that its receiver gets. */
export const shownSecret = (secret: Buffer): string => `whsec_${secret.toString('base64')}`

/** The stored secrets of a webhook. */
export interface SealedSecrets {
  orgId: string
  id: string
  secret: Buffer
  formerSecret: Buffer | null
  formerSecretUntil: string | null
}

/** The secrets that sign a delivery, the current one first: two while a rotation overlaps. */
export function openSecrets(secrets: Secrets, sealed: SealedSecrets, now: string): Buffer[] {
  const { secret, formerSecret, formerSecretUntil } = sealed
  const overlaps = formerSecret !== null && formerSecretUntil !== null && formerSecretUntil > now
  return [secret, ...(overlaps ? [formerSecret] : [])].map((one) => secrets.open(sealed, one))
}
