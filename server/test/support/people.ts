import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Database } from '../../src/db/pool/database.ts'
import { sql } from '../../src/db/sql.ts'
import { signedIn } from './signing-in.ts'
import type { World } from './world.ts'

interface PersonServer {
  base: string
  db: Database
}

/** A password that nobody guesses. */
export const newPassword = () => `${randomBytes(9).toString('base64url')} gallop`

/** An address of a network that no other test uses. */
export const newNetwork = () => {
  const [a, b, c] = randomBytes(3)
  return `2001:db8:${((a ?? 0) << 8) | (b ?? 0)}:${c}::7`.replace(/:([0-9]+)/g, (_, n) => `:${Number(n).toString(16)}`)
}

/** A person with a password, in a new organization. */
export async function personWithPassword(
  server: PersonServer & { newWorld(): Promise<World> },
  { isVerified = false, headers = {} as Record<string, string> } = {},
) {
  const world = await server.newWorld()
  const email = (await world.owner.get(`/members/${world.member.memberId}`)).body.email as string
  const browser = await signedIn(server, world, world.member, headers)
  const password = newPassword()
  const set = await browser.patch('/me/password', { password })
  assert.equal(set.status, 204, set.text)
  const row = await server.db.row<{ id: string }>(sql`
    select person_id as id from members where org_id = ${world.orgId} and id = ${world.member.memberId}`)
  const personId = row?.id ?? ''
  if (isVerified) await server.db.rows(sql`update persons set email_verified = true where id = ${personId}`)
  return { world, email, password, personId, browser }
}
