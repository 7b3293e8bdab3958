import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedServer } from '../../support/world.ts'

const server = await sharedServer()

interface Event {
  sequence: number
  createdAt: string
}

test('since returns the events at that time or after it, for any time', async () => {
  const { owner, tag } = await server.newWorld()
  for (let i = 0; i < 20; i++) await tag()
  const all: Event[] = (await owner.get('/events?limit=100')).body.data
  assert.ok(all.length > 20)
  for (const { createdAt } of all) {
    const { data } = (await owner.get(`/events?limit=100&since=${createdAt}`)).body
    const wanted = all.filter((event) => event.createdAt >= createdAt)
    assert.deepEqual(
      data.map(({ sequence }: Event) => sequence),
      wanted.map(({ sequence }) => sequence),
    )
  }
})

test('since a time before the first event returns all events, since a time to come returns none', async () => {
  const { owner } = await server.newWorld()
  const all = (await owner.get('/events?limit=100')).body.data
  assert.deepEqual((await owner.get('/events?limit=100&since=2000-01-01T00:00:00Z')).body.data, all)
  const { body } = await owner.get('/events?since=2099-01-01T00:00:00Z')
  assert.deepEqual(body, { data: [], pagination: { nextCursor: null } })
})

test('a list that began at a time continues by its cursor, and `after` overrides the time', async () => {
  const { owner } = await server.newWorld()
  const all: Event[] = (await owner.get('/events?limit=100')).body.data
  const [, second, third] = all
  const query = `since=${second?.createdAt}&limit=1`
  const { nextCursor } = (await owner.get(`/events?${query}`)).body.pagination
  const [next] = (await owner.get(`/events?${query}&cursor=${nextCursor}`)).body.data
  const first = all.findIndex(({ createdAt }) => createdAt >= (second?.createdAt ?? ''))
  assert.equal(next.sequence, all[first + 1]?.sequence)
  const [after] = (await owner.get(`/events?${query}&after=${second?.sequence}`)).body.data
  assert.equal(after.sequence, third?.sequence)
})

test('an invalid time is refused', async () => {
  const { owner } = await server.newWorld()
  const { status, body } = await owner.get('/events?since=yesterday')
  assert.equal(status, 422)
  assert.ok(body.details.fieldErrors.since)
})
