import type { Stage } from '../../resources/board/stage.ts'
import type { Member, NamedMember } from '../../resources/member.ts'
import type { Task } from '../../resources/task.ts'
import type { TimeEntry } from '../../resources/time-entry.ts'
import { beside, oneLine } from './text.ts'
import { clockIn, durationOf } from './times.ts'

/** What a list of tasks is asked for, for its lines. */
export const forLines = {
  fields: 'key,name,priority,dueDate,completedAt',
  include: 'assignees,stage',
}

/** A task as a list has it for its line. */
export type LineTask = Pick<Task, 'id' | 'key' | 'name' | 'priority' | 'dueDate' | 'completedAt'> & {
  assignees: Member[]
  stage: Stage | null
}

/** A task in one line: `WEB-12 Fix the login · Doing · high · due 2026-01-31 · Ann Example`. */
export const taskLine = ({ key, name, priority, dueDate, completedAt, assignees, stage }: LineTask): string =>
  beside(
    `${key} ${oneLine(name, 120)}`,
    stage && oneLine(stage.name, 40),
    priority !== 'none' && priority,
    dueDate && completedAt === null && `due ${dueDate}`,
    namesOf(assignees),
  )

/** Members or labels by their names. */
export const namesOf = (items: readonly { name: string }[]): string =>
  items.map(({ name }) => oneLine(name, 60)).join(', ')

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
