import { randomBytes } from 'node:crypto'
import type { Secrets } from '../../operations/secrets.ts'

/** A secret that nobody has guessed before. @see Standard Webhooks 1.0.0: 24 to 64 random bytes */
export const newSecret = (): Buffer => randomBytes(32)

/** The form in which its receiver gets it. */
export const shownSecret = (secret: Buffer): string => `whsec_${secret.toString('base64')}`

/** What is stored of the secrets of a webhook. */
export interface SealedSecrets {
  orgId: string
  id: string
  secret: Buffer
  formerSecret: Buffer | null
  formerSecretUntil: string | null
}

/** The secrets that a delivery is signed with, the present one first: two while a rotation overlaps. */
export function openSecrets(secrets: Secrets, sealed: SealedSecrets, now: string): Buffer[] {
  const { secret, formerSecret, formerSecretUntil } = sealed
  const overlaps = formerSecret !== null && formerSecretUntil !== null && formerSecretUntil > now
  return [secret, ...(overlaps ? [formerSecret] : [])].map((one) => secrets.open(sealed, one))
}
