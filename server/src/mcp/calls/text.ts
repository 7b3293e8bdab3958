/** What stands in an answer on one line, however many it was written on; a long one is cut. */
export function oneLine(text: string, most = 160): string {
  const line = shown(text)
    .replace(/[\s\u0085]+/gu, ' ')
    .trim()
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

/** A whole answer, of which no line ends but by a line feed. */
export const shownLines = (text: string): string => shown(text).replace(/[\v\f\r\u0085\u2028\u2029]/gu, ' ')

/**
 * What people see of a text. Left out are characters that drive a terminal, that turn lines around, or that show nothing
 * and so can carry words which only a model reads.
 */
const shown = (text: string): string => text.replace(hidden, '')

// these shape what stands beside them: letters that join, families, hearts in colour, keys with a digit
const joining =
  '[\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Guru}\\p{sc=Gujr}\\p{sc=Orya}\\p{sc=Taml}\\p{sc=Telu}\\p{sc=Knda}\\p{sc=Mlym}\\p{sc=Sinh}]'
const picture = '\\p{Extended_Pictographic}'
const shaping = [
  `(?<=${joining})[\\u200c\\u200d](?=${joining})`,
  `(?<=[${picture}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=${picture})`,
  `(?<=${picture})\\ufe0f`,
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
].join('|')
const driving = '[\\0-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\ufff9-\\ufffb]'
// bounded: it repeats nothing
const hidden = new RegExp(`(?!${shaping})(?:${driving}|\\p{Default_Ignorable_Code_Point})`, 'gu')

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

/** A page of a list, with how many there are and where it goes on. */
export const paged = (
  total = 0,
  noun: string,
  lines: readonly string[],
  { page, onPage }: { page: number; onPage: number },
): string => below(`${counted(total, noun)}:`, ...lines, page * onPage < total && `More results: page ${page + 1}`)
