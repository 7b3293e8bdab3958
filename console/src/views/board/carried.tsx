import { words } from '../../words.ts'
import { CardFoot, CardHints } from './card.tsx'
import type { Desk } from './desk.ts'
import { carrying } from './pointer.ts'
import type { Board } from './state.ts'

/** The dragged card, below the pointer. */
export function Carried({ desk, board }: { desk: Desk; board: Board }) {
  const now = desk.moving.value
  const at = carrying.value
  const card = now.is === 'lifted' ? desk.card(now.taskId) : undefined
  if (!at || !card) return null
  return (
    <div
      class="board-carried"
      aria-hidden="true"
      style={{ width: `${at.width}px`, transform: `translate(${at.x - at.offsetX}px, ${at.y - at.offsetY}px)` }}
    >
      <div class="board-card card">
        <p class="board-card-top">
          <CardHints card={card} named={board.named} />
        </p>
        <span class="board-open">
          <span class="board-name" dir="auto">
            {card.name}
          </span>
        </span>
        <CardFoot card={card} named={board.named} isDone={false} />
      </div>
    </div>
  )
}

/** Announces the place of the card that the user moves by keys. */
export function Carrying({ desk, board }: { desk: Desk; board: Board }) {
  return (
    <p class="visually-hidden" role="status" aria-live="assertive">
      {sentence(desk, board)}
    </p>
  )
}

function sentence(desk: Desk, board: Board): string {
  const now = desk.moving.value
  if (now.is !== 'lifted' || now.by !== 'keys') return ''
  const column = desk.columns.value.find(({ stage }) => stage.id === now.to.stageId)
  const key = desk.card(now.taskId)?.key ?? ''
  const isStart = now.to.stageId === now.from.stageId && now.to.index === now.from.index
  const stage = board.columns.find((each) => each.stage.id === now.to.stageId)?.stage.name ?? ''
  const where = words.board.where(stage, now.to.index + 1, column?.cards.length ?? 1)
  return isStart ? words.board.lifted(key, where) : where
}
