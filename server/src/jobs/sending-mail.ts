import type { MailKinds } from '../mail/kinds.ts'
import { mailQueue, postponeAll, settleUnknown } from '../mail/outgoing.ts'
import { type MailResult, type MailSending, sendNext, unknownReason } from '../mail/send-next.ts'
import { openSmtp, type SmtpLimits, type SmtpSession } from '../mail/smtp.ts'
import { SmtpProblem } from '../mail/smtp-problem.ts'
import { smtpSettings } from '../mail/smtp-settings.ts'
import type { Job, JobContext } from './job.ts'

/** The settings and the watchers of the job that sends mail. */
export interface Mailer {
  /** SMTP_URL and MAIL_FROM */
  settings: { url: string; from: string }
  kinds: MailKinds
  /** without a slash at the end */
  publicUrl(): string
  logger: Record<'info' | 'warn', (said: object, sentence: string) => void>
  metrics: MailNoted
  limits?: SmtpLimits
}

/** The metrics of mail. */
interface MailNoted {
  attempted(result: MailResult | 'unreachable'): void
  queue(state: { waiting: number; oldestAgeSeconds: number }): void
}

// other work of the run, such as settling, is not kept waiting for longer
const mostPerRun = 100

const sentences: Record<MailResult, string> = {
  sent: 'a mail was sent',
  skipped: 'a mail is no longer needed',
  retried: 'a mail was not sent, and is tried again',
  failed: 'a mail was not sent',
  unknown: 'a mail may not have been sent',
}

/** Sends queued mail: within about a second after the commit, one mail after the other on one connection. */
export const sendingMail = (mailer: Mailer): Job => ({
  name: 'mail',
  everyMs: 1_000,
  run: (run) => sendDue(run, mailer),
})

async function sendDue({ db, signal }: JobContext, mailer: Mailer): Promise<void> {
  const { settings, kinds, publicUrl, logger, metrics } = mailer
  const now = new Date().toISOString()
  for (const { id, kind } of await settleUnknown(db, unknownReason, now)) {
    metrics.attempted('unknown')
    logger.warn({ mailId: id, kind, reason: unknownReason }, sentences.unknown)
  }
  const { waiting, oldest, due } = await mailQueue(db, now)
  metrics.queue({ waiting, oldestAgeSeconds: oldest === null ? 0 : (Date.now() - Date.parse(oldest)) / 1_000 })
  if (!due) return
  const sending: MailSending = {
    ...{ db, signal, kinds, publicUrl, from: settings.from },
    attempted({ id, kind, attempts }, result, reason) {
      metrics.attempted(result)
      const about = { mailId: id, kind, attempt: attempts, result, ...(reason === undefined ? {} : { reason }) }
      const log = result === 'sent' || result === 'skipped' ? logger.info : logger.warn
      log.call(logger, about, sentences[result])
    },
  }
  let session: SmtpSession | undefined
  try {
    for (let count = 0; count < mostPerRun && !signal.aborted; count++) {
      if (!session?.isOpen()) session = await openSmtp(smtpSettings(settings.url), signal, mailer)
      if (!(await sendNext(session, sending))) return
    }
  } catch (error) {
    if (!(error instanceof SmtpProblem)) throw error
    if (signal.aborted) return
    const { postponed, failed } = await postponeAll(db, error.message, new Date().toISOString())
    metrics.attempted('unreachable')
    logger.warn({ step: error.step, reason: error.message, postponed, failed }, 'the SMTP server cannot be used')
  } finally {
    session?.close()
  }
}
