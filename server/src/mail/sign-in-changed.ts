import { z } from 'zod'
import type { Db } from '../db/db.ts'
import { newId } from '../db/ids.ts'
import { type MailKind, nameForMail } from './kinds.ts'
import { queueMail } from './queue.ts'

/** The sentences about a change of how a person signs in. `what` is the name of the passkey, the provider or the device. */
const sentences = {
  passkey_added: (what: string) => `A passkey was added to your account: ${what}.`,
  passkey_removed: (what: string) => `A passkey was removed from your account: ${what}.`,
  password_set: () => 'A password was set for your account.',
  password_changed: () => 'The password of your account was changed.',
  password_removed: () => 'The password of your account was removed.',
  identity_added: (what: string) => `You can now sign in with ${what}.`,
  identity_removed: (what: string) => `You can no longer sign in with ${what}.`,
  sessions_ended: () => 'Your account was signed out everywhere.',
  session_ended: (what: string) => `Your account was signed out on another device: ${what}.`,
  key_made: (what: string) => `An API key was made for ${what}.`,
} as const

/** A change of how a person signs in. */
export type SignInChange = keyof typeof sentences

const Data = z.object({
  name: z.string(),
  change: z.enum(Object.keys(sentences) as [SignInChange]),
  what: z.string(),
  at: z.iso.datetime(),
})

interface ChangeOfPerson {
  person: { id: string; name: string; email: string | null }
  change: SignInChange
  /** the name of the passkey, the provider or the device */
  what?: string
}

/** Queues the mail that tells a person of a change. A person without an address gets none. */
export async function queueSignInChanged(
  db: Db,
  { person, change, what = '' }: ChangeOfPerson,
  now: string,
): Promise<void> {
  if (person.email === null) return
  const data: z.input<typeof Data> = { name: person.name, change, what, at: now }
  // one for each call: two passkeys that are added in a minute are two mails
  const cause = `sign_in_changed:${newId()}`
  await queueMail(db, { cause, kind: 'sign_in_changed', recipient: person.email, data }, now)
}

/** The mail that tells a person how their ways to sign in changed. */
export const signInChanged: MailKind = async (_tx, mail, publicUrl) => {
  const { name, change, what, at } = Data.parse(mail.data)
  return {
    subject: 'How you sign in to Taskwright has changed',
    paragraphs: [
      `Hello ${nameForMail(name)},`,
      `${sentences[change](nameForMail(what))} This happened on ${dateOf(at)}.`,
      'If you did this, there is nothing to do.',
      'If you did not do this, sign in, remove what you do not know, and sign out everywhere. If you cannot sign in, ask an owner or admin of your organization: the operator of the server can make a sign-in link for you.',
    ],
    link: { text: 'Open your account', url: `${publicUrl}/console/account` },
  }
}

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
const dateOf = (at: string) => `${format.format(new Date(at))} UTC`
