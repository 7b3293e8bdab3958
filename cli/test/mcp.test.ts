import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterwards, type Scope } from '../../server/test/support/afterwards.ts'
import { type Era, eras, webProject } from '../../server/test/support/agent.ts'
import { program } from '../../server/test/support/slow/pty.ts'
import { sharedServer } from '../../server/test/support/world.ts'
import { type, typingTo } from './support/typing.ts'

const server = await sharedServer()

/** A client that starts `tw mcp`, as those do that know no URL. */
async function started(t: Scope, key: string, { era = eras[1] as Era, flags = [] as string[] } = {}) {
  const mode = era === '2026-07-28' ? { versionNegotiation: { mode: { pin: era } } } : {}
  const client = new Client({ name: 'test', version: '1.0.0' }, mode)
  const { PATH = '' } = process.env
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...flags],
    env: { PATH, TASKWRIGHT_URL: server.base, TASKWRIGHT_API_KEY: key },
    stderr: 'pipe',
  })
  await client.connect(transport)
  afterwards(t, () => client.close())
  return client
}

for (const era of eras) {
  test(`a client that starts tw mcp lists the tools, calls one and gets refusals, by ${era}`, async (t) => {
    const world = await server.newWorld()
    await webProject(world)
    const client = await started(t, world.owner.key, { era })
    assert.equal(client.getNegotiatedProtocolVersion(), era)
    assert.equal((await client.listTools()).tools[0]?.name, 'find_tasks')
    const created = await client.callTool({
      name: 'create_task',
      arguments: { project: 'WEB', name: 'Übergrößen\u2028 prüfen 👩‍👧' },
    })
    assert.equal(created.isError, undefined)
    assert.equal((await world.owner.get('/tasks/WEB-1')).body.name, 'Übergrößen\u2028 prüfen 👩‍👧')
    const refused = await client.callTool({ name: 'read_task', arguments: { task: 'WEB-99' } })
    assert.equal(refused.isError, true)
  })
}

test('with --readonly, only read tools are there', async (t) => {
  const { owner } = await server.newWorld()
  const client = await started(t, owner.key, { flags: ['--readonly'] })
  const { tools } = await client.listTools()
  assert.ok(tools.length > 5 && tools.every(({ annotations }) => annotations?.readOnlyHint))
})

test('each line gets its response on one line, a notification gets none, and nothing else is written', async () => {
  const world = await server.newWorld()
  const tw = typingTo(server.base, world.owner.key)
  const input = [
    { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'list_members', arguments: {} } },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'ping' },
  ].map((message) => JSON.stringify(message))
  const { code, out, err } = await tw('mcp', { input: [...input, '', '{no JSON'].join('\n') })
  assert.deepEqual([code, err], [0, ''])
  const answers = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const byId = new Map(answers.map((answer) => [answer.id, answer]))
  assert.deepEqual([...byId.keys()].map(String).toSorted(), ['2', 'a', 'null'])
  assert.match(byId.get('a').result.content[0].text, /Olivia Owner/)
  assert.deepEqual(byId.get(2).result, {})
  assert.equal(byId.get(null).error.code, -32_700)
})

test('an HTTP refusal comes as a protocol error, with the id of the request', async () => {
  const input = JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/list' })
  const env = { TASKWRIGHT_URL: server.base, TASKWRIGHT_API_KEY: 'tw_nobody' }
  const { code, out } = await type('mcp', { env, input })
  assert.equal(code, 0)
  const { id, error } = JSON.parse(out)
  assert.equal(id, 5)
  assert.match(error.message, /API key \(HTTP 401\)$/)
})

test('if no server listens, each message gets an error that says so; without a sign-in the exit code is 4', async () => {
  const input = JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/list' })
  const env = { TASKWRIGHT_URL: 'http://127.0.0.1:9', TASKWRIGHT_API_KEY: 'tw_nobody' }
  const { out } = await type('mcp', { env, input })
  assert.match(JSON.parse(out).error.message, /^Cannot connect to http:\/\/127\.0\.0\.1:9\/mcp/)
  const nobody = await type('mcp', { input })
  assert.deepEqual([nobody.code, nobody.out], [4, ''])
  assert.match(nobody.err, /not signed in/)
  const odd = await type('mcp', { env: { ...env, TASKWRIGHT_API_KEY: 'tw_two\nlines' }, input })
  assert.deepEqual([odd.code, odd.out], [4, ''])
  assert.doesNotMatch(odd.err, /tw_two/)
  assert.equal((await type('mcp', { env: { ...env, TASKWRIGHT_URL: 'nonsense' }, input })).code, 2)
})

test('a call with a lost response is sent again, and takes effect once', async (t) => {
  const world = await server.newWorld()
  await webProject(world)
  let lost = 0
  const between = createServer(async (asked, answer) => {
    const body = await text(asked)
    const { authorization = '' } = asked.headers
    const headers = { authorization, 'content-type': 'application/json' }
    const response = await fetch(`${server.base}${asked.url}`, { method: 'POST', headers, body })
    const answered = await response.text()
    if (lost++ === 0) return answer.socket?.destroy()
    answer.writeHead(response.status, { 'content-type': 'application/json' }).end(answered)
  })
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
  afterwards(t, async () => void between.close())
  const params = { name: 'create_task', arguments: { project: 'WEB', name: 'Once', subtasks: ['a'] } }
  const tw = typingTo(`http://127.0.0.1:${(between.address() as AddressInfo).port}`, world.owner.key)
  const { out } = await tw('mcp', { input: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) })
  assert.match(
    JSON.parse(out).result.content[0].text,
    /^Created WEB-1 Once.*\n(.*\n)*\(This is the stored result of an identical earlier call/,
  )
  assert.equal(lost, 2)
  assert.equal((await world.owner.get('/tasks')).body.data.length, 1)
})
