import { dayIn } from '../../parts/zone.ts'
import type { Entry, WorkItem } from './work.ts'

/** A row of the timesheet with its entries by day. */
export interface Row {
  work: WorkItem
  days: ReadonlyMap<string, readonly Entry[]>
}

/** The rows of a week, sorted by project and task: tasks with time, and rows that the user added. */
export function rowsOf(
  entries: readonly Entry[],
  added: readonly WorkItem[],
  days: readonly string[],
  zone: string,
): Row[] {
  const rows = new Map<string, { work: WorkItem; days: Map<string, Entry[]> }>()
  for (const work of added) rows.set(work.id, { work, days: new Map() })
  for (const entry of entries) {
    const { work } = entry
    const day = dayIn(zone, new Date(entry.startedAt))
    if (!days.includes(day)) continue
    const row = rows.get(work.id) ?? { work, days: new Map() }
    // use the latest names: they may have changed since the row was added
    rows.set(work.id, { ...row, work })
    row.days.set(day, [...(row.days.get(day) ?? []), entry])
  }
  return [...rows.values()].toSorted(({ work: one }, { work: other }) => {
    const inProject = compare(one.projectName, other.projectName) || compare(one.taskKey, other.taskKey)
    return inProject || compare(one.stepName ?? '', other.stepName ?? '') || compare(one.id, other.id)
  })
}

const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** The seconds of entries; a running one counts until now. @param now ms since 1970 */
export const secondsOf = (entries: readonly Entry[], now: number): number =>
  entries.reduce((sum, { durationSeconds, startedAt }) => {
    return sum + (durationSeconds ?? Math.max(0, Math.floor((now - Date.parse(startedAt)) / 1_000)))
  }, 0)
