import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Random, randomFrom } from '../../../src/commands/demo/random.ts'
import { detachAll } from '../../../src/jobs/detaching.ts'
import type { JobContext } from '../../../src/jobs/job.ts'
import { eventTypes, routes } from '../../../src/resources/index.ts'
import { openStream } from '../../support/event-streams.ts'
import { type FeedEvent, listed, Mirror, pathOf } from '../../support/mirror.ts'
import { randomWrites } from '../../support/random-writes.ts'
import { rounds } from '../../support/rounds.ts'
import { ranOnce } from '../../support/running.ts'
import { until, untilTaken } from '../../support/until.ts'
import { type Api, sharedServer, type World } from '../../support/world.ts'

const { base, db, newWorld } = await sharedServer()

/** How many writes are made by chance, and which. */
const writesMade = Number(process.env.MIRROR_WRITES ?? rounds(30, 300))
const seed = Number(process.env.MIRROR_SEED ?? 1)

/** What no event tells, and why. */
const untold: Record<string, readonly string[]> = {
  // each use of a key changes both, once a minute: that somebody reads is no event
  api_key: ['lastUsedAt', 'version'],
}

/** What is not done by chance, and why. */
const unmade: Record<string, string> = {
  'POST /organizations': 'is for the operator, and no write of an organization',
  'POST /deliveries/*/redeliver': 'takes a delivery, which none makes here',
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

/** The name of a tag that is made last. */
const last = 'This is the end'
const mostCuts = rounds(10, 100)

/** The events that follow on the mirror's position, as they happen, by a stream that is cut again and again. */
async function* streamed(api: Api, mirror: Mirror, random: Random, cut: { times: number }): AsyncGenerator<FeedEvent> {
  for (;;) {
    const stream = await until(async () => {
      const opened = await openStream(base, api.key, { headers: { 'last-event-id': String(mirror.position) } })
      return opened.status !== 503 && opened
    }, 'The server stays too busy')
    // what is on its way when the connection is cut is lost
    const untilCut = cut.times < mostCuts ? random.between(0, 2) : Number.POSITIVE_INFINITY
    for (let taken = 0; taken < untilCut; taken++) {
      const events = await stream.events(taken + 1)
      const event: FeedEvent = events[taken]?.data
      yield event
      if (event.type === 'tag.created' && event.snapshot.name === last) return stream.close()
    }
    cut.times++
    await stream.close()
  }
}

/** Compares what a mirror shows with what the lists of the API show, and with what is read by id. */
async function compare(mirror: Mirror, api: Api): Promise<void> {
  for (const [noun, items] of Object.entries(await listed(api))) {
    refuseDifferences(noun, told(noun, mirror.shown(noun)), told(noun, items))
    const reads: Item[] = []
    for (const item of items) reads.push((await api.get(pathOf[noun]?.(item) ?? '')).body)
    refuseDifferences(`${noun} by id`, told(noun, reads), told(noun, items))
  }
}

/** A write without the ids in its path. */
const kindOf = (method: string, path: string) =>
  `${method} ${path.replace(/\?.*/, '').replace(/\/([0-9a-f]{8}-[^/]*|\{\w+\})/g, '/*')}`

/** Compares items by their ids, and shows only those that differ. */
function refuseDifferences(noun: string, mirrored: Item[], answered: Item[]): void {
  const texts = (items: Item[]) => new Set(items.map((item) => JSON.stringify(item)))
  const [ours, theirs] = [texts(mirrored), texts(answered)]
  assert.deepEqual(
    mirrored.filter((item) => !theirs.has(JSON.stringify(item))),
    answered.filter((item) => !ours.has(JSON.stringify(item))),
    noun,
  )
}

const told = (noun: string, items: Item[]) =>
  items
    .map((item) =>
      Object.fromEntries(
        Object.entries(item)
          .filter(([field]) => !untold[noun]?.includes(field))
          .toSorted(),
      ),
    )
    .toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))

const idOf = ({ id, projectId, memberId }: Item) => String(id ?? `${projectId} ${memberId}`)

/** Makes writes of all kinds by chance, which has the mirror to choose from. */
async function writeByChance(
  { owner, admin, member }: World,
  mirror: Mirror,
  random: Random,
  { count = writesMade, atOnce = 1, before = async () => {} }: Writing,
) {
  const writers: string[] = []
  for (const api of [owner, admin, member]) writers.push(api.memberId, (await api.get('/me')).body.apiKey.id)
  const writes = randomWrites(random, mirror, writers)
  const [answers, done]: [Record<number, number>, Set<string>] = [{}, new Set()]
  const write = async () => {
    const { method, path, body } = writes.next().value
    const writer = random.pick([owner, owner, owner, owner, admin, member])
    const { status, text } = await untilTaken(() => writer.call(method, path, body))
    assert.ok(status < 500, `${method} ${path}: ${text}`)
    answers[status] = (answers[status] ?? 0) + 1
    if (status < 300) done.add(kindOf(method, path))
  }
  for (let made = 0; made < count; made += atOnce) {
    await before()
    await Promise.all(Array.from({ length: atOnce }, write))
  }
  return { answers, done }
}

interface Writing {
  count?: number
  /** how many are sent together: then chance is not the same each time */
  atOnce?: number
  before?: () => Promise<void>
}

test('a mirror built only from the events shows what the API returns, after any operations', async (t) => {
  const world = await newWorld()
  const { owner } = world
  const [random, mirror] = [randomFrom(seed), new Mirror()]
  const catchUp = () => mirror.follow(feed(owner, mirror.position))
  const { answers, done } = await writeByChance(world, mirror, random, { before: catchUp })
  await catchUp()
  await compare(mirror, owner)
  t.diagnostic(`${writesMade} writes, answered ${JSON.stringify(answers)}, ${mirror.position} events`)
  // few writes are not of every kind
  if (writesMade < 2_000) return
  const kinds = routes.filter(({ method }) => method !== 'GET').map(({ method, path }) => kindOf(method, path))
  assert.deepEqual(
    [...new Set(kinds)].filter((kind) => !done.has(kind) && !(kind in unmade)),
    [],
  )
})

test('a mirror that follows the stream shows the same, with any writers at the same time and any number of cut connections', async (t) => {
  const world = await newWorld()
  const { owner } = world
  const [random, mirror] = [randomFrom(seed), new Mirror()]
  const cut = { times: 0 }
  const following = mirror.follow(streamed(owner, mirror, random, cut))
  const { answers } = await writeByChance(world, mirror, random, { atOnce: 4 })
  await until(async () => {
    if (cut.times < mostCuts) await owner.post('/tags', { name: `Tag ${randomUUID()}` })
    return cut.times >= mostCuts
  }, 'The stream is not cut as often')
  assert.equal((await untilTaken(() => owner.post('/tags', { name: last }))).status, 201)
  await following
  await compare(mirror, owner)
  t.diagnostic(
    `${writesMade} writes, answered ${JSON.stringify(answers)}, ${mirror.position} events, ${cut.times} cuts`,
  )
  assert.equal(cut.times, mostCuts)
})

test('a mirror of the events that a member sees shows what the API returns to that member', async () => {
  const world = await newWorld()
  const { owner, member, project, addToProject } = world
  for (const role of ['lead', 'contributor', 'viewer']) await addToProject((await project()).id, member, role)
  const [random, all, seen] = [randomFrom(seed), new Mirror(), new Mirror(true)]
  const catchUp = async () => {
    await all.follow(feed(owner, all.position))
    await seen.follow(feed(member, seen.position))
  }
  await writeByChance(world, all, random, { before: catchUp, count: 250 })
  await seen.follow(feed(member, seen.position))
  await compare(seen, member)
  assert.ok(seen.shown('task').length > 0 && seen.shown('task').length < all.shown('task').length)
})

test('a mirror shows what the API returns after stages, tasks and subtasks made room for each other', async () => {
  const { owner, project, workspace, stages, task, subtask } = await newWorld()
  const [ours, others] = [await project(), await project()]
  const { id: workspaceId } = await workspace({ stages: ['A', 'B', 'C'] })
  const board = await stages(workspaceId)
  const placed = { workspaceId, stageId: board[0].id }
  const tasks = [
    await task({ projectId: ours.id, ...placed }),
    await task({ projectId: others.id, ...placed }),
    await task({ projectId: ours.id, ...placed }),
  ]
  const steps = [await subtask(tasks[0].id), await subtask(tasks[0].id), await subtask(tasks[0].id)]
  const orders: [path: string, items: Item[]][] = [
    ['stages', board],
    ['tasks', tasks],
    ['subtasks', steps],
  ]
  for (const [path, [first, ...moving]] of orders) {
    for (let i = 0; i < 30; i++) await owner.post(`/${path}/${moving[i % 2]?.id}/move`, { afterId: first?.id })
  }
  const { data } = (await owner.get('/events?limit=100&type=order.respaced')).body
  const told = data.map(({ resource, projectId }: Item) => [(resource as Item).id, projectId])
  assert.deepEqual(told.slice(0, 3), [
    [workspaceId, null],
    [placed.stageId, ours.id],
    [placed.stageId, others.id],
  ])
  assert.deepEqual(told.at(-1), [tasks[0].id, ours.id])
  const mirror = new Mirror()
  await mirror.follow(feed(owner, 0))
  await compare(mirror, owner)
})

test('a mirror shows what the API returns after all items have lost a tag or a member', async () => {
  const { orgId, owner, join, project, tag, task, subtask, timeEntry } = await newWorld()
  const colleague = await join('Carl Colleague', 'member')
  const [{ id: projectId }, { id: tagId }] = [await project(), await tag()]
  const labels = { tagIds: [tagId], assigneeIds: [colleague.memberId] }
  const body = { name: 'One of many', projectId, ...labels }
  const operations = Array.from({ length: 90 }, () => ({ method: 'POST', path: '/tasks', body }))
  for (let i = 0; i < rounds(1, 3); i++) assert.equal((await owner.post('/bulk', { operations })).status, 200)
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
  const ofOurs = (run: JobContext): JobContext => ({ ...run, inEach: (_orgIds, turn) => run.inEach([orgId], turn) })
  assert.deepEqual([...(await ranOnce(db, (run) => detachAll(ofOurs(run))))], [])
  for (const path of [`/projects/${projectId}`, `/tasks/${first.id}`])
    assert.equal((await owner.post(`${path}/restore`)).status, 200)
  const mirror = new Mirror()
  await mirror.follow(feed(owner, 0))
  await compare(mirror, owner)
})
