import { catchingUp } from './catching-up.ts'
import { detaching } from './detaching.ts'
import { erasing } from './erasing.ts'
import type { Job } from './job.ts'
import { purging } from './purge.ts'
import { reaping } from './reaping.ts'
import { removing } from './removing.ts'
import { retention } from './retention.ts'
import { searching } from './searching.ts'

/** All jobs. @param eventRetentionMs how long events are kept */
export const jobsOf = ({ eventRetentionMs }: { eventRetentionMs: number }): readonly Job[] => [
  searching,
  catchingUp,
  detaching,
  erasing,
  reaping,
  purging,
  removing,
  retention(eventRetentionMs),
]
