import { batch } from '@preact/signals'
import type { TasksMoveBody } from '@taskwright/client'
import { act } from '../../act/act.ts'
import { tell } from '../../act/notices.ts'
import { unlessChanged, unlessOthersChanged } from '../../act/unless-changed.ts'
import { noteFocus } from '../../parts/focus.ts'
import { tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import type { Desk } from './desk.ts'
import { type DroppedCard, type Place, placeOf, type Row } from './moving.ts'

/**
 * Sends a move as one request. The card shows that it is moving until the response. If the server refuses, the card returns.
 */
export async function sendMove(desk: Desk, { taskId, from, to }: DroppedCard, isToEnd = false): Promise<void> {
  const card = desk.card(taskId)
  if (!card) return
  if (desk.underWay.peek().has(taskId)) return void tell(words.board.stillMoving(card.key))
  // keep the body: a retry must send the same request
  let body = isToEnd ? undefined : bodyOf(desk, taskId, to)
  const stage = desk.columns.peek().find((column) => column.stage.id === to.stageId)?.stage
  desk.underWay.value = new Map(desk.underWay.peek()).set(taskId, to)
  const outcome = await act(
    async ({ idempotencyKey }) => {
      body ??= from.stageId === to.stageId ? await behindLast(to.stageId) : { stageId: to.stageId }
      return tw().tasks.move(taskId, body, { idempotencyKey })
    },
    {
      said: words.board.moved(card.key, stage?.name ?? ''),
      // an undo fails if somebody else moved the task again
      undo: (moved) => {
        const now = desk.card(taskId)
        const isThere = placeOf(desk.rows.peek(), taskId)?.stageId === moved.stageId && now?.position === moved.position
        return tw().tasks.move(
          taskId,
          bodyOf(desk, taskId, from),
          isThere ? unlessOthersChanged(now) : unlessChanged(moved),
        )
      },
    },
  )
  batch(() => {
    if (outcome.done) desk.take(outcome.value)
    const others = new Map(desk.underWay.peek())
    others.delete(taskId)
    desk.underWay.value = others
  })
}

/** The place for the API: beside a card without a pending move. */
function bodyOf(desk: Desk, taskId: string, place: Place): TasksMoveBody {
  const { stageId } = place
  const others = cardsOf(desk.rows.peek(), stageId).filter((id) => id !== taskId)
  const found = place.beforeId === undefined ? others.length : others.indexOf(place.beforeId)
  const at = found < 0 ? Math.min(place.index, others.length) : found
  const isSettled = (id: string) => !desk.underWay.peek().has(id)
  const beforeId = others.slice(at).find(isSettled)
  if (beforeId !== undefined) return { stageId, beforeId }
  const afterId = others.slice(0, at).findLast(isSettled)
  return afterId === undefined ? { stageId } : { stageId, afterId }
}

const cardsOf = (rows: readonly Row[], stageId: string) => rows.find((row) => row.stageId === stageId)?.ids ?? []

/** The end of a stage that is not fully loaded. */
async function behindLast(stageId: string): Promise<TasksMoveBody> {
  const { data } = await tw().tasks.list({ stageId, sort: '-position', limit: 1, fields: ['id'] })
  return data[0] ? { stageId, afterId: data[0].id } : { stageId }
}

/** A target in the menu of a card. */
type Goal = 'up' | 'down' | 'top' | 'bottom'

/** Moves a card without dragging. */
export async function moveTo(desk: Desk, taskId: string, goal: Goal, stageId?: string): Promise<void> {
  const rows = desk.rows.peek()
  const from = placeOf(rows, taskId)
  if (!from) return
  const stage = stageId ?? from.stageId
  const others = cardsOf(rows, stage).filter((id) => id !== taskId)
  const index = { up: from.index - 1, down: from.index + 1, top: 0, bottom: others.length }[goal]
  if (index < 0 || index > others.length) return
  const to = { stageId: stage, index, beforeId: others[index] }
  const column = desk.columns.peek().find((each) => each.stage.id === stage)
  const isToEnd = goal === 'bottom' && column !== undefined && column.nextCursor !== null
  if (to.stageId === from.stageId && to.index === from.index && !isToEnd) return
  desk.wanted.value = taskId
  const mayFocus = noteFocus()
  await sendMove(desk, { taskId, from, to }, isToEnd)
  // the card is now beyond the loaded ones and not drawn
  if (!desk.card(taskId) && mayFocus()) desk.wanted.value = others[from.index] ?? others.at(-1)
}
