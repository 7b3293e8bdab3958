interface Versioned {
  version: number
}

/** Whether something comes later than what is known of it. An answer may arrive after an event that tells of a later version. */
export const isNewer = (coming: Versioned, known: Versioned | undefined): boolean =>
  known === undefined || coming.version > known.version

/** A list without an item that was deleted, or done, at some version. An item that came back since stays. */
export const without = <T extends Versioned & { id: string }>(
  items: readonly T[],
  gone: Versioned & { id: string },
): readonly T[] => items.filter((item) => item.id !== gone.id || isNewer(item, gone))
