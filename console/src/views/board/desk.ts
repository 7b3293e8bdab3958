import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Stage, Task } from '@taskwright/client'
import type { Loaded } from '../../live/loaded.ts'
import { me } from '../../session/session.ts'
import type { Filter } from './filter.ts'
import { type Doing, type Dropped, type Moving, next, type Place, type Row, resting } from './moving.ts'
import { taken } from './reactions.ts'
import { rowsOf, withMoves } from './shown.ts'
import type { Board, Card, Column } from './state.ts'

/** A board while somebody works at it. */
export interface Desk {
  loaded: Loaded<Board>
  /** as they are shown: with what is under way, and what is lifted, where it is to stand */
  columns: ReadonlySignal<readonly Column[]>
  /** as they are shown but for what is lifted */
  rows: ReadonlySignal<readonly Row[]>
  moving: Signal<Moving>
  /** moves that the server has not answered yet */
  underWay: Signal<ReadonlyMap<string, Place>>
  /** the card that has the focus, or had it last */
  current: Signal<string | undefined>
  /** the card that is to get the focus once it is drawn */
  wanted: Signal<string | undefined>
  /** the card that was added last: it is brought into sight, and the focus stays where it is */
  added: Signal<string | undefined>
  /** what is asked just now, in a dialog */
  dialog: Signal<Asked | undefined>
  /** the stage in which a task is being written */
  adding: Signal<string | undefined>
  /** which cards are shown */
  filter: Filter
  does(doing: Doing): void
  /** takes in the answer to a write */
  take(task: Task): void
  card(id: string | undefined): Card | undefined
}

/** What a dialog asks about. */
export type Asked =
  | { is: 'move' | 'due' | 'delete'; card: Card }
  | { is: 'stage' | 'delete stage'; stage: Stage }
  | { is: 'new stage' | 'name' | 'new board' }

/** @param drop what is done with a card that was let go of somewhere else */
export function deskOf(loaded: Loaded<Board>, drop: (desk: Desk, dropped: Dropped) => void): Desk {
  const moving = signal<Moving>(resting)
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
