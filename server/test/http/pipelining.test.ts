import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { afterwards, file, type Scope } from '../support/afterwards.ts'
import { hold } from '../support/holding.ts'
import { inTime } from '../support/until.ts'
import { migratedDatabase, startServer } from '../support/world.ts'

// tables are locked whole, which tests beside these would wait for
const { url, drop } = await migratedDatabase()
afterwards(file, drop)

// as many as may wait
const many = 1_000

test('a few of the requests sent on one connection without waiting run at a time; others are served, and all get responses in order', async (t) => {
  const { port, db, newWorld } = await startServer({ url })
  const [busy, quiet] = [await newWorld(), await newWorld()]
  const { id } = await busy.tag()
  const { release, waiters } = await hold(t, url, 'lock table tags in access exclusive mode')
  const client = connected(t, port)
  const text = (n: number) =>
    `GET /api/v1/tags/${id} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${busy.owner.key}\r\n` +
    `X-Request-Id: number-${n}\r\nX-Padding: ${'-'.repeat(4_000)}\r\n\r\n`
  client.socket.write(Array.from({ length: many }, (_, n) => text(n)).join(''))
  await waiters(1)
  for (let n = 0; n < 20; n++) assert.equal((await quiet.owner.get('/me')).status, 200)
  // a request that has a place has a connection too
  assert.equal(db.pools.find(({ kind }) => kind === 'reads')?.waiting, 0)
  await release()
  const numbers = await inTime(answersOf(client, many), 'Not all are answered')
  assert.deepEqual(
    numbers,
    Array.from({ length: many }, (_, n) => `200 number-${n}`),
  )
})

test('a body behind many other requests on its connection arrives', async (t) => {
  const { port, newWorld } = await startServer({ url })
  const { owner } = await newWorld()
  const client = connected(t, port)
  const text = (n: number, body: string) =>
    `POST /api/v1/tags HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${owner.key}\r\nX-Request-Id: number-${n}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  client.socket.write(
    Array.from({ length: 200 }, (_, n) => text(n, JSON.stringify({ name: `Tag ${n} ${' '.repeat(2_000)}` }))).join(''),
  )
  const numbers = await inTime(answersOf(client, 200), 'Not all are answered')
  assert.deepEqual(
    numbers,
    Array.from({ length: 200 }, (_, n) => `201 number-${n}`),
  )
})

interface Client {
  socket: Socket
  /** what has come */
  text: string
}

function connected(t: Scope, port: number): Client {
  const client = { socket: connect(port, '127.0.0.1'), text: '' }
  client.socket.on('data', (part) => (client.text += part))
  afterwards(t, async () => client.socket.destroy())
  return client
}

/** Status and request id of so many answers, in the order in which they come. */
async function answersOf(client: Client, count: number): Promise<string[]> {
  for (;;) {
    const found = client.text.matchAll(/HTTP\/1\.1 (\d+)[\s\S]*?x-request-id: ([\w-]+)\r\n/g)
    const answers = Array.from(found, ([, status, id]) => `${status} ${id}`)
    if (answers.length >= count) return answers
    await once(client.socket, 'data')
  }
}
