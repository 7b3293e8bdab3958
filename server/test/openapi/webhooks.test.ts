import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Event } from '../../src/resources/events/event.ts'
import { eventTypes } from '../../src/resources/index.ts'
import { readFeed } from '../support/feed.ts'
import { inUsefulOrder, startScenes } from '../support/scene.ts'

const { api, scene } = await startScenes()
const { body: document } = await api('').get('/openapi.json')

interface Operation {
  parameters: { $ref: string }[]
  requestBody: { content: { 'application/json': { example: { snapshot: unknown } } } }
  responses: Record<string, unknown>
  security: unknown[]
}

const webhooks: Record<string, { post: Operation }> = document.webhooks
const operations = Object.entries(webhooks).map(([type, { post }]) => ({ type, post }))

test('the document describes the webhook request of every event type, and of no other type', () => {
  assert.deepEqual(
    Object.keys(webhooks),
    eventTypes.map(({ type }) => type),
  )
})

test('each webhook in the document names the three headers of Standard Webhooks, takes no API key, and explains the responses', () => {
  for (const { type, post } of operations) {
    const names = post.parameters.map(({ $ref }) => document.components.parameters[$ref.split('/').at(-1) ?? ''].name)
    assert.deepEqual(names, ['webhook-id', 'webhook-timestamp', 'webhook-signature'], type)
    assert.deepEqual([post.security, Object.keys(post.responses).sort()], [[], ['2XX', '410', 'default']], type)
  }
})

test('the example of each webhook is an event of its type', () => {
  for (const { type, post } of operations) {
    const { example } = post.requestBody.content['application/json']
    assert.deepEqual(Event.safeParse(example).error, undefined, type)
    assert.ok(fits(type, example), type)
    const known = eventTypes.find((known) => known.type === type)
    assert.deepEqual(known?.snapshot.safeParse(example.snapshot).error, undefined, type)
  }
})

test('every event of the feed matches the schema of its type in the document, and no other schema', async () => {
  const { ask, world } = await scene()
  for (const route of inUsefulOrder) if (route.method !== 'GET') await ask(world.owner, route)
  const events = await readFeed(world.owner, 'limit=100')
  for (const event of events) {
    assert.ok(fits(event.type, event), JSON.stringify(event))
    assert.equal(fits(event.type === 'task.moved' ? 'task.created' : 'task.moved', event), false)
  }
  const types = new Set(events.map(({ type }) => type))
  assert.ok(types.size > 40, `${types.size}`)
})

const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema({ ...document, $id: 'document' })

/** Whether the document lets an event pass as one of a type. */
function fits(type: string, event: unknown): unknown {
  // compiled once: ajv keeps what it was asked for by this name
  return ajv.getSchema(`document#/webhooks/${type}/post/requestBody/content/application~1json/schema`)?.(event)
}
