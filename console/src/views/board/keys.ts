import { tell } from '../../act/notices.ts'
import { whyNotMove } from './card-actions.ts'
import type { Desk } from './desk.ts'
import type { MoveAction } from './moving.ts'

const ways: Readonly<Record<string, Extract<MoveAction, { does: 'step' }>['way']>> = {
  ...{ ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right', Home: 'first', End: 'last' },
}

/**
 * Moves cards by keys, and moves the focus between cards.
 * @returns stops listening
 */
export function followBoardKeys(root: HTMLElement, desk: Desk): () => void {
  const pressed = (event: KeyboardEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a.board-open') : null
    const taskId = link?.closest<HTMLElement>('[data-card]')?.dataset.card
    if (taskId === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (!isTaken(event.key, taskId)) return
    event.preventDefault()
    event.stopPropagation()
  }

  function isTaken(key: string, taskId: string): boolean {
    const now = desk.moving.peek()
    if (now.is === 'lifted') {
      if (now.by === 'pointer') return key !== 'Escape'
      const way = ways[key]
      if (way) desk.does({ does: 'step', way })
      else if (key === ' ' || key === 'Enter') desk.does({ does: 'drop' })
      else if (key === 'Escape' || key === 'Tab') desk.does({ does: 'give back' })
      else return true
      desk.wanted.value = taskId
      return key !== 'Tab'
    }
    if (key === ' ') {
      const whyNot = whyNotMove(desk, taskId)
      if (whyNot !== undefined) tell(whyNot)
      else desk.does({ does: 'lift', taskId })
      return true
    }
    if (!ways[key]) return false
    goOn(desk, taskId, key)
    return true
  }

  // the lifted card has the focus: moving the focus elsewhere cancels the move
  const left = (event: FocusEvent) => {
    const now = desk.moving.peek()
    const isAway = event.relatedTarget instanceof Node && !root.contains(event.relatedTarget)
    if (now.is === 'lifted' && now.by === 'keys' && isAway) desk.does({ does: 'give back' })
  }
  root.addEventListener('keydown', pressed)
  root.addEventListener('focusout', left)
  return () => {
    root.removeEventListener('keydown', pressed)
    root.removeEventListener('focusout', left)
  }
}

/** Moves the focus to a neighboring card. */
function goOn(desk: Desk, taskId: string, key: string) {
  const rows = desk.rows.peek().filter(({ ids }) => ids.length > 0)
  const at = rows.findIndex(({ ids }) => ids.includes(taskId))
  const index = rows[at]?.ids.indexOf(taskId) ?? 0
  const row = rows[at + ({ ArrowLeft: -1, ArrowRight: 1 }[key] ?? 0)]
  if (!row) return
  const last = row.ids.length - 1
  const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: last }[key] ?? Math.min(index, last)
  desk.wanted.value = row.ids[to]
}
