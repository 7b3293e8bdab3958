import assert from 'node:assert/strict'
import { test } from 'node:test'
import { file } from '../support/afterwards.ts'
import { goBetween } from '../support/go-between.ts'
import { type Reply, startServer } from '../support/world.ts'

const { newWorld } = await startServer()
const between = await goBetween(file)
// what it sends by itself between requests, the notices of writes, waits until it ends: all that is counted is what is waited for
const behind = await startServer({ url: between.url, noticesEveryMs: 600_000 })

test('a read takes one round trip to the database, a write with a key two, refused or not, and time or a task three', async () => {
  const { owner, tag, project, task } = await newWorld()
  const api = behind.api(owner.key)
  const [{ id }, { id: projectId }] = [await tag({ name: 'taken' }), await project()]
  const { id: taskId } = await task({ projectId })
  const keyed = (path: string, body: object) => api.post(path, body, { 'idempotency-key': `k${next++}` })
  const known = (await api.get('/tags')).headers.get('etag') ?? ''
  let next = 0
  const trips = {
    page: await fewest(200, () => api.get('/tags')),
    unchanged: await fewest(304, () => api.get('/tags', { 'if-none-match': known })),
    one: await fewest(200, () => api.get(`/tags/${id}`)),
    tag: await fewest(201, () => keyed('/tags', { name: `Tag ${next}` })),
    refused: await fewest(422, () => keyed('/tags', { name: 'taken' })),
    time: await fewest(201, () => keyed('/time-entries', { taskId, durationSeconds: 60 })),
    task: await fewest(201, () => keyed('/tasks', { name: 'A task', projectId })),
  }
  assert.deepEqual(trips, { page: 1, unchanged: 1, one: 1, tag: 2, refused: 2, time: 3, task: 3 })
})

/** So many round trips at least: in between a key may be looked up anew, or a connection made. */
async function fewest(status: number, ask: () => Promise<Reply>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < 12; n++) {
    const before = between.seen.trips
    const reply = await ask()
    assert.equal(reply.status, status, reply.text)
    least = Math.min(least, between.seen.trips - before)
  }
  return least
}
