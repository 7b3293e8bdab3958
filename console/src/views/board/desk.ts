import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Stage, Task } from '@taskwright/client'
import type { Loaded } from '../../live/loaded.ts'
import { me } from '../../session/session.ts'
import type { Filter } from './filter.ts'
import { type DroppedCard, type MoveAction, type MoveState, next, type Place, type Row, resting } from './moving.ts'
import { taken } from './reactions.ts'
import { rowsOf, withMoves } from './shown.ts'
import type { Board, Card, Column } from './state.ts'

/** The state of an open board. */
export interface Desk {
  loaded: Loaded<Board>
  /** as drawn: with unanswered moves, and with the lifted card at its target */
  columns: ReadonlySignal<readonly Column[]>
  /** as drawn, but with the lifted card at its own place */
  rows: ReadonlySignal<readonly Row[]>
  moving: Signal<MoveState>
  /** moves without a response */
  underWay: Signal<ReadonlyMap<string, Place>>
  /** the card that has the focus, or had it last */
  current: Signal<string | undefined>
  /** the card that gets the focus when it is drawn */
  wanted: Signal<string | undefined>
  /** the newest card: it scrolls into view without taking the focus */
  added: Signal<string | undefined>
  /** the open dialog */
  dialog: Signal<OpenDialog | undefined>
  /** the stage that shows the form for a new task */
  adding: Signal<string | undefined>
  /** selects the cards */
  filter: Filter
  does(doing: MoveAction): void
  /** applies the response to a write */
  take(task: Task): void
  card(id: string | undefined): Card | undefined
}

/** The subject of a dialog. */
export type OpenDialog =
  | { is: 'move' | 'due' | 'delete'; card: Card }
  | { is: 'stage' | 'delete stage'; stage: Stage }
  | { is: 'new stage' | 'name' | 'new board' }

/** Creates the state of a board. @param drop sends the move of a card that was dropped at another place */
export function deskOf(loaded: Loaded<Board>, drop: (desk: Desk, dropped: DroppedCard) => void): Desk {
  const moving = signal<MoveState>(resting)
  const underWay = signal<ReadonlyMap<string, Place>>(new Map())
  const settled = computed(() => withMoves(loaded.value.value?.columns ?? [], underWay.value))
  const rows = computed(() => rowsOf(settled.value))
  const columns = computed(() => {
    const now = moving.value
    return now.is === 'lifted' ? withMoves(settled.value, [[now.taskId, now.to]]) : settled.value
  })
  const desk: Desk = {
    ...{ loaded, columns, rows, moving, underWay },
    current: signal(undefined),
    wanted: signal(undefined),
    added: signal(undefined),
    dialog: signal(undefined),
    adding: signal(undefined),
    filter: {},
    take: (task) => loaded.change((board) => taken(task, board, desk.filter, me().member.id)),
    does(doing) {
      batch(() => {
        const { moving: then, dropped } = next(moving.peek(), doing, rows.peek())
        if (then !== moving.peek()) moving.value = then
        if (dropped) drop(desk, dropped)
      })
    },
    card: (id) => settled.peek().flatMap(({ cards }) => cards.find((card) => card.id === id) ?? [])[0],
  }
  return desk
}
