import type { OnProgress } from '../db/backup/reading.ts'
import { formatNumber, progressBar } from './demo/progress.ts'

/** Shows the progress of a backup or a restore: rows, megabytes and the time left. @param called such as "Backing up" */
export function archiveProgress(called: string): { told: OnProgress; end(): void } {
  const bar = progressBar(process.stderr, called)
  const begunMs = performance.now()
  return {
    told({ share, rows, bytes }) {
      const leftMs = share > 0.01 ? ((performance.now() - begunMs) / share) * (1 - share) : undefined
      const left = leftMs === undefined ? '' : `, about ${durationOf(leftMs)} left`
      bar.tell(share, `${formatNumber(rows)} rows, ${megabytes(bytes)}${left}`)
    },
    end: bar.end,
  }
}

/** Formats a number of bytes: 1,234 MB. */
export const megabytes = (bytes: number) =>
  bytes < 10_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${formatNumber(Math.round(bytes / 1_000_000))} MB`

const durationOf = (ms: number) => (ms < 90_000 ? `${Math.ceil(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`)
