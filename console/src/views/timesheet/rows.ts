import { dayIn } from '../../parts/zone.ts'
import type { Entry, Work } from './work.ts'

/** A line with its time, by day. */
export interface Row {
  work: Work
  days: ReadonlyMap<string, readonly Entry[]>
}

/** The lines of a week: what was worked on, and what was added to work on, by project and task. */
export function rowsOf(
  entries: readonly Entry[],
  added: readonly Work[],
  days: readonly string[],
  zone: string,
): Row[] {
  const rows = new Map<string, { work: Work; days: Map<string, Entry[]> }>()
  for (const work of added) rows.set(work.id, { work, days: new Map() })
  for (const entry of entries) {
    const { work } = entry
    const day = dayIn(zone, new Date(entry.startedAt))
    if (!days.includes(day)) continue
    const row = rows.get(work.id) ?? { work, days: new Map() }
    // names may have changed since it was added
    rows.set(work.id, { ...row, work })
    row.days.set(day, [...(row.days.get(day) ?? []), entry])
  }
  return [...rows.values()].toSorted(({ work: one }, { work: other }) => {
    const inProject = compare(one.projectName, other.projectName) || compare(one.taskKey, other.taskKey)
    return inProject || compare(one.stepName ?? '', other.stepName ?? '') || compare(one.id, other.id)
  })
}

const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** The whole seconds of some entries; what runs counts until now. @param now ms since 1970 */
export const secondsOf = (entries: readonly Entry[], now: number): number =>
  entries.reduce((sum, { durationSeconds, startedAt }) => {
    return sum + (durationSeconds ?? Math.max(0, Math.floor((now - Date.parse(startedAt)) / 1_000)))
  }, 0)
