import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { afterwards } from '../support/afterwards.ts'
import { onMigratedDatabase, serving } from '../support/slow/processes.ts'
import { inTime } from '../support/until.ts'

const many = 1_000
const fewAllowed = process.platform !== 'linux' || Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')) < many
const skip = fewAllowed && 'the system lets fewer connections wait'

for (const WORKERS of ['1', '2']) {
  test(`a thousand connections that arrive while a server of ${WORKERS} is busy are accepted, and none has to retry`, {
    skip,
  }, async (t) => {
    const server = await serving(t, { ...(await onMigratedDatabase(t)), WORKERS })
    process.kill(server.pid, 'SIGSTOP')
    const sockets = Array.from({ length: many }, () => connect(server.port, '127.0.0.1'))
    afterwards(t, async () => {
      for (const socket of sockets) socket.destroy()
    })
    await inTime(Promise.all(sockets.map((socket) => once(socket, 'connect'))), 'Some are not connected')
    process.kill(server.pid, 'SIGCONT')
    const answers = sockets.map(async (socket) => {
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
      return String(await once(socket, 'data')).slice(0, 'HTTP/1.1 200'.length)
    })
    assert.deepEqual(new Set(await inTime(Promise.all(answers), 'Some are not answered')), new Set(['HTTP/1.1 200']))
  })
}

test('a client with an open connection gets its response before a thousand new ones', { skip }, async (t) => {
  const server = await serving(t, await onMigratedDatabase(t))
  const open = async () => {
    const socket = connect(server.port, '127.0.0.1')
    afterwards(t, async () => socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const asked = async (socket: Socket) => {
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(socket, 'data')
  }
  const kept = await open()
  await asked(kept)
  process.kill(server.pid, 'SIGSTOP')
  const crowd = await inTime(Promise.all(Array.from({ length: many }, open)), 'Some are not connected')
  let answered = 0
  const answers = crowd.map(async (socket) => {
    await asked(socket)
    answered++
  })
  const last = asked(kept)
  process.kill(server.pid, 'SIGCONT')
  await inTime(last, 'It is not answered')
  assert.ok(answered < many / 2, `${answered} are answered before it`)
  await inTime(Promise.all(answers), 'Some are not answered')
})
