import { z } from 'zod'
import { refuseUnlessRecent } from '../access/sessions.ts'
import { invalid, refused, signInFailed } from '../contract/errors.ts'
import type { Db } from '../db/db.ts'
import { expected } from '../db/expected.ts'
import { sql } from '../db/sql.ts'
import { checkPassword, findPassword, hashPassword, storePassword } from '../persons/passwords.ts'
import { lockPerson, type Person } from '../persons/persons.ts'
import { endSessions, type LiveSession } from '../persons/sessions.ts'
import { endTokens } from '../persons/tokens.ts'
import { endpoint, type SignInContext } from './endpoint.ts'
import { refuseLastWay } from './last-way.ts'
import { Password, refuseIfPasswordsOff, refuseIfWeak } from './password-rules.ts'
import { recordOwnChange } from './recording.ts'
import { throttled } from './throttling.ts'

type OwnContext = SignInContext & { session: LiveSession }

/** The requests with which a person sets, changes and removes their password. */
export const ownPassword = [
  endpoint('PATCH /me/password', {
    body: z.strictObject({ password: Password, currentPassword: Password.optional() }),
    session: 'required',
    async handle(context) {
      const { db, services, session, body, address, now } = context
      const { person } = session
      refuseIfPasswordsOff(services.settings)
      refuseWithoutAddress(person)
      const former = await passwordHashOf(db, person.id)
      await refuseWithoutProof(context, former, body.currentPassword)
      await refuseIfWeak(db, person, body.password, now)
      const hash = await hashPassword(body.password, address)
      const organizations = await db.transaction(async (tx) => {
        await lockPerson(tx, person.id)
        if ((await passwordHashOf(tx, person.id)) !== former) throw wrongPassword()
        await storePassword(tx, person.id, hash, now)
        await endTokens(tx, 'reset', person.id)
        if (former !== null) await endSessions(tx, sql`person_id = ${person.id} and id <> ${session.id}`)
        return recordOwnChange(tx, context, former === null ? 'password_set' : 'password_changed')
      })
      organizations.forEach(services.changed)
      return {}
    },
  }),

  endpoint('DELETE /me/password', {
    session: 'recent',
    async handle(context) {
      const { db, services, session, now } = context
      const { id } = session.person
      const organizations = await db.transaction(async (tx) => {
        await lockPerson(tx, id)
        if ((await passwordHashOf(tx, id)) === null) return []
        await refuseLastWay(tx, id, services.settings.ways, 'password')
        await storePassword(tx, id, null, now)
        await endTokens(tx, 'reset', id)
        return recordOwnChange(tx, context, 'password_removed')
      })
      organizations.forEach(services.changed)
      return {}
    },
  }),
]

/** Nobody signs in with a password alone. @throws 412 */
function refuseWithoutAddress({ email }: Person): void {
  if (email !== null) return
  throw refused(
    'Another person on this server has your address, so a password would not let you in; add a passkey instead',
    'no_address',
  )
}

const passwordHashOf = async (db: Db, id: string): Promise<string | null> =>
  expected(await findPassword(db, { id }), 'The person of a session').passwordHash

/**
 * A new password needs the present one. Without one, it needs a recent sign-in. A person who lost it comes back by a sign-in
 * link of the operator: then the link proves who they are.
 * @throws 401, 403, 422 or 429
 */
async function refuseWithoutProof(
  context: OwnContext,
  former: string | null,
  currentPassword: string | undefined,
): Promise<void> {
  const { db, session, address, now } = context
  const { id, person } = session
  if (former !== null && currentPassword !== undefined) {
    const attempt = { purpose: 'password', account: person.id, personId: person.id } as const
    const isRight = await throttled(context, attempt, async () => {
      return (await checkPassword(currentPassword, former, address)) === 'wrong' ? undefined : true
    })
    if (!isRight) throw wrongPassword()
    return
  }
  if (former !== null && !(await wasSignedInByLink(db, id)))
    throw invalid({ currentPassword: ['Must be your present password'] })
  refuseUnlessRecent({ session }, Date.parse(now))
}

const wrongPassword = () => signInFailed('The present password is wrong')

async function wasSignedInByLink(db: Db, sessionId: string): Promise<boolean> {
  const session = await db.row<{ by: string }>(sql`select signed_in_by as by from sessions where id = ${sessionId}`)
  return session?.by === 'link'
}
