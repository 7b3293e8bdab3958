import type { Strip } from '../db/detachments.ts'

// begins each item after the first; it cannot be within a text, in which quotes are escaped
const rowSeparator = ',{"id":"'

/** Splits the texts of items that the database has joined by commas, each with its id first. */
export const splitItems = (joined: string): string[] =>
  joined === '' ? [] : joined.split(rowSeparator).map((text, i) => (i === 0 ? text : rowSeparator.slice(1) + text))

/** The joined texts without the last item. */
export const withoutLastItem = (joined: string): string =>
  joined.slice(0, Math.max(0, joined.lastIndexOf(rowSeparator)))

/** The id of an item that begins with it. */
export const idOfItem = (text: string): string => text.slice(rowSeparator.length - 1, rowSeparator.length + 35)

/** Removes ids that are being detached from joined items. Items without such ids are not parsed: a page may be megabytes. */
export function stripItems<Item>(joined: string, strip: Strip<Item>, gone: readonly string[]): string {
  const ids = gone.map((id) => `"${id}"`)
  const mayName = (text: string) => ids.length > few || ids.some((id) => text.includes(id))
  return splitItems(joined)
    .map((text) => (mayName(text) ? JSON.stringify(strip(JSON.parse(text), gone)) : text))
    .join()
}

// searching for more ids takes as long as parsing the text
const few = 32
