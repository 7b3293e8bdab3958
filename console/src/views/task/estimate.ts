import { latinDigits } from '../../parts/digits.ts'
import { words } from '../../words.ts'

const mostHours = 10_000

/** Seconds of `1h30`, `1:30`, `1.5`, `1.5h`, `90m`; null of nothing; a sentence where it is none. */
export function readEstimate(typed: string): number | null | { problem: string } {
  const text = latinDigits(typed).trim().toLowerCase().replace(',', '.').replace(/\s+/g, '')
  if (text === '') return null
  const [, hours = '0', minutes = '0'] =
    /^(?:(\d+(?:\.\d*)?|\.\d+)h?)?(?:(?<=h)(\d+)m?)?$/.exec(text) ??
    /^(\d+):([0-5]\d)$/.exec(text) ??
    /^()?(\d+)m(?:in)?$/.exec(text) ??
    []
  const whole = Number(hours || '0') * 60 + Number(minutes)
  if (!(whole > 0) || whole > mostHours * 60) return { problem: words.task.noEstimate }
  return Math.round(whole * 60)
}

/** Seconds as they are typed: `1h30`, `45m`. */
export function estimateText(seconds: number | null): string {
  if (seconds === null) return ''
  const minutes = Math.round(seconds / 60)
  const hours = Math.trunc(minutes / 60)
  if (hours === 0) return `${minutes}m`
  return minutes % 60 === 0 ? `${hours}h` : `${hours}h${String(minutes % 60).padStart(2, '0')}`
}
