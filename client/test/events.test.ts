import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../server/src/db/sql.ts'
import { created, sharedServer, type World } from '../../server/test/support/world.ts'
import {
  ConnectionError,
  type Event,
  PositionExpiredError,
  type StreamOptions,
  Taskwright,
  UnauthorizedError,
  UnexpectedAnswerError,
  ValidationFailedError,
} from '../src/index.ts'
import { cuttingProxy } from './support/cutting-proxy.ts'
import { fakeServer, type Reaction } from './support/fake-server.ts'
import { rejection } from './support/rejection.ts'

const { base, db, newWorld } = await sharedServer()

const stream = (apiKey: string, query: object = {}, options: StreamOptions = {}, baseUrl = base) =>
  new Taskwright({ baseUrl, apiKey }).events.stream(query, options)

const tags = async ({ owner }: World, ...names: string[]) => {
  for (const name of names) await created(owner.post('/tags', { name }))
}

/** The first so many events of a stream. */
async function take(count: number, events: AsyncIterable<Event>): Promise<Event[]> {
  const taken: Event[] = []
  for await (const event of events) if (taken.push(event) >= count) break
  return taken
}

const namesOf = (events: readonly Event[]) => events.map(({ snapshot }) => snapshot.name)

test('a stream sends the events after a position, then new ones, with the filters of the feed', async () => {
  const world = await newWorld()
  const { body: head } = await world.owner.get('/events/head')
  await tags(world, 'one', 'two')
  const events = stream(world.owner.key, { after: head.latest, type: ['tag.*', 'task.*'] })
  assert.deepEqual(namesOf(await take(2, events)), ['one', 'two'])
  const following = take(3, stream(world.owner.key, { after: head.latest, type: 'tag.created' }))
  await world.taskType({ name: 'none of it' })
  await tags(world, 'three')
  assert.deepEqual(namesOf(await following), ['one', 'two', 'three'])
})

test('without a position the stream begins now, and loses nothing if it is cut before the first event', async (t) => {
  const { base, asked } = await fakeServer(
    t,
    [200, { oldest: 1, latest: 41 }],
    lines('retry: 1\n\nretry: soon\n\n', 'cut'),
    lines('retry: 1\n\nid: 42\ndata: {"sequence":42}\n\n'),
  )
  const [event] = await take(1, stream('tw_key', {}, {}, base))
  assert.equal(event?.sequence, 42)
  assert.deepEqual(
    asked.map(({ path, headers }) => [path, headers['last-event-id']]),
    [
      ['/api/v1/events/head', undefined],
      ['/api/v1/events', '41'],
      ['/api/v1/events', '41'],
    ],
  )
})

test('a stream that is cut anywhere resumes after the last complete event', async (t) => {
  const { base, asked } = await fakeServer(
    t,
    lines(
      'retry: 1\r\n\r\n:\r\nid: 5\r\n\r\nid: 7\nevent: tag.created\ndata: {"sequence":7,\ndata: "text":"ü"}\n\n',
      'cut',
    ),
    lines('id: 8\ndata: {"sequence":8}\n\nid: 9\ndata: {"sequence":9}\n', 'cut'),
    lines('id: 9\rdata:{"sequence":9}\r\r:\rid: 12\r\r:'),
    lines('id: 13\ndata: {"sequence":13}\n\n'),
  )
  const whys: unknown[] = []
  const opened: number[] = []
  const options: StreamOptions = { onOpen: (after) => opened.push(after), onCut: (why) => whys.push(why) }
  const events = await take(4, stream('tw_key', { after: 3 }, options, base))
  assert.deepEqual(opened, [3, 7, 8, 12])
  assert.deepEqual(events, [{ sequence: 7, text: 'ü' }, { sequence: 8 }, { sequence: 9 }, { sequence: 13 }])
  assert.deepEqual(
    asked.map(({ headers }) => headers['last-event-id']),
    ['3', '7', '8', '12'],
  )
  assert.ok(whys[0] instanceof ConnectionError && whys[1] instanceof ConnectionError)
  // in the words of the runtime, which Node 20 hides two causes deep
  for (const why of whys.slice(0, 2))
    assert.match(String(why), /^ConnectionError: The stream broke: (other side closed|read ECONNRESET)$/)
  // the server ended it in good order
  assert.equal(whys[2], undefined)
})

test('a connection to the server that breaks is told apart from a stream that the server ends', async (t) => {
  const { owner } = await newWorld()
  const whyOf = async (options: { base: string; key: string; cut?: () => void }) => {
    const stopping = new AbortController()
    let reason: unknown = 'none'
    const onCut = (why: unknown) => {
      reason = why
      stopping.abort()
    }
    const events = stream(
      options.key,
      { after: 0 },
      { onCut, onOpen: options.cut, signal: stopping.signal },
      options.base,
    )
    for await (const _ of events);
    return reason
  }
  const proxy = await cuttingProxy(t, { to: Number(new URL(base).port), mostBytes: { sent: 1e9, received: 1e9 } })
  const broken = await whyOf({ base: proxy.base, key: owner.key, cut: proxy.cutAll })
  assert.match(String(broken), /^ConnectionError: The stream broke: /)
  // the server ends the stream of a key that expires
  const expiresAt = new Date(Date.now() + 1_500).toISOString()
  const key = await created(owner.post('/api-keys', { name: 'Short', expiresAt }))
  assert.equal(await whyOf({ base, key: key.secret }), undefined)
})

test('a line can arrive in any pieces, even split inside a character', async (t) => {
  const text = 'retry: 1\n\nid: 7\ndata: {"sequence":7,"snapshot":{"name":"Grüße 👋"}}\n\n'
  const { base } = await fakeServer(t, async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const byte of Buffer.from(text))
      await new Promise<void>((done) => response.write(Buffer.of(byte), () => setImmediate(done)))
  })
  assert.deepEqual(namesOf(await take(1, stream('tw_key', { after: 0 }, {}, base))), ['Grüße 👋'])
})

test('the client gives up a silent connection, and keeps one that only sends comments', async (t) => {
  const whys: unknown[] = []
  const silent = await fakeServer(t, lines('retry: 1\n\n', 'open'), lines('id: 1\ndata: {"sequence":1}\n\n', 'open'))
  const options: StreamOptions = { silentAfterMs: 200, onCut: (why) => whys.push(why) }
  await take(1, stream('tw_key', { after: 0 }, options, silent.base))
  assert.ok(silent.asked.length >= 2)
  assert.match(String(whys[0]), /The stream sent nothing for 200 ms/)
  const cuts: unknown[] = []
  const talking = await fakeServer(t, async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let signs = 0; signs < 80; signs++) {
      response.write(':\n\n')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    response.write('id: 1\ndata: {"sequence":1}\n\n')
  })
  // it may take its time, other than the attempt to connect
  const patient: StreamOptions = { silentAfterMs: 2_000, timeoutMs: 2_500, onCut: (why) => cuts.push(why) }
  await take(1, stream('tw_key', { after: 0 }, patient, talking.base))
  assert.deepEqual(cuts, [])
})

test('an aborted stream ends without an error, whatever it waits for', async (t) => {
  const world = await newWorld()
  await tags(world, 'one', 'two')
  const { body: head } = await world.owner.get('/events/head')
  const refusing = await fakeServer(t, [503, { error: 'Not now' }, { 'retry-after': '60' }])
  const dumb = await fakeServer(t, 'silence')
  const controller = new AbortController()
  const { signal } = controller
  const streams = [
    stream(world.owner.key, {}, { signal }),
    stream(world.owner.key, { after: head.latest }, { signal }),
    stream('tw_key', { after: 0 }, { signal }, refusing.base),
    stream('tw_key', { after: 0 }, { signal }, dumb.base),
  ]
  const ended = streams.map((events) => take(1, events))
  while (refusing.asked.length < 1 || dumb.asked.length < 1) await new Promise(setImmediate)
  controller.abort()
  assert.deepEqual(await Promise.all(ended), [[], [], [], []])
  assert.deepEqual(await take(1, stream(world.owner.key, { after: 0 }, { signal })), [])
  const inTheMiddle = new AbortController()
  const seen: string[] = []
  for await (const { snapshot } of stream(
    world.owner.key,
    { after: head.latest - 2 },
    { signal: inTheMiddle.signal },
  )) {
    seen.push(String(snapshot.name))
    inTheMiddle.abort()
  }
  assert.deepEqual(seen, ['one'])
})

test('a reader that stops reading closes the connection', async (t) => {
  let ended = () => {}
  const gone = new Promise<void>((resolve) => {
    ended = resolve
  })
  const { base } = await fakeServer(t, (response, asked) => {
    response.on('close', ended)
    const reaction = lines('id: 1\ndata: {}\n\n', 'open')
    if (typeof reaction === 'function') reaction(response, asked)
  })
  await take(1, stream('tw_key', { after: 0 }, {}, base))
  await gone
})

test('a lasting failure is thrown, at once or later: a key that does not work, a wrong filter, a page of a proxy', async (t) => {
  const world = await newWorld()
  await rejection(take(1, stream('tw_nobody', { after: 0 })), UnauthorizedError)
  await rejection(take(1, stream(world.owner.key, { after: 0, type: 'task.eaten' })), ValidationFailedError)
  const page = await fakeServer(t, [200, '<h1>Welcome</h1>'])
  await rejection(take(1, stream('tw_key', { after: 0 }, {}, page.base)), UnexpectedAnswerError)
  const json = await fakeServer(t, [200, { data: [] }])
  await rejection(take(1, stream('tw_key', { after: 0 }, {}, json.base)), UnexpectedAnswerError)
  // the server ends a stream when its key is revoked
  const following = rejection(take(1, stream(world.member.key, { type: 'comment.*' })), UnauthorizedError)
  const { body: keys } = await world.owner.get(`/api-keys?memberId=${world.member.memberId}`)
  assert.equal((await world.owner.delete(`/api-keys/${keys.data[0].id}`)).status, 204)
  await following
})

test('a position with events that are no longer kept is reported, not skipped', async () => {
  const world = await newWorld()
  await tags(world, 'one', 'two', 'three')
  const { body: head } = await world.owner.get('/events/head')
  await db.rows(sql`delete from events where org_id = ${world.orgId} and sequence < ${head.latest}`)
  const error = await rejection(take(1, stream(world.owner.key, { after: head.latest - 2 })), PositionExpiredError)
  assert.deepEqual([error.status, error.code, error.name], [412, 'position_expired', 'PositionExpiredError'])
  assert.match(error.message, new RegExp(`the oldest is ${head.latest}\\.`))
  await rejection(take(1, stream(world.owner.key, { after: head.latest + 5 })), PositionExpiredError)
})

test('a server that cannot be reached at first is given up like in any call, and later never', async (t) => {
  const { base, asked } = await fakeServer(t, 'cut')
  await rejection(take(1, stream('tw_key', { after: 0 }, { retries: 1 }, base)), ConnectionError)
  assert.equal(asked.length, 2)
  const failing: Reaction[] = [502, 500, 503].map((status) => [
    status,
    status === 502 ? '<h1>Bad gateway</h1>' : { error: 'Not now' },
  ])
  const once = await fakeServer(t, lines('retry: 1\n\n'), ...failing, 'cut', lines('id: 1\ndata: {"sequence":1}\n\n'))
  assert.deepEqual(await take(1, stream('tw_key', { after: 0 }, { retries: 0 }, once.base)), [{ sequence: 1 }])
})

/** A stream that says this, and then ends, is cut, or stays open. */
function lines(text: string, then: 'end' | 'cut' | 'open' = 'end'): Reaction {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(text, () => {
      if (then === 'end') response.end('\r:end\n\n')
      else if (then === 'cut') response.destroy()
    })
  }
}
