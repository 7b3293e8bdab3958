import { operations } from '../generated/operations.ts'
import type { Operation } from '../operations/operation.ts'
import { wordsOf } from '../operations/words.ts'

/** The meaning of the first words of a command line. */
export interface CommandMatch {
  /** the operation with this name, if there is one */
  operation?: Operation
  /** the number of words that belong to the name */
  count: number
  /** operations with longer names, by their next word */
  below: ReadonlyMap<string, readonly Operation[]>
}

/** Follows the words from noun to noun to the verb, as far as it knows them. */
export function find(words: readonly string[]): CommandMatch {
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
