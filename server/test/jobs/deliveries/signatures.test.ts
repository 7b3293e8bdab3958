import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { signedHeaders } from '../../../src/jobs/deliveries/signatures.ts'

const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

test('a signature matches that of the reference implementations of Standard Webhooks', () => {
  const vectors = [
    [
      secret,
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1614265330,
      '{"test": 2432232314}',
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    ],
    [
      'plJ3nmyCDGBKInavdOK15jsl',
      'msg_loFOjxBNrRLzqYUf',
      1731705121,
      '{"event_type":"ping","data":{"success":true}}',
      'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
    ],
  ] as const
  for (const [key, id, seconds, body, signature] of vectors) {
    const headers = signedHeaders({ id, body }, [Buffer.from(key, 'base64')], new Date(seconds * 1_000 + 999))
    assert.deepEqual(headers, {
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signature,
    })
  }
})

test('with two secrets the public verifier accepts either, and no third', () => {
  const message = { id: 'a8e4c1b2-0000-8000-8000-000000000001', body: '{"name":"Grüße 👋"}' }
  const former = Buffer.alloc(64, 7).toString('base64')
  const keys = [secret, former].map((key) => Buffer.from(key, 'base64'))
  const headers = signedHeaders(message, keys, new Date())
  for (const key of [secret, `whsec_${former}`])
    assert.deepEqual(new Webhook(key).verify(message.body, headers), JSON.parse(message.body))
  assert.throws(() => new Webhook(Buffer.alloc(24).toString('base64')).verify(message.body, headers))
  assert.throws(() => new Webhook(secret).verify(`${message.body} `, headers))
})
