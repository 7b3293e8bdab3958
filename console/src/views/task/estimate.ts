import { latinDigits } from '../../parts/digits.ts'
import { durationText } from '../../parts/format.ts'
import { readDuration } from '../../parts/typed-duration.ts'
import { words } from '../../words.ts'

const mostSeconds = 10_000 * 3_600

/** The seconds of `1h30`, `1:30`, `1.5`, `1.5h`, `90m`; null for an empty text; otherwise a sentence about the problem. */
export function readEstimate(typed: string): number | null | { problem: string } {
  const text = latinDigits(typed).trim().toLowerCase().replace(/\s+/g, ' ')
  if (text === '') return null
  const seconds = readDuration(text) ?? 0
  return seconds > 0 && seconds <= mostSeconds ? seconds : { problem: words.task.noEstimate }
}

/** Seconds in the form in which users type them: `1h 30m`, `45m`. */
export const estimateText = (seconds: number | null): string => (seconds === null ? '' : durationText(seconds))
