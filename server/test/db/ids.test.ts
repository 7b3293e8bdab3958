import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstIdAt, newId, placeOf, timeOf } from '../../src/db/ids.ts'

test('ids are UUIDv7, ascending, and never share their first 78 significant bits', () => {
  const ids = Array.from({ length: 50_000 }, () => newId())
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids.map(placeOf)).size, ids.length)
})

test('an id contains the millisecond of its creation', () => {
  const ms = Date.now() + 60_000
  assert.equal(timeOf(newId(ms)).getTime(), ms)
})

test('a clock that is set back creates no id before the last one', () => {
  const last = newId(Date.now() + 120_000)
  assert.ok(newId(Date.now() - 3_600_000) > last)
})

test('the first id at a place sorts at or below every id of that place and above every id of the place before', () => {
  for (let i = 0; i < 1_000; i++) {
    const [before, id] = [newId(), newId()]
    const first = firstIdAt(placeOf(id))
    assert.ok(before < first && first <= id, `${before} < ${first} <= ${id}`)
    assert.equal(placeOf(first), placeOf(id))
  }
})
