import { operations } from '../generated/operations.ts'
import type { Operation } from '../operations/operation.ts'
import { wordsOf } from '../operations/words.ts'

/** What the first words of a command line are. */
export interface Found {
  /** the operation that they name, if they do */
  operation?: Operation
  /** how many of the words belong to its name, or to that of a noun */
  count: number
  /** by the next word, the operations whose names go on with it */
  below: ReadonlyMap<string, readonly Operation[]>
}

/** Follows words from noun to noun to the verb, as far as they are known. */
export function find(words: readonly string[]): Found {
  let there: readonly Operation[] = operations
  for (let count = 0; ; count++) {
    const below = new Map<string, Operation[]>()
    for (const one of there) {
      const word = wordsOf(one)[count]
      if (word !== undefined) below.set(word, [...(below.get(word) ?? []), one])
    }
    const next = below.get(words[count] ?? '')
    if (next === undefined) {
      const operation = there.find((one) => count > 0 && wordsOf(one).length === count)
      return { count, below, ...(operation ? { operation } : {}) }
    }
    there = next
  }
}
