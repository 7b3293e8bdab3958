import { detaching } from './detaching.ts'
import type { Job } from './job.ts'
import { purging } from './purge.ts'
import { reaping } from './reaping.ts'

/** All that runs by itself. */
export const jobs: readonly Job[] = [detaching, reaping, purging]
