import type { Stage, Task, Workspace } from '@taskwright/client'
import { isNewer } from '../../live/versions.ts'

/** What of a task is asked for, to draw its card and to keep its place. */
export const cardFields = [
  ...(['id', 'key', 'name', 'typeId', 'priority', 'assigneeIds', 'tagIds', 'dueDate'] as const),
  ...(['position', 'version', 'projectId'] as const),
] as const

/** A task as its card shows it. */
export type Card = Pick<Task, (typeof cardFields)[number]>

/** A stage with the cards that were read of it so far: the first ones, in their order. */
export interface Column {
  stage: Stage
  /** how many tasks stand there, of those that the filter lets through */
  count: number
  cards: readonly Card[]
  /** goes on behind what was read; null when there are no more */
  nextCursor: string | null
  /** up to which position the cards were read */
  readTo: number
  /** counts what changed behind that */
  changesBehind: number
}

/** What an id of a member, a tag or a type is called. */
export interface Named {
  name: string
  color?: string | null
}

/** A board as it is on the server, as far as it was read. */
export interface Board {
  workspace: Workspace
  columns: readonly Column[]
  named: ReadonlyMap<string, Named>
  /** the server's clock (ms) when it answered */
  readAt: number
}

/** The column of a stage. */
export function columnOf(board: Board, stageId: string | null | undefined): Column | undefined {
  return board.columns.find(({ stage }) => stage.id === stageId)
}

/** A card that was read, and where it stands. */
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

/** Up to which position a page of cards goes. */
export const endOf = (cards: readonly Card[], nextCursor: string | null): number =>
  nextCursor === null ? Number.POSITIVE_INFINITY : (cards.at(-1)?.position ?? Number.NEGATIVE_INFINITY)

/** The column with one card more, at its place. */
export function withCard(column: Column, card: Card): Column {
  const others = column.cards.filter(({ id }) => id !== card.id)
  const behind = others.findIndex((other) => comesBefore(card, other))
  return { ...column, cards: others.toSpliced(behind < 0 ? others.length : behind, 0, card) }
}

/** The column without a card. */
export function withoutCard(column: Column, id: string): Column {
  return { ...column, cards: column.cards.filter((card) => card.id !== id) }
}

/** The board without a card that was deleted, unless it was restored since. */
export function withoutTask(board: Board, deleted: Card): Board {
  const { id } = deleted
  const found = findCard(board, id)
  if (!found || isNewer(found.card, deleted)) return board
  const { stage, count } = found.column
  return withColumn(board, stage.id, (column) => ({ ...withoutCard(column, id), count: count - 1 }))
}

/** The order of a stage. */
export const inOrder = (one: Card, other: Card): number =>
  comesBefore(one, other) ? -1 : comesBefore(other, one) ? 1 : 0

const comesBefore = (one: Card, other: Card) => (one.position ?? 0) < (other.position ?? 0)

// where all were read they are counted
const settled = (column: Column): Column => ({
  ...column,
  count: column.nextCursor === null ? column.cards.length : Math.max(column.count, column.cards.length),
})

/** What a card shows of a whole task. */
export function cardOf(task: Card): Card {
  const { id, key, name, typeId, priority, assigneeIds, tagIds, dueDate, position, version, projectId } = task
  return { id, key, name, typeId, priority, assigneeIds, tagIds, dueDate, position, version, projectId }
}
