import type { TimeEntriesCreateBody, TimeEntriesUpdateBody } from '@taskwright/client'
import { dayAfter, momentIn } from '../../parts/zone.ts'
import { placeIn, type Span } from './placing.ts'
import { timesheetWords } from './timesheet-words.ts'
import { readTime, type TypedTime } from './typed-time.ts'
import type { Entry, WorkItem } from './work.ts'

/** The write that a typed text needs. */
export type Plan =
  | { create: TimeEntriesCreateBody }
  | { update: Entry; changes: TimeEntriesUpdateBody }
  | { problem: string }

/** A cell of the timesheet. */
export interface Cell {
  work: WorkItem
  day: string
}

interface PlanContext {
  zone: string
  /** the member, unless it is the user */
  memberId: string | undefined
  /** the entries of the cell */
  inCell: readonly Entry[]
  /** the entries of the week, which the new one must not overlap */
  all: readonly Entry[]
}

/** The write for a text in a cell. A leading + adds to the time in the cell. */
export function planOf(typed: string, { work, day }: Cell, { zone, memberId, inCell, all }: PlanContext): Plan {
  const adds = typed.trimStart().startsWith('+')
  const time = readTime(typed.trimStart().replace(/^\+/, ''))
  if ('problem' in time) return time
  const [only, ...others] = inCell
  if (only && !adds) {
    if (others.length > 0) return { problem: timesheetWords.severalThere }
    return { update: only, changes: 'seconds' in time ? { durationSeconds: time.seconds } : spanOn(zone, day, time) }
  }
  const when = 'seconds' in time ? placed(time.seconds, day, zone, all) : spanOn(zone, day, time)
  if (when === undefined) return { problem: timesheetWords.problems.noRoom }
  return { create: { ...work.on, ...when, ...(memberId !== undefined && { memberId }) } }
}

/** Start and end on a day, for the API. */
export const spanOn = (zone: string, day: string, { from, to }: Extract<TypedTime, { from: number }>) => ({
  startedAt: momentIn(zone, day, from).toISOString(),
  endedAt: momentIn(zone, day, to).toISOString(),
})

/** The changes of an entry for a newly typed time. */
export function spanChanges(
  typed: string,
  day: string,
  zone: string,
  { endedAt }: Entry,
): TimeEntriesUpdateBody | { problem: string } {
  const isOpen = endedAt === null && /[-–—]\s*$/.test(typed)
  const time = readTime(isOpen ? `${typed}24:00` : typed)
  if ('problem' in time) return time
  if ('seconds' in time) return { durationSeconds: time.seconds }
  const { startedAt, endedAt: end } = spanOn(zone, day, time)
  return isOpen ? { startedAt } : { startedAt, endedAt: end }
}

const nineMinutes = 9 * 60

/** Places time of known length on a day; see `placeIn`. */
export function placed(seconds: number, day: string, zone: string, all: readonly Entry[]) {
  const at = (minutes: number) => momentIn(zone, day, minutes).getTime()
  const whole = { from: at(0), to: momentIn(zone, dayAfter(day, 1), 0).getTime() }
  const startedAt = placeIn(whole, all.map(spanOf), seconds * 1_000, at(nineMinutes))
  return startedAt === undefined
    ? undefined
    : { startedAt: new Date(startedAt).toISOString(), durationSeconds: seconds }
}

const spanOf = ({ startedAt, endedAt }: Entry): Span => ({
  from: Date.parse(startedAt),
  to: endedAt === null ? Number.POSITIVE_INFINITY : Date.parse(endedAt),
})
