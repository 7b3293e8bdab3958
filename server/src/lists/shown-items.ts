import type { Left } from '../db/detachments.ts'

// where an item follows another one; in a text within them the quotes would be escaped
const seam = ',{"id":"'

/** The texts of items that the database has joined by commas, each with its id first. */
export const itemsIn = (joined: string): string[] =>
  joined === '' ? [] : joined.split(seam).map((text, i) => (i === 0 ? text : seam.slice(1) + text))

/** The same without the last one. */
export const withoutLast = (joined: string): string => joined.slice(0, Math.max(0, joined.lastIndexOf(seam)))

/** The last one. */
export const lastOf = (joined: string): string => joined.slice(joined.lastIndexOf(seam) + 1)

/** The id of an item that begins with it. */
export const idOf = (text: string): string => text.slice(seam.length - 1, seam.length + 35)

/** Joined items without what is being taken off: nearly never needed, so they may be taken apart for it. */
export const shownWithout = <Item>(joined: string, left: Left<Item>, gone: readonly string[]): string =>
  itemsIn(joined)
    .map((text) => JSON.stringify(left(JSON.parse(text), gone)))
    .join()
