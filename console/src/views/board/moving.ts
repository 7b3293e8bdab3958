/** The current or future place of a card: its index among the other cards of a stage. */
export interface Place {
  stageId: string
  index: number
  /** the next card; undefined at the end of the loaded cards */
  beforeId: string | undefined
}

/** The cards of a stage in their drawn order. */
export interface Row {
  stageId: string
  ids: readonly string[]
}

/** The state of drag and drop: the user holds at most one card. */
export type MoveState =
  | { is: 'resting' }
  /** the pointer is down: the user may still scroll, click or lift the card */
  | { is: 'pressed'; taskId: string; x: number; y: number; isTouch: boolean }
  | { is: 'lifted'; taskId: string; by: 'pointer' | 'keys'; from: Place; to: Place }

/** An action of the user, by pointer or by keys. */
export type MoveAction =
  | { does: 'press'; taskId: string; x: number; y: number; isTouch: boolean }
  | { does: 'drag'; x: number; y: number }
  /** the finger rested long enough */
  | { does: 'hold' }
  | { does: 'lift'; taskId: string }
  /** the pointer is over a row, counted from the top */
  | { does: 'aim'; stageId: string; index: number }
  | { does: 'step'; way: 'up' | 'down' | 'left' | 'right' | 'first' | 'last' }
  | { does: 'drop' }
  | { does: 'give back' }
  /** the rows changed */
  | { does: 'look again' }

/** A card that was dropped at another place. */
export interface DroppedCard {
  taskId: string
  from: Place
  to: Place
}

export const resting: MoveState = { is: 'resting' }

// px; a hand always moves a little
const slopPx = 5

/** The next state. @returns the dropped card too, if its place changed */
export function next(
  now: MoveState,
  doing: MoveAction,
  rows: readonly Row[],
): { moving: MoveState; dropped?: DroppedCard } {
  switch (doing.does) {
    case 'press':
      return now.is === 'lifted' ? { moving: now } : { moving: { ...doing, is: 'pressed' } }
    case 'drag':
      return { moving: dragged(now, doing, rows) }
    case 'hold':
      return { moving: now.is === 'pressed' ? lifted(now.taskId, 'pointer', rows) : now }
    case 'lift':
      return { moving: now.is === 'lifted' ? now : lifted(doing.taskId, 'keys', rows) }
    case 'aim':
      return { moving: now.is === 'lifted' ? { ...now, to: placeAt(rows, now, doing.stageId, doing.index) } : now }
    case 'step':
      return { moving: now.is === 'lifted' ? { ...now, to: stepped(rows, now, doing.way) } : now }
    case 'drop':
      return now.is === 'lifted' && !isSame(now.from, now.to)
        ? { moving: resting, dropped: { taskId: now.taskId, from: now.from, to: now.to } }
        : { moving: resting }
    case 'give back':
      return { moving: resting }
    case 'look again':
      return { moving: lookedAgain(now, rows) }
  }
}

/** The place of a card. */
export function placeOf(rows: readonly Row[], taskId: string): Place | undefined {
  for (const { stageId, ids } of rows) {
    const index = ids.indexOf(taskId)
    if (index >= 0) return { stageId, index, beforeId: ids[index + 1] }
  }
  return undefined
}

type LiftedState = Extract<MoveState, { is: 'lifted' }>

function dragged(now: MoveState, { x, y }: { x: number; y: number }, rows: readonly Row[]): MoveState {
  if (now.is !== 'pressed' || Math.hypot(x - now.x, y - now.y) < slopPx) return now
  // a moving finger scrolls, unless it was held down before
  return now.isTouch ? resting : lifted(now.taskId, 'pointer', rows)
}

function lifted(taskId: string, by: 'pointer' | 'keys', rows: readonly Row[]): MoveState {
  const from = placeOf(rows, taskId)
  return from ? { is: 'lifted', taskId, by, from, to: from } : resting
}

const othersIn = (rows: readonly Row[], { taskId }: LiftedState, stageId: string) =>
  rows.find((row) => row.stageId === stageId)?.ids.filter((id) => id !== taskId)

function placeAt(rows: readonly Row[], now: LiftedState, stageId: string, index: number): Place {
  const others = othersIn(rows, now, stageId)
  if (!others) return now.to
  const within = Math.max(0, Math.min(index, others.length))
  return { stageId, index: within, beforeId: others[within] }
}

function stepped(rows: readonly Row[], now: LiftedState, way: Extract<MoveAction, { does: 'step' }>['way']): Place {
  const { stageId, index } = now.to
  const at = rows.findIndex((row) => row.stageId === stageId)
  const beside = rows[at + { left: -1, right: 1, up: 0, down: 0, first: 0, last: 0 }[way]]
  if (!beside) return now.to
  const wanted = { up: index - 1, down: index + 1, left: index, right: index, first: 0, last: Number.MAX_SAFE_INTEGER }
  return placeAt(rows, now, beside.stageId, wanted[way])
}

/** Keeps the lifted card before the same neighbor; if that is gone, at the same index. */
function lookedAgain(now: MoveState, rows: readonly Row[]): MoveState {
  if (now.is === 'resting') return now
  const from = placeOf(rows, now.taskId)
  if (!from) return resting
  if (now.is === 'pressed') return now
  if (isSame(now.from, now.to)) return { ...now, from, to: from }
  const others = othersIn(rows, now, now.to.stageId)
  if (!others) return { ...now, from, to: from }
  const before = now.to.beforeId === undefined ? others.length : others.indexOf(now.to.beforeId)
  return { ...now, from, to: placeAt(rows, now, now.to.stageId, before < 0 ? now.to.index : before) }
}

const isSame = (one: Place, other: Place) => one.stageId === other.stageId && one.index === other.index
