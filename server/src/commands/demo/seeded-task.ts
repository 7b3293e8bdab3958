import type { Person } from './people.ts'
import type { SeededProject } from './projects.ts'
import type { Discipline } from './words/disciplines.ts'

/** A task, as those who work on it need it. */
export interface SeededTask extends Plan {
  id: string
  project: SeededProject
  discipline: Discipline
  createdMs: number
  completedMs: number | null
  assignees: Person[]
  /** whether everybody in the project works on it now and then */
  isStanding: boolean
  steps: Step[]
}

/** What becomes of a task, decided when it is created. Days are working days. */
export interface Plan {
  state: 'idea' | 'todo' | 'doing' | 'done'
  /** the first day on which somebody works on it; infinite: nobody plans to */
  starts: number
  /** the day on which it is completed; infinite: it goes on and on */
  ends: number
}

/** A subtask, and the working day on which it is finalized. */
export interface Step {
  id: string
  finalOn: number
}
