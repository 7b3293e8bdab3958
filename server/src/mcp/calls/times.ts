import type { Member } from '../../resources/member.ts'
import type { Organization } from '../../resources/organizations/organization.ts'
import type { Call } from './call.ts'
import { Refusal, wrongArguments } from './refusal.ts'

/** Formats seconds without rounding, so that parts add up to their sum: `2h 30m`, `4h 59m 58s`. */
export function formatDuration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'm'],
    [seconds % 60, 's'],
  ] as const
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : `${count}${unit}`)).join(' ') || '0s'
}

const durationPattern = /^(?:(\d{1,8}(?:\.\d+)?) ?h)? ?(?:(\d{1,8}) ?m(?:in)?)? ?(?:(\d{1,8}) ?s)?$/i

/** Parses `2h 30m`, `1.5h`, `45m` or `1:30` to seconds. @throws Refusal */
export function parseDuration(written: string, field: string): number {
  const text = written.trim().replace(/\s+/g, ' ')
  const [, hours, minutes, seconds] = durationPattern.exec(text) ?? []
  const [, clockHours, clockMinutes] = /^(\d{1,8}):([0-5]\d)$/.exec(text) ?? []
  if (clockHours !== undefined) return Number(clockHours) * 3_600 + Number(clockMinutes) * 60
  if (hours === undefined && minutes === undefined && seconds === undefined) {
    throw invalidArgument(field, 'Must be a duration such as 2h 30m, 1.5h, 45m or 1:30')
  }
  return Math.round(Number(hours ?? 0) * 3_600) + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
}

const unitsMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** The time zone and the current time of a call. */
interface Clock {
  /** the time zone of the caller, else that of the organization */
  zone: string
  now: Date
}

/** The clock of the caller. */
export async function clockOf(call: Call): Promise<Clock> {
  const { member, organization } = await call.get<{ member: Member; organization: Organization }>('/me', {})
  return { zone: member.timezone ?? organization.timezone, now: call.now }
}

/** Parses the day of an argument: `2026-01-31`, `today`, `friday` (the next one), `+3d`. @throws Refusal */
export function parseDay({ zone, now }: Clock, argument: string, written: string): string {
  const text = written.trim()
  const named = isDay(text) ? text : dayByWord(text, dayAt(zone, now), true)
  if (named !== undefined) return named
  throw invalidArgument(argument, 'Must be a date such as 2026-01-31, or today, tomorrow, friday (the next one), +3d')
}

/**
 * Parses the date-time of an argument. A weekday is the last one. `24h` and `7d` are exactly so long ago; `-7d` and `7d ago` are
 * that day, at `defaultClock`.
 * @param defaultClock the time for a day without a time
 * @param clockDay the day for a time without a day; default: today
 * @throws Refusal
 */
export function parseDateTime(
  { zone, now }: Clock,
  argument: string,
  written: string,
  { defaultClock = '00:00', clockDay }: { defaultClock?: string; clockDay?: string } = {},
): string {
  const text = written.trim().replace(/\s+/g, ' ')
  const [, count = '', unit = ''] = /^(\d{1,4}) ?([mhdw])(?: ago)?$/i.exec(text) ?? []
  const unitMs = unitsMs[unit.toLowerCase()]
  const isDaysAgo = /d ago$/i.test(text)
  if (unitMs !== undefined && !isDaysAgo) return new Date(now.getTime() - Number(count) * unitMs).toISOString()
  if (text.toLowerCase() === 'now') return now.toISOString()
  const today = dayAt(zone, now)
  const [, typedDay = text, clock] = /^(\S+)[T ](\d\d?:\d\d(?::\d\d)?)$/i.exec(text) ?? []
  const alone = /^\d\d?:\d\d$/.test(text)
  const day = alone ? (clockDay ?? today) : isDay(typedDay) ? typedDay : dayByWord(typedDay, today, false)
  const time = (alone ? text : (clock ?? defaultClock)).padStart(5, '0')
  const moment = day && instantInZone(zone, `${day}T${time.length === 5 ? `${time}:00` : time}`)
  if (moment) return moment
  // RFC 3339 requires seconds
  const whole = text.replace(/^(\S{10}T\d\d:\d\d)(Z|[+-]\d\d:\d\d)$/i, '$1:00$2')
  if (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/i.test(whole) && !Number.isNaN(Date.parse(whole))) return whole
  throw invalidArgument(
    argument,
    'Must be a time such as 2026-01-31T09:30 (with or without Z or +01:00), 2026-01-31, today, yesterday, monday (the last one), yesterday 14:00, -7d or 24h (ago)',
  )
}

const invalidArgument = (argument: string, rule: string): Refusal =>
  new Refusal(wrongArguments({ formErrors: [], fieldErrors: { [argument]: [rule] } }), 'validation_failed')

/** The calendar day in a time zone. */
export const dayAt = (zone: string, moment: Date): string => clock(zone, moment).slice(0, 10)

/** A date-time on the clock of a time zone, to the minute: `2026-01-31 09:30`. */
export const formatDateTime = (zone: string, moment: string | Date): string =>
  clock(zone, new Date(moment)).slice(0, 16)

// Swedish dates have the form of ISO 8601
const clock = (zone: string, moment: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: zone }).format(moment)

/** The date-time at which the clock of a time zone shows this. If the clock skips this time, the result is later. */
function instantInZone(zone: string, shown: string): string | undefined {
  const asUtcMs = Date.parse(`${shown}Z`)
  if (Number.isNaN(asUtcMs)) return undefined
  const offsetMs = (atMs: number) => Date.parse(`${clock(zone, new Date(atMs)).replace(' ', 'T')}Z`) - atMs
  // the first offset can be wrong near a clock change: use the offset at the first result
  const first = asUtcMs - offsetMs(asUtcMs)
  return new Date(asUtcMs - offsetMs(first)).toISOString()
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

const dayOffsets: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 }

const dayMs = 86_400_000

/**
 * Parses `today`, `yesterday`, `tomorrow`, `monday`, `mon`, `-7d`, `+3d` or `7d ago`. `tw` accepts the same words in
 * `cli/src/arguments/days.ts`.
 * @param today as 2026-11-30
 * @param isAhead whether a weekday means the next one instead of the last one; today counts for both
 * @returns as 2026-11-30; undefined for other text
 */
export function dayByWord(text: string, today: string, isAhead: boolean): string | undefined {
  const word = text.toLowerCase()
  const [, ago] = /^(\d{1,4})d ago$/.exec(word) ?? []
  const [, count = ago && `-${ago}`] = /^([+-]\d{1,4})d$/.exec(word) ?? []
  const days =
    count === undefined ? (Object.hasOwn(dayOffsets, word) ? dayOffsets[word] : weekday(word)) : Number(count)
  return days === undefined ? undefined : isoDay(Date.parse(today) + days * dayMs)

  function weekday(name: string): number | undefined {
    const index = weekdays.findIndex((one) => one === name || one.slice(0, 3) === name)
    if (index < 0) return undefined
    const ahead = (index - new Date(today).getUTCDay() + 7) % 7
    return isAhead || ahead === 0 ? ahead : ahead - 7
  }
}

/** Whether a text is a real calendar day. */
function isDay(text: string): boolean {
  const atMs = Date.parse(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(atMs) && isoDay(atMs) === text
}

const isoDay = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)
