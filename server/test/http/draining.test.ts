import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { drain } from '../../src/http/draining.ts'
import { trackConnections } from '../../src/http/sockets.ts'
import { openRaw } from '../support/raw.ts'

const graceMs = 100

test('a request that came while the server stood still is answered, though the grace is over when it goes on', async () => {
  const server = createServer((_, response) => response.end('done'))
  const open = trackConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const line = openRaw((server.address() as AddressInfo).port, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await line.answered
  const ended = drain(server, open, { graceMs, maxRequestMs: 60_000 })
  while (server.listening) await turn()
  line.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  standStill(2 * graceMs)
  await ended
  assert.deepEqual((await line.ended).answers, [200, 200])
})

function standStill(forMs: number): void {
  const begunMs = performance.now()
  while (performance.now() - begunMs < forMs);
}
