import { type Backups, type BackupsNoted, backingUp } from './backing-up.ts'
import { detaching } from './detaching.ts'
import { erasing } from './erasing.ts'
import { forgetting } from './forgetting.ts'
import type { Job } from './job.ts'
import { purging } from './purge.ts'
import { reaping } from './reaping.ts'
import { removing } from './removing.ts'
import { retention } from './retention.ts'

interface JobSettings {
  /** how long events are kept */
  eventRetentionMs: number
  /** how long the audit tells of those that are no longer kept */
  auditRetentionMs: number
  /** those that are made by themselves, if any */
  backups: Backups | undefined
}

/**
 * All jobs.
 * @param noted asked for where backups are made
 * @param warn gets what an operator should look at although no job failed
 */
export const jobsOf = (
  { eventRetentionMs, auditRetentionMs, backups }: JobSettings,
  noted: () => BackupsNoted = silent,
  warn: (job: string, sentence: string) => void = () => {},
): readonly Job[] => [
  detaching,
  erasing,
  reaping,
  purging,
  removing,
  retention(eventRetentionMs),
  forgetting({ eventRetentionMs, auditRetentionMs }),
  ...(backups ? [backingUp(backups, noted(), (sentence) => warn('backup', sentence))] : []),
]

const silent = (): BackupsNoted => ({ found() {}, foreign() {}, made() {}, failed() {} })
