import type { Strip } from '../db/detachments.ts'

// begins each further item; it cannot stand within a text, where quotes are escaped
const rowSeparator = ',{"id":"'

/** The texts of items that the database has joined by commas, each with its id first. */
export const splitItems = (joined: string): string[] =>
  joined === '' ? [] : joined.split(rowSeparator).map((text, i) => (i === 0 ? text : rowSeparator.slice(1) + text))

/** The same without the last one. */
export const withoutLastItem = (joined: string): string =>
  joined.slice(0, Math.max(0, joined.lastIndexOf(rowSeparator)))

/** The id of an item that begins with it. */
export const idOfItem = (text: string): string => text.slice(rowSeparator.length - 1, rowSeparator.length + 35)

/** Joined items without what is being detached. Those that name none of it stay as they are: a page may be megabytes. */
export function stripItems<Item>(joined: string, strip: Strip<Item>, gone: readonly string[]): string {
  const ids = gone.map((id) => `"${id}"`)
  const mayName = (text: string) => ids.length > few || ids.some((id) => text.includes(id))
  return splitItems(joined)
    .map((text) => (mayName(text) ? JSON.stringify(strip(JSON.parse(text), gone)) : text))
    .join()
}

// to look for more of them takes as long as to parse the text
const few = 32
