import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { afterwards, file } from '../support/afterwards.ts'
import { withPaths } from '../support/page-links.ts'
import { onMigratedDatabase, serving } from '../support/slow/processes.ts'
import { freePort, openProxy, proxiedHost, proxies } from '../support/slow/proxies.ts'
import { inTime, until } from '../support/until.ts'
import { apiOf, created } from '../support/world.ts'

const settings = await onMigratedDatabase(file)
const server = await serving(file, settings)
const authorization = { authorization: `Bearer ${server.ownersKey}` }
const json = { 'content-type': 'application/json' }

for (const name of Object.keys(proxies) as (keyof typeof proxies)[]) {
  test(`behind ${name}, configured by its operator file, the API works over TLS and HTTP/2`, async (t) => {
    const proxy = await openProxy(t, name, [server.port])
    if (!proxy) return
    const { ask, protocol } = await proxy.open()
    assert.equal(protocol, 'h2')
    const me = await ask('/api/v1/me', authorization)
    assert.equal(me.status, 200)
    assert.match(me.headers['strict-transport-security'] ?? '', /max-age/)
    const key = { ...authorization, ...json, 'idempotency-key': `${name}-1` }
    const made = await ask('/api/v1/tags', key, JSON.stringify({ name: `Through ${name}` }))
    const again = await ask('/api/v1/tags', key, JSON.stringify({ name: `Through ${name}` }))
    assert.deepEqual([made.status, again.status, again.headers['idempotent-replayed']], [201, 201, 'true'])
    assert.equal(made.text, again.text)
    // what is compressed passes as it is, and its ETag stays one that guards an edit
    const page = await ask('/api/v1/tags?limit=1', { ...authorization, 'accept-encoding': 'gzip' })
    assert.match(page.headers.etag ?? '', /^"/)
    assert.equal((await ask('/metrics')).status, 404)
    const plain = await fetch(`http://127.0.0.1:${proxy.plain}/api/v1/me`, {
      redirect: 'manual',
      headers: { host: proxiedHost },
    })
    assert.equal(plain.status, 308)
  })

  test(`behind ${name} the console arrives as the server sends it`, async (t) => {
    const proxy = await openProxy(t, name, [server.port])
    if (!proxy) return
    const { ask } = await proxy.open()
    const page = await ask('/console/')
    const [, script = ''] = /<script [^>]*src="([^"]+)"/.exec(withPaths(page.text, '/console/')) ?? []
    for (const path of ['/console/', '/console/board?task=WEB-1', script]) {
      const plain = { 'accept-encoding': 'identity' }
      const direct = await fetch(server.base + path, { headers: plain })
      const through = await ask(path, plain)
      assert.equal(through.status, 200, path)
      for (const header of [
        'content-security-policy',
        'cache-control',
        'etag',
        'content-type',
        'x-content-type-options',
      ])
        assert.equal(through.headers[header], direct.headers.get(header) ?? undefined, `${path} ${header}`)
    }
  })

  test(`behind ${name} an event reaches its followers before anything else is sent`, async (t) => {
    const proxy = await openProxy(t, name, [server.port])
    if (!proxy) return
    const { session } = await proxy.open()
    const stream = session.request({ ':path': '/api/v1/events', accept: 'text/event-stream', ...authorization })
    await once(stream, 'response')
    const told = new Promise<string>((resolve) => {
      let text = ''
      stream.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
        if (text.includes('tag.created')) resolve(text)
      })
    })
    await created(apiOf(`${server.base}/api/v1`, server.ownersKey).post('/tags', { name: `Followed by ${name}` }))
    assert.match(await inTime(told, 'The event does not come'), new RegExp(`Followed by ${name}`))
    stream.close()
  })

  test(`behind ${name} an upload of 100 MB is refused before it is sent`, async (t) => {
    const proxy = await openProxy(t, name, [server.port])
    if (!proxy) return
    const { session } = await proxy.open()
    const headers = { ...authorization, ...json, 'content-length': String(100 * 1_048_576) }
    const stream = session.request({ ':path': '/api/v1/tags', ':method': 'POST', ...headers })
    stream.on('error', () => {})
    stream.write(Buffer.alloc(65_536))
    const [answer] = await inTime(once(stream, 'response'), 'It is not refused')
    assert.equal(answer[':status'], 413)
    assert.match(answer['content-type'], /^application\/json/)
    stream.close()
    // the connection stays
    assert.equal((await (await proxy.open()).ask('/healthz')).status, 200)
  })

  test(`behind ${name} a client cannot pretend to be another one`, async (t) => {
    const upstream = createServer((request, response) => response.end(JSON.stringify(request.headers)))
    await once(upstream.listen(0, '127.0.0.1'), 'listening')
    afterwards(t, async () => void upstream.close().closeAllConnections())
    const proxy = await openProxy(t, name, [(upstream.address() as AddressInfo).port])
    if (!proxy) return
    const { ask } = await proxy.open()
    const seen = JSON.parse((await ask('/healthz', { 'x-forwarded-for': '203.0.113.9' })).text)
    assert.deepEqual(
      [seen['x-forwarded-for'], seen['x-forwarded-proto'], seen.host.split(':')[0]],
      ['127.0.0.1', 'https', proxiedHost],
    )
  })

  test(`behind ${name} two servers restart one after the other, and no request fails`, async (t) => {
    const ports = [await freePort(), await freePort()]
    const start = (port: number) => serving(t, { ...settings, PORT: String(port), DRAIN_DELAY: '5s' })
    const servers = [await start(ports[0] ?? 0), await start(ports[1] ?? 0)]
    const proxy = await openProxy(t, name, ports)
    if (!proxy) return
    let [answered, stopped] = [0, false]
    const asking = Array.from({ length: 6 }, async (_, client) => {
      const { ask } = await proxy.open()
      for (let n = 0; !stopped; n++) {
        const { status, text } =
          n % 2 === 0
            ? await ask('/api/v1/tags?limit=1', authorization)
            : await ask(
                '/api/v1/tags',
                { ...authorization, ...json },
                JSON.stringify({ name: `${name} ${client} ${n}` }),
              )
        assert.equal(status, n % 2 === 0 ? 200 : 201, text)
        answered++
        // a steady stream of requests, rather than as many as there may be
        await wait(25)
      }
    })
    const rolling = (async () => {
      for (const [place, running] of servers.entries()) {
        const before = answered
        assert.equal((await running.kill('SIGTERM')).code, 0)
        const started = await start(ports[place] ?? 0)
        servers[place] = started
        await until(async () => /_count\{[^}]*\/tags/.test(await metricsOf(started.base)), 'It is sent nothing again')
        assert.ok(answered > before)
      }
    })().finally(() => {
      stopped = true
    })
    await Promise.all([rolling, ...asking])
    assert.ok(answered > 20, `${answered}`)
  })
}

const metricsOf = async (base: string) => (await fetch(`${base}/metrics`)).text()

test('if no server responds, nginx returns an error in the form of every refusal', async (t) => {
  const proxy = await openProxy(t, 'nginx', [await freePort()])
  if (!proxy) return
  const { status, headers, text } = await (await proxy.open()).ask('/api/v1/me', authorization)
  assert.deepEqual([status, headers['retry-after']], [503, '5'])
  assert.deepEqual(Object.keys(JSON.parse(text)), ['error'])
})
