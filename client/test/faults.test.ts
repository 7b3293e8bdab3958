import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onMigratedDatabase, serving } from '../../server/test/support/slow/processes.ts'
import { startServer } from '../../server/test/support/world.ts'
import { type Event, PreconditionFailedError, type Tag, type Task, Taskwright, TaskwrightError } from '../src/index.ts'
import { cuttingProxy } from './support/cutting-proxy.ts'

const { base, port, newWorld } = await startServer({ streaming: { commentEveryMs: 500, lookEveryMs: 250 } })
const atOnce = 60

test('no create is lost or doubled over a thousand connections that break at any byte, and streams send each event once', async (t) => {
  const world = await newWorld()
  const { id: projectId } = await world.project()
  await world.addToProject(projectId, world.member)
  const { body: head } = await world.owner.get('/events/head')
  const names = Array.from({ length: 1_000 }, (_, n) => `Task ${n}`)
  const writing = await cuttingProxy(t, { to: port, mostBytes: { sent: 3_000, received: 5_000 }, mostSilenced: 2 })
  const reading = await cuttingProxy(t, { to: port, mostBytes: { sent: 1_000, received: 300_000 }, mostSilenced: 1 })
  const followed = [
    follow(clientOf(reading.base, world.owner.key), { after: head.latest }, last(names.length)),
    follow(clientOf(reading.base, world.member.key), { after: head.latest }, last(names.length)),
    follow(
      clientOf(reading.base, world.owner.key),
      { after: head.latest, type: ['task.*'], projectId },
      last(names.length),
    ),
  ]
  const tw = clientOf(writing.base, world.owner.key)
  let replayed = 0
  let wentOn = 0
  const tasks = await inParallel(names, async (name) => {
    for (let idempotencyKey: string | undefined; ; wentOn++) {
      try {
        const { data, response } = await tw.tasks.create({ projectId, name }, { idempotencyKey }).withResponse()
        if (response.headers.get('idempotent-replayed')) replayed++
        return data
      } catch (error) {
        // as a program does that was started again
        if (!(error instanceof TaskwrightError && error.mayBeDone)) throw error
        idempotencyKey = error.idempotencyKey
      }
    }
  })
  const { cutSending, cutReceiving, silenced } = writing.counts
  t.diagnostic(`cut ${cutSending} times in requests, ${cutReceiving} in answers, silenced ${silenced}`)
  t.diagnostic(`${replayed} answers were replays, ${wentOn} calls went on with their key`)
  const stored: Task[] = []
  for await (const task of clientOf(base, world.owner.key).tasks.list()) stored.push(task)
  assert.deepEqual(stored.map(({ name }) => name).toSorted(), names.toSorted())
  assert.deepEqual(stored.map(({ id }) => id).toSorted(), tasks.map(({ id }) => id).toSorted())
  const created = (events: readonly Event[]) =>
    events.filter(({ type }) => type === 'task.created').map(({ resource }) => resource.id)
  for (const events of await Promise.all(followed)) {
    assert.deepEqual(created(events).toSorted(), tasks.map(({ id }) => id).toSorted())
    assert.deepEqual(
      events.map(({ sequence }) => sequence),
      events.map((_, i) => head.latest + 1 + i),
    )
  }
  t.diagnostic(`streams were cut ${reading.counts.cutReceiving} times`)
  assert.ok(reading.counts.cutReceiving > 3)
  assert.ok(cutSending > 50 && cutReceiving > 50 && replayed > 20)
})

test('updates and deletions over such connections are done when they get a response, and with ifMatch nobody is overwritten', async (t) => {
  const world = await newWorld()
  const proxy = await cuttingProxy(t, { to: port, mostBytes: { sent: 1_500, received: 2_500 } })
  const tw = clientOf(proxy.base, world.owner.key, 30)
  const names = Array.from({ length: 60 }, (_, n) => `Tag ${n}`)
  let uncertain = 0
  await inParallel(names, async (name) => {
    const { data: tag, etag } = await tw.tags.create({ name }).withResponse()
    try {
      await tw.tags.update(tag.id, { color: '#336699' }, { ifMatch: etag })
    } catch (error) {
      assert.ok(error instanceof PreconditionFailedError && error.mayBeDone)
      uncertain++
    }
    const read: Tag = await tw.tags.get(tag.id)
    assert.deepEqual([read.color, read.version], ['#336699', 2])
    assert.equal(await tw.tags.delete(tag.id), undefined)
  })
  assert.ok(proxy.counts.cutReceiving > 10)
  t.diagnostic(`${uncertain} edits came back as 412`)
  assert.equal((await world.owner.get('/tags')).body.total, 0)
  const { body: feed } = await world.owner.get('/events?type=tag.*&limit=1')
  assert.equal(feed.data[0].type, 'tag.created')
})

test('a server that is killed and started again loses nothing for writers and readers', async (t) => {
  const settings = await onMigratedDatabase(t)
  const first = await serving(t, settings)
  const proxy = await cuttingProxy(t, { to: first.port, mostBytes: { sent: 1e9, received: 1e9 } })
  const tw = clientOf(proxy.base, first.ownersKey, 50)
  const { latest } = await tw.events.getHead()
  const names = Array.from({ length: 250 }, (_, n) => `Tag ${n}`)
  const followed = follow(tw, { after: latest }, ({ sequence }) => sequence === latest + names.length)
  let done = 0
  const tags = await inParallel(names, async (name) => {
    const tag = await tw.tags.create({ name })
    if (++done === 100) {
      await first.kill('SIGKILL')
      const second = await serving(t, settings)
      proxy.leadTo(second.port)
    }
    return tag
  })
  const { data, total } = await tw.tags.list({ limit: 1 })
  assert.deepEqual([data.length, total], [1, names.length])
  const events = await followed
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    names.map((_, i) => latest + 1 + i),
  )
  assert.deepEqual(events.map(({ resource }) => resource.id).toSorted(), tags.map(({ id }) => id).toSorted())
})

const clientOf = (baseUrl: string, apiKey: string, retries = 4) =>
  new Taskwright({ baseUrl, apiKey, retries, timeoutMs: 8_000 })

/** Whether a task is the last one of so many. */
const last = (count: number) => {
  let seen = 0
  return ({ type }: Event) => type === 'task.created' && ++seen === count
}

/** All events until one of them, that one included. */
async function follow(tw: Taskwright, query: object, isLast: (event: Event) => boolean): Promise<Event[]> {
  const events: Event[] = []
  for await (const event of tw.events.stream(query, { silentAfterMs: 5_000, retries: 50 })) {
    events.push(event)
    if (isLast(event)) break
  }
  return events
}

async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const left = [...items]
  const results: Result[] = []
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) results.push(await work(item))
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
