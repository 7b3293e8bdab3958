import { durationCell, durationText } from '../../parts/format.ts'
import { now } from './now.ts'
import { secondsOf } from './rows.ts'
import type { Entry } from './work.ts'

/** The total time of entries; it counts while one runs. */
export function Sum({ entries }: { entries: readonly Entry[] }) {
  if (entries.length === 0) return null
  const runs = entries.some(({ endedAt }) => endedAt === null)
  const seconds = secondsOf(entries, runs ? now.value : 0)
  return (
    <>
      <span aria-hidden="true">{durationCell(seconds)}</span>
      <span class="visually-hidden">{durationText(seconds)}</span>
    </>
  )
}
