import { latinDigits } from '../../parts/digits.ts'
import { readDuration } from '../../parts/typed-duration.ts'
import { timesheetWords } from './timesheet-words.ts'

/** A parsed time: a duration, or start and end. */
export type TypedTime =
  | { seconds: number }
  /** minutes after midnight, seconds as a fraction; above 1440 means the next day */
  | { from: number; to: number }
  /** a sentence about the problem */
  | { problem: string }

const { problems } = timesheetWords
const dayMinutes = 1_440
// a longer night is more likely a typing error than an end on the next day
const longestNightMinutes = 720

/** Reads `1h30`, `1:30:05`, `1.5`, `90m` as a duration, and `9-10:15` as start and end. */
export function readTime(typed: string): TypedTime {
  const text = latinDigits(typed).trim().toLowerCase().replace(/\s+/g, ' ')
  const [from = '', to, ...more] = text.split(/ ?[-–—] ?/)
  if (to === undefined) return howLong(text)
  if (more.length > 0) return { problem: problems.unreadable }
  return readSpan(from, to)
}

function howLong(text: string): TypedTime {
  const seconds = readDuration(text)
  if (seconds === undefined) return { problem: problems.unreadable }
  if (seconds <= 0) return { problem: problems.nothing }
  if (seconds > dayMinutes * 60) return { problem: problems.tooLong }
  return { seconds }
}

function readSpan(typedFrom: string, typedTo: string): TypedTime {
  if (typedTo === '' || typedFrom === '') return { problem: problems.open }
  const from = clockOf(typedFrom)
  const to = clockOf(typedTo)
  if (from === undefined || to === undefined) return { problem: problems.noClock }
  const end = to > from ? to : to + dayMinutes
  if (from === dayMinutes || end - from > (to > from ? dayMinutes : longestNightMinutes)) {
    return { problem: problems.backwards }
  }
  return { from, to: end }
}

/** Minutes after midnight of `9`, `9:05`, `9:05:30`, `09.05`, `9h05`, `5pm`, `24:00`. */
function clockOf(text: string): number | undefined {
  const [, hours, minutes = '0', seconds = '0', half] =
    /^(\d{1,2})(?:[:.h](?:([0-5]\d)(?::([0-5]\d))?)?)? ?(am|pm)?$/.exec(text) ?? []
  if (hours === undefined) return undefined
  const hour = Number(hours)
  const pastHour = Number(minutes) + Number(seconds) / 60
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined
    return (hour % 12) * 60 + pastHour + (half === 'pm' ? dayMinutes / 2 : 0)
  }
  const at = hour * 60 + pastHour
  return at <= dayMinutes ? at : undefined
}
