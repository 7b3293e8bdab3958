import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type WaitingWebhook, WebhookTurns } from '../../../src/jobs/deliveries/webhook-turns.ts'

const webhooks = (orgId: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ orgId, id: `${orgId} ${n}` }))

function taken(turns: WebhookTurns): WaitingWebhook[] {
  const all: WaitingWebhook[] = []
  for (let one = turns.next(); one; one = turns.next()) all.push(one)
  return all
}
const countOf = (all: WaitingWebhook[], orgId: string) => all.filter((one) => one.orgId === orgId).length

test('organizations take turns, and none has more than its places', () => {
  const turns = new WebhookTurns()
  for (const webhook of [...webhooks('many', 100), ...webhooks('few', 2)]) turns.add(webhook, false)
  const first = taken(turns)
  assert.deepEqual(
    first.slice(0, 4).map(({ orgId }) => orgId),
    ['many', 'few', 'many', 'few'],
  )
  assert.deepEqual([countOf(first, 'many'), countOf(first, 'few')], [6, 2])
  assert.equal(turns.inFlight, 8)
  for (const one of first) turns.end(one, { more: false, slow: false })
  assert.equal(countOf(taken(turns), 'many'), 6)
})

test('slow ones leave places to quick ones, in their organization and in all', () => {
  const turns = new WebhookTurns()
  for (let n = 0; n < 50; n++) for (const webhook of webhooks(`slow ${n}`, 3)) turns.add(webhook, true)
  for (const webhook of webhooks('slow 0', 20).slice(3)) turns.add(webhook, false)
  const first = taken(turns)
  assert.equal(first.length, 12 + 6)
  assert.equal(countOf(first, 'slow 0'), 1 + 6)
  turns.add({ orgId: 'quick', id: 'quick' }, false)
  assert.deepEqual(taken(turns), [{ orgId: 'quick', id: 'quick' }])
})

test('the more organizations there are, the fewer turns each has, so that some are left for who comes next', () => {
  const turns = new WebhookTurns()
  for (let n = 0; n < 5; n++) for (const webhook of webhooks(`hanging ${n}`, 10)) turns.add(webhook, false)
  const first = taken(turns)
  assert.equal(first.length, 5 * 3)
  turns.add({ orgId: 'other', id: 'other' }, false)
  assert.deepEqual(taken(turns), [{ orgId: 'other', id: 'other' }])
})

test('a webhook has one turn at a time, and another one when there was something new meanwhile', () => {
  const turns = new WebhookTurns()
  const [one = assert.fail()] = webhooks('organization', 1)
  for (let n = 0; n < 3; n++) turns.add(one, n === 1)
  assert.equal(turns.isWaiting(one), true)
  assert.deepEqual(taken(turns), [one])
  assert.equal(turns.isWaiting(one), false)
  turns.add(one, false)
  assert.deepEqual(taken(turns), [])
  turns.end(one, { more: false, slow: false })
  assert.deepEqual(taken(turns), [one])
  turns.end(one, { more: false, slow: false })
  assert.deepEqual(taken(turns), [])
  assert.equal(turns.inFlight, 0)
})
