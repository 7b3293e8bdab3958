import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { afterwards, type Scope } from '../support/afterwards.ts'
import { hold } from '../support/holding.ts'
import { inTime, until } from '../support/until.ts'
import { databaseUrl, startServer } from '../support/world.ts'

test('an organization has a share of large bodies in progress: more are refused at once, bodies of others are accepted, and its own later', async (t) => {
  const { port, newWorld } = await startServer()
  const [busy, quiet] = [await newWorld(), await newWorld()]
  const begun = Array.from({ length: 40 }, () => beginsToSend(t, port, busy.owner.key))
  const refused = new Promise<string[]>((resolve) => {
    const statuses: string[] = []
    for (const { status } of begun) void status.then((one) => statuses.push(one ?? '') === 24 && resolve(statuses))
  })
  assert.deepEqual(new Set(await inTime(refused, 'Not all are refused')), new Set(['503']))
  const tag = { name: 'A tag' }
  assert.equal((await quiet.owner.post('/tags', tag)).status, 201)
  assert.equal((await busy.owner.post('/tags', tag)).status, 503)
  for (const { socket } of begun) socket.destroy()
  for (let status = 503; status !== 201; ) status = (await busy.owner.post('/tags', tag)).status
})

test('the memory of what a client sent behind a waiting request is freed when the client leaves', async (t) => {
  const { port, newWorld } = await startServer()
  const { owner, tag } = await newWorld()
  const { id } = await tag()
  const held = await hold(t, databaseUrl, 'select 1 from tags where id = $1 for update', [id])
  const heads = `Host: localhost\r\nAuthorization: Bearer ${owner.key}\r\nContent-Type: application/json`
  const edit = JSON.stringify({ name: 'Waits' })
  const large = ' '.repeat(1_000_000)
  const socket = connect(port, '127.0.0.1')
  socket.write(`PATCH /api/v1/tags/${id} HTTP/1.1\r\n${heads}\r\nContent-Length: ${edit.length}\r\n\r\n${edit}`)
  const post = `POST /api/v1/tags HTTP/1.1\r\n${heads}\r\nContent-Length: ${large.length}\r\n\r\n${large}`
  for (let n = 0; n < 16; n++) await new Promise((sent) => socket.write(post, sent))
  await held.waiters(1)
  const body = JSON.stringify({ name: 'A tag' }).padEnd(1_000_000)
  const isRefused = async () => (await owner.post('/tags', body)).status === 503
  // what was sent may not have been read yet
  await until(isRefused, 'What waits is not counted')
  socket.destroy()
  await until(async () => !(await isRefused()), 'It is not given back')
  await held.release()
})

/** A request of a megabyte of which only the beginning is sent. */
function beginsToSend(t: Scope, port: number, key: string) {
  const socket = connect(port, '127.0.0.1')
  afterwards(t, async () => socket.destroy())
  socket.on('error', () => {})
  socket.write(
    [
      'POST /api/v1/tags HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json',
      `Authorization: Bearer ${key}\r\nContent-Length: 1048576\r\n\r\n{"name": "`,
    ].join('\r\n'),
  )
  return { socket, status: once(socket, 'data').then(([data]) => String(data).split(' ')[1]) }
}
