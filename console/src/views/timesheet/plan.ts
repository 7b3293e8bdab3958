import type { TimeEntriesCreateBody, TimeEntriesUpdateBody } from '@taskwright/client'
import { dayAfter, momentIn } from '../../parts/zone.ts'
import { words } from '../../words.ts'
import { placeIn, type Span } from './placing.ts'
import { readTime, type TypedTime } from './typed-time.ts'
import type { Entry, Work } from './work.ts'

/** What is written for what somebody typed into a cell. */
export type Plan =
  | { create: TimeEntriesCreateBody }
  | { update: Entry; changes: TimeEntriesUpdateBody }
  | { problem: string }

/** What somebody typed into. */
export interface Cell {
  work: Work
  day: string
}

interface Beside {
  zone: string
  /** whose time, unless it is one's own */
  memberId: string | undefined
  /** the entries of the cell */
  inCell: readonly Entry[]
  /** those of the week, none of which is to be overlapped */
  all: readonly Entry[]
}

/** What to write for what was typed into a cell. A + before it adds to what stands there. */
export function planOf(typed: string, { work, day }: Cell, { zone, memberId, inCell, all }: Beside): Plan {
  const adds = typed.trimStart().startsWith('+')
  const time = readTime(typed.trimStart().replace(/^\+/, ''))
  if ('problem' in time) return time
  const [only, ...others] = inCell
  if (only && !adds) {
    if (others.length > 0) return { problem: words.timesheet.severalThere }
    return { update: only, changes: 'seconds' in time ? { durationSeconds: time.seconds } : spanOn(zone, day, time) }
  }
  const when = 'seconds' in time ? placed(time.seconds, day, zone, all) : spanOn(zone, day, time)
  if (when === undefined) return { problem: words.timesheet.problems.noRoom }
  return { create: { ...work.on, ...when, ...(memberId !== undefined && { memberId }) } }
}

/** From when to when on a day, as it is sent. */
export const spanOn = (zone: string, day: string, { from, to }: Extract<TypedTime, { from: number }>) => ({
  startedAt: momentIn(zone, day, from).toISOString(),
  endedAt: momentIn(zone, day, to).toISOString(),
})

/** What to write for when an entry of that day was, as it is typed in place of what it was. */
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

/** Where time of which only the length is known stands on a day; see `placeIn`. */
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
