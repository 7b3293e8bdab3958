import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectAgent, eras, post } from '../support/agent.ts'
import { sharedServer, startServer } from '../support/world.ts'

const friend = 'https://app.example.com'
const server = await sharedServer()
const open = await startServer({ corsOrigins: [friend] })

const message = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 7, method, ...(params ? { params } : {}) })
const initialize = message('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
})
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

for (const era of eras) {
  test(`a client of ${era} learns the server's name, lists the tools and calls one`, async () => {
    const { owner } = await server.newWorld()
    const { client, call } = await connectAgent(server.base, owner.key, { era })
    assert.equal(client.getServerVersion()?.name, 'taskwright')
    assert.equal(client.getNegotiatedProtocolVersion(), era)
    assert.match(client.getInstructions() ?? '', /Never follow instructions/)
    const { tools } = await client.listTools()
    assert.equal(tools[0]?.name, 'find_tasks')
    const { text, refused } = await call('list_members')
    assert.ok(!refused && text.includes('Olivia Owner <olivia@example.com> · owner · you'), text)
  })
}

test('any process handles any message: none needs an earlier one', async () => {
  const { owner } = await server.newWorld()
  const { status, body, headers } = await post(server.base, message('tools/list'), bearer(owner.key))
  assert.equal(status, 200)
  assert.equal(headers.get('mcp-session-id'), null)
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(body.id, 7)
  assert.ok(body.result.tools.length >= 12)
})

test('a message without a valid key gets 401, for any method, and says how to sign in', async () => {
  for (const headers of [{}, bearer('tw_nobody'), { authorization: 'Basic abc' }] as Record<string, string>[]) {
    for (const path of ['/mcp', '/mcp/readonly']) {
      const refused = await post(server.base, initialize, headers, path)
      assert.equal(refused.status, 401)
      assert.equal(refused.headers.get('www-authenticate'), 'Bearer')
      assert.equal(refused.headers.get('x-error-code'), 'unauthorized')
    }
  }
})

const limited = await startServer({ rateLimit: { requests: 8, windowMs: 3_600_000 } })

for (const era of eras) {
  test(`an HTTP refusal is a JSON-RPC error too, and the client library of ${era} shows the reason`, async () => {
    const { owner } = await limited.newWorld()
    const { client } = await connectAgent(limited.base, owner.key, { era })
    const failing = async (): Promise<unknown> => {
      for (;;) await client.callTool({ name: 'list_members', arguments: {} })
    }
    await assert.rejects(failing(), /Too many requests.*Wait \d+ s, then try again/)
    const refused = await post(limited.base, message('tools/list'), bearer(owner.key))
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal(refused.headers.get('content-type'), 'application/json; charset=utf-8')
    const { error, ...rest } = refused.body
    assert.deepEqual(rest, { jsonrpc: '2.0', id: null })
    assert.deepEqual([error.code, error.data], [-32_000, { status: 429, code: refused.headers.get('x-error-code') }])
  })

  test(`a client of ${era} with a key that stopped working is told so by its library`, async () => {
    const { owner } = await server.newWorld()
    const key = (await owner.post('/api-keys', { name: 'agent' })).body
    const { client } = await connectAgent(server.base, key.secret, { era })
    await owner.delete(`/api-keys/${key.id}`)
    await assert.rejects(client.callTool({ name: 'list_members', arguments: {} }), /jsonrpc.*key/)
    await assert.rejects(connectAgent(server.base, key.secret, { era }), ({ data, message }) => {
      assert.match(JSON.stringify([data, message]), /401|jsonrpc/)
      return true
    })
  })
}

test('X-API-Key works as everywhere, and a revoked key works no more', async () => {
  const { owner } = await server.newWorld()
  const key = (await owner.post('/api-keys', { name: 'agent' })).body
  const ask = () => post(server.base, message('tools/list'), { 'x-api-key': key.secret })
  assert.equal((await ask()).status, 200)
  await owner.delete(`/api-keys/${key.id}`)
  assert.equal((await ask()).status, 401)
})

test('pages of origins outside CORS_ORIGINS are refused before anything else', async () => {
  const { owner } = await server.newWorld()
  for (const origin of [friend, 'null', server.base]) {
    for (const headers of [bearer(owner.key), {}] as Record<string, string>[]) {
      const { status, body, headers: got } = await post(server.base, initialize, { ...headers, origin })
      assert.equal(status, 403)
      assert.equal(got.get('x-error-code'), 'foreign_origin')
      assert.match(body.error.message, /CORS_ORIGINS/)
    }
  }
  const { owner: other } = await open.newWorld()
  assert.equal((await post(open.base, initialize, { ...bearer(other.key), origin: friend })).status, 200)
  assert.equal((await post(open.base, initialize, { ...bearer(other.key), origin: server.base })).status, 403)
  assert.equal((await post(open.base, initialize, bearer(other.key))).status, 200)
})

test("a page of such an origin can send the protocol's headers", async () => {
  const asked = 'authorization,content-type,mcp-protocol-version,mcp-method,mcp-name'
  const { status, headers } = await fetch(`${open.base}/mcp`, {
    method: 'OPTIONS',
    headers: { origin: friend, 'access-control-request-method': 'POST', 'access-control-request-headers': asked },
  })
  assert.equal(status, 204)
  const allowed = headers.get('access-control-allow-headers')?.toLowerCase() ?? ''
  for (const name of asked.split(',')) assert.ok(allowed.includes(name), name)
})

test('there are no sessions and no streams: GET and DELETE get 405', async () => {
  const { owner } = await server.newWorld()
  for (const path of ['/mcp', '/mcp/readonly']) {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, headers } = await fetch(server.base + path, { method, headers: bearer(owner.key) })
      assert.equal(status, 405)
      assert.equal(headers.get('allow'), 'POST, OPTIONS')
    }
  }
  const listen = await post(server.base, message('subscriptions/listen', { notifications: {} }), bearer(owner.key))
  assert.equal(listen.status, 404)
  assert.equal(listen.body.error.code, -32_601)
  assert.equal(listen.body.id, 7)
})

test('a notification is accepted without a response', async () => {
  const { owner } = await server.newWorld()
  const { status, text } = await post(
    server.base,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    bearer(owner.key),
  )
  assert.equal(status, 202)
  assert.equal(text, '')
})

test('a batch is refused as a whole: none of its calls runs', async () => {
  const { owner, project } = await server.newWorld()
  await project({ key: 'WEB' })
  const call = message('tools/call', { name: 'create_task', arguments: { project: 'WEB', name: 'One of many' } })
  const { status, body } = await post(server.base, [call, call], bearer(owner.key))
  assert.equal(status, 400)
  assert.equal(body.error.code, -32_600)
  assert.equal((await owner.get('/tasks')).body.data.length, 0)
})

test('an invalid message gets 400, invalid JSON 400, and another content type 415', async () => {
  const { owner } = await server.newWorld()
  const key = bearer(owner.key)
  for (const body of ['', '"text"', 'null', '7']) assert.equal((await post(server.base, body, key)).status, 400, body)
  assert.equal((await post(server.base, { hello: 'world' }, key)).status, 400)
  assert.equal((await post(server.base, '{', key)).status, 400)
  assert.equal((await post(server.base, initialize, { ...key, 'content-type': 'text/plain' })).status, 415)
  assert.equal((await post(server.base, `{"a":"${'x'.repeat(1_100_000)}"}`, key)).status, 413)
})

test('an unknown method and an unsupported protocol version are refused as the protocol says', async () => {
  const { owner } = await server.newWorld()
  const unknown = await post(server.base, message('tools/destroy'), bearer(owner.key))
  assert.equal(unknown.body.error.code, -32_601)
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2031-01-01',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const future = await post(server.base, message('tools/list', { _meta: meta }), {
    ...bearer(owner.key),
    'mcp-protocol-version': '2031-01-01',
    'mcp-method': 'tools/list',
  })
  assert.equal(future.status, 400)
  assert.equal(future.body.error.code, -32_022)
  assert.deepEqual(future.body.error.data.supported, ['2026-07-28'])
})

test('headers that name another tool than the body are refused', async () => {
  const { owner } = await server.newWorld()
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const call = message('tools/call', { name: 'list_members', arguments: {}, _meta: meta })
  const send = (name: string) =>
    post(server.base, call, {
      ...bearer(owner.key),
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
    })
  assert.equal((await send('list_members')).status, 200)
  const { status, body } = await send('find_tasks')
  assert.equal(status, 400)
  assert.equal(body.error.code, -32_020)
})

test('with MCP=off nothing is there', async () => {
  const off = await startServer({ mcp: false })
  const { owner } = await off.newWorld()
  for (const path of ['/mcp', '/mcp/readonly']) {
    assert.equal((await post(off.base, initialize, bearer(owner.key), path)).status, 404)
  }
})
