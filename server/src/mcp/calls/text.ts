/** What stands in an answer on one line, however many it was written on; a long one is cut. */
export function oneLine(text: string, most = 160): string {
  const line = shown(text).replace(/\s+/gu, ' ').trim()
  return cutAt(line, most)
}

/**
 * A text of a person in an answer: each of its lines begins with `> `, so that none of them can pass for a line of the
 * answer.
 * @param rest says where the whole text is; stands behind what was cut
 */
export function quoted(text: string, most: number, rest: string): string {
  const whole = shown(text).trim()
  const cut = cutAt(whole, most)
  const lines = cut.split(lineBreak).map((line) => `> ${line}`.trimEnd())
  return cut === whole ? lines.join('\n') : `${lines.join('\n')}\n(${length(whole)} characters; ${rest})`
}

const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u

/**
 * What people see of a text. Characters that show nothing and can carry words (tags of Unicode), or turn lines around, are
 * left out, and so is all that drives a terminal.
 */
const shown = (text: string): string => text.replace(hidden, '')

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out
const hidden = /[\u0000-\u0008\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu

/** The beginning of a text, and an ellipsis where it goes on. */
function cutAt(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`
}

/** In characters, as people count them in a limit. */
export const length = (text: string): number => [...text].length

/** `3 tasks`, `1 task`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Parts that are there, side by side. */
export const beside = (...parts: (string | false | null | undefined)[]): string => parts.filter(Boolean).join(' · ')

/** Parts that are there, one below the other. */
export const below = (...parts: (string | false | null | undefined)[]): string => parts.filter(Boolean).join('\n')
