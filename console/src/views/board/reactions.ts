import type { Event, Stage, Task, Workspace } from '@taskwright/client'
import { isNewer } from '../../live/versions.ts'
import { type Filter, isLetThrough } from './filter.ts'
import {
  type Board,
  type Card,
  cardOf,
  columnOf,
  findCard,
  inOrder,
  withCard,
  withColumn,
  withoutCard,
} from './state.ts'

/** The effect of an event on a board, see `useLoaded`. */
export function reacted(event: Event, board: Board, filter: Filter, myId: string): Board | 'again' | undefined {
  const [noun = ''] = event.type.split('.')
  switch (noun) {
    case 'task':
      return taskChanged(event, board, filter, myId)
    case 'stage':
      return stageChanged(event, board, filter)
    case 'order':
      return respaced(event, board)
    case 'workspace':
      return workspaceChanged(event, board)
    case 'member':
    case 'tag':
    case 'task_type':
      return renamed(event, board)
    case 'project':
    case 'project_member':
      // these show or hide many tasks at once
      return board.workspace.projectId === null || board.workspace.projectId === event.projectId ? 'again' : undefined
    default:
      return undefined
  }
}

// server clocks differ, and an event gets its time before its transaction commits
const certainMs = 5_000

function taskChanged(event: Event, board: Board, filter: Filter, myId: string): Board | 'again' | undefined {
  const task = event.snapshot as unknown as Task
  const found = findCard(board, task.id)
  const isGone = event.type === 'task.deleted'
  const isNew = event.type === 'task.created' || event.type === 'task.restored'
  if (found && (isGone ? isNewer(found.card, task) : !isNewer(task, found.card))) return undefined

  const shownIn = (one: Task) => stageOf(one, board, filter, myId)
  const before = {
    ...task,
    ...Object.fromEntries(Object.entries(event.changes).map(([name, { from }]) => [name, from])),
  }
  const from = found ? found.column.stage.id : isNew ? null : shownIn(isGone ? task : (before as Task))
  const to = isGone ? null : shownIn(task)
  if (from === null && to === null) return undefined
  if (filter.q !== undefined && !isSurelyFound(event, found !== undefined)) return 'again'

  const column = columnOf(board, to)
  const isShown = column !== undefined && (task.position ?? 0) <= column.readTo
  // the count may already include this change
  const isUncertain = !found && !isShown && from !== to && Date.parse(event.createdAt) <= board.readAt + certainMs
  if (isUncertain) return 'again'
  if (isShown && [...task.assigneeIds, ...task.tagIds, task.typeId].some((id) => id !== null && !board.named.has(id)))
    return 'again'
  return moved(board, task, { from, to, isShown, isBehind: !found || !isShown })
}

/** Whether a loaded card certainly still matches the word search: only the server can search words. */
function isSurelyFound({ type, changes }: Event, wasShown: boolean): boolean {
  return wasShown && (type === 'task.deleted' || !('name' in changes || 'description' in changes))
}

/** The board with the response to a write. The event of the same write then changes nothing. */
export function taken(task: Task, board: Board, filter: Filter, myId: string): Board {
  const found = findCard(board, task.id)
  if (!found || !isNewer(task, found.card)) return board
  const to = stageOf(task, board, filter, myId)
  const isShown = (task.position ?? 0) <= (columnOf(board, to)?.readTo ?? 0)
  return moved(board, task, { from: found.column.stage.id, to, isShown, isBehind: !isShown })
}

/** The stage of the board that shows or counts a task. */
function stageOf(task: Task, board: Board, filter: Filter, myId: string): string | null {
  const isHere = task.workspaceId === board.workspace.id && columnOf(board, task.stageId) !== undefined
  return isHere && isLetThrough(task, filter, board, myId) ? task.stageId : null
}

interface CardChange {
  from: string | null
  to: string | null
  isShown: boolean
  isBehind: boolean
}

function moved(board: Board, task: Card, { from, to, isShown, isBehind }: CardChange): Board {
  const left =
    from === null
      ? board
      : withColumn(board, from, (column) => ({
          ...withoutCard(column, task.id),
          count: column.count - 1,
          changesBehind: column.changesBehind + Number(isBehind),
        }))
  if (to === null) return left
  return withColumn(left, to, (column) => ({
    ...(isShown ? withCard(column, cardOf(task)) : column),
    count: column.count + 1,
    changesBehind: column.changesBehind + Number(isBehind),
  }))
}

function stageChanged({ type, snapshot, changes }: Event, board: Board, filter: Filter): Board | 'again' | undefined {
  const stage = snapshot as unknown as Stage
  if (stage.workspaceId !== board.workspace.id) return undefined
  const known = columnOf(board, stage.id)
  if (type === 'stage.deleted') {
    if (!known || isNewer(known.stage, stage)) return undefined
    return { ...board, columns: board.columns.filter((column) => column !== known) }
  }
  if (!isNewer(stage, known?.stage)) return undefined
  if (type === 'stage.restored' || ('category' in changes && filter.completed !== undefined)) return 'again'
  if (!known) {
    const empty = { stage, count: 0, cards: [], nextCursor: null, readTo: Number.POSITIVE_INFINITY, changesBehind: 0 }
    return { ...board, columns: [...board.columns, empty].sort(byPosition) }
  }
  return {
    ...board,
    columns: withColumn(board, stage.id, (column) => ({ ...column, stage })).columns.toSorted(byPosition),
  }
}

const byPosition = (one: { stage: Stage }, other: { stage: Stage }) => one.stage.position - other.stage.position

function respaced({ resource, snapshot }: Event, board: Board): Board | 'again' | undefined {
  const { of, positions } = snapshot as unknown as { of: string; positions: { id: string; position: number }[] }
  const at = new Map(positions.map(({ id, position }) => [id, position]))
  const moved = <T extends { id: string; position: number | null }>(one: T): T =>
    at.has(one.id) ? { ...one, position: at.get(one.id) ?? one.position } : one
  if (of === 'stage' && resource.id === board.workspace.id) {
    const columns = board.columns.map((column) => ({ ...column, stage: moved(column.stage) }))
    return { ...board, columns: columns.sort(byPosition) }
  }
  const column = of === 'task' ? columnOf(board, resource.id) : undefined
  if (!column) return undefined
  // the cursor of the next page refers to the old position of the last card
  if (column.nextCursor !== null) return 'again'
  return withColumn(board, column.stage.id, (now) => ({ ...now, cards: now.cards.map(moved).sort(inOrder) }))
}

function workspaceChanged({ type, snapshot, resource }: Event, board: Board): Board | 'again' | undefined {
  if (resource.id !== board.workspace.id) return undefined
  const workspace = snapshot as unknown as Workspace
  if (type === 'workspace.deleted' || type === 'workspace.restored') return 'again'
  return isNewer(workspace, board.workspace) ? { ...board, workspace: { ...board.workspace, ...workspace } } : undefined
}

function renamed({ resource, snapshot }: Event, board: Board): Board | undefined {
  const { name, color } = snapshot as { name?: string; color?: string | null }
  const known = board.named.get(resource.id)
  if (!known || name === undefined || (known.name === name && known.color === color)) return undefined
  return { ...board, named: new Map(board.named).set(resource.id, { name, color: color ?? null }) }
}
