import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DueWebhook } from '../../../src/jobs/deliveries/due.ts'
import { DeliverySchedule } from '../../../src/jobs/deliveries/schedule.ts'

const webhooks = (orgId: string, count: number, failing = false): DueWebhook[] =>
  Array.from({ length: count }, (_, n) => ({ orgId, id: `${orgId} ${n} ${failing}`, failing, wantedAt: null }))

function begun(turns: DeliverySchedule): DueWebhook[] {
  const all: DueWebhook[] = []
  for (let one = turns.begin(); one; one = turns.begin()) all.push(one)
  return all
}
const countOf = (all: DueWebhook[], orgId: string) => all.filter((one) => one.orgId === orgId).length

test('organizations take turns, and none has more than its places', () => {
  const turns = new DeliverySchedule()
  for (const webhook of [...webhooks('many', 100), ...webhooks('few', 2)]) turns.add(webhook)
  const first = begun(turns)
  assert.deepEqual(
    first.slice(0, 4).map(({ orgId }) => orgId),
    ['many', 'few', 'many', 'few'],
  )
  assert.deepEqual([countOf(first, 'many'), countOf(first, 'few')], [20, 2])
  assert.equal(turns.running, 22)
  for (const one of first) turns.end(one)
  assert.equal(countOf(begun(turns), 'many'), 20)
})

test('failing webhooks leave half of the places to others, in their organization and overall', () => {
  const turns = new DeliverySchedule()
  for (let n = 0; n < 50; n++) for (const webhook of webhooks(`failing ${n}`, 20, true)) turns.add(webhook)
  for (const webhook of webhooks('failing 0', 30)) turns.add(webhook)
  const first = begun(turns)
  assert.equal(first.filter(({ failing }) => failing).length, 100)
  assert.ok(countOf(first, 'failing 1') <= 10)
  assert.equal(countOf(first, 'failing 0'), 20)
  const other = webhooks('other', 1)
  turns.add(other[0] ?? assert.fail())
  assert.deepEqual(begun(turns), other)
})

test('a webhook has one turn at a time, and another one if something new came meanwhile', () => {
  const turns = new DeliverySchedule()
  const [one = assert.fail()] = webhooks('organization', 1)
  for (let n = 0; n < 3; n++) turns.add(one)
  assert.deepEqual(begun(turns), [one])
  turns.add(one)
  assert.deepEqual(begun(turns), [])
  turns.end(one)
  assert.deepEqual(begun(turns), [one])
  turns.end(one)
  assert.deepEqual(begun(turns), [])
  assert.equal(turns.running, 0)
})
