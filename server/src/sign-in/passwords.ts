import { z } from 'zod'
import { Email } from '../contract/email.ts'
import { signInFailed } from '../contract/errors.ts'
import { checkPassword, findPassword, hashPassword, type PersonWithPassword, renewHash } from '../persons/passwords.ts'
import { lockPerson } from '../persons/persons.ts'
import { endpoint, type SignInContext, signIn } from './endpoint.ts'
import { Password, refuseIfPasswordsOff } from './password-rules.ts'
import { throttled } from './throttling.ts'

export const passwords = [
  endpoint('POST /auth/password', {
    body: z.strictObject({ email: Email, password: Password }),
    async handle(context) {
      const { db, body, services, address } = context
      refuseIfPasswordsOff(services.settings)
      const person = await findPassword(db, { email: body.email })
      const attempt = { purpose: 'password', account: body.email, personId: person?.id ?? null } as const
      const cookies = await throttled(context, attempt, async () => {
        // the same work for an unknown address
        const checked = await checkPassword(body.password, person?.passwordHash ?? null, address)
        if (checked === 'wrong' || person === undefined) return undefined
        return signInByPassword(context, person, checked === 'outdated' ? body.password : undefined)
      })
      if (cookies === undefined) throw signInFailed('The address or the password is wrong')
      return { cookies }
    },
  }),
]

/**
 * @param person with the hash that was checked
 * @param rehashed the password, if it needs a new hash
 * @returns undefined if somebody changed the password meanwhile
 */
async function signInByPassword(
  context: SignInContext,
  { id, passwordHash }: PersonWithPassword,
  rehashed: string | undefined,
): Promise<readonly string[] | undefined> {
  const { db, address } = context
  const renewed = rehashed === undefined ? undefined : await hashPassword(rehashed, address)
  return db.transaction(async (tx) => {
    await lockPerson(tx, id)
    const present = await findPassword(tx, { id })
    if (present?.passwordHash !== passwordHash) return undefined
    if (renewed !== undefined) await renewHash(tx, id, renewed)
    return signIn(tx, context, id, 'password')
  })
}
