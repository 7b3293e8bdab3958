import { useCommands } from '../../frame/shortcuts.ts'
import { go, taskHref } from '../../router/router.ts'
import { whyNotLeadAny, whyNotWorkIn } from '../../session/may.ts'
import { words } from '../../words.ts'
import { assignMe, remove } from './card-actions.ts'
import type { Desk } from './desk.ts'
import { clearFilters } from './filters.tsx'
import { whyNotAdd } from './stage-actions.tsx'
import type { Card } from './state.ts'

/** The commands of the board; most of them act on the focused card. */
export function useBoardCommands(desk: Desk): void {
  const withCard = (run: (card: Card) => void) => () => {
    const card = desk.card(desk.current.peek())
    if (card) run(card)
  }
  const ask = (is: 'move' | 'due') =>
    withCard((card) => {
      desk.dialog.value = { is, card }
    })
  const whyNot = () => {
    const card = desk.card(desk.current.peek())
    return card && whyNotWorkIn(card.projectId)
  }
  const whyNotNew = () => {
    const board = desk.loaded.value.peek()
    return board && whyNotAdd(board)
  }
  useCommands(words.views.board, [
    { label: words.board.newTask, keys: 'n', whyNot: whyNotNew, run: () => add(desk) },
    {
      label: words.board.search,
      keys: '/',
      run: () => document.querySelector<HTMLElement>('.board-head input[type=search]')?.focus(),
    },
    { label: words.board.clearFilters, keys: 'c', run: clearFilters },
    { label: words.board.open, keys: 'o', run: withCard(({ key }) => go(taskHref(key))) },
    { label: words.board.moveTo, keys: 'm', whyNot, run: ask('move') },
    {
      ...{ label: words.board.takeOrLeave, keys: 'a', whyNot },
      run: withCard((card) => void assignMe(desk, card)),
    },
    { label: words.board.setDue, keys: 'd', whyNot, run: ask('due') },
    { label: words.board.delete, keys: 'Delete', whyNot, run: withCard((card) => remove(desk, card)) },
    {
      label: words.board.newBoard,
      whyNot: whyNotLeadAny,
      run: () => {
        desk.dialog.value = { is: 'new board' }
      },
    },
  ])
}

/** Starts a new task in the focused column, else in the first one. */
function add(desk: Desk) {
  const rows = desk.rows.peek()
  const current = desk.current.peek()
  const row = rows.find(({ ids }) => current !== undefined && ids.includes(current)) ?? rows[0]
  desk.adding.value = row?.stageId
}
