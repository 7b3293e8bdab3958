import type { Member, Tag, TaskType } from '@taskwright/client'
import { tw } from '../../session/session.ts'
import { type Filter, queryOf } from './filter.ts'
import { type Board, type Card, type Column, cardFields, cardOf, endOf, inOrder, type NamedOption } from './state.ts'

const include = ['assignees', 'tags', 'type'] as const
// per stage at first: more than a tall screen shows
const firstCards = 25
const largestPage = 100
// limit for reading again the cards to which the user scrolled
const mostReadAnew = 1_000

/**
 * Reads a board: its stages, and the first cards of each.
 * @param before the board so far: reads at least as many cards again
 */
export async function readBoard(id: string, filter: Filter, before: Board | undefined, signal: AbortSignal) {
  const wanted = new Map(before?.columns.map(({ stage, cards }) => [stage.id, Math.min(cards.length, mostReadAnew)]))
  const perStage = Math.min(largestPage, Math.max(firstCards, ...wanted.values()))
  const query = { ...queryOf(filter), fields: cardFields, include, perStage }
  const { data, response } = await tw().boards.get(id, query, { signal }).withResponse()
  const named = new Map<string, NamedOption>()
  const columns: Column[] = data.stages.map(({ tasks, taskCount, nextCursor, ...stage }) => {
    takeNames(named, tasks)
    const cards = tasks.map(cardOf).sort(inOrder)
    return { stage, cards, count: taskCount, nextCursor, readTo: endOf(cards, nextCursor), changesBehind: 0 }
  })
  const clock = Date.parse(response.headers.get('date') ?? '')
  let board: Board = { workspace: data.workspace, columns, named, readAt: Number.isNaN(clock) ? Date.now() : clock }
  for (const { stage } of columns) {
    for (let column = columnIn(board, stage.id); isShort(column, wanted); column = columnIn(board, stage.id)) {
      const page = await readMore(column, filter, signal)
      if (!page) break
      board = page(board)
    }
  }
  return board
}

const columnIn = (board: Board, stageId: string) => board.columns.find(({ stage }) => stage.id === stageId)

const isShort = (column: Column | undefined, wanted: ReadonlyMap<string, number>): column is Column =>
  column !== undefined && column.nextCursor !== null && column.cards.length < (wanted.get(column.stage.id) ?? 0)

/** Reads the next cards of a column. @returns adds them to the board, unless the column changed after that place meanwhile */
export async function readMore(column: Column, filter: Filter, signal: AbortSignal) {
  const { stage, nextCursor, changesBehind } = column
  if (nextCursor === null) return undefined
  const page = { stageId: stage.id, sort: 'position', cursor: nextCursor, limit: largestPage } as const
  const { data, pagination } = await tw().tasks.list(
    { ...queryOf(filter), ...page, fields: cardFields, include },
    { signal },
  )
  return (board: Board): Board => {
    const now = columnIn(board, stage.id)
    // the page is older than that change: the column asks again if it needs it
    if (now?.nextCursor !== nextCursor || now.changesBehind !== changesBehind) return board
    const named = new Map(board.named)
    takeNames(named, data)
    const known = new Set(board.columns.flatMap(({ cards }) => cards.map(({ id }) => id)))
    const cards = [...now.cards, ...data.map(cardOf).filter(({ id }) => !known.has(id))]
    const { nextCursor: next } = pagination
    const grown = { ...now, cards, nextCursor: next, readTo: endOf(data, next) }
    return { ...board, named, columns: board.columns.map((each) => (each === now ? grown : each)) }
  }
}

type WithNames = Card & { assignees?: Member[]; tags?: Tag[]; type?: TaskType | null }

function takeNames(named: Map<string, NamedOption>, tasks: readonly WithNames[]) {
  for (const { assignees = [], tags = [], type } of tasks) {
    for (const { id, name } of assignees) named.set(id, { name })
    for (const { id, name, color } of [...tags, ...(type ? [type] : [])]) named.set(id, { name, color })
  }
}
