import type { BoardsGetQuery, Task } from '@taskwright/client'
import { place } from '../../router/router.ts'
import type { Board } from './state.ts'

/** The filter of a board, in the parameters of the API and of the address. */
export interface Filter {
  assigneeId?: readonly string[]
  createdBy?: readonly string[]
  tagId?: readonly string[]
  anyTagId?: readonly string[]
  typeId?: readonly string[]
  priority?: readonly Task['priority'][]
  projectId?: readonly string[]
  dueDate?: readonly string[]
  dueBefore?: string
  dueAfter?: string
  completed?: boolean
  q?: string
}

const lists = ['assigneeId', 'createdBy', 'tagId', 'anyTagId', 'typeId', 'priority', 'projectId', 'dueDate'] as const
const texts = ['dueBefore', 'dueAfter', 'q'] as const

/** All filter parameters. */
export const filterWords = [...lists, ...texts, 'completed'] as const

/** The filter in the address. */
export function currentFilter(): Filter {
  const { query } = place.value
  const said = (name: string) => query.get(name)?.trim() || undefined
  const chosen = lists.map((name) => [name, said(name)?.split(',').filter(Boolean)])
  const typed = texts.map((name) => [name, said(name)])
  const completed = { true: true, false: false }[said('completed') ?? '']
  return Object.fromEntries([...chosen, ...typed, ['completed', completed]].filter(([, value]) => value !== undefined))
}

/** Whether the filter hides any task. */
export const isFiltered = (filter: Filter): boolean => Object.keys(filter).length > 0

/** The query for the API. */
export const queryOf = (filter: Filter): Pick<BoardsGetQuery, keyof Filter> => filter

/** The fields of a task that decide whether a filter matches. */
type FilterableTask = Pick<
  Task,
  'assigneeIds' | 'createdBy' | 'tagIds' | 'typeId' | 'priority' | 'projectId' | 'dueDate' | 'stageId'
>

/** Whether a filter matches a task, except for `q`: only the server can search words. */
export function isLetThrough(task: FilterableTask, filter: Filter, board: Board, myId: string): boolean {
  const isAny = (wanted: readonly string[] | undefined, of: readonly (string | null)[]) =>
    wanted === undefined ||
    wanted.some((value) =>
      value === 'none' ? of.every((id) => id === null) : of.includes(value === 'me' ? myId : value),
    )
  const { assigneeId, createdBy, tagId, anyTagId, typeId, priority, projectId, dueDate, dueBefore, dueAfter } = filter
  const isDone = board.columns.find(({ stage }) => stage.id === task.stageId)?.stage.category === 'done'
  return (
    isAny(assigneeId, task.assigneeIds) &&
    isAny(createdBy, [task.createdBy]) &&
    (tagId ?? []).every((id) => task.tagIds.includes(id)) &&
    isAny(anyTagId, task.tagIds) &&
    isAny(typeId, [task.typeId]) &&
    (priority === undefined || priority.includes(task.priority)) &&
    isAny(projectId, [task.projectId]) &&
    isAny(dueDate, [task.dueDate]) &&
    (dueBefore === undefined || (task.dueDate !== null && task.dueDate < dueBefore)) &&
    (dueAfter === undefined || (task.dueDate !== null && task.dueDate >= dueAfter)) &&
    (filter.completed === undefined || filter.completed === isDone)
  )
}
