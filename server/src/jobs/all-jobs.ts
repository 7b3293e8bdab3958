import { auditRetention } from './audit-retention.ts'
import { type Backups, type BackupsNoted, backingUp } from './backing-up.ts'
import { detaching } from './detaching.ts'
import { erasing } from './erasing.ts'
import { idempotencyRetention } from './idempotency-retention.ts'
import type { Job } from './job.ts'
import { purging } from './purge.ts'
import { removing } from './removing.ts'
import { retention } from './retention.ts'
import { type Mailer, sendingMail } from './sending-mail.ts'
import { signInRetention } from './sign-in-retention.ts'

interface JobSettings {
  eventRetentionMs: number
  /** how long the audit keeps an act, which outlives its event */
  auditRetentionMs: number
  /** undefined: the server makes no backups */
  backups: Backups | undefined
}

interface JobSurroundings {
  /** called only if the server makes backups */
  noted?: () => BackupsNoted
  /** receives problems that an operator should look at although no job failed */
  warn?: (job: string, sentence: string) => void
  /** undefined: the server sends no mail */
  mailer?: Mailer | undefined
}

/** All jobs. */
export const jobsOf = (
  { eventRetentionMs, auditRetentionMs, backups }: JobSettings,
  { noted = silent, warn = () => {}, mailer }: JobSurroundings = {},
): readonly Job[] => [
  detaching,
  erasing,
  idempotencyRetention,
  purging,
  removing,
  retention(eventRetentionMs),
  auditRetention({ eventRetentionMs, auditRetentionMs }),
  signInRetention,
  ...(mailer ? [sendingMail(mailer)] : []),
  ...(backups ? [backingUp(backups, noted(), (sentence) => warn('backup', sentence))] : []),
]

const silent = (): BackupsNoted => ({ found() {}, foreign() {}, made() {}, failed() {} })
