import type { Strip } from '../db/detachments.ts'

// begins each further item; it cannot stand within a text, where quotes are escaped
const rowSeparator = ',{"id":"'

/** The texts of items that the database has joined by commas, each with its id first. */
export const splitItems = (joined: string): string[] =>
  joined === '' ? [] : joined.split(rowSeparator).map((text, i) => (i === 0 ? text : rowSeparator.slice(1) + text))

/** The same without the last one. */
export const withoutLastItem = (joined: string): string =>
  joined.slice(0, Math.max(0, joined.lastIndexOf(rowSeparator)))

/** The last one. */
export const lastItem = (joined: string): string => joined.slice(joined.lastIndexOf(rowSeparator) + 1)

/** The id of an item that begins with it. */
export const idOfItem = (text: string): string => text.slice(rowSeparator.length - 1, rowSeparator.length + 35)

/** Joined items without what is being detached. Rare, so parsing them is affordable. */
export const stripItems = <Item>(joined: string, strip: Strip<Item>, gone: readonly string[]): string =>
  splitItems(joined)
    .map((text) => JSON.stringify(strip(JSON.parse(text), gone)))
    .join()
