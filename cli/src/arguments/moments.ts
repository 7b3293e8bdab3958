import { WrongUse } from '../problems.ts'

/**
 * The moment that was typed, as the API takes it: with its offset, or of the clock here; a day is the moment at which it
 * begins here, for `--to` at which it ends.
 */
export function momentOf(text: string, flag: string): string {
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](.+))?$/.exec(text) ?? []
  if (time !== undefined && /(Z|[+-]\d\d:\d\d)$/i.test(time)) return text
  const moment =
    time === undefined
      ? new Date(Number(year), Number(month) - 1, Number(day) + (flag === '--to' ? 1 : 0))
      : new Date(`${year}-${month}-${day}T${time}`)
  // JavaScript takes the 31st of February for a day in March
  const exists = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  if (Number.isNaN(moment.getTime()) || !exists) {
    throw new WrongUse(`${flag} takes a day (2026-11-30) or a moment (2026-11-30T09:00, with or without Z or +01:00).`)
  }
  return moment.toISOString()
}
