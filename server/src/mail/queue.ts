import type { Db } from '../db/db.ts'
import { newId } from '../db/ids.ts'
import { sql } from '../db/sql.ts'

/** A mail to send. */
interface NewMail {
  /** what the mail is about, unique for ever: `invitation:<id>:<version>`. A second mail with the same cause is not sent */
  cause: string
  /** a name in the kinds of mail */
  kind: string
  /** one address, as the field type Email checks it */
  recipient: string
  /** what the kind needs to write the mail; never a token, because a kind makes it when the mail is sent */
  data: Record<string, unknown>
}

// nobody floods the mailbox of a stranger by inviting them, or by changing an account with their address, again and again
const [mostInHour, hourMs] = [20, 3_600_000]

/**
 * Queues a mail. A job sends it within seconds after the commit. Call this only if mail is set up: `settings.mail`. An address
 * gets at most 20 mails of a kind within an hour; further ones are dropped.
 * @param db the transaction of the change that the mail tells about
 */
export async function queueMail(db: Db, { data, ...mail }: NewMail, now: string): Promise<void> {
  const row = { id: newId(), ...mail, data: JSON.stringify(data), nextTryAt: now, createdAt: now }
  const since = new Date(Date.parse(now) - hourMs).toISOString()
  const queued = await db.rows(sql`
    select id from outgoing_mail where kind = ${mail.kind} and recipient = ${mail.recipient} and created_at > ${since}
    limit ${mostInHour}`)
  if (queued.length >= mostInHour) return
  await db.rows(sql`insert into outgoing_mail ${sql.values(row)} on conflict (cause) do nothing`)
}
