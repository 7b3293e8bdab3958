import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { ApiError } from '../../src/contract/errors.ts'
import { firstIdAt, idFrom, newId, placeOf } from '../../src/db/ids.ts'
import { createCursors } from '../../src/lists/cursor.ts'
import { subtaskOrders } from '../../src/resources/subtasks/list.ts'
import { inStage, taskOrders } from '../../src/resources/tasks/orders.ts'
import { entryOrders } from '../../src/resources/time/time-entries.ts'
import { rounds } from '../support/rounds.ts'

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

test('a cursor is a UUIDv8 that returns the position that it was made from', () => {
  for (const sortMs of [0, 1, Date.now(), Date.UTC(2100, 0, 1) - 1]) {
    const id = newId()
    const [last, next] = [
      { id, sortMs },
      { id: firstIdAt(placeOf(id) - 1n), sortMs },
    ]
    const cursor = cursors.seal(orgId, 'time-entries', last, next)
    assert.match(cursor, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.deepEqual(opens('time-entries', cursor), { sortMs, idBound: firstIdAt(placeOf(id)) })
  }
  const id = newId()
  assert.deepEqual(opens('tasks', cursors.seal(orgId, 'tasks', { id })), { idBound: firstIdAt(placeOf(id)) })
})

test('a sealed cursor opens, between its two rows, with any clock error when they were created', () => {
  const year = (n: number) => Date.UTC(n, 5, 1)
  for (const [sortYear, idYear] of [
    [1970, 1970],
    [2026, 2023],
    [2026, 2031],
    [2099, 2099],
    [2150, 2150],
    [2026, 9999],
  ] as const) {
    const [high, low] = [2 ** 20 + 5, 2 ** 20 - 2 ** 18 + 5].map((count) => idFrom(year(idYear), count, randomBytes(6)))
    const older = idFrom(year(idYear) - 1, 2 ** 29, randomBytes(6))
    const last = { id: high ?? '', sortMs: year(sortYear) }
    for (const next of [
      { id: low ?? '', sortMs: last.sortMs },
      { id: older, sortMs: last.sortMs },
      { id: newId(), sortMs: last.sortMs - 1 },
    ]) {
      const { sortMs, idBound = '' } = opens('time-entries', cursors.seal(orgId, 'time-entries', last, next)) ?? {}
      assert.equal(sortMs, last.sortMs)
      assert.ok(idBound <= last.id && (next.sortMs < last.sortMs || next.id < idBound), `${next.id} < ${idBound}`)
    }
  }
})

test('two ids of one process have a round place between them, also within one millisecond', () => {
  const ids = Array.from({ length: 10_000 }, () => newId()).reverse()
  const sortMs = Date.now()
  for (const [i, id] of ids.slice(0, -1).entries()) {
    const next = { id: ids[i + 1] ?? '', sortMs }
    const { idBound = '' } = opens('time-entries', cursors.seal(orgId, 'time-entries', { id, sortMs }, next)) ?? {}
    assert.equal(placeOf(idBound) % 2n ** 18n, 0n)
    assert.ok(next.id < idBound && idBound <= id)
  }
})

test('two rows that two processes created within a millisecond are separated unless both clocks were wrong', () => {
  const day = 86_400_000
  const opensOf = (sortMs: number, ms: number) => {
    const [last, next] = [7, 6].map((count) => ({ id: idFrom(ms, 2 ** 20 + count, randomBytes(6)), sortMs }))
    assert.ok(last && next)
    const opened = opens('time-entries', cursors.seal(orgId, 'time-entries', last, next))
    if (opened) assert.ok(next.id < opened.idBound && opened.idBound <= last.id)
    // where a page ends before or behind the two it is a round place again
    const older = { id: idFrom(ms, 2 ** 18, randomBytes(6)), sortMs }
    assert.ok(opens('time-entries', cursors.seal(orgId, 'time-entries', next, older)))
    return opened !== undefined
  }
  const now = Date.now()
  for (const ms of [Date.UTC(2024, 0, 1), now, now + day / 2]) assert.ok(opensOf(now, ms))
  // there is no bit left that would tell these from noise
  for (const ms of [Date.UTC(2023, 11, 31), now + 2 * day]) assert.ok(!opensOf(now, ms))
})

test('a cursor of an earlier version still opens', () => {
  const instance = createCursors(Buffer.alloc(32, 7))
  const org = '01934c04-c000-75ee-8eaf-0cb44c14f849'
  const last = { id: '01934c04-c000-75ee-8eaf-3d62c0aa5e9e', sortMs: 1_765_432_109_876 }
  const idBound = firstIdAt(placeOf(last.id))
  assert.deepEqual(instance.open(org, 'tasks', '3d782a54-1686-854d-aa4b-160238a85967'), { idBound })
  const ofTime = instance.open(org, 'time-entries', 'f88146a1-08cc-8071-b228-e5b1b0082bbe')
  assert.deepEqual(ofTime, { sortMs: last.sortMs, idBound })
})

test('neighbouring positions give cursors with nothing in common', () => {
  const [a, b] = [newId(), newId()].map((id) => cursors.seal(orgId, 'tasks', { id }).replaceAll('-', ''))
  const same = [...(a ?? '')].filter((digit, i) => digit === b?.[i]).length
  assert.ok(same < 16, `${same} of 32 digits are the same`)
})

test('random cursors, and cursors of another organization, list or instance, are refused', () => {
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
  for (let i = 0; i < rounds(2_000, 20_000); i++) {
    const noise = randomUUID().replace(/^(.{14})4/, '$18')
    if (opens('time-entries', noise)) passed++
    assert.equal(opens('tasks', noise), undefined)
  }
  assert.ok(passed <= 12, `${passed} passed`)
})

test('about one random cursor in 13,000 passes in an order by times, one in 16,000 by positions, and none in others', () => {
  const orders = [taskOrders, subtaskOrders, entryOrders].flatMap(({ names, of }) =>
    names
      // these depend on what is asked for
      .filter((name) => !['position', 'relevance'].includes(name))
      .flatMap((name) => [of(name), of(`-${name}`)]),
  )
  const known = { moments: 0, positions: 0, others: 0 }
  const tries = rounds(2_000, 20_000)
  const kinds = [...orders, inStage(randomUUID())].map(({ name, packing }) => ({
    packing,
    kind: name.endsWith('in a stage') ? ('positions' as const) : kindOf(name),
  }))
  assert.equal(kinds.filter(({ kind }) => kind === 'moments').length, 10)
  // of the same bits orders by moments know all or none, and what is counted would be chance times 10
  for (const { packing, kind } of kinds)
    for (let i = 0; i < tries; i++) {
      const bits = BigInt(`0x${randomBytes(16).toString('hex')}`) >> 6n
      if (packing.open(bits)) known[kind]++
    }
  // 20,000 for each of 10 orders: 15
  assert.ok(known.moments <= 40, `${known.moments} in orders by moments`)
  assert.ok(known.positions <= 12, `${known.positions} in an order by positions`)
  assert.equal(known.others, 0)
})

/** The moment of creation is the one in the id. */
const kindOf = (name: string): 'moments' | 'others' =>
  name === 'time-entries' || (/At$/.test(name) && !/createdAt$/.test(name)) ? 'moments' : 'others'
