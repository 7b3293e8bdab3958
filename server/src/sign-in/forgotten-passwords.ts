import { z } from 'zod'
import { Email } from '../contract/email.ts'
import { forbidden, refused } from '../contract/errors.ts'
import { sql } from '../db/sql.ts'
import { type MailKind, nameForMail } from '../mail/kinds.ts'
import { queueMail } from '../mail/queue.ts'
import { queueSignInChanged } from '../mail/sign-in-changed.ts'
import { hashPassword, storePassword } from '../persons/passwords.ts'
import { lockPerson, type Person, personById, personWithEmail } from '../persons/persons.ts'
import { endSessions } from '../persons/sessions.ts'
import { endTokens, findToken, makeToken, type UsedToken, useToken } from '../persons/tokens.ts'
import { endpoint, signIn } from './endpoint.ts'
import { Password, refuseIfPasswordsOff, refuseIfWeak } from './password-rules.ts'
import { recordForPerson } from './recording.ts'
import { throttled } from './throttling.ts'

const lifetimeMs = 3_600_000
// a person gets one mail in this time, however often somebody asks
const oneMailInMs = 10 * 60_000

export const forgottenPasswords = [
  endpoint('POST /auth/password/forgot', {
    body: z.strictObject({ email: Email }),
    async handle(context) {
      const { db, body, services, now } = context
      refuseIfPasswordsOff(services.settings)
      if (services.settings.mail === undefined)
        throw forbidden('This server sends no mail; ask an owner or admin, or the operator, for a link', 'way_off')
      const found = await personWithEmail(db, body.email)
      const attempt = { purpose: 'forgot', personId: found?.id ?? null } as const
      await throttled(context, attempt, async () => {
        await db.transaction(async (tx) => {
          // nobody waits for the disk: the time would tell that there is a mail
          tx.send('set local synchronous_commit = off')
          const slot = Math.floor(Date.parse(now) / oneMailInMs)
          const cause = `password_reset:${found?.id}:${slot}`
          const mail = { cause, kind: 'password_reset', recipient: body.email, data: { personId: found?.id } }
          if (found) await queueMail(tx, mail, now)
          // as many statements for an unknown address, so that the time does not tell
          else for (let statement = 0; statement < 2; statement++) await personWithEmail(tx, body.email)
        })
        // each request counts: it sends a mail to somebody
        return undefined
      })
      return { status: 202, body: {} }
    },
  }),

  endpoint('POST /auth/password/reset', {
    body: z.strictObject({ token: z.string().max(100), password: Password }),
    async handle(context) {
      const { db, body, services, address, now } = context
      refuseIfPasswordsOff(services.settings)
      // a weak password does not use the link up
      const open = await findToken(db, 'reset', body.token, now)
      const person = open && personOfToken(open, await personById(db, open.personId))
      if (person === undefined) throw linkInvalid()
      await refuseIfWeak(db, person, body.password, now)
      const hash = await hashPassword(body.password, address)
      const { cookies, organizations } = await db.transaction(async (tx) => {
        const used = await useToken(tx, 'reset', body.token, now)
        const locked = used && personOfToken(used, await lockPerson(tx, person.id))
        if (locked === undefined) throw linkInvalid()
        await storePassword(tx, person.id, hash, now)
        await endTokens(tx, 'reset', person.id)
        await endSessions(tx, sql`person_id = ${person.id}`)
        if (services.settings.mail) await queueSignInChanged(tx, { person: locked, change: 'password_changed' }, now)
        const organizations = await recordForPerson(tx, person.id, context)
        return { cookies: await signIn(tx, context, person.id, 'password'), organizations }
      })
      organizations.forEach(services.changed)
      return { cookies }
    },
  }),
]

const linkInvalid = () =>
  refused('This link was used before or has expired; ask for a new one on the sign-in page', 'link_invalid')

/** The link proves the address that it was mailed to. It works only while the person has that address, verified. */
const personOfToken = ({ data }: UsedToken, person: Person | undefined): Person | undefined =>
  person?.emailVerified && person.email === data.email ? person : undefined

const Data = z.object({ personId: z.string() })

/** The mail with the link that resets a password. */
export const passwordReset: MailKind = async (tx, { id, recipient, data }, publicUrl, now) => {
  const { personId } = Data.parse(data)
  const person = await personById(tx, personId)
  if (person?.email !== recipient) return undefined
  const subject = 'Your new password for Taskwright'
  const asked = `Hello ${nameForMail(person.name)}, somebody asked for a new password for your account. If it was not you, there is nothing to do: your password stays as it is.`
  if (!person.emailVerified) return { subject, paragraphs: [asked, notVerified] }
  // a retry replaces the token of this mail, which did not arrive
  await tx.rows(sql`
    delete from sign_in_tokens where kind = 'reset' and person_id = ${personId} and data ->> 'mail' = ${id}`)
  const token = await makeToken(tx, 'reset', { personId, data: { email: recipient, mail: id } }, lifetimeMs, now)
  return {
    subject,
    paragraphs: [asked, 'The link works once, within an hour.'],
    // behind #, so that no server, log or Referer gets the token
    link: { text: 'Choose a new password', url: `${publicUrl}/console/#reset=${token}` },
  }
}

// otherwise a mistyped address would hand the account to a stranger
const notVerified =
  'Nobody has confirmed yet that this address belongs to the account. So this mail has no link. Ask the operator of the server for a sign-in link.'
