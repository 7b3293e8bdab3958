import { z } from 'zod'
import { forbidden, invalid } from '../contract/errors.ts'
import type { Db } from '../db/db.ts'
import type { Database } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'
import { weaknessOf } from '../persons/password-strength.ts'
import type { Person } from '../persons/persons.ts'
import { countAttempt, forgetFailures, newPasswordBucket } from '../persons/throttle.ts'
import type { SignInSettings } from '../sign-in-config.ts'

/** A password in a body. It may have any characters; `refuseIfWeak` checks a new one. */
export const Password = z.string().min(1).max(1_000)

/** @throws 403 */
export function refuseIfPasswordsOff({ ways }: SignInSettings): void {
  if (!ways.includes('password')) throw forbidden('Passwords are off on this server; use another way', 'way_off')
}

/**
 * Refuses a new password that is too short, too long or easy to guess for somebody who knows the person.
 * @throws 422, or 429 after many such passwords
 */
export async function refuseIfWeak(db: Database, person: Person, password: string, now: string): Promise<void> {
  const attempts = [newPasswordBucket(person.id)]
  await countAttempt(db, attempts, now)
  const weakness = await weaknessOf(password, [person.name, person.email ?? '', ...(await namesAround(db, person.id))])
  if (weakness !== undefined) throw invalid({ password: [weakness] })
  await db.transaction((tx) => forgetFailures(tx, attempts, now))
}

/** The names and addresses of a person as a member, which may differ from their own, and of their organizations. */
async function namesAround(db: Db, personId: string): Promise<string[]> {
  const rows = await db.rows<{ names: string[] }>(sql`
    select array[members.name, members.email, organizations.name] as names from members
    join organizations on organizations.org_id = members.org_id
    where members.person_id = ${personId} and members.deleted_at is null order by members.org_id limit 20`)
  return rows.flatMap(({ names }) => names)
}
