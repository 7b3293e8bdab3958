import type { Life } from './lives.ts'
import type { Person } from './people.ts'
import type { Project } from './projects.ts'
import type { Discipline } from './words/disciplines.ts'

/** A task, as those who work on it need it. */
export interface Task {
  id: string
  project: Project
  discipline: Discipline
  life: Life
  createdMs: number
  completedMs: number | null
  assignees: Person[]
  /** whether everybody in the project works on it now and then */
  standing: boolean
  steps: Step[]
}

/** A subtask, and the working day on which it is finalized. */
export interface Step {
  id: string
  finalOn: number
}
