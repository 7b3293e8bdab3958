import type { DemoPerson } from './people.ts'
import type { SeededProject } from './projects.ts'
import type { Discipline } from './words/disciplines.ts'

/** A task while its year is generated. */
export interface SeededTask extends Plan {
  id: string
  project: SeededProject
  discipline: Discipline
  createdMs: number
  completedMs: number | null
  assignees: DemoPerson[]
  /** whether the whole team of the project works on it now and then */
  isStanding: boolean
  steps: Step[]
}

/** The future of a task, decided when it is created. Days are working days. */
export interface Plan {
  state: 'idea' | 'todo' | 'doing' | 'done'
  /** the first day of work on the task; infinite: nobody plans to work on it */
  starts: number
  /** the day of its completion; infinite: it never ends */
  ends: number
}

/** A subtask, and the working day on which it is finalized. */
export interface Step {
  id: string
  finalOn: number
}
