import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeysByOrganization } from '../../src/access/keys-by-organization.ts'

const numbered = (count: number, name = 'key') => Array.from({ length: count }, (_, n) => `${name} ${n}`)

const addAll = (keys: KeysByOrganization, orgId: string, added: readonly string[]) =>
  added.flatMap((key) => keys.add(orgId, key))

test('of one organization with too many keys those are forgotten that came longest ago, a tenth at once', () => {
  const keys = new KeysByOrganization(100)
  assert.deepEqual(addAll(keys, 'busy', numbered(100)), [])
  // it came again
  assert.deepEqual(keys.add('busy', 'key 0'), [])
  assert.deepEqual(keys.add('busy', 'key 100'), numbered(12).slice(1))
  assert.equal(keys.count, 90)
  assert.ok(keys.of('busy').has('key 0'))
})

test('an organization with very many keys leaves the others theirs, and of two such each has half of the rest', () => {
  const keys = new KeysByOrganization(100)
  const few = numbered(10, 'few')
  addAll(keys, 'quiet', few)
  addAll(keys, 'busy', numbered(1_000, 'busy'))
  addAll(keys, 'other', numbered(1_000, 'other'))
  // as much again as is forgotten, and then that is
  addAll(keys, 'busy', numbered(100 - keys.count + 1, 'late'))
  assert.deepEqual([...keys.of('quiet')], few)
  assert.deepEqual([keys.of('busy').size, keys.of('other').size], [40, 40])
  assert.equal(keys.count, 90)
})

test('of more organizations than there is room for those are forgotten that came longest ago', () => {
  const keys = new KeysByOrganization(100)
  for (const orgId of numbered(100, 'org')) assert.deepEqual(keys.add(orgId, `of ${orgId}`), [])
  keys.add('org 0', 'of org 0')
  assert.deepEqual(
    keys.add('org 100', 'of org 100'),
    numbered(12, 'org')
      .slice(1)
      .map((orgId) => `of ${orgId}`),
  )
  assert.equal([...keys].length, 90)
})

test('however many keys of however many organizations come, the count is that of those that are kept', () => {
  const keys = new KeysByOrganization(50)
  const kept = new Set<string>()
  for (let n = 0; n < 5_000; n++) {
    const orgId = `org ${(n * n) % 97}`
    const key = `${orgId} ${n % 31}`
    kept.add(key)
    for (const forgotten of keys.add(orgId, key)) assert.ok(kept.delete(forgotten), forgotten)
    if (n % 7 === 0) {
      keys.delete(orgId, key)
      kept.delete(key)
    }
    assert.ok(keys.count <= 50)
  }
  const all = [...keys].flatMap(([, own]) => [...own])
  assert.deepEqual(new Set(all), kept)
  assert.equal(keys.count, all.length)
})
