import type { Stage, Task, Workspace } from '@taskwright/client'
import { isNewer } from '../../live/versions.ts'

/** The fields of a task that its card and its order need. */
export const cardFields = [
  ...(['id', 'key', 'name', 'typeId', 'priority', 'assigneeIds', 'tagIds', 'dueDate'] as const),
  ...(['position', 'version', 'projectId'] as const),
] as const

/** A task as on its card. */
export type Card = Pick<Task, (typeof cardFields)[number]>

/** A stage with its loaded cards: the first ones, in order. */
export interface Column {
  stage: Stage
  /** the number of tasks in the stage that match the filter */
  count: number
  cards: readonly Card[]
  /** of the next page; null at the end */
  nextCursor: string | null
  /** the position up to which cards are loaded */
  readTo: number
  /** counts changes after that position */
  changesBehind: number
}

/** The name of a member, tag or type. */
export interface NamedOption {
  name: string
  color?: string | null
}

/** The loaded part of a board. */
export interface Board {
  workspace: Workspace
  columns: readonly Column[]
  named: ReadonlyMap<string, NamedOption>
  /** the server's clock at the response, in ms */
  readAt: number
}

/** The column of a stage. */
export function columnOf(board: Board, stageId: string | null | undefined): Column | undefined {
  return board.columns.find(({ stage }) => stage.id === stageId)
}

/** A loaded card and its place. */
export function findCard(board: Board, id: string): { column: Column; index: number; card: Card } | undefined {
  for (const column of board.columns) {
    const index = column.cards.findIndex((card) => card.id === id)
    const card = column.cards[index]
    if (card) return { column, index, card }
  }
  return undefined
}

/** The board with one column changed. */
export function withColumn(board: Board, stageId: string, change: (column: Column) => Column): Board {
  return {
    ...board,
    columns: board.columns.map((column) => (column.stage.id === stageId ? settled(change(column)) : column)),
  }
}

/** The position at which a page of cards ends. */
export const endOf = (cards: readonly Card[], nextCursor: string | null): number =>
  nextCursor === null ? Number.POSITIVE_INFINITY : (cards.at(-1)?.position ?? Number.NEGATIVE_INFINITY)

/** The column with a card at its place. */
export function withCard(column: Column, card: Card): Column {
  const others = column.cards.filter(({ id }) => id !== card.id)
  const behind = others.findIndex((other) => comesBefore(card, other))
  return { ...column, cards: others.toSpliced(behind < 0 ? others.length : behind, 0, card) }
}

/** The column without a card. */
export function withoutCard(column: Column, id: string): Column {
  return { ...column, cards: column.cards.filter((card) => card.id !== id) }
}

/** The board without a deleted card, unless it was restored later. */
export function withoutTask(board: Board, deleted: Card): Board {
  const { id } = deleted
  const found = findCard(board, id)
  if (!found || isNewer(found.card, deleted)) return board
  const { stage, count } = found.column
  return withColumn(board, stage.id, (column) => ({ ...withoutCard(column, id), count: count - 1 }))
}

/** Compares cards in the order of a stage. */
export const inOrder = (one: Card, other: Card): number =>
  comesBefore(one, other) ? -1 : comesBefore(other, one) ? 1 : 0

const comesBefore = (one: Card, other: Card) => (one.position ?? 0) < (other.position ?? 0)

// if all cards are loaded, count them
const settled = (column: Column): Column => ({
  ...column,
  count: column.nextCursor === null ? column.cards.length : Math.max(column.count, column.cards.length),
})

/** The card of a task. */
export function cardOf(task: Card): Card {
  const { id, key, name, typeId, priority, assigneeIds, tagIds, dueDate, position, version, projectId } = task
  return { id, key, name, typeId, priority, assigneeIds, tagIds, dueDate, position, version, projectId }
}
