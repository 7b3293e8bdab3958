import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { availableParallelism } from 'node:os'
import { type TestContext, test } from 'node:test'
import { afterwards, type Scope } from '../support/afterwards.ts'
import { hold } from '../support/holding.ts'
import { inTime } from '../support/until.ts'
import { databaseUrl, startServer } from '../support/world.ts'

const connections = 20
const each = 50

test('one organization that sends thousands of requests gets few responses before another gets one, and all in the end', async (t) => {
  const { port, newWorld } = await startServer()
  const [busy, quiet] = [await newWorld(), await newWorld()]
  // answered without asking the database
  const path = '/tasks?limit=0'
  standStill(t)
  assert.equal((await quiet.owner.get(path)).status, 422)
  const counted = crowding(t, port, `/api/v1${path}`, busy.owner.key)
  await counted.until(1)
  const before: number[] = []
  for (let n = 0; n < 5; n++) {
    const answered = counted.answered
    assert.equal((await quiet.owner.get(path)).status, 422)
    before.push(counted.answered - answered)
  }
  assert.ok(
    before.every((count) => count < (connections * each) / 4),
    `${before}`,
  )
  await counted.until(connections * each)
})

test('an organization that is alone waits for no turn, and its bulks do not wait for one another', async (t) => {
  const { newWorld } = await startServer()
  const world = await newWorld()
  const { id } = await world.tag()
  const { release, waiters } = await hold(t, databaseUrl, 'select 1 from tags where id = $1 for update', [id])
  const most = Math.ceil(availableParallelism() / 2)
  const stuck = Array.from({ length: most + 1 }, () => world.owner.post('/bulk', renaming(id)))
  await waiters(most + 1)
  await release()
  assert.deepEqual(new Set((await Promise.all(stuck)).map(({ status }) => status)), new Set([200]))
})

test('beside others, bulks of an organization use at most half of the processors; its other requests and bulks of others continue', async (t) => {
  const { newWorld } = await startServer()
  const [busy, quiet] = [await newWorld(), await newWorld()]
  const { id } = await busy.tag()
  const { release, waiters } = await hold(t, databaseUrl, 'select 1 from tags where id = $1 for update', [id])
  const works = async () => {
    assert.equal((await quiet.owner.post('/bulk', making())).status, 200)
    assert.equal((await busy.owner.post('/tags', { name: randomUUID() })).status, 201)
  }
  const most = Math.ceil(Math.max(2, availableParallelism()) / 2)
  standStill(t)
  await works()
  const stuck = Array.from({ length: most }, () => busy.owner.post('/bulk', renaming(id)))
  await waiters(most)
  let answered = 0
  const behind = Array.from({ length: 3 }, async () => {
    const { status } = await busy.owner.post('/bulk', making())
    answered++
    return status
  })
  for (let n = 0; n < 10; n++) await works()
  assert.equal(answered, 0)
  await release()
  assert.deepEqual(new Set((await Promise.all(stuck)).map(({ status }) => status)), new Set([200]))
  assert.deepEqual(await Promise.all(behind), [200, 200, 200])
})

/** Has no time pass: however slow the machine is, who was active still is, and a key that was looked up is known. */
function standStill(t: TestContext): void {
  const nowMs = performance.now()
  t.mock.method(performance, 'now', () => nowMs)
}

const making = () => ({ operations: [{ method: 'POST', path: '/tags', body: { name: randomUUID() } }] })
const renaming = (id: string) => ({
  operations: [{ method: 'PATCH', path: `/tags/${id}`, body: { name: randomUUID() } }],
})

/** Sends requests on many connections, without waiting for answers. */
function crowding(t: Scope, port: number, path: string, key: string) {
  const text = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`
  const counted = {
    answered: 0,
    async until(count: number) {
      while (counted.answered < count)
        await inTime(Promise.race(clients.map((client) => once(client, 'data'))), 'No more is answered')
    },
  }
  const clients = Array.from({ length: connections }, () => {
    const client = connect(port, '127.0.0.1')
    afterwards(t, async () => client.destroy())
    client.on('data', (data) => {
      counted.answered += String(data).split('HTTP/1.1 ').length - 1
    })
    client.setMaxListeners(0)
    client.write(text.repeat(each))
    return client
  })
  return counted
}
