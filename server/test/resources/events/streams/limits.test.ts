import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { file } from '../../../support/afterwards.ts'
import { openStream, type Reader } from '../../../support/event-streams.ts'
import { goBetween } from '../../../support/go-between.ts'
import { rounds } from '../../../support/rounds.ts'
import { until } from '../../../support/until.ts'
import { type Api, created, operatorToken, startServer } from '../../../support/world.ts'

const [many, written, behindBy] = [rounds(60, 200), rounds(60, 180), rounds(1_000, 3_000)]
const [between, betweenQuiet] = [await goBetween(file), await goBetween(file)]
const streaming = {
  longestStallMs: 2_000,
  mostOfOrganization: many + 10,
  lookEveryMs: 50,
  commentEveryMs: 3_600_000,
}
const { base, newWorld, logged } = await startServer({ streaming })
const behind = await startServer({ url: between.url, streaming })
// of what happens it hears by notices alone
const quiet = await startServer({ url: betweenQuiet.url, streaming: { ...streaming, lookEveryMs: 3_600_000 } })

/** Makes so many tags, a hundred in each request. @returns the last one's id */
async function makeTags(owner: Api, count: number, mark: string): Promise<string> {
  let last = ''
  for (let made = 0; made < count; made += 100) {
    const operations = Array.from({ length: Math.min(100, count - made) }, (_, i) => ({
      ...{ method: 'POST', path: '/tags' },
      body: { name: `${mark} ${made + i}` },
    }))
    const { status, body, text } = await owner.post('/bulk', { operations })
    assert.equal(status, 200, text)
    last = body.results.at(-1).body.id
  }
  return last
}

test('many streams of an organization without events cost as much as one: a statement for each poll', async () => {
  const { owner, tag } = await newWorld()
  const streams = [await openStream(behind.base, owner.key)]
  const perLook = async () => {
    const before = between.seen.statements
    const looks = await untilLooks(10)
    return (between.seen.statements - before) / looks
  }
  const one = await perLook()
  streams.push(...(await Promise.all(Array.from({ length: many - 1 }, () => openStream(behind.base, owner.key)))))
  await tag({ name: 'there' })
  for (const stream of streams) await stream.events(1)
  const ofMany = await perLook()
  assert.ok(ofMany < one + 5, `${ofMany} statements with each look, for one stream ${one}`)
  await Promise.all(streams.map((stream) => stream.close()))
})

test('an event costs as many statements for many streams as for one', async () => {
  const { owner, tag } = await newWorld()
  const streams: Reader[] = []
  const { seen } = betweenQuiet
  /** The statements that it takes to tell all streams of something, with so many more of them. */
  const cost = async (count: number): Promise<number> => {
    const opened = await Promise.all(Array.from({ length: count }, () => openStream(quiet.base, owner.key)))
    streams.push(...opened)
    await tag()
    for (const stream of opened) await stream.events(1)
    const before = seen.statements
    const { id } = await tag()
    for (const stream of streams) await stream.event(({ data }) => data.resource.id === id)
    return seen.statements - before
  }
  const event = await cost(1)
  const eventForMany = await cost(many - 1)
  assert.ok(eventForMany < event + 20, `${eventForMany} statements, for one ${event}`)
  await Promise.all(streams.map((stream) => stream.close()))
})

test('the log is read at most ten times a second for many streams, with any number of writes', async () => {
  const { owner, tag } = await newWorld()
  const [reader, ...others] = await Promise.all(
    Array.from({ length: many / 2 }, () => openStream(quiet.base, owner.key)),
  )
  // what they would do with it takes the same processor
  for (const other of others) other.stopReading()
  await tag()
  await reader?.events(1)
  // or it comes five seconds after the key was first looked up
  await quiet.authenticator.writeKeyUsage()
  // by which the lines that listen are kept
  let pings = 0
  betweenQuiet.interfere((text) => {
    if (text === 'select 1') pings++
    return undefined
  })
  const [before, begunMs] = [betweenQuiet.seen.statements, performance.now()]
  const writer = async () => {
    for (let made = 0; made < written / 3; made++) await tag()
  }
  await Promise.all(Array.from({ length: 3 }, writer))
  await reader?.events(written + 1)
  const reads = betweenQuiet.seen.statements - before - pings
  // timers may be early by a millisecond, and a key is looked up again after a second
  const most = 5 + (performance.now() - begunMs) / 98
  assert.ok(reads <= most, `${reads} statements in the time of ${most}`)
  await Promise.all([reader, ...others].map((stream) => stream?.close()))
})

/** Resolves after so many looks at the logs. */
async function untilLooks(looks: number): Promise<number> {
  const endAtMs = performance.now() + looks * streaming.lookEveryMs
  while (performance.now() < endAtMs) await new Promise((resolve) => setTimeout(resolve, 5))
  return looks
}

test('a stream without events outlives the time limits for a request and for the rest of one to arrive', async () => {
  const { owner, tag } = await newWorld()
  const hasty = await startServer({ arrival: { requestMs: 2_000, restMs: 1_500 } })
  const streams = [
    await openStream(hasty.base, owner.key),
    await openStream(hasty.base, owner.key, { headers: { 'content-length': '0' } }),
  ]
  await new Promise((resolve) => setTimeout(resolve, 4_000))
  await tag()
  for (const stream of streams) {
    await stream.events(1)
    await stream.close()
  }
})

test('more streams than an organization can have are refused with 429 until one is closed; other organizations are not affected', async () => {
  const { owner } = await newWorld()
  const opening = Array.from({ length: many + 10 }, () => openStream(base, owner.key))
  const streams = await Promise.all(opening)
  assert.deepEqual([...new Set(streams.map(({ status }) => status))], [200])
  const refused = await openStream(base, owner.key)
  await refused.ended()
  assert.deepEqual([refused.status, refused.headers['x-error-code']], [429, 'too_many_streams'])
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal((await owner.get('/events')).status, 200)
  const elsewhere = await openStream(base, (await newWorld()).owner.key)
  assert.equal(elsewhere.status, 200)
  await streams.pop()?.close()
  const again = await until(async () => {
    const opened = await openStream(base, owner.key)
    return opened.status !== 429 && opened
  }, 'There is room for no other stream')
  assert.equal(again.status, 200)
  await again.close()
  await Promise.all([...streams, elsewhere].map((stream) => stream.close()))
})

test('a reader that does not read is closed after a while, slows no other, and resumes where it was', async () => {
  const { orgId, owner, admin } = await newWorld()
  const [slow, quick] = [await openStream(base, owner.key), await openStream(base, admin.key)]
  slow.stopReading()
  const closed = async () => /event_streams_closed_total\{why="slow"\} (\d+)/.exec(await metricsOf(base))?.[1] ?? '0'
  const before = Number(await closed())
  let made = 0
  const description = 'x'.repeat(2_000)
  const { id: projectId } = await created(owner.post('/projects', { name: 'A project' }))
  while (Number(await closed()) === before) {
    assert.ok(made < 20_000, 'it was buffered without an end')
    // few enough that what the other one is about to read is within its bounds
    const operations = Array.from({ length: 20 }, (_, i) => ({
      ...{ method: 'POST', path: '/tasks' },
      body: { projectId, name: `Task ${made + i}`, description },
    }))
    const { status, body } = await owner.post('/bulk', { operations })
    assert.equal(status, 200)
    const latest = body.results.at(-1).body.id
    await quick.until(() => quick.seen.events.at(-1)?.data.resource.id === latest)
    made += 20
  }
  const last = await makeTags(owner, 1, 'last')
  await quick.event(({ data }) => data.resource.id === last)
  const told = () => logged.map((text) => JSON.parse(text)).find((one) => one.orgId === orgId && one.ended === 'slow')
  const line = await until(told, 'It has no line')
  assert.equal(line.route, '/api/v1/events')
  assert.ok(line.events > 0)
  slow.resumeReading()
  await slow.ended()
  const { lastEventId } = slow.seen
  const again = await openStream(base, owner.key, { headers: { 'last-event-id': lastEventId } })
  await again.event(({ data }) => data.resource.id === last)
  const ids = [...slow.seen.events, ...again.seen.events].map(({ id }) => Number(id))
  assert.deepEqual(
    ids,
    ids.map((_, i) => (ids[0] ?? 0) + i),
  )
  await Promise.all([again.close(), quick.close()])
})

test('a reader far behind gets everything as fast as it reads, without more of it in memory', async () => {
  const { owner } = await newWorld()
  const { body: head } = await owner.get('/events/head')
  const last = await makeTags(owner, behindBy, 'Tag')
  const stream = await openStream(base, owner.key, { query: `?after=${head.latest}` })
  stream.stopReading()
  assert.equal((await owner.post('/tags', { name: 'meanwhile' })).status, 201)
  stream.resumeReading()
  await stream.event(({ data }) => data.resource.id === last)
  const told = await stream.event(({ data }) => data.snapshot.name === 'meanwhile')
  const ids = stream.seen.events.map(({ id }) => Number(id))
  assert.deepEqual(
    ids,
    ids.map((_, i) => head.latest + 1 + i),
  )
  assert.equal(told.id, String(head.latest + behindBy + 1))
  await stream.close()
})

test('the metrics say how many streams are open, how many events they were sent, and why they ended', async () => {
  // of those of other tests some may still be ending
  const { base, newWorld } = await startServer({ streaming })
  const { owner, tag } = await newWorld()
  const count = async (name: string) =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await metricsOf(base))?.[1] ?? 0)
  const left = 'event_streams_closed_total\\{why="left"\\}'
  const stream = await openStream(base, owner.key)
  await tag()
  await stream.events(1)
  assert.deepEqual([await count('event_streams_open'), await count('events_streamed_total')], [1, 1])
  await stream.close()
  await until(async () => (await count('event_streams_open')) === 0, 'It stays open')
  assert.equal(await count(left), 1)
})

test('a stream that waits behind another response of its connection is refused, and none is left when that is closed', async () => {
  const { base, port, newWorld } = await startServer({ streaming })
  const { owner } = await newWorld()
  const openStreams = async () => Number(/^event_streams_open (\d+)$/m.exec(await metricsOf(base))?.[1] ?? 0)
  const settled = (count: number) => until(async () => (await openStreams()) === count, `There never are ${count}`)
  const asked = ['GET /api/v1/events HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${owner.key}`]
  const line = connect(port, '127.0.0.1')
  line.write(`${[...asked, 'Accept: text/event-stream'].join('\r\n')}\r\n\r\n`.repeat(30))
  line.on('error', () => {})
  await new Promise<void>((resolve) => line.on('data', (chunk) => String(chunk).includes('retry:') && resolve()))
  await settled(1)
  line.destroy()
  await settled(0)
})

const metricsOf = async (base: string) =>
  (await fetch(`${base}/metrics`, { headers: { authorization: `Bearer ${operatorToken}` } })).text()
