import type { Stage } from '../../resources/board/stage.ts'
import type { Member, NamedMember } from '../../resources/member.ts'
import type { Task } from '../../resources/task.ts'
import type { TimeEntry } from '../../resources/time-entry.ts'
import { joinWithDots, nameInList, oneLine } from './text.ts'
import { formatDateTime, formatDuration } from './times.ts'

/** The query parameters of a list of tasks for `taskLine`. */
export const forLines = {
  fields: 'key,name,priority,dueDate,completedAt',
  include: 'assignees,stage',
}

/** A task with the fields that `taskLine` shows. */
export type LineTask = Pick<Task, 'id' | 'key' | 'name' | 'priority' | 'dueDate' | 'completedAt'> & {
  assignees: Member[]
  stage: Stage | null
}

/** A task in one line: `WEB-12 Fix the login · Doing · high · due 2026-01-31 · Ann Example`. */
export const taskLine = ({ key, name, priority, dueDate, completedAt, assignees, stage }: LineTask): string =>
  joinWithDots(
    `${key} ${oneLine(name, 120)}`,
    stage && oneLine(stage.name, 40),
    priority !== 'none' && priority,
    dueDate && completedAt === null && `due ${dueDate}`,
    namesOf(assignees),
  )

/** The names of members, tags or types, separated by commas. */
export const namesOf = (items: readonly { name: string }[]): string =>
  items.map(({ name }) => nameInList(name)).join(', ')

/** A time entry with its member. */
export type TimedEntry = TimeEntry & { member: NamedMember }

/**
 * A time entry in one line: `2026-01-31 09:00–10:30 · 1h 30m · Ann Example · Wrote tests`.
 * @param on the task or subtask, for lists about several tasks
 */
export function entryLine(entry: TimedEntry, zone: string, on?: string): string {
  const { startedAt, endedAt, durationSeconds, member, description, billable } = entry
  const start = formatDateTime(zone, startedAt)
  const end = endedAt && formatDateTime(zone, endedAt)
  const until = end && (end.slice(0, 10) === start.slice(0, 10) ? end.slice(11) : end)
  return joinWithDots(
    `${start}–${until ?? ''}`,
    durationSeconds === null ? 'running' : formatDuration(durationSeconds),
    oneLine(member.name, 60),
    on && oneLine(on, 120),
    billable && 'billable',
    description && oneLine(description, 120),
  )
}
