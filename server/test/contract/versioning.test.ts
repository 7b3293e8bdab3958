import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/resources/index.ts'
import { assertRefused } from '../support/envelope.ts'
import { request, sendRaw } from '../support/raw.ts'
import { sharedServer } from '../support/world.ts'

const { port, newWorld } = await sharedServer()

test('the path contains the version: all paths have the prefix /api/v1', async () => {
  const { owner } = await newWorld()
  const headers = { Authorization: `Bearer ${owner.key}` }
  assert.equal((await sendRaw(port, request('GET /api/v1/tags', headers))).status, 200)
  for (const path of [
    '/tags',
    '/v1/tags',
    '/api/tags',
    '/api/v2/tags',
    '/api/v0/tags',
    '/api/V1/tags',
    '/API/v1/tags',
  ]) {
    assertRefused(await sendRaw(port, request(`GET ${path}`, headers)), 404)
  }
})

test('the resources are organizations, projects, workspaces, stages, tasks, subtasks, time entries, members, task types and tags', () => {
  const nouns = new Set(routes.flatMap(({ path }) => path.split('/')))
  const resources = ['organizations', 'projects', 'workspaces', 'stages', 'tasks', 'subtasks', 'time-entries']
  for (const noun of [...resources, 'members', 'task-types', 'tags']) assert.ok(nouns.has(noun), noun)
})

test('bodies are JSON, also those of errors', async () => {
  const { owner } = await newWorld()
  for (const reply of [
    await owner.get('/tags'),
    await owner.post('/tags', { name: 'x' }),
    await owner.get('/nothing'),
  ]) {
    assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(typeof reply.body, 'object')
  }
})

test('a client that accepts anything at all gets JSON, never 406', async () => {
  const { owner, tag } = await newWorld()
  const { id } = await tag()
  for (const accept of ['text/html', 'application/xml, image/*;q=0.1', 'application/json;q=0', 'nonsense', '']) {
    for (const path of ['/tags', `/tags/${id}`, '/tasks', '/reports/time?groupBy=project']) {
      const { status, headers } = await owner.get(path, { accept })
      assert.deepEqual([status, headers.get('content-type')], [200, 'application/json; charset=utf-8'], accept)
    }
  }
})
