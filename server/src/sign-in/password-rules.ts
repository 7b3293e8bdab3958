import { z } from 'zod'
import { forbidden, invalid } from '../contract/errors.ts'
import type { Db } from '../db/db.ts'
import { weaknessOf } from '../persons/password-strength.ts'
import { membershipsOf, type Person } from '../persons/persons.ts'
import type { SignInSettings } from '../sign-in-config.ts'

/** A password in a body. It may have any characters; `refuseIfWeak` checks a new one. */
export const Password = z.string().min(1).max(1_000)

/** @throws 403 */
export function refuseIfPasswordsOff({ ways }: SignInSettings): void {
  if (!ways.includes('password')) throw forbidden('Passwords are off on this server; use another way', 'way_off')
}

/** Refuses a new password that is too short, too long or easy to guess for somebody who knows the person. @throws 422 */
export async function refuseIfWeak(db: Db, { id, name, email }: Person, password: string): Promise<void> {
  const organizations = await membershipsOf(db, id)
  const known = [name, email ?? '', ...organizations.slice(0, 20).map((one) => one.name)]
  const weakness = await weaknessOf(password, known)
  if (weakness !== undefined) throw invalid({ password: [weakness] })
}
