import { searchWords } from '../db/normalize-text.ts'

/**
 * What a task is found by, as text of a tsvector: each word with its places.
 * @see PostgreSQL, Text Search Types
 */
export function searchText(task: { name: string; description: string | null }): string {
  const places = new Map<string, number[]>()
  for (const [index, word] of searchWords(task).trim().split(' ').entries()) {
    const known = places.get(word)
    if (known) known.push(index + 1)
    else places.set(word, [index + 1])
  }
  let text = ''
  for (const [word, found] of places) text += `${word}:${found.join()} `
  return text
}
