import type { Database, Transaction } from '../db/pool/database.ts'
import type { MailKinds } from './kinds.ts'
import { buildMessage } from './message.ts'
import {
  type ClaimedMail,
  claimMail,
  isTooOld,
  markFailed,
  markHandedOver,
  markSent,
  postponeMail,
  postponeUnwritten,
  releaseMail,
} from './outgoing.ts'
import type { SmtpSession } from './smtp.ts'
import { type SmtpProblem, smtpProblem } from './smtp-problem.ts'
import { mailboxOf } from './smtp-settings.ts'

/**
 * The outcome of an attempt. `skipped`: its cause is gone. `retried`: it did not arrive, and another attempt follows. `unknown`:
 * the server did not say whether it took the mail.
 */
export type MailResult = 'sent' | 'skipped' | 'retried' | 'failed' | 'unknown'

/** The dependencies of sending. */
export interface MailSending {
  db: Database
  from: string
  kinds: MailKinds
  /** without a slash at the end */
  publicUrl(): string
  /** aborted when the server stops */
  signal: AbortSignal
  /** @param reason without addresses */
  attempted(mail: Pick<ClaimedMail, 'id' | 'kind' | 'attempts'>, result: MailResult, reason?: string): void
}

/** The reason of a mail whose end nobody knows. */
export const unknownReason = 'The mail went to the SMTP server, which did not confirm it; it may have arrived'

/** The reason of a mail whose cause is gone. */
export const skippedReason = 'There is nothing to tell any more'

const timestamp = () => new Date().toISOString()

/**
 * Sends the mail that is due first. The order of the writes keeps a mail from being sent twice: a claim for some minutes, then
 * "handed over" just before the content goes out, then "sent". Only a refusal of the server makes the mail due again after that.
 * @returns false: no mail is due
 * @throws SmtpProblem if the server refuses every mail of this sender
 */
export async function sendNext(session: SmtpSession, sending: MailSending): Promise<boolean> {
  const { db, from, attempted, signal } = sending
  const claimed = await claimAndWrite(sending)
  if (claimed === undefined) return false
  const { mail, message } = claimed
  if (message === undefined) return true
  let handedOver = false
  try {
    await session.send({ from: mailboxOf(from).address, to: mail.recipient }, async () => {
      if (!(await markHandedOver(db, mail, timestamp()))) throw new Error('Another process claimed the mail')
      handedOver = true
      return message
    })
  } catch (error) {
    const problem = smtpProblem('message', error)
    if (!handedOver && (signal.aborted || problem.step === 'sender')) await releaseMail(db, mail, timestamp())
    // no other mail would get further
    if (problem.step === 'sender') throw problem
    if (handedOver || !signal.aborted) await recordProblem(sending, mail, problem, handedOver)
    return true
  }
  await markSent(db, mail, timestamp())
  attempted(mail, 'sent')
  return true
}

async function recordProblem(
  { db, attempted }: MailSending,
  mail: ClaimedMail,
  problem: SmtpProblem,
  handedOver: boolean,
): Promise<void> {
  const reason = problem.message
  if (handedOver && problem.status === undefined) {
    await markFailed(db, mail, unknownReason, timestamp())
    attempted(mail, 'unknown', reason)
  } else if (problem.isPermanent) {
    await markFailed(db, mail, reason, timestamp())
    attempted(mail, 'failed', reason)
  } else {
    await postponeMail(db, mail, reason, timestamp())
    attempted(mail, 'retried', reason)
  }
}

/** Claims a mail and lets its kind write it, in one transaction that commits before the mail is sent. */
async function claimAndWrite(sending: MailSending): Promise<{ mail: ClaimedMail; message?: Buffer } | undefined> {
  const { db } = sending
  let claimed: ClaimedMail | undefined
  try {
    return await db.transaction(async (tx) => {
      const now = timestamp()
      claimed = await claimMail(tx, now)
      return claimed && { mail: claimed, ...(await write(tx, claimed, sending, now)) }
    })
  } catch (error) {
    if (claimed !== undefined) await postponeUnwritten(db, claimed, 'The server could not write the mail', timestamp())
    throw error
  }
}

async function write(
  tx: Transaction,
  mail: ClaimedMail,
  { from, kinds, publicUrl, attempted }: MailSending,
  now: string,
): Promise<{ message?: Buffer }> {
  if (isTooOld(mail, now)) {
    const reason = 'It could not be sent for 24 hours'
    await markFailed(tx, mail, reason, now)
    attempted(mail, 'failed', reason)
    return {}
  }
  const kind = kinds[mail.kind]
  if (kind === undefined) throw new Error(`No kind of mail has the name ${mail.kind}`)
  const content = await kind(tx, mail, publicUrl(), now)
  if (content === undefined) {
    await markFailed(tx, mail, skippedReason, now)
    attempted(mail, 'skipped')
    return {}
  }
  const head = { id: mail.id, from: mailboxOf(from), recipient: mail.recipient, at: new Date(now) }
  return { message: await buildMessage(head, content, publicUrl()) }
}
