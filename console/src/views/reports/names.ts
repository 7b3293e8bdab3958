import { durationCell } from '../../parts/format.ts'
import type { Line, Measure } from './report.ts'
import type { Group } from './report-query.ts'
import { reportWords } from './report-words.ts'

// calendar days: each is midnight UTC, formatted in UTC
const named = (format: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(undefined, { ...format, timeZone: 'UTC' })
const dayFormat = named({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
const weekFormat = named({ day: 'numeric', month: 'short', year: 'numeric' })
const monthFormat = named({ month: 'long', year: 'numeric' })

/** The name of a group: its own name, or its days in words. */
export function groupText(by: Group, { id, name }: Line['group'][number]): string {
  if (id === null || name === null) return reportWords.none
  if (by === 'billable') return id === 'true' ? reportWords.billable : reportWords.notBillable
  if (by === 'priority' || by === 'stageCategory') return reportWords.values[id] ?? name
  if (/day$/i.test(by)) return dayFormat.format(new Date(`${id}T00:00Z`))
  if (/week$/i.test(by)) return reportWords.weekFrom(weekFormat.format(new Date(`${id}T00:00Z`)))
  if (/month$/i.test(by)) return monthFormat.format(new Date(`${id}-01T00:00Z`))
  return name
}

/** A sum, formatted. */
export function sumText(kind: Measure['kind'], value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  if (kind === 'time') return durationCell(value)
  return value.toLocaleString(undefined, { maximumFractionDigits: kind === 'days' ? 1 : 0 })
}

/** A day, for a sentence. */
export const dayName = (day: string): string => weekFormat.format(new Date(`${day}T00:00Z`))
