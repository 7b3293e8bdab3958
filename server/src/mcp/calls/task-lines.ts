import type { Stage } from '../../resources/board/stage.ts'
import type { Member } from '../../resources/member.ts'
import type { Task } from '../../resources/task.ts'
import { beside, oneLine } from './text.ts'

/** What a list of tasks is asked for, for its lines. */
export const forLines = {
  fields: 'key,name,priority,dueDate,completedAt',
  include: 'assignees,stage',
}

/** A task as a list has it for its line. */
export type LineTask = Pick<Task, 'id' | 'key' | 'name' | 'priority' | 'dueDate' | 'completedAt'> & {
  assignees: Member[]
  stage: Stage | null
}

/** A task in one line: `WEB-12 Fix the login · Doing · high · due 2026-01-31 · Ann Example`. */
export const taskLine = ({ key, name, priority, dueDate, completedAt, assignees, stage }: LineTask): string =>
  beside(
    `${key} ${oneLine(name, 120)}`,
    stage && oneLine(stage.name, 40),
    priority !== 'none' && priority,
    dueDate && completedAt === null && `due ${dueDate}`,
    namesOf(assignees),
  )

/** Members or labels by their names. */
export const namesOf = (items: readonly { name: string }[]): string =>
  items.map(({ name }) => oneLine(name, 60)).join(', ')
