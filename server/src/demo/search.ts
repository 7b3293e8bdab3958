import { asTsvector, searchWordsOf } from '../db/search-words.ts'
import { foundTasks } from '../resources/task.ts'
import type { Rows } from './rows.ts'

interface Found {
  id: string
  projectId: string
  name: string
  description: string | null
}

const known = new WeakMap<Rows, Set<string>>()

/** Adds the postings of a task. @returns the column that its row keeps of its words */
export function addPostings(rows: Rows, { id, projectId, name, description }: Found): { search: string } {
  const words = searchWordsOf([name, description])
  const vocabulary = known.get(rows) ?? new Set()
  known.set(rows, vocabulary)
  for (const word of words.posted) {
    const row = { kind: foundTasks.number, word, projectId, id }
    rows.add('postings', row)
    const place = `${projectId} ${word}`
    if (vocabulary.has(place)) continue
    vocabulary.add(place)
    rows.add('vocabulary', row)
  }
  return { search: asTsvector(words) }
}
