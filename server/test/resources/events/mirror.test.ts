import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../../src/demo/random.ts'
import { detachAll } from '../../../src/jobs/detaching.ts'
import { eventTypes } from '../../../src/resources/index.ts'
import { type FeedEvent, listed, Mirror, pathOf } from '../../support/mirror.ts'
import { randomWrites } from '../../support/random-writes.ts'
import { ranOnce } from '../../support/running.ts'
import { type Api, startServer } from '../../support/world.ts'

const { db, newWorld } = await startServer()

/** How many writes are made by chance, and which. */
const writesMade = Number(process.env.MIRROR_WRITES ?? 300)
const seed = Number(process.env.MIRROR_SEED ?? 1)

/** What no event tells, and why. */
const untold: Record<string, readonly string[]> = {
  // each use of a key changes both, once a minute: that somebody reads is no event
  api_key: ['lastUsedAt', 'version'],
}

type Item = Record<string, unknown>

/** The events after a position, each of a type of the catalogue and with the snapshot that is published for it. */
async function* feed(api: Api, position: number): AsyncGenerator<FeedEvent> {
  for (let query = `after=${position}`; ; ) {
    const { status, body, text } = await api.get(`/events?limit=100&${query}`)
    assert.equal(status, 200, text)
    for (const event of body.data) {
      const { snapshot } = eventTypes.find(({ type }) => type === event.type) ?? assert.fail(event.type)
      snapshot.parse(event.snapshot)
      yield event
    }
    if (body.pagination.nextCursor === null) return
    query = `cursor=${body.pagination.nextCursor}`
  }
}

/** Compares what a mirror shows with what the lists of the API show, and with what is read by id. */
async function compare(mirror: Mirror, api: Api): Promise<void> {
  for (const [noun, items] of Object.entries(await listed(api))) {
    assert.deepEqual(told(noun, mirror.shown(noun)), told(noun, items), noun)
    const reads: Item[] = []
    for (const item of items) reads.push((await api.get(pathOf[noun]?.(item) ?? '')).body)
    assert.deepEqual(told(noun, reads), told(noun, items), `${noun} by id`)
  }
}

const told = (noun: string, items: Item[]) =>
  items
    .map((item) => Object.fromEntries(Object.entries(item).filter(([field]) => !untold[noun]?.includes(field))))
    .toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))

const idOf = ({ id, projectId, memberId }: Item) => String(id ?? `${projectId} ${memberId}`)

test('a mirror that knows nothing but the events shows what the API answers, whatever was done', async (t) => {
  const { owner, admin, member } = await newWorld()
  const [random, mirror] = [randomFrom(seed), new Mirror()]
  const writers: string[] = []
  for (const api of [owner, admin, member]) writers.push(api.memberId, (await api.get('/me')).body.apiKey.id)
  const writes = randomWrites(random, mirror, writers)
  const answers: Record<number, number> = {}
  for (let made = 0; made < writesMade; made++) {
    await mirror.follow(feed(owner, mirror.position))
    const { method, path, body } = writes.next().value
    const { status, text } = await random.pick([owner, owner, owner, owner, admin, member]).call(method, path, body)
    assert.ok(status < 500, `${method} ${path}: ${text}`)
    answers[status] = (answers[status] ?? 0) + 1
  }
  await mirror.follow(feed(owner, mirror.position))
  await compare(mirror, owner)
  t.diagnostic(`${writesMade} writes, answered ${JSON.stringify(answers)}, ${mirror.position} events`)
})

test('a mirror shows what the API answers once all that bore a tag or was assigned to a member has lost it', async () => {
  const { owner, join, project, tag, task, subtask, timeEntry } = await newWorld()
  const colleague = await join('Carl Colleague', 'member')
  const [{ id: projectId }, { id: tagId }] = [await project(), await tag()]
  const labels = { tagIds: [tagId], assigneeIds: [colleague.memberId] }
  const body = { name: 'One of many', projectId, ...labels }
  const operations = Array.from({ length: 90 }, () => ({ method: 'POST', path: '/tasks', body }))
  for (let i = 0; i < 3; i++) assert.equal((await owner.post('/bulk', { operations })).status, 200)
  const first = await task({ projectId, ...labels })
  const step = await subtask(first.id, { assigneeId: colleague.memberId })
  for (const on of [{ taskId: first.id }, { subtaskId: step.id }]) await timeEntry({ ...on, tagIds: [tagId] })
  for (const path of [
    `/tasks/${first.id}`,
    `/tags/${tagId}`,
    `/members/${colleague.memberId}`,
    `/projects/${projectId}`,
  ])
    assert.equal((await owner.delete(path)).status, 204)
  assert.deepEqual([...(await ranOnce(db, (run) => detachAll(run)))], [])
  for (const path of [`/projects/${projectId}`, `/tasks/${first.id}`])
    assert.equal((await owner.post(`${path}/restore`)).status, 200)
  const mirror = new Mirror()
  await mirror.follow(feed(owner, 0))
  await compare(mirror, owner)
})
