import { latinDigits } from '../../parts/digits.ts'
import { durationText } from '../../parts/format.ts'
import { readDuration } from '../../parts/typed-duration.ts'
import { words } from '../../words.ts'

const mostSeconds = 10_000 * 3_600

/** Seconds of `1h30`, `1:30`, `1.5`, `1.5h`, `90m`; null of nothing; a sentence where it is none. */
export function readEstimate(typed: string): number | null | { problem: string } {
  const text = latinDigits(typed).trim().toLowerCase().replace(/\s+/g, ' ')
  if (text === '') return null
  const seconds = readDuration(text) ?? 0
  return seconds > 0 && seconds <= mostSeconds ? seconds : { problem: words.task.noEstimate }
}

/** Seconds as they are typed: `1h 30m`, `45m`. */
export const estimateText = (seconds: number | null): string => (seconds === null ? '' : durationText(seconds))
