import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { Webhook } from 'standardwebhooks'
import { signedHeaders } from '../../server/src/jobs/deliveries/signatures.ts'
import { verifyWebhook, WebhookVerificationError } from '../src/index.ts'
import { rejection } from './support/rejection.ts'

const secretOf = (bytes: Buffer) => `whsec_${bytes.toString('base64')}`
const [key, former, stranger] = [randomBytes(32), randomBytes(24), randomBytes(32)]
const event = { id: 'a8e4c1b2-0000-8000-8000-000000000001', type: 'task.created', snapshot: { name: 'Grüße 👋' } }
const body = JSON.stringify(event)
const now = new Date('2026-11-22T12:00:00Z')
const signed = (secrets = [key], at = now) => signedHeaders({ id: event.id, body }, secrets, at)

test('the client verifies what the server signs, and returns the event', async () => {
  assert.deepEqual(await verifyWebhook(secretOf(key), signed(), body, { now }), event)
  assert.deepEqual(await verifyWebhook(secretOf(key), signed([key], new Date()), body), event)
  // without its prefix; as bytes; as headers of the web, in large letters, as a list
  assert.deepEqual(await verifyWebhook(key.toString('base64'), signed(), Buffer.from(body), { now }), event)
  assert.deepEqual(await verifyWebhook(secretOf(key), new Headers(signed()), body, { now }), event)
  const loud = Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), [value]]))
  assert.deepEqual(await verifyWebhook(secretOf(key), loud, body, { now }), event)
})

test('the client verifies what the public library signs', async () => {
  const at = new Date()
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': `v1a,bm90IG91cnM= ${new Webhook(secretOf(key)).sign('msg_1', at, body)}`,
  }
  assert.deepEqual(await verifyWebhook(secretOf(key), headers, body), event)
})

test('while a secret is rotated, either side can be ahead', async () => {
  assert.ok(await verifyWebhook(secretOf(key), signed([former, key]), body, { now }))
  assert.ok(await verifyWebhook(secretOf(former), signed([key, former]), body, { now }))
  assert.ok(await verifyWebhook([secretOf(key), secretOf(former)], signed([former]), body, { now }))
  await rejection(verifyWebhook(secretOf(stranger), signed([key, former]), body, { now }), WebhookVerificationError)
  await rejection(verifyWebhook([], signed(), body, { now }), WebhookVerificationError)
})

test('a message that was changed, has another secret, or names no signature is refused', async () => {
  const wrong: [Record<string, string | undefined>, string][] = [
    [signed(), `${body} `],
    [{ ...signed(), 'webhook-id': 'another' }, body],
    [{ ...signed(), 'webhook-timestamp': String(now.getTime() / 1_000 + 1) }, body],
    [signed([stranger]), body],
    [{ ...signed(), 'webhook-signature': signed()['webhook-signature']?.replace('v1,', 'v2,') }, body],
    [{ ...signed(), 'webhook-signature': 'v1,' }, body],
    [{ ...signed(), 'webhook-signature': 'v1,%%%' }, body],
    ...['id', 'timestamp', 'signature'].flatMap((name): [Record<string, string | undefined>, string][] => [
      [{ ...signed(), [`webhook-${name}`]: undefined }, body],
      [{ ...signed(), [`webhook-${name}`]: '' }, body],
    ]),
    ...['NaN', '-1', '1e9', ' ', 'soon'].map((timestamp): [Record<string, string>, string] => [
      { ...signed(), 'webhook-timestamp': timestamp },
      body,
    ]),
  ]
  for (const [headers, text] of wrong) {
    const { name, message } = await rejection(
      verifyWebhook(secretOf(key), headers, text, { now }),
      WebhookVerificationError,
    )
    assert.equal(name, 'WebhookVerificationError')
    assert.match(message, /^webhook-/)
  }
})

test('a message more than five minutes old or ahead is refused, because it may be a replay', async () => {
  const at = (seconds: number) => signed([key], new Date(now.getTime() + seconds * 1_000))
  for (const seconds of [-300, 300]) assert.ok(await verifyWebhook(secretOf(key), at(seconds), body, { now }))
  for (const seconds of [-301, 301]) {
    await rejection(verifyWebhook(secretOf(key), at(seconds), body, { now }), WebhookVerificationError)
    assert.ok(await verifyWebhook(secretOf(key), at(seconds), body, { now, toleranceSeconds: 301 }))
  }
})

test('a body can be any form of bytes', async () => {
  const bytes = new TextEncoder().encode(body)
  const within = new Uint8Array(bytes.length + 8)
  within.set(bytes, 4)
  const shared = new SharedArrayBuffer(bytes.length)
  new Uint8Array(shared).set(bytes)
  const forms = [
    ...[body, Buffer.from(body), bytes, bytes.buffer, within.subarray(4, -4), shared, new Uint8Array(shared)],
    ...[new DataView(within.buffer, 4, bytes.length), new Int8Array(bytes.buffer), new Uint8ClampedArray(bytes)],
    // of another realm, as tests of Jest have it
    runInNewContext('new Uint8Array(bytes)', { bytes: [...bytes] }),
    runInNewContext('new Uint8Array(bytes).buffer', { bytes: [...bytes] }),
  ]
  for (const form of forms)
    assert.deepEqual(
      await verifyWebhook(secretOf(key), signed(), form, { now }),
      event,
      Object.prototype.toString.call(form),
    )
})

test('a value that is not a body is refused, with what to do', async () => {
  const request = new Request('http://127.0.0.1', { method: 'POST', body })
  const wrong: [unknown, RegExp][] = [
    [event, /not a parsed object: in Express use express\.raw/],
    [request, /not Request: pass await request\.text\(\)/],
    [request.body, /not ReadableStream: read the whole stream/],
    [new Blob([body]), /not Blob: pass await blob\.arrayBuffer\(\)/],
    ...[undefined, null, 1, [1, 2]].map((other): [unknown, RegExp] => [other, /read it before it is parsed/]),
  ]
  for (const [given, told] of wrong) {
    const { message } = await rejection(verifyWebhook(secretOf(key), signed(), given as never, { now }), TypeError)
    assert.match(message, told)
  }
})

test('a parsed body and an invalid secret are reported as mistakes of the receiver', async () => {
  await rejection(verifyWebhook(secretOf(key), signed(), event as never, { now }), TypeError)
  for (const secret of ['', 'whsec_', 'whsec_%', undefined as never]) {
    await rejection(verifyWebhook(secret, signed(), body, { now }), TypeError)
  }
})
