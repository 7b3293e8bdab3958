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

/**
 * Queues a mail. A job sends it within seconds after the commit. Call this only if mail is set up: `settings.mail`.
 * @param db the transaction of the change that the mail tells about
 */
export async function queueMail(db: Db, { data, ...mail }: NewMail, now: string): Promise<void> {
  const row = { id: newId(), ...mail, data: JSON.stringify(data), nextTryAt: now, createdAt: now }
  await db.rows(sql`insert into outgoing_mail ${sql.values(row)} on conflict (cause) do nothing`)
}
