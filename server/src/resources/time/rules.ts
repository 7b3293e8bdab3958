import { invalid } from '../../contract/errors.ts'
import { Moment } from '../../contract/fields.ts'

interface TimeSpan {
  endedAt?: string | null | undefined
  durationSeconds?: number | undefined
}

/**
 * The end of an entry: as given, after its duration, or as before.
 * @throws 422 when the end is before the start, or later than an API date-time may be
 */
export function endOf(startedAt: string, { endedAt, durationSeconds }: TimeSpan, before?: string | null) {
  const end =
    durationSeconds === undefined
      ? endedAt === undefined
        ? before
        : endedAt
      : new Date(Date.parse(startedAt) + durationSeconds * 1_000).toISOString()
  if (end && end < startedAt) throw invalid({ endedAt: ['Must not be before startedAt'] })
  if (end && durationSeconds !== undefined && !Moment.safeParse(end).success) {
    throw invalid({ durationSeconds: ['Must end before 2100'] })
  }
  return end
}

/** How far the clock of a client may be ahead. */
const toleranceMs = 60_000

/**
 * A running entry cannot begin in the future.
 * @throws 422 when it would start later
 */
export const refuseIfYetToStart = (startedAt: string, now: string): void =>
  refuseIfFuture('startedAt', startedAt, now, ' while the time entry is running')

/** @throws 422 when a date-time is in the future */
export function refuseIfFuture(field: string, moment: string, now: string, condition = ''): void {
  if (Date.parse(moment) <= Date.parse(now) + toleranceMs) return
  throw invalid({ [field]: [`Must not be in the future${condition}`] })
}

interface Span {
  startedAt: string
  endedAt: string | null
}

/** Whether a span begins before another one or ends after it. A running span has no end, so no span ends after it. */
export const reachesBeyond = (span: Span, other: Span) =>
  span.startedAt < other.startedAt || (other.endedAt !== null && (span.endedAt ?? '~') > other.endedAt)
