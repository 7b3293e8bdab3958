import { dayAfter, weekOf } from '../../parts/zone.ts'

/** A range of days, `until` exclusive; undefined for no bound. */
export interface Days {
  from: string | undefined
  until: string | undefined
}

export const presets = [
  'this-week',
  'last-week',
  'this-month',
  'last-month',
  'this-quarter',
  'last-quarter',
  'this-year',
  'last-year',
  'all',
] as const

export type Preset = (typeof presets)[number]

type WeekStart = Parameters<typeof weekOf>[1]

/** The days of a preset. @param today in the organization's time zone */
export function daysOf(preset: Preset, today: string, weekStart: WeekStart): Days {
  if (preset === 'all') return { from: undefined, until: undefined }
  const steps = preset.startsWith('last-') ? 1 : 0
  if (preset.endsWith('-week')) {
    const from = dayAfter(weekOf(today, weekStart), -7 * steps)
    return { from, until: dayAfter(from, 7) }
  }
  const [year = 0, month = 1] = today.split('-').map(Number)
  if (preset.endsWith('-month')) return months(year, month - steps, 1)
  if (preset.endsWith('-quarter')) return months(year, Math.floor((month - 1) / 3) * 3 + 1 - 3 * steps, 3)
  return months(year - steps, 1, 12)
}

const months = (year: number, month: number, count: number): Days => ({
  from: firstOf(year, month),
  until: firstOf(year, month + count),
})

// month numbers outside 1-12 continue in the next or previous year
const firstOf = (year: number, month: number) => new Date(Date.UTC(year, month - 1, 1)).toISOString().slice(0, 10)
