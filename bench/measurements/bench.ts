import type { Data } from '../load/data.ts'
import type { Place } from '../places.ts'
import type { Means } from '../rounds.ts'
import type { Rival } from '../subjects/rival.ts'
import type { Subject } from '../subjects/subject.ts'

/** What all measurements of a run share. */
export interface Bench extends Means {
  subjects: {
    /** keeps no pages */
    taskwright: Subject
    /** as it comes */
    floor: Subject
    typical: Subject
    /** pages of tasks of the big organization, and nothing else */
    bare: Subject
  }
  rival: Rival | undefined
  data: Data
  /** another taskwright, on the small database; where it is compared with */
  few: { taskwright: Subject; data: Data } | undefined
  /** of the page that many tasks of the big organization come before */
  deepCursor: string
  depth: number
  /** random places in the big organization */
  places: readonly Place[]
  quick: boolean
}
