import { durationCell } from '../../parts/format.ts'
import { clockIn } from '../../parts/zone.ts'
import { timesheetWords } from './timesheet-words.ts'
import type { Entry } from './work.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** Start and end of an entry in a time zone, in the reader's locale. */
export function spanText({ startedAt, endedAt }: Pick<Entry, 'startedAt' | 'endedAt'>, zone: string): string {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat(undefined, { timeStyle: 'short', timeZone: zone })
  formats.set(zone, format)
  const text = (moment: string) => format.format(new Date(moment))
  return `${text(startedAt)} – ${endedAt === null ? timesheetWords.until : text(endedAt)}`
}

/** Start and end in the form in which users type them, to the second: `9:00-10:15`, `9:00:07-10:15`. */
export function spanTyped({ startedAt, endedAt }: Pick<Entry, 'startedAt' | 'endedAt'>, zone: string): string {
  const text = (moment: string) => {
    const at = new Date(moment)
    return durationCell(clockIn(zone, at).minutes * 60 + at.getUTCSeconds())
  }
  return `${text(startedAt)}-${endedAt === null ? '' : text(endedAt)}`
}
