import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { acceptCrowds } from '../../src/http/crowds.ts'
import { drain } from '../../src/http/draining.ts'
import { trackConnections } from '../../src/http/sockets.ts'
import { afterwards } from '../support/afterwards.ts'
import { inTime, until } from '../support/until.ts'

const asked = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

test('once a crowd has connected, several connections are accepted in each turn of the event loop', async (t) => {
  const server = await listening(t)
  await server.crowded(/several connections are accepted at a time/)
  const turns = await server.turnsFor(320)
  assert.ok(turns * 8 < 320, `${turns} turns`)
})

test('what is accepted so is answered as what the server accepts itself, also to who has closed its side', async (t) => {
  const server = await listening(t)
  await server.crowded(/several connections are accepted at a time/)
  const sockets = server.connect(100)
  const answers = sockets.map(async (socket) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.end(asked)
    await once(socket, 'close')
    return text.slice(0, 'HTTP/1.1 200'.length)
  })
  assert.deepEqual(new Set(await inTime(Promise.all(answers), 'Some are not answered')), new Set(['HTTP/1.1 200']))
})

test('a server that ends accepts by none of its handles', async (t) => {
  const server = await listening(t)
  await server.crowded(/several connections are accepted at a time/)
  await inTime(server.end(), 'It does not end')
  for (const socket of server.connect(20)) {
    const [{ code }] = await once(socket, 'error')
    assert.equal(code, 'ECONNREFUSED')
  }
})

test('where no other process can be started, crowds are accepted one by one, and that is said once', async (t) => {
  const { execPath } = process
  process.execPath = '/nowhere/node'
  afterwards(t, async () => {
    process.execPath = execPath
  })
  const server = await listening(t)
  await server.crowded(/a crowd of connections is accepted one by one/)
  assert.ok((await server.turnsFor(50)) > 25)
  assert.equal(server.lines.length, 1)
})

/** A server of which each turn of the event loop takes a while. */
async function listening(t: TestContext) {
  const lines: string[] = []
  const tell = (said: object, sentence: string) => void lines.push(`${sentence} ${JSON.stringify(said)}`)
  const server = createServer((_, response) => response.end('done'))
  const open = trackConnections(server)
  const crowds = acceptCrowds(server, { info: tell, warn: tell })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1_000 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let turns = 0
  let next = setImmediate(work)
  const sockets: Socket[] = []
  afterwards(t, async () => {
    clearImmediate(next)
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  return { lines, crowded, turnsFor, connect: connectAll, end }

  function work() {
    const begunMs = performance.now()
    while (performance.now() - begunMs < 1);
    turns++
    next = setImmediate(work)
  }

  /** Connects a crowd, and waits until this is said of it. */
  async function crowded(said: RegExp) {
    await turnsFor(300)
    await until(() => lines.some((line) => said.test(line)), 'It is not said')
  }

  function connectAll(count: number): Socket[] {
    const some = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
    for (const socket of some) socket.on('error', () => {})
    sockets.push(...some)
    return some
  }

  /** How many turns it takes until so many connections are accepted. */
  async function turnsFor(count: number): Promise<number> {
    const before = turns
    let left = count
    const countDown = () => left--
    server.on('connection', countDown)
    connectAll(count)
    while (left > 0) await inTime(once(server, 'connection'), 'Some are not accepted')
    server.off('connection', countDown)
    return turns - before
  }

  async function end() {
    for (const socket of sockets) socket.destroy()
    await drain(server, open, { graceMs: 100, maxRequestMs: 60_000, crowds })
  }
}
