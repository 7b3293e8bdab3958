import { z } from 'zod'
import { Email } from '../contract/email.ts'
import { Name } from '../contract/fields.ts'
import { OidcProblem, type OidcProblemCode } from './problem.ts'

/** The claims of a provider about a person. */
export interface Claims {
  issuer: string
  subject: string
  name: string | undefined
  email: EmailClaim
}

/** The address. Only a verified one may find a person or an invitation. */
type EmailClaim =
  | { verified: true; address: string }
  | { verified: false; address: string | null; problem: OidcProblemCode }

/** The claims of a sign-in, as the provider sent them. */
export type RawClaims = Readonly<Record<string, unknown>>

// OpenID Connect Core 1.0 §2: at most 255 ASCII characters
const Subject = z.string().regex(/^[\x20-\x7e]{1,255}$/)

/** Reads the claims of an ID token and of the UserInfo endpoint. @throws OidcProblem without a usable sub */
export function readClaims(issuer: string, raw: RawClaims): Claims {
  const subject = Subject.safeParse(raw.sub)
  if (!subject.success) throw new OidcProblem('subject_missing', `${issuer}: sub is not 1 to 255 ASCII characters`)
  return { issuer, subject: subject.data, name: nameIn(raw), email: emailIn(raw) }
}

/**
 * Adds the claims of the UserInfo endpoint to those of the ID token. `email` and `email_verified` come from one of them: a
 * verification of one address says nothing about another.
 */
export function mergeClaims(idToken: RawClaims, userInfo: RawClaims): RawClaims {
  const from = userInfo.email === undefined ? idToken : userInfo
  return { ...userInfo, ...idToken, email: from.email, email_verified: from.email_verified }
}

/** Whether the ID token lacks a claim that the UserInfo endpoint may have. */
export const lacksClaims = ({ email, email_verified: verified, name }: RawClaims) =>
  email === undefined || verified === undefined || name === undefined

function nameIn({ name, preferred_username: username }: RawClaims): string | undefined {
  return [name, username]
    .map((one) => Name.safeParse(typeof one === 'string' ? one.trim() : one))
    .find((one) => one.success)?.data
}

function emailIn({ email, email_verified: verified }: RawClaims): EmailClaim {
  const address = addressIn(email)
  if (email === undefined || email === null || email === '')
    return { verified: false, address, problem: 'email_missing' }
  if (address === null) return { verified: false, address, problem: 'email_invalid' }
  if (verified === true) return { verified: true, address }
  return { verified: false, address, problem: problemOfVerified(verified) }
}

/** An absent claim is not verified, and neither is the text "true". */
function problemOfVerified(verified: unknown): OidcProblemCode {
  if (verified === undefined || verified === null) return 'email_verified_missing'
  return verified === false ? 'email_not_verified' : 'email_verified_not_boolean'
}

/** The address in lower case, or null if it is none that a member can have. */
function addressIn(email: unknown): string | null {
  if (typeof email !== 'string') return null
  // some letters of other scripts become a to z in lower case, such as the Kelvin sign: the address would be somebody else's
  if ([...email].some((letter) => letter > '\x7f' && /[\x20-\x7f]/.test(letter.toLowerCase()))) return null
  const read = Email.safeParse(email)
  return read.success ? read.data : null
}
