import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { afterwards, type Scope } from '../support/afterwards.ts'
import { inTime, until } from '../support/until.ts'
import { startServer, type World } from '../support/world.ts'

test('an organization that does not read many long responses gets no further ones; others do, and so does it after its clients left', async (t) => {
  const { port, newWorld } = await startServer()
  const [busy, quiet] = [await longPages(await newWorld()), await newWorld()]
  const clients: Socket[] = []
  const isRefused = async () => {
    const { status, headers } = await busy.owner.get('/tasks', { 'accept-encoding': 'identity' })
    if (status === 503) assert.ok(Number(headers.get('retry-after')) > 0)
    return status === 503
  }
  // one more each time: a client that was refused itself would not take the place that the page asked for here gives back
  do {
    assert.ok(clients.length < 40, 'What is not read is not counted')
    const client = asking(t, port, busy)
    clients.push(client)
    await inTime(beginning(client), 'Nothing is answered')
  } while (!(await isRefused()))
  assert.deepEqual([(await quiet.owner.get('/tasks')).status, (await busy.owner.get('/me')).status], [200, 200])
  for (const client of clients) client.destroy()
  await until(async () => !(await isRefused()), 'It is not given back')
})

test('requests behind an unread long response get responses in order when it is read; other clients get theirs meanwhile', async (t) => {
  const { port, app, newWorld } = await startServer()
  const busy = await longPages(await newWorld())
  const accepted = once(app.server, 'connection') as Promise<[Socket]>
  const client = asking(t, port, busy)
  const [socket] = await accepted
  await until(() => socket.writableLength > 0, 'Nothing is sent')
  const body = '{"name":"Behind"}'
  client.write(
    `POST /api/v1/tags HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${busy.owner.key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  for (let n = 0; n < 20; n++) assert.equal((await busy.owner.get('/me')).status, 200)
  let read = ''
  client.on('data', (bytes) => {
    read = (read + bytes).slice(-20_000)
  })
  client.resume()
  await until(() => read.includes('"name":"Behind"'), 'What waited is not answered')
  assert.match(read, /\}HTTP\/1\.1 201/)
})

test('a client that does not read its response is dropped after a while, and one that reads is not', async (t) => {
  const { port, app, newWorld } = await startServer({ unreadMs: 300 })
  const busy = await longPages(await newWorld())
  const accepted = once(app.server, 'connection') as Promise<[Socket]>
  asking(t, port, busy)
  const [socket] = await accepted
  await inTime(once(socket, 'close'), 'It is still open')
  assert.equal((await busy.owner.get('/tasks')).status, 200)
})

/** An organization whose page of tasks is longer than what the system takes for who does not read. */
async function longPages(world: World) {
  const { id: projectId } = await world.project()
  // each of these is six characters of JSON
  const description = '\u0001'.repeat(50_000)
  for (let n = 0; n < 15; n++) await world.task({ projectId, description })
  return world
}

/** A connection that asks for three pages and reads nothing. */
function asking(t: Scope, port: number, { owner }: World): Socket {
  const client = connect(port, '127.0.0.1')
  afterwards(t, async () => client.destroy())
  client.on('error', () => {})
  client.pause()
  const head = `GET /api/v1/tasks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${owner.key}\r\n\r\n`
  client.write(head.repeat(3))
  return client
}

/** Waits for the first bytes of the first answer, and reads no more. */
async function beginning(client: Socket): Promise<void> {
  const first = once(client, 'data')
  client.resume()
  await first
  client.pause()
}
