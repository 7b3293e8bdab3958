import { type Config, ConfigProblem } from '../config.ts'
import type { Db } from '../db/db.ts'
import { findLockedOut, type LockedOut } from '../persons/ways-off.ts'

/**
 * Refuses to start if the settings turn off all ways in that some people have. With SIGN_IN_FORCE it only says so.
 * @throws ConfigProblem with the number of people and what to do
 */
export async function refuseToLockOut(
  { signIn }: Pick<Config, 'signIn'>,
  db: Db,
  say: (sentence: string) => void,
): Promise<void> {
  const issuers = signIn.providers.map(({ issuer }) => issuer)
  const found = await findLockedOut(db, { ways: signIn.ways, issuers })
  if (found === undefined) return
  if (!signIn.force) throw new ConfigProblem(`${affected(found)}\n${remedy(found)}`)
  say(`${affected(found)} SIGN_IN_FORCE is true, so the server starts. They need a link: taskwright sign-in-link.`)
}

function affected({ count, people }: LockedOut): string {
  const more = count > people.length ? ` and ${count - people.length} more` : ''
  const subject = count === 1 ? '1 person could' : `${count} people could`
  return `${subject} not sign in any more, because SIGN_IN and the OIDC settings turn off every way that they use: ${people.join(', ')}${more}.`
}

function remedy({ passkeys, passwords, accounts }: LockedOut): string {
  const ways = [
    ...(passkeys > 0 ? [`passkey (${have(passkeys)} a passkey)`] : []),
    ...(passwords > 0 ? [`password (${have(passwords)} a password)`] : []),
    ...(accounts > 0 ? [`oidc, with the provider (${have(accounts)} an account)`] : []),
  ]
  return `Add to SIGN_IN: ${ways.join(', or ')}. Or let them add another way first. To start anyway, set SIGN_IN_FORCE=true.`
}

const have = (count: number) => (count === 1 ? '1 person has' : `${count} people have`)
