import type { Place, Row } from './moving.ts'
import type { Card, Column } from './state.ts'

/** The columns with pending moves applied. A column without moves stays the same object. */
export function withMoves(columns: readonly Column[], moves: Iterable<readonly [string, Place]>): readonly Column[] {
  let shown = columns
  for (const [taskId, to] of moves) {
    const card = cardIn(shown, taskId)
    if (!card || !shown.some(({ stage }) => stage.id === to.stageId)) continue
    shown = shown.map((column) => {
      const isThere = column.stage.id === to.stageId
      if (!isThere && !column.cards.includes(card)) return column
      const others = column.cards.filter((each) => each !== card)
      return { ...column, cards: isThere ? others.toSpliced(indexAmong(others, to), 0, card) : others }
    })
  }
  return shown
}

/** The part of columns that moving needs. */
export const rowsOf = (columns: readonly Column[]): readonly Row[] =>
  columns.map(({ stage, cards }) => ({ stageId: stage.id, ids: cards.map(({ id }) => id) }))

function cardIn(columns: readonly Column[], taskId: string): Card | undefined {
  for (const { cards } of columns) {
    const card = cards.find(({ id }) => id === taskId)
    if (card) return card
  }
  return undefined
}

function indexAmong(others: readonly Card[], { beforeId, index }: Place): number {
  const before = others.findIndex(({ id }) => id === beforeId)
  return before < 0 ? Math.min(index, others.length) : before
}
