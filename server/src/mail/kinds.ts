import type { Transaction } from '../db/pool/database.ts'

/** The content of a mail. The template makes text and HTML of it. Every value is plain text. */
export interface MailContent {
  subject: string
  paragraphs: readonly string[]
  /** the one thing to do, on a line of its own */
  link?: { text: string; url: string }
}

/** A mail in the queue, as its kind sees it. */
export interface QueuedMail {
  id: string
  cause: string
  recipient: string
  data: Record<string, unknown>
  createdAt: string
}

/**
 * Writes a mail of one kind just before it is sent, and again before each retry. A kind that needs a token makes it here. The
 * token of an earlier try then stops working, because that mail did not arrive.
 * @param tx commits before the mail is sent
 * @param publicUrl without a slash at the end
 * @param now ISO 8601
 * @returns undefined: there is nothing to tell any more, such as for an invitation that was revoked
 */
export type MailKind = (
  tx: Transaction,
  mail: QueuedMail,
  publicUrl: string,
  now: string,
) => Promise<MailContent | undefined>

/** The kinds of mail by name. */
export type MailKinds = Readonly<Record<string, MailKind>>

const longestName = 80

/**
 * A name that somebody chose, such as of an organization, for the text of a mail. It stays on its line, and mail programs do not
 * make a link of it: a name such as "win.example.com" would bring strangers to a page with our mail.
 */
export function nameForMail(name: string): string {
  const plain = name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}/gu, '')
    .trim()
  const short = [...plain].length > longestName ? `${[...plain].slice(0, longestName - 1).join('')}…` : plain
  // a zero-width space, which ends a word for a mail program
  return short.replace(/(?<=\S)([.:@/\\])(?=\S)/gu, '$1\u200b')
}
