import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { firstIdAt, newId, placeOf } from '../../src/db/ids.ts'
import { createCursors } from '../../src/http/cursor.ts'
import { ApiError } from '../../src/http/errors.ts'

const cursors = createCursors(randomBytes(32))
const orgId = randomUUID()

const opens = (list: 'tasks' | 'time-entries', cursor: string, org = orgId) => {
  try {
    return cursors.open(org, list, cursor)
  } catch (error) {
    assert.ok(error instanceof ApiError && error.status === 422)
    return undefined
  }
}

test('a cursor is a UUIDv8 that gives back the position it was made of', () => {
  for (const sortMs of [0, 1, Date.now(), Date.UTC(2100, 0, 1) - 1]) {
    const id = newId()
    const cursor = cursors.seal(orgId, 'time-entries', { id, sortMs })
    assert.match(cursor, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.deepEqual(opens('time-entries', cursor), { sortMs, idBound: firstIdAt(placeOf(id)) })
  }
  const id = newId()
  assert.deepEqual(opens('tasks', cursors.seal(orgId, 'tasks', { id })), { idBound: firstIdAt(placeOf(id)) })
})

test('a cursor that an earlier version gave out still opens', () => {
  const instance = createCursors(Buffer.alloc(32, 7))
  const org = '01934c04-c000-75ee-8eaf-0cb44c14f849'
  const last = { id: '01934c04-c000-75ee-8eaf-3d62c0aa5e9e', sortMs: 1_765_432_109_876 }
  const idBound = firstIdAt(placeOf(last.id))
  assert.deepEqual(instance.open(org, 'tasks', '3d782a54-1686-854d-aa4b-160238a85967'), { idBound })
  const ofTime = instance.open(org, 'time-entries', 'f88146a1-08cc-8071-b228-e5b1b0082bbe')
  assert.deepEqual(ofTime, { sortMs: last.sortMs, idBound })
})

test('neighbouring positions give cursors that have nothing in common', () => {
  const [a, b] = [newId(), newId()].map((id) => cursors.seal(orgId, 'tasks', { id }).replaceAll('-', ''))
  const same = [...(a ?? '')].filter((digit, i) => digit === b?.[i]).length
  assert.ok(same < 16, `${same} of 32 digits are the same`)
})

test('noise, and cursors of another organization, list or instance, are refused', () => {
  const foreign = createCursors(randomBytes(32))
  for (let i = 0; i < 500; i++) {
    const id = newId()
    const ours = cursors.seal(orgId, 'tasks', { id })
    assert.equal(opens('tasks', ours, randomUUID()), undefined)
    assert.equal(opens('tasks', cursors.seal(orgId, 'time-entries', { id, sortMs: Date.now() })), undefined)
    assert.equal(opens('tasks', foreign.seal(orgId, 'tasks', { id })), undefined)
    assert.equal(opens('tasks', randomUUID()), undefined)
    assert.equal(opens('time-entries', randomUUID()), undefined)
  }
})

test('about one foreign cursor in 13,000 passes on a list with a sort key, and none on the other', () => {
  let passed = 0
  for (let i = 0; i < 20_000; i++) {
    const noise = randomUUID().replace(/^(.{14})4/, '$18')
    if (opens('time-entries', noise)) passed++
    assert.equal(opens('tasks', noise), undefined)
  }
  assert.ok(passed <= 12, `${passed} of 20,000 passed`)
})
