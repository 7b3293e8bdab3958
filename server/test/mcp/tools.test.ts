import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { allTools } from '../../src/mcp/all-tools.ts'
import { routes } from '../../src/resources/index.ts'
import { connectAgent, eras } from '../support/agent.ts'
import { sharedServer } from '../support/world.ts'

const server = await sharedServer()

const reading = ['find_tasks', 'read_task', 'list_projects', 'list_members', 'list_time', 'report', 'list_changes']
const writing = [
  ...['create_task', 'edit_task', 'move_task', 'add_comment', 'add_subtasks', 'set_subtasks', 'log_time', 'set_timer'],
]

test('the tools always come in one order, and their list stays under 3,000 tokens (o200k_base)', async () => {
  const { owner, admin } = await server.newWorld()
  const lists = []
  for (const era of eras) {
    for (const { key } of [owner, admin]) {
      const { client } = await connectAgent(server.base, key, { era })
      lists.push((await client.listTools()).tools)
    }
  }
  for (const tools of lists) {
    assert.deepEqual(
      tools.map(({ name }) => name),
      [...reading, ...writing],
    )
    assert.deepEqual(tools, lists[0])
  }
  const tokens = encode(JSON.stringify(lists[0])).length
  assert.ok(tokens < 3_000, `${tokens} tokens`)
})

test("a tool's annotations follow from the operations that it can run", async () => {
  const { owner } = await server.newWorld()
  const { client } = await connectAgent(server.base, owner.key)
  const { tools } = await client.listTools()
  const hints = new Map(tools.map(({ name, annotations }) => [name, annotations]))
  for (const name of reading) assert.deepEqual(hints.get(name), { readOnlyHint: true, openWorldHint: false })
  const writes = { readOnlyHint: false, idempotentHint: true, openWorldHint: false }
  for (const name of writing) {
    const destructiveHint = name === 'edit_task' || name === 'log_time'
    assert.deepEqual(hints.get(name), { ...writes, destructiveHint }, name)
  }
  const lines = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  for (const tool of allTools)
    for (const line of tool.writes) assert.ok(lines.has(line), `${tool.listed.name}: ${line}`)
})

test('every tool that writes takes an idempotencyKey, and no tool takes an unknown argument', async () => {
  const { owner } = await server.newWorld()
  const { client, call } = await connectAgent(server.base, owner.key)
  for (const { name, inputSchema, outputSchema } of (await client.listTools()).tools) {
    assert.equal('idempotencyKey' in (inputSchema.properties ?? {}), writing.includes(name), name)
    assert.match((await call(name, { colour: 'red' })).text, /Unknown argument: colour/, name)
    assert.equal(outputSchema, undefined)
  }
})

test('at /mcp/readonly, and with a key of scope read, only read tools are listed', async () => {
  const { owner, project } = await server.newWorld()
  await project({ key: 'WEB' })
  const { secret } = (await owner.post('/api-keys', { name: 'reader', scopes: ['read'] })).body
  const agents = [
    await connectAgent(server.base, owner.key, { path: '/mcp/readonly' }),
    await connectAgent(server.base, owner.key, { path: '/mcp/readonly', era: '2025-11-25' }),
    await connectAgent(server.base, secret),
  ]
  for (const { client, call } of agents) {
    const names = (await client.listTools()).tools.map(({ name }) => name)
    assert.deepEqual(names, reading)
    const { text, refused } = await call('create_task', { project: 'WEB', name: 'Not here' })
    assert.ok(refused)
    assert.match(text, /Your API key has no tool "create_task" here/)
    assert.ok(!(await call('list_projects')).refused)
  }
  assert.equal((await owner.get('/tasks')).body.data.length, 0)
})

test('a key without the scope read has no tools, because all of them read', async () => {
  const { owner } = await server.newWorld()
  const { secret } = (await owner.post('/api-keys', { name: 'writer', scopes: ['write'] })).body
  const { client, call } = await connectAgent(server.base, secret)
  assert.deepEqual((await client.listTools()).tools, [])
  assert.ok((await call('add_comment', { task: 'WEB-1', body: 'Hello' })).refused)
})
