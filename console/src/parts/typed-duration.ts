const inWords =
  /^(?:(\d+(?:[.,]\d*)?|[.,]\d+) ?h(?:ours?|rs?)?)? ?(?:(\d+) ?m(?:in(?:utes?|s)?)?)? ?(?:(\d+) ?s(?:ec(?:onds?|s)?)?)?$/
const afterHours = /^(\d+(?:[.,]\d*)?|[.,]\d+) ?h(?:ours?|rs?)? ?(\d+)$/
const onTheClock = /^(\d+):([0-5]\d)(?::([0-5]\d))?$/
const inHours = /^(\d+(?:[.,]\d*)?|[.,]\d+)$/

/**
 * The seconds of `1h30`, `1h 30m 5s`, `1:30`, `1:30:05`, `1.5`, `90m`; undefined for any other text.
 * @param text lowercase, Latin digits, single spaces
 */
export function readDuration(text: string): number | undefined {
  if (text === '') return undefined
  const found = [inWords, afterHours, onTheClock, inHours]
    .map((form) => form.exec(text))
    .find((match) => match !== null)
  if (!found) return undefined
  const [hours, minutes, seconds] = found.slice(1).map((count = '0') => Number(count.replace(',', '.')))
  return Math.round((hours ?? 0) * 3_600 + (minutes ?? 0) * 60 + (seconds ?? 0))
}
