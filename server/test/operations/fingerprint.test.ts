import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../src/contract/errors.ts'
import { canonicalJson, fingerprintOf, readIdempotencyKey } from '../../src/operations/idempotency.ts'

test('canonical JSON orders members by UTF-16 code units and prints numbers as ECMAScript does', () => {
  // the examples of RFC 8785, §3.2.2 and §3.2.3
  const numbers = '{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]}'
  assert.equal(canonicalJson(JSON.parse(numbers)), '{"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}')
  const names = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 }
  assert.equal(canonicalJson(names), '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}')
  assert.equal(canonicalJson([null, true, 'a"b', {}, []]), '[null,true,"a\\"b",{},[]]')
})

test('requests have the same fingerprint only if method, path, query and the value of the body are the same', () => {
  const print = (...request: Parameters<typeof fingerprintOf>) => fingerprintOf(...request).toString('hex')
  const one = print('POST', '/api/v1/tags', { name: 'a', color: null })
  assert.equal(print('POST', '/api/v1/tags', { color: null, name: 'a' }), one)
  assert.equal(print('POST', '/api/v1/timer/stop', {}), print('POST', '/api/v1/timer/stop', undefined))
  const others = [
    print('POST', '/api/v1/task-types', { name: 'a', color: null }),
    print('POST', '/api/v1/tags?x=1', { name: 'a', color: null }),
    print('POST', '/api/v1/tags', { name: 'a' }),
    print('POST', '/api/v1/tags', undefined),
    print('POST', '/api/v1/tags', { name: 'a', color: Number.POSITIVE_INFINITY }),
  ]
  assert.equal(new Set([one, ...others]).size, others.length + 1)
})

test('an Idempotency-Key is 1 to 255 visible ASCII characters, bare or quoted', () => {
  assert.equal(readIdempotencyKey('k1'), 'k1')
  assert.equal(readIdempotencyKey('"k1"'), 'k1')
  assert.equal(readIdempotencyKey('"a\\"b\\\\c"'), 'a"b\\c')
  assert.equal(readIdempotencyKey('x'.repeat(255)).length, 255)
  for (const wrong of ['', '""', 'x'.repeat(256), 'a b', '"a b"', '"a', '"a\\b"', '"a"b"', 'ä', 'a\tb', 'a, b']) {
    assert.throws(
      () => readIdempotencyKey(wrong),
      (error) => error instanceof ApiError && error.status === 400,
      wrong,
    )
  }
})
