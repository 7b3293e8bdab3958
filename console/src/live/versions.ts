interface Versioned {
  version: number
}

/** Whether a version is later than the known one. A response can arrive after the event of a later version. */
export const isNewer = (coming: Versioned, known: Versioned | undefined): boolean =>
  known === undefined || coming.version > known.version

/** Removes an item that was deleted or completed at a version. An item that was restored later stays. */
export const without = <T extends Versioned & { id: string }>(
  items: readonly T[],
  gone: Versioned & { id: string },
): readonly T[] => items.filter((item) => item.id !== gone.id || isNewer(item, gone))
