import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MoveAction, type MoveState, next, resting } from '../src/views/board/moving.ts'

const rows = [
  { stageId: 'todo', ids: ['a', 'b', 'c'] },
  { stageId: 'doing', ids: ['d'] },
  { stageId: 'done', ids: [] },
]

/** What becomes of cards by what somebody does, one after the other. */
function after(all: readonly MoveAction[], seen = rows, begin: MoveState = resting) {
  let result: ReturnType<typeof next> = { moving: begin }
  for (const doing of all) result = next(result.moving, doing, seen)
  return result
}

const step = (way: Extract<MoveAction, { does: 'step' }>['way']): MoveAction => ({ does: 'step', way })
const lift = (taskId: string): MoveAction => ({ does: 'lift', taskId })
const press = (isTouch: boolean): MoveAction => ({ does: 'press', taskId: 'b', x: 10, y: 10, isTouch })

test('a moving mouse lifts the card that it holds; a still one clicks', () => {
  assert.equal(after([press(false), { does: 'drag', x: 12, y: 11 }]).moving.is, 'pressed')
  assert.deepEqual(after([press(false), { does: 'drag', x: 12, y: 11 }, { does: 'drop' }]), { moving: resting })
  assert.equal(after([press(false), { does: 'drag', x: 10, y: 30 }]).moving.is, 'lifted')
})

test('a finger that moves at once scrolls; a finger that rests lifts', () => {
  assert.equal(after([press(true), { does: 'drag', x: 10, y: 30 }]).moving.is, 'resting')
  assert.equal(after([press(true), { does: 'hold' }, { does: 'drag', x: 10, y: 30 }]).moving.is, 'lifted')
})

test('a card can be dropped beside another, by pointer and by keys alike', () => {
  const dropped = {
    taskId: 'b',
    from: { stageId: 'todo', index: 1, beforeId: 'c' },
    to: { stageId: 'doing', index: 1, beforeId: undefined },
  }
  const aimed: MoveAction = { does: 'aim', stageId: 'doing', index: 7 }
  assert.deepEqual(after([press(true), { does: 'hold' }, aimed, { does: 'drop' }]).dropped, dropped)
  assert.deepEqual(after([lift('b'), step('right'), { does: 'drop' }]).dropped, dropped)
  const first = after([lift('c'), step('right'), step('right'), step('right'), { does: 'drop' }]).dropped
  assert.deepEqual(first?.to, { stageId: 'done', index: 0, beforeId: undefined })
  assert.deepEqual(after([lift('c'), step('first'), { does: 'drop' }]).dropped?.to.beforeId, 'a')
})

test('a drop at the same place, and a cancelled drag, move nothing', () => {
  assert.deepEqual(after([lift('b'), step('up'), step('down'), { does: 'drop' }]), { moving: resting })
  assert.deepEqual(after([lift('b'), step('right'), { does: 'give back' }]), { moving: resting })
  assert.deepEqual(after([lift('nobody'), { does: 'drop' }]), { moving: resting })
})

test('changes by others do not interrupt a drag', () => {
  const { moving } = after([lift('a'), step('down'), step('down')])
  const grown = [{ stageId: 'todo', ids: ['x', 'a', 'b', 'c', 'y'] }, ...rows.slice(1)]
  const still = next(moving, { does: 'look again' }, grown)
  assert.deepEqual(next(still.moving, { does: 'drop' }, grown).dropped?.to, {
    stageId: 'todo',
    index: 4,
    beforeId: undefined,
  })
  const beside = after([lift('d'), step('left')]).moving
  const later = next(beside, { does: 'look again' }, [
    { stageId: 'todo', ids: ['x', 'y', 'a', 'b', 'c'] },
    ...rows.slice(1),
  ])
  assert.deepEqual(later.moving.is === 'lifted' && later.moving.to, { stageId: 'todo', index: 2, beforeId: 'a' })
  assert.equal(next(beside, { does: 'look again' }, rows.slice(0, 1)).moving.is, 'resting')
  const withoutTarget = next(beside, { does: 'look again' }, rows.slice(1)).moving
  assert.deepEqual(withoutTarget.is === 'lifted' && withoutTarget.to, {
    stageId: 'doing',
    index: 0,
    beforeId: undefined,
  })
})
