import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newKey, readKey } from '../../src/access/keys.ts'

test('a key contains its organization, and the server finds it by its hash alone', () => {
  for (const orgId of [randomUUID(), '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']) {
    const { secret, hash, prefix } = newKey(orgId)
    assert.match(secret, /^tw_[0-9A-Za-z]{58}$/)
    assert.ok(secret.startsWith(prefix))
    assert.deepEqual(readKey(secret), { orgId, hash })
  }
})

test('a key with a typing error in any character is malformed', () => {
  const { secret } = newKey(randomUUID())
  for (let i = 3; i < secret.length; i++) {
    const other = secret[i] === 'a' ? 'b' : 'a'
    assert.equal(readKey(secret.slice(0, i) + other + secret.slice(i + 1)), undefined, `character ${i}`)
  }
})

test('a text that is not a key at all is malformed', () => {
  for (const text of ['', 'tw_', 'x'.repeat(61), `tw_${'z'.repeat(58)}`, `${newKey(randomUUID()).secret} `]) {
    assert.equal(readKey(text), undefined)
  }
})
