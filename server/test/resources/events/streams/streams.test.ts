import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventSource } from 'eventsource'
import { sql } from '../../../../src/db/sql.ts'
import { openStream, type Told } from '../../../support/event-streams.ts'
import { rounds } from '../../../support/rounds.ts'
import { seemingStandby } from '../../../support/standby.ts'
import { until } from '../../../support/until.ts'
import { startServer } from '../../../support/world.ts'

const { base, db, newWorld } = await startServer({ streaming: { commentEveryMs: 300, lookEveryMs: 100 } })

test('a stream sends events from now on, as the feed shows them: id is the sequence, event the type, data the event', async () => {
  const { owner, project, task, tag } = await newWorld()
  await tag()
  const stream = await openStream(base, owner.key)
  const { id: projectId } = await project()
  const made = await task({ projectId, name: 'One line\nor two\u2028 lines\r\n' })
  await owner.patch(`/tasks/${made.id}`, { priority: 'high' })
  await stream.event(({ type }) => type === 'task.updated')
  const first = stream.seen.events[0]?.data.sequence
  const { body } = await owner.get(`/events?after=${first - 1}`)
  assert.deepEqual(
    stream.seen.events,
    body.data.map((data: { sequence: number; type: string }) => ({ id: String(data.sequence), type: data.type, data })),
  )
  assert.deepEqual(
    stream.seen.events.map(({ type }) => type),
    ['project.created', 'project_member.created', 'task.created', 'task.updated'],
  )
  await stream.close()
})

test('a stream has headers that stop caching, changing and buffering on its way, and has no length and no ETag', async () => {
  const { owner } = await newWorld()
  const stream = await openStream(base, owner.key)
  const { 'content-type': type, 'cache-control': cache, 'x-accel-buffering': buffering, vary, etag } = stream.headers
  assert.equal(stream.status, 200)
  assert.deepEqual(
    [type, cache, buffering, vary, etag, stream.headers['content-length']],
    [
      'text/event-stream',
      'private, no-cache, no-transform',
      'no',
      'authorization, x-api-key, cookie, x-organization, accept, origin',
      undefined,
      undefined,
    ],
  )
  assert.ok(stream.headers['x-request-id'])
  await stream.until(() => stream.seen.retryMs > 0)
  assert.ok(stream.seen.text.startsWith('retry: '))
  await stream.close()
  const { headers, text } = await owner.get('/events?limit=1')
  assert.ok(text.length < 1_400, 'too short to be compressed')
  assert.match(headers.get('vary') ?? '', /\baccept\b/)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
})

test('a client that accepts anything, or prefers JSON, gets the list', async () => {
  const { owner } = await newWorld()
  for (const accept of ['*/*', 'application/json', 'application/json, text/event-stream;q=0.5', 'text/html'])
    assert.ok(Array.isArray((await owner.get('/events', { accept })).body.data), accept)
})

test('a reader that is cut off again and again and resumes from its last id sees each event once, in one order', async () => {
  const { owner } = await newWorld()
  const { body: head } = await owner.get('/events/head')
  const got: Told[] = []
  let [going, written] = [true, 0]
  const writing = (async () => {
    for (let n = 0; going; n++) {
      const operations = Array.from({ length: 1 + (n % 7) }, (_, i) => ({
        ...{ method: 'POST', path: '/tags' },
        body: { name: `Tag ${n} ${i}` },
      }))
      assert.equal((await owner.post('/bulk', { operations })).status, 200)
      written += operations.length
    }
  })()
  let lastEventId = String(head.latest)
  try {
    for (let cuts = 0; cuts < rounds(20, 100); cuts++) {
      const reader = await openStream(base, owner.key, { headers: { 'last-event-id': lastEventId } })
      await reader.events(1 + (cuts % 5))
      await reader.close()
      got.push(...reader.seen.events)
      lastEventId = reader.seen.lastEventId
    }
  } finally {
    going = false
    await writing
  }
  const rest = await openStream(base, owner.key, { headers: { 'last-event-id': lastEventId } })
  got.push(...(await rest.events(written - got.length)))
  await rest.close()
  assert.deepEqual(
    got.map(({ id }) => Number(id)),
    Array.from({ length: written }, (_, i) => head.latest + 1 + i),
  )
  assert.equal(new Set(got.map(({ data }) => data.snapshot.name)).size, written)
})

test('a stream begins after `after`, after `cursor` if both are sent, and after Last-Event-ID if that is sent', async () => {
  const { owner, tag } = await newWorld()
  const { body: head } = await owner.get('/events/head')
  for (let n = 0; n < 5; n++) await tag({ name: `Tag ${n}` })
  const from = async (after: number, headers = {}, more = '') => {
    const stream = await openStream(base, owner.key, { query: `?after=${after}${more}`, headers })
    const events = await stream.events(1)
    await stream.event(({ id }) => Number(id) === head.latest + 5)
    await stream.close()
    return events.map(({ id }) => Number(id) - head.latest)
  }
  assert.deepEqual(await from(head.latest), [1, 2, 3, 4, 5])
  assert.deepEqual(await from(head.latest + 2), [3, 4, 5])
  assert.deepEqual(await from(head.latest, { 'last-event-id': String(head.latest + 3) }), [4, 5])
  assert.deepEqual(await from(head.latest, { 'last-event-id': '' }), [1, 2, 3, 4, 5])
  const { body: page } = await owner.get(`/events?after=${head.latest}&limit=2`)
  const cursor = `&cursor=${page.pagination.nextCursor}`
  assert.deepEqual(await from(head.latest, {}, cursor), [3, 4, 5])
  assert.deepEqual(await from(head.latest, { 'last-event-id': String(head.latest + 4) }, cursor), [5])
})

test('a position that is invalid, no longer kept or not reached yet is refused in JSON before the stream begins', async () => {
  const { orgId, owner, tag } = await newWorld()
  for (let n = 0; n < 3; n++) await tag()
  const refusal = async (query: string, headers = {}) => {
    const { status, seen, ended, headers: answered } = await openStream(base, owner.key, { query, headers })
    await ended()
    return [
      status,
      answered['x-error-code'],
      Object.keys(JSON.parse(seen.text))[0],
      answered['content-type']?.split(';')[0],
    ]
  }
  const json = ['error', 'application/json']
  assert.deepEqual(await refusal('', { 'last-event-id': 'seven' }), [400, 'invalid_last_event_id', ...json])
  assert.deepEqual(await refusal('?after=-1'), [422, 'validation_failed', ...json])
  assert.deepEqual(await refusal('?type=nothing.happened'), [422, 'validation_failed', ...json])
  assert.deepEqual(await refusal(`?cursor=${orgId}`), [422, 'validation_failed', ...json])
  assert.deepEqual(await refusal('?after=1000000'), [412, 'position_expired', ...json])
  await db.rows(sql`delete from events where org_id = ${orgId} and sequence <= 3 returning 1`)
  assert.deepEqual(await refusal('?after=2'), [412, 'position_expired', ...json])
  assert.deepEqual(await refusal('', { 'last-event-id': '2' }), [412, 'position_expired', ...json])
  const stream = await openStream(base, owner.key, { query: '?after=3' })
  assert.equal((await stream.events(1))[0]?.id, '4')
  await stream.close()
})

test('streams end when the database was restored, and their readers learn that their position is not valid', async () => {
  const { orgId, owner, tag } = await newWorld()
  const { body: head } = await owner.get('/events/head')
  const stream = await openStream(base, owner.key)
  for (let n = 0; n < 3; n++) await tag()
  await stream.events(3)
  await db.transaction(async (tx) => {
    await tx.rows(sql`delete from events where org_id = ${orgId} and sequence > ${head.latest}`)
    await tx.rows(sql`update event_counters set last_sequence = ${head.latest} where org_id = ${orgId}`)
  })
  await stream.ended()
  const { lastEventId } = stream.seen
  const again = await openStream(base, owner.key, { headers: { 'last-event-id': lastEventId } })
  assert.deepEqual([again.status, again.headers['x-error-code']], [412, 'position_expired'])
  const anew = await openStream(base, owner.key)
  await tag()
  assert.equal((await anew.events(1))[0]?.id, String(head.latest + 1))
  await anew.close()
})

test('on a standby, which can lag, a stream stays open if the log is shorter than what it sent, and continues with what follows', async () => {
  const looking = { lookEveryMs: 50, commentEveryMs: 50 }
  const lagging = await startServer({ url: await seemingStandby(), streaming: looking })
  const { orgId, owner, tag } = await lagging.newWorld()
  const { body: head } = await owner.get('/events/head')
  const stream = await openStream(lagging.base, owner.key)
  for (let n = 0; n < 3; n++) await tag()
  await stream.events(3)
  const reach = (latest: number) =>
    lagging.db.rows(sql`update event_counters set last_sequence = ${latest} where org_id = ${orgId} returning 1`)
  await reach(head.latest)
  // one with each look
  const { comments } = stream.seen
  await stream.until(() => stream.seen.comments > comments + 5)
  await reach(head.latest + 3)
  await tag()
  const ids = (await stream.events(4)).map(({ id }) => Number(id) - head.latest)
  assert.deepEqual(ids, [1, 2, 3, 4])
  await stream.close()
})

test('a stream takes the filters of the list, while it catches up and while it follows', async () => {
  const { owner, admin, project, task, tag } = await newWorld()
  const [one, other] = [await project(), await project()]
  const { body: head } = await owner.get('/events/head')
  const happen = async () => {
    const { id } = await task({ projectId: one.id })
    await task({ projectId: other.id })
    await admin.patch(`/tasks/${id}`, { priority: 'high' })
    await owner.patch(`/tasks/${id}`, { priority: 'low' })
    await tag()
    return id
  }
  const id = await happen()
  const queries = [
    'type=task.updated',
    'type=task.*',
    'type=tag.created&type=task.updated',
    `projectId=${one.id}`,
    `actorId=${admin.memberId}`,
    `resourceId=${id}`,
    `type=task.*&projectId=${one.id}&actorId=${admin.memberId}`,
  ]
  const streams = await Promise.all(
    queries.map((query) => openStream(base, owner.key, { query: `?after=${head.latest}&${query}` })),
  )
  await happen()
  await owner.patch(`/tasks/${id}`, { priority: 'urgent' })
  for (const [i, stream] of streams.entries()) {
    const { body } = await owner.get(`/events?after=${head.latest}&${queries[i]}`)
    await stream.event(({ id: sequence }) => Number(sequence) === body.data.at(-1).sequence)
    assert.deepEqual(
      stream.seen.events.map(({ data }) => data),
      body.data,
      queries[i],
    )
    await stream.close()
  }
})

test('a comment comes every 15 s, here sooner, with the position, so that the position of a reader without events does not expire', async () => {
  const { owner, member, tag, project } = await newWorld()
  const stream = await openStream(base, member.key, { query: '?type=tag.*' })
  await stream.until(() => stream.seen.comments >= 2)
  assert.equal(stream.seen.lastEventId, '')
  await project()
  const { body: head } = await owner.get('/events/head')
  await stream.until(() => stream.seen.lastEventId === String(head.latest))
  assert.equal(stream.seen.events.length, 0)
  await tag()
  assert.equal((await stream.events(1))[0]?.id, String(head.latest + 1))
  const { comments } = stream.seen
  await stream.until(() => stream.seen.comments > comments + 1)
  assert.equal(stream.seen.lastEventId, String(head.latest + 1))
  await stream.close()
})

test('HEAD returns the headers of a stream and opens none', async () => {
  const { owner } = await newWorld()
  const response = await fetch(`${base}/api/v1/events`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${owner.key}`, accept: 'text/event-stream' },
  })
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/event-stream'])
  assert.equal(await response.text(), '')
})

test('a client library that is cut off resumes by itself, without loss or repetition', async (t) => {
  const { owner, tag } = await newWorld()
  let cut = () => {}
  let opened = () => {}
  const source = new EventSource(`${base}/api/v1/events?type=tag.*`, {
    async fetch(url, options) {
      const cutting = new AbortController()
      cut = () => cutting.abort(new TypeError('terminated'))
      const headers = { ...options.headers, authorization: `Bearer ${owner.key}` }
      const answer = await fetch(url, { ...options, headers })
      const { readable, writable } = new TransformStream()
      answer.body?.pipeTo(writable, { signal: cutting.signal }).catch(() => {})
      return { url: answer.url, status: 200, redirected: false, headers: answer.headers, body: readable }
    },
  })
  t.after(() => {
    source.close()
    cut()
  })
  const got: string[] = []
  source.addEventListener('open', () => opened())
  source.addEventListener('tag.created', ({ data, lastEventId }) => {
    assert.equal(JSON.parse(data).sequence, Number(lastEventId))
    got.push(JSON.parse(data).snapshot.name)
  })
  const once = (set: (resolve: () => void) => void) => new Promise<void>(set)
  await once((resolve) => {
    opened = resolve
  })
  const toldOf = (name: string) => until(() => got.includes(name), `It is not told of ${name}`)
  for (let n = 0; n < 3; n++) {
    await tag({ name: `read ${n}` })
    await toldOf(`read ${n}`)
    cut()
    await tag({ name: `missed ${n}` })
    await toldOf(`missed ${n}`)
  }
  assert.deepEqual(got, ['read 0', 'missed 0', 'read 1', 'missed 1', 'read 2', 'missed 2'])
})
