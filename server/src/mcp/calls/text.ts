/** Puts a text on one line, and cuts it after `most` UTF-16 units. */
export function oneLine(text: string, most = 160): string {
  const line = shown(text)
    .replace(/[\s\u0085]+/gu, ' ')
    .trim()
  return cutAt(line, most)
}

/** A name in a list of names. A comma does not make it look like two. */
export function nameInList(name: string): string {
  const line = oneLine(name, 60)
  return line.includes(',') ? JSON.stringify(line) : line
}

/**
 * Quotes a stored text. Each line begins with `> `, so that an agent cannot mistake it for a line of the server.
 * @param rest tells where the whole text is; appended if the text is cut
 */
export function quoted(text: string, most: number, rest: string): string {
  const whole = shown(text).trim()
  const cut = cutAt(whole, most)
  const lines = cut.split(lineBreak).map((line) => `> ${line}`.trimEnd())
  return cut === whole ? lines.join('\n') : `${lines.join('\n')}\n(${length(whole)} characters; ${rest})`
}

const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u

/** Cleans a whole result: a line feed is its only line break. */
export const safeLines = (text: string): string => shown(text).replace(/[\v\f\r\u0085\u2028\u2029]/gu, ' ')

/**
 * Removes characters that control a terminal, reverse the direction of text, or are invisible. Invisible characters could hide
 * instructions that only a model reads.
 */
const shown = (text: string): string => text.replace(hidden, '')

// keep invisible characters that shape their neighbors: joining letters, emoji families, colored hearts, keycaps
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

/** Cuts a text after `most` UTF-16 units, with an ellipsis. It never splits a surrogate pair. */
function cutAt(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`
}

/** The length in characters (Unicode code points), as in the limits of the API. */
export const length = (text: string): number => [...text].length

/** `3 tasks`, `1 task`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Joins the given parts on one line. */
export const joinWithDots = (...parts: (string | false | null | undefined)[]): string =>
  parts.filter(Boolean).join(' · ')

/** Joins the given parts, one per line. */
export const joinLines = (...parts: (string | false | null | undefined)[]): string => parts.filter(Boolean).join('\n')

/** A page of a list, with the total and the number of the next page. */
export const paged = (
  total = 0,
  noun: string,
  lines: readonly string[],
  { page, onPage }: { page: number; onPage: number },
): string => joinLines(`${countOf(total, noun)}:`, ...lines, page * onPage < total && `More results: page ${page + 1}`)
