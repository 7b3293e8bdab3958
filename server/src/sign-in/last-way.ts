import { refused } from '../contract/errors.ts'
import type { Db } from '../db/db.ts'
import { waysOfPerson } from '../persons/persons.ts'
import type { WayIn } from '../sign-in-config.ts'

/**
 * Refuses to remove the last way in of a person. Ways that are off on the server do not count.
 * @param db a transaction that has locked the person
 * @param removed the kind of the one that the person removes
 * @throws 412
 */
export async function refuseLastWay(
  db: Db,
  personId: string,
  ways: readonly WayIn[],
  removed: 'passkey' | 'password' | 'oidc',
): Promise<void> {
  if (!ways.includes(removed)) return
  const { passkeys, hasPassword, identities } = await waysOfPerson(db, personId)
  const counts = { passkey: passkeys, password: Number(hasPassword), oidc: identities, key: 0 }
  if (counts[removed] === 0) return
  const left = ways.reduce((sum, way) => sum + counts[way], -1)
  if (left < 1)
    throw refused('This is your last way to sign in; add a passkey, a password or an account first', 'last_way_in')
}
