import { Refusal } from './refusal.ts'

/** Seconds as people say them, none of them lost, so that parts add up to their sum: `2h 30m`, `4h 59m 58s`. */
export function durationOf(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'm'],
    [seconds % 60, 's'],
  ] as const
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : `${count}${unit}`)).join(' ') || '0s'
}

const spelled = /^(?:(\d+(?:\.\d+)?) ?h)? ?(?:(\d+) ?m(?:in)?)? ?(?:(\d+) ?s)?$/i

/** The seconds of `2h 30m`, `1.5h`, `45m` or `1:30`. @throws Refusal */
export function secondsOf(written: string, field: string): number {
  const text = written.trim().replace(/\s+/g, ' ')
  const [, hours, minutes, seconds] = spelled.exec(text) ?? []
  const [, clockHours, clockMinutes] = /^(\d+):([0-5]\d)$/.exec(text) ?? []
  if (clockHours !== undefined) return Number(clockHours) * 3_600 + Number(clockMinutes) * 60
  if (hours === undefined && minutes === undefined && seconds === undefined) {
    throw new Refusal(`${field}: Must be a duration such as 2h 30m, 1.5h or 45m`)
  }
  return Math.round(Number(hours ?? 0) * 3_600) + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
}

const day = /^\d{4}-\d{2}-\d{2}$/
const local = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?$/
const ago = /^(\d{1,4})\s*([mhdw])$/i
const unitsMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/**
 * The moment that `2026-01-31` (its first), `2026-01-31T09:30` in a time zone, or `2026-01-31T09:30:00Z` names. What is none
 * of these is left to the operation, which says what it takes.
 */
export function momentIn(zone: string, written: string): string {
  const text = written.trim()
  if (day.test(text)) return inZone(zone, `${text}T00:00:00`) ?? text
  if (local.test(text)) return inZone(zone, text.replace(' ', 'T')) ?? text
  return text
}

/** The same, or a time before now: `24h`, `7d`. */
export function pastMomentIn(zone: string, written: string, now: Date): string {
  const [, count = '', unit = ''] = ago.exec(written.trim()) ?? []
  const unitMs = unitsMs[unit.toLowerCase()]
  return unitMs === undefined ? momentIn(zone, written) : new Date(now.getTime() - Number(count) * unitMs).toISOString()
}

/** A moment as the clocks of a time zone show it, to the minute: `2026-01-31 09:30`. */
export const clockIn = (zone: string, moment: string | Date): string => clock(zone, new Date(moment)).slice(0, 16)

// the Swedish way to write a date is that of ISO 8601
const clock = (zone: string, moment: Date): string => {
  const parts = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  } as const
  return new Intl.DateTimeFormat('sv-SE', { ...parts, hourCycle: 'h23', timeZone: zone }).format(moment)
}

/** The moment at which the clocks of a time zone show this; where they were set forward over it, the one after. */
function inZone(zone: string, shown: string): string | undefined {
  const asUtcMs = Date.parse(`${shown}Z`)
  if (Number.isNaN(asUtcMs)) return undefined
  const offsetMs = (atMs: number) => Date.parse(`${clock(zone, new Date(atMs)).replace(' ', 'T')}Z`) - atMs
  // the offset of the day before decides, unless it has changed until then
  const first = asUtcMs - offsetMs(asUtcMs)
  return new Date(asUtcMs - offsetMs(first)).toISOString()
}
