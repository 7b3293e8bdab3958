import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../support/envelope.ts'
import { request, sendRaw } from '../support/raw.ts'
import { sharedServer } from '../support/world.ts'

const { port, newWorld } = await sharedServer()

const keyed = (key: string) => ({ 'idempotency-key': key })

const invalid: Record<string, string> = {
  'an empty one': '',
  'an empty quoted one': '""',
  'one of 256 characters': 'k'.repeat(256),
  'a quoted one of 256 characters': `"${'k'.repeat(256)}"`,
  'one with a space': 'a b',
  'a quoted one with a space': '"a b"',
  'one with a tab': 'a\tb',
  'one beyond ASCII': 'schlüssel',
  'one whose quotation does not end': '"abc',
  'one that goes on after its quotation': '"abc"d',
  'one with a bare quote inside its quotation': '"a"b"',
  'one whose quotation ends in a backslash': '"abc\\"',
  'one that escapes a letter': '"a\\bc"',
}

for (const [what, value] of Object.entries(invalid)) {
  test(`an Idempotency-Key on POST is valid or refused with 400: ${what}`, async () => {
    const { owner } = await newWorld()
    const reply = await owner.post('/tags', { name: 'Urgent' }, keyed(value))
    assertRefused(reply, 400, 'invalid_idempotency_key')
    assert.equal((await owner.get('/tags')).body.total, 0)
  })
}

test('an Idempotency-Key that is sent twice is refused with 400', async () => {
  const { owner } = await newWorld()
  const twice = 'Idempotency-Key: k\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\nContent-Length: 12'
  const head = request('POST /api/v1/tags', { Authorization: `Bearer ${owner.key}` }).trimEnd()
  assertRefused(await sendRaw(port, `${head}\r\n${twice}\r\n\r\n{"name":"x"}`), 400, 'invalid_idempotency_key')
})

test('an Idempotency-Key is 1 to 255 visible ASCII characters', async () => {
  const { owner } = await newWorld()
  for (const value of ['k', 'k'.repeat(255), `"${'q'.repeat(255)}"`, "!#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", 'a"b']) {
    const { status } = await owner.post('/workspaces', { name: 'Board' }, keyed(value))
    assert.equal(status, 201, value)
  }
})

test('a quoted Idempotency-Key means its inner text and equals the bare one', async () => {
  const { owner } = await newWorld()
  const pairs = [
    ['abc', '"abc"'],
    ['a"b', '"a\\"b"'],
    ['a\\b', '"a\\\\b"'],
  ] as const
  for (const [bare, quoted] of pairs) {
    const first = await owner.post('/workspaces', { name: 'Board' }, keyed(bare))
    const second = await owner.post('/workspaces', { name: 'Board' }, keyed(quoted))
    assert.equal(second.headers.get('idempotent-replayed'), 'true', quoted)
    assert.equal(second.text, first.text)
  }
})

test('Idempotency-Keys that differ in case differ', async () => {
  const { owner } = await newWorld()
  const [first, second] = [
    await owner.post('/workspaces', { name: 'Board' }, keyed('abc')),
    await owner.post('/workspaces', { name: 'Board' }, keyed('ABC')),
  ]
  assert.notEqual(second.body.id, first.body.id)
})

test('GET, PATCH and DELETE ignore the header, malformed or not', async () => {
  const { owner, tag } = await newWorld()
  const { id } = await tag()
  for (const header of [keyed('k'), keyed('a b'), keyed('')]) {
    for (const name of ['One', 'Two']) {
      const changed = await owner.patch(`/tags/${id}`, { name }, header)
      assert.deepEqual([changed.status, changed.body.name], [200, name])
      const read = await owner.get(`/tags/${id}`, header)
      assert.equal(read.body.name, name)
      assert.equal(read.headers.get('idempotent-replayed'), null)
    }
  }
  assert.equal((await owner.delete(`/tags/${id}`, keyed('a b'))).status, 204)
  assertRefused(await owner.delete(`/tags/${id}`, keyed('a b')), 404)
})

test('GET, PATCH and DELETE are safe to retry without a key: the second time changes nothing more', async () => {
  const { owner, tag } = await newWorld()
  const { id } = await tag()
  const [first, second] = [
    await owner.patch(`/tags/${id}`, { color: '#123456' }),
    await owner.patch(`/tags/${id}`, { color: '#123456' }),
  ]
  assert.deepEqual([first.status, second.status, second.body.color], [200, 200, '#123456'])
  assert.equal((await owner.delete(`/tags/${id}`)).status, 204)
  assertRefused(await owner.delete(`/tags/${id}`), 404)
  assert.equal((await owner.get('/tags')).body.total, 0)
})
