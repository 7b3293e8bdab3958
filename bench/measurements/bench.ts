import type { Generator } from '../generators/generator.ts'
import type { Data } from '../load/data.ts'
import type { Pace } from '../rounds.ts'
import type { Rival } from '../subjects/rival.ts'
import type { Subject } from '../subjects/subject.ts'

/** What all measurements of a run share. */
export interface Bench {
  subjects: {
    taskwright: Subject
    floor: Subject
    typical: Subject
  }
  rival: Rival | undefined
  data: Data
  /** another taskwright, on the small database; not in a quick run */
  few: { taskwright: Subject; data: Data } | undefined
  /** of the page that many tasks of the big organization come before */
  deepCursor: string
  depth: number
  generator: Generator
  pace: Pace
  quick: boolean
  say(sentence: string): void
}
