import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { randomFrom } from '../../../src/demo/random.ts'
import { type FeedEvent, listed, Mirror, pathOf } from '../../support/mirror.ts'
import { randomWrites } from '../../support/random-writes.ts'
import { type Api, startServer } from '../../support/world.ts'

const { db, newWorld } = await startServer()

/** What no event tells, and why. */
const untold: Record<string, string[]> = {
  // each use of a key changes it: an event for each would tell of those who read
  api_key: ['lastUsedAt', 'version'],
}

type Item = Record<string, unknown>

const comparable = (noun: string, items: Item[]) =>
  items
    .map((item) => Object.fromEntries(Object.entries(item).filter(([field]) => !untold[noun]?.includes(field))))
    .toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
const idOf = ({ id, projectId, memberId }: Item) => String(id ?? `${projectId}/${memberId}`)

/** The events after a position, as the feed gives them. */
async function* eventsAfter(orgId: string, position: number): AsyncGenerator<FeedEvent> {
  const rows = await db.rows<FeedEvent>(sql`
    select sequence, type, json_build_object('type', split_part(type, '.', 1), 'id', resource_id) as resource, snapshot,
      created_at as "createdAt"
    from events where org_id = ${orgId} and sequence > ${position} order by sequence`)
  yield* rows
}

/** Compares what a mirror shows with what the lists of the API show, and with what is read by id. */
async function compare(mirror: Mirror, api: Api): Promise<void> {
  const lists = await listed(api)
  for (const [noun, items] of Object.entries(lists)) {
    assert.deepEqual(comparable(noun, mirror.shown(noun)), comparable(noun, items), noun)
    const reads: Item[] = []
    for (const item of items) reads.push((await api.get(pathOf[noun]?.(item) ?? '')).body)
    assert.deepEqual(comparable(noun, reads), comparable(noun, items), `${noun} read`)
  }
}

const operations = Number(process.env.MIRROR_OPERATIONS ?? 300)
const seed = Number(process.env.MIRROR_SEED ?? 1)

test('a mirror that is made of nothing but the events equals what the API answers, whatever was done', async (t) => {
  const { orgId, owner, admin, member } = await newWorld()
  const random = randomFrom(seed)
  const mirror = new Mirror()
  await mirror.follow(eventsAfter(orgId, 0))
  const spared: string[] = []
  for (const api of [owner, admin, member]) spared.push(api.memberId, (await api.get('/me')).body.apiKey.id)
  const statuses: Record<number, number> = {}
  const writes = randomWrites(random, mirror, spared)
  for (let made = 0; made < operations; made++) {
    const { method, path, body } = writes.next().value
    const by = random.pick([owner, owner, owner, owner, admin, member])
    const { status, text } = await by.call(method, path, body)
    statuses[status] = (statuses[status] ?? 0) + 1
    assert.ok(status < 500, `${method} ${path}: ${text}`)
    await mirror.follow(eventsAfter(orgId, mirror.position))
    if (process.env.MIRROR_EACH)
      await compare(mirror, owner).catch((error) => {
        throw new Error(`${made}: ${method} ${path} ${JSON.stringify(body)} ${status}`, { cause: error })
      })
  }
  await compare(mirror, owner)
  t.diagnostic(`${operations} operations, ${mirror.position} events, ${JSON.stringify(statuses)}`)
})
