import { ApiError, type Task } from '@taskwright/client'
import { act } from '../../act/act.ts'
import { unlessOthersChanged } from '../../act/unless-changed.ts'
import { noteFocus } from '../../parts/focus.ts'
import type { MenuItem } from '../../parts/menu.tsx'
import { go, taskHref } from '../../router/router.ts'
import { mayAdminister, whyNotWorkIn } from '../../session/may.ts'
import { me, tw } from '../../session/session.ts'
import { words } from '../../words.ts'
import type { Desk } from './desk.ts'
import { moveTo } from './sending.ts'
import { type Card, withoutTask } from './state.ts'

/** The menu items of a card. */
export function cardActions(desk: Desk, card: Card): readonly MenuItem[] {
  const { id } = card
  const row = desk.rows.peek().find(({ ids }) => ids.includes(id))?.ids ?? []
  const [isFirst, isLast] = [row[0] === id, row.at(-1) === id]
  const isMine = card.assigneeIds.includes(me().member.id)
  const ask = (is: 'move' | 'due' | 'delete') => () => {
    desk.dialog.value = { is, card }
  }
  const open = { label: words.board.open, run: () => go(taskHref(card.key)) }
  if (whyNotWorkIn(card.projectId) !== undefined) return [open]
  return [
    open,
    { label: words.board.moveTo, run: ask('move') },
    { label: words.board.up, isDisabled: isFirst, run: () => void moveTo(desk, id, 'up') },
    { label: words.board.down, isDisabled: isLast, run: () => void moveTo(desk, id, 'down') },
    { label: words.board.toTop, isDisabled: isFirst, run: () => void moveTo(desk, id, 'top') },
    { label: words.board.toBottom, isDisabled: isLast, run: () => void moveTo(desk, id, 'bottom') },
    { label: isMine ? words.board.leave : words.board.take, run: () => void assignMe(desk, card) },
    { label: words.board.setDue, run: ask('due') },
    { label: words.board.delete, isDangerous: true, run: () => remove(desk, card) },
  ]
}

/** The reason why the user cannot move a card, as a sentence; undefined if they can. */
export function whyNotMove(desk: Desk, taskId: string): string | undefined {
  const card = desk.card(taskId)
  if (card && desk.underWay.peek().has(taskId)) return words.board.stillMoving(card.key)
  return card && whyNotWorkIn(card.projectId)
}

/** Adds the signed-in member to the assignees of a card, or removes them. */
export async function assignMe(desk: Desk, card: Card): Promise<void> {
  const mine = me().member.id
  const isMine = card.assigneeIds.includes(mine)
  const assign = ({ assigneeIds }: Pick<Card, 'assigneeIds'>) =>
    isMine ? assigneeIds.filter((id) => id !== mine) : [...new Set([...assigneeIds, mine])]
  const write = async () => {
    for (let now: Pick<Task, 'id' | 'version' | 'assigneeIds'> = card, n = 1; ; n++) {
      try {
        return await tw().tasks.update(card.id, { assigneeIds: assign(now) }, unlessOthersChanged(now))
      } catch (error) {
        // if others changed the assignees first, keep both changes
        if (!(error instanceof ApiError) || error.code !== 'etag_mismatch' || n === mostAttempts) throw error
        now = await tw().tasks.get(card.id)
      }
    }
  }
  const outcome = await act(write, { said: isMine ? words.board.left(card.key) : words.board.taken(card.key) })
  if (outcome.done) desk.take(outcome.value)
}

// each attempt means that somebody else changed the card first
const mostAttempts = 5

/** Updates a card; the server refuses if others changed it first. */
export async function edit(desk: Desk, card: Card, change: { dueDate: string | null }, said: string, isQuiet = false) {
  const outcome = await act(() => tw().tasks.update(card.id, change, unlessOthersChanged(card)), {
    said,
    isQuiet,
  })
  if (outcome.done) desk.take(outcome.value)
  return outcome
}

/** Deletes a card: at once if the user can undo it, else after a question. */
export function remove(desk: Desk, card: Card): void {
  if (mayAdminister()) void removeNow(desk, card)
  else desk.dialog.value = { is: 'delete', card }
}

async function removeNow(desk: Desk, card: Card) {
  const ids = desk.rows.peek().find((row) => row.ids.includes(card.id))?.ids ?? []
  const at = ids.indexOf(card.id)
  const mayFocus = noteFocus()
  const outcome = await act(() => tw().tasks.delete(card.id), {
    said: words.board.deleted(card.key),
    ...(mayAdminister() && { undo: () => tw().tasks.restore(card.id) }),
  })
  if (!outcome.done) return
  desk.loaded.change((board) => withoutTask(board, card))
  if (mayFocus()) desk.wanted.value = ids[at + 1] ?? ids[at - 1]
}
