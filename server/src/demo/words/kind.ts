import type { Discipline } from './disciplines.ts'

/** A kind of project, and the words that its tasks are made of. */
export interface ProjectKind {
  /** what it is to a client */
  name: string
  description: string
  color: string
  tags: readonly string[]
  /** what may stand in a hole of a pattern */
  words: Readonly<Record<string, readonly string[]>>
  /** names of tasks, with holes such as {page} */
  patterns: Readonly<Partial<Record<Discipline, readonly string[]>>>
}
