import type { NamedMember } from '../../resources/member.ts'
import type { TimeEntry } from '../../resources/time-entry.ts'
import { beside, oneLine } from './text.ts'
import { clockIn, durationOf } from './times.ts'

/** Time as a list has it, with whose it is. */
export type TimedEntry = TimeEntry & { member: NamedMember }

/**
 * Time in one line: `2026-01-31 09:00–10:30 · 1h 30m · Ann Example · Wrote tests`.
 * @param on what it is on, where the list does not say it
 */
export function entryLine(entry: TimedEntry, zone: string, on?: string): string {
  const { startedAt, endedAt, durationSeconds, member, description, billable } = entry
  const start = clockIn(zone, startedAt)
  const end = endedAt && clockIn(zone, endedAt)
  const until = end && (end.slice(0, 10) === start.slice(0, 10) ? end.slice(11) : end)
  return beside(
    `${start}–${until ?? ''}`,
    durationSeconds === null ? 'running' : durationOf(durationSeconds),
    oneLine(member.name, 60),
    on && oneLine(on, 120),
    billable && 'billable',
    description && oneLine(description, 120),
  )
}
