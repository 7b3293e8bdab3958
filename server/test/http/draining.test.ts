import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { drain } from '../../src/http/draining.ts'
import { trackConnections } from '../../src/http/sockets.ts'
import { afterwards } from '../support/afterwards.ts'
import { openRaw } from '../support/raw.ts'
import { inTime, until } from '../support/until.ts'

const graceMs = 100

test('a request that arrived while the server was paused gets its response, even after the grace period', async () => {
  const { server, open, port } = await listening((_, response) => response.end('done'))
  const line = openRaw(port, asked)
  await line.answered
  const ended = drain(server, open, { graceMs, maxRequestMs: 60_000 })
  while (server.listening) await turn()
  line.write(asked)
  standStill(2 * graceMs)
  await ended
  assert.deepEqual((await line.ended).answers, [200, 200])
})

test('an unanswered request and an unread response are cut when their time is over', async (t) => {
  const { server, open, port } = await listening(({ url }, response) => {
    if (url === '/long') response.end(Buffer.alloc(50_000_000))
  })
  const unanswered = openRaw(port, asked)
  const reader = connect(port, '127.0.0.1')
    .on('error', () => {})
    .pause()
  afterwards(t, async () => {
    reader.destroy()
    server.closeAllConnections()
  })
  reader.write(asked.replace('/', '/long'))
  await until(() => [...open].some(([socket, answer]) => answer && socket.writableLength > 0), 'Nothing is answered')
  await until(() => [...open.values()].filter(Boolean).length === 2, 'Not both are asked')
  await inTime(drain(server, open, { graceMs, maxRequestMs: 300 }), 'It waits for them')
  assert.equal(open.size, 0)
  assert.deepEqual((await unanswered.ended).answers, [])
})

const asked = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

async function listening(answer: RequestListener) {
  const server = createServer(answer)
  const open = trackConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, open, port: (server.address() as AddressInfo).port }
}

function standStill(forMs: number): void {
  const begunMs = performance.now()
  while (performance.now() - begunMs < forMs);
}
