import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { sql } from '../../../src/db/sql.ts'
import { changeByJob } from '../../../src/operations/changes.ts'
import { allowed } from '../../support/allowed.ts'
import { onPlainPostgres } from '../../support/citus.ts'
import { hasty, startDelivering, webhookTo } from '../../support/delivering.ts'
import { goBetween } from '../../support/go-between.ts'
import { hold } from '../../support/holding.ts'
import { type Received, startReceiver } from '../../support/receiver.ts'
import { migratedDatabase, startServer, type World } from '../../support/world.ts'

const { url, drop } = await migratedDatabase()
const { db, newWorld, notices } = await startServer({ url, allowedSubnets: allowed })
after(drop)

const typesOf = (received: readonly Received[]) => received.map(({ body }) => JSON.parse(body).type)
const namesOf = (received: readonly Received[]) => received.map(({ body }) => JSON.parse(body).snapshot.name)

async function tags(world: World, count: number, prefix = 'Tag') {
  for (let n = 0; n < count; n++) await world.tag({ name: `${prefix} ${n}` })
}

test('an event arrives as owners see it in the feed, signed for the public verifier', async (t) => {
  const [world, receiver] = [await newWorld(), await startReceiver(t)]
  const { secret } = await webhookTo(t, world, `${receiver.url}/hooks?a=1`, { types: ['tag.created'] })
  startDelivering(t, { url, notices })
  await world.tag({ name: 'Grüße 👋' })
  await receiver.until(({ length }) => length === 1)
  const [{ path, headers, body } = assert.fail()] = receiver.received
  const feed = await world.owner.get('/events?type=tag.created')
  assert.equal(`{"data":[${body}],"pagination":{"nextCursor":null}}`, feed.text)
  assert.equal(path, '/hooks?a=1')
  assert.equal(headers['webhook-id'], feed.body.data[0].id)
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['user-agent'], 'Taskwright/test')
  assert.deepEqual(new Webhook(secret).verify(body, headers as Record<string, string>), feed.body.data[0])
})

test('events arrive in order, one at a time', async (t) => {
  const world = await newWorld()
  let [inFlight, most] = [0, 0]
  const receiver = await startReceiver(t, (_, response) => {
    most = Math.max(most, ++inFlight)
    setImmediate(() => {
      inFlight--
      response.end()
    })
  })
  await webhookTo(t, world, receiver.url, { types: ['tag.*'] })
  startDelivering(t, { url, notices })
  await tags(world, 30)
  await receiver.until(({ length }) => length === 30)
  assert.deepEqual(
    namesOf(receiver.received),
    Array.from({ length: 30 }, (_, n) => `Tag ${n}`),
  )
  assert.equal(most, 1)
})

test('a webhook gets the types and the project that it selects, and only the tested webhook gets a test', async (t) => {
  const [world, receiver] = [await newWorld(), await startReceiver(t)]
  const [wanted, other] = [await world.project(), await world.project()]
  await webhookTo(t, world, `${receiver.url}/tasks`, { types: ['task.*', 'tag.deleted'] })
  await webhookTo(t, world, `${receiver.url}/project`, { projectId: wanted.id })
  const tested = await webhookTo(t, world, `${receiver.url}/tested`, { types: ['member.deleted'] })
  startDelivering(t, { url, notices })
  for (const { id } of [wanted, other]) await world.task({ projectId: id })
  await world.owner.delete(`/tags/${(await world.tag()).id}`)
  await world.owner.post(`/webhooks/${tested.id}/test`)
  await world.owner.patch(`/projects/${wanted.id}`, { name: 'Renamed' })
  await receiver.until(({ length }) => length === 7)
  await settled(t, world)
  const by = (path: string) => typesOf(receiver.received.filter((one) => one.path === path))
  assert.deepEqual(by('/tasks'), ['task.created', 'task.created', 'tag.deleted'])
  assert.deepEqual(by('/project'), ['webhook.created', 'task.created', 'project.updated'])
  assert.deepEqual(by('/tested'), ['webhook.test'])
})

test(
  'an event that a webhook does not select costs no write',
  onPlainPostgres('it counts writes by a trigger'),
  async (t) => {
    const [world, receiver] = [await newWorld(), await startReceiver(t)]
    const { id } = await webhookTo(t, world, receiver.url, { types: ['project.created'] })
    const changes = Array.from(
      { length: 2_500 },
      (_, n) => ['tag.created', { id: world.orgId, name: `Tag ${n}` }] as const,
    )
    await emittedAll(world, changes)
    const writes = await countedWrites(id)
    startDelivering(t, { url, notices })
    await world.project({ name: 'At last' })
    await receiver.until(({ length }) => length === 1)
    await until(async () => (await deliveries(world, id)).length === 1)
    assert.deepEqual(namesOf(receiver.received), ['At last'])
    assert.ok((await stored(world, id)).position >= 2_500)
    assert.ok((await writes()) <= 5)
  },
)

test('a failed delivery is repeated, with at most ten attempts, and later events are sent meanwhile', async (t) => {
  const world = await newWorld()
  const receiver = await startReceiver(t, ({ body }, response) => {
    response.writeHead(JSON.parse(body).snapshot.name === 'Poison' ? 500 : 204).end('no thanks')
  })
  const { id } = await webhookTo(t, world, receiver.url, { types: ['tag.created'] })
  const { results } = startDelivering(t, { url, notices, retryPolicy: { ...hasty, retriesMs: Array(9).fill(20) } })
  await world.tag({ name: 'Poison' })
  await tags(world, 5)
  await receiver.until(({ length }) => length === 15)
  const delivery = await until(async () => (await deliveries(world, id)).find(({ status }) => status === 'failed'))
  assert.equal(namesOf(receiver.received).filter((name) => name === 'Poison').length, 10)
  assert.deepEqual(
    namesOf(receiver.received).filter((name) => name !== 'Poison'),
    [0, 1, 2, 3, 4].map((n) => `Tag ${n}`),
  )
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 6)
  assert.deepEqual(
    { ...delivery, attempts: delivery.attempts.length },
    { status: 'failed', attempts: 10, attemptCount: 10, nextAttemptAt: null },
  )
  for (const { at, ms, ...attempt } of delivery.attempts) {
    assert.deepEqual(attempt, { status: 500, error: null, answer: 'no thanks' })
    assert.ok(!Number.isNaN(Date.parse(at)) && ms >= 0)
  }
  assert.equal(results.filter((result) => result === 'refused').length, 10)
  const times = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']))
  assert.deepEqual(times, times.toSorted())
})

test('a receiver that stopped responding gets few events until it responds, and then gets all', async (t) => {
  const world = await newWorld()
  let dead = true
  const receiver = await startReceiver(t, (_, response) => (dead ? response.destroy() : response.end()))
  const { id } = await webhookTo(t, world, receiver.url, { types: ['tag.created'] })
  const retryPolicy = { ...hasty, retriesMs: Array(9).fill(150), shortestBreakMs: 60_000, longestBreakMs: 60_000 }
  await tags(world, 10)
  startDelivering(t, { url, notices, retryPolicy })
  await receiver.until(({ length }) => length >= 9)
  assert.deepEqual(new Set(namesOf(receiver.received)), new Set(['Tag 0', 'Tag 1', 'Tag 2']))
  const { failures, failingSince, retryAt } = await stored(world, id)
  assert.ok(
    failures >= 3 && failingSince !== null && retryAt !== null,
    JSON.stringify({ failures, failingSince, retryAt }),
  )
  dead = false
  // once one of the three arrives, no break is left
  await until(async () => (await deliveries(world, id)).filter(({ status }) => status === 'delivered').length === 10)
  const after = await stored(world, id)
  assert.deepEqual([after.failures, after.failingSince, after.retryAt], [0, null, null])
  const rest = namesOf(receiver.received).filter((name) => !['Tag 0', 'Tag 1', 'Tag 2'].includes(name))
  assert.deepEqual(
    rest,
    [3, 4, 5, 6, 7, 8, 9].map((n) => `Tag ${n}`),
  )
})

test('events that happen while a webhook is paused wait for it, in order', async (t) => {
  const [world, receiver] = [await newWorld(), await startReceiver(t)]
  const { id } = await webhookTo(t, world, receiver.url, { types: ['tag.created'] })
  startDelivering(t, { url, notices })
  await tags(world, 2, 'Before')
  await receiver.until(({ length }) => length === 2)
  assert.equal((await world.owner.post(`/webhooks/${id}/pause`)).status, 200)
  await tags(world, 5, 'Meanwhile')
  await settled(t, world)
  assert.equal(receiver.received.length, 2)
  assert.equal((await world.owner.post(`/webhooks/${id}/resume`)).status, 200)
  await receiver.until(({ length }) => length === 7)
  assert.deepEqual(
    namesOf(receiver.received).slice(2),
    [0, 1, 2, 3, 4].map((n) => `Meanwhile ${n}`),
  )
})

test('a receiver that is gone is disabled at once, and the feed reports it', async (t) => {
  const world = await newWorld()
  const receiver = await startReceiver(t, (_, response) => response.writeHead(410).end())
  const other = await startReceiver(t)
  const { id } = await webhookTo(t, world, receiver.url, { types: ['tag.created'] })
  await webhookTo(t, world, other.url, { types: ['webhook.*'] })
  const { logged } = startDelivering(t, { url, notices })
  await tags(world, 3)
  await other.until((received) => typesOf(received).includes('webhook.disabled'))
  const webhook = (await world.owner.get(`/webhooks/${id}`)).body
  assert.deepEqual([webhook.status, webhook.disabledReason], ['disabled', 'gone'])
  const [event] = (await world.owner.get(`/events?type=webhook.disabled`)).body.data
  assert.deepEqual(event.actor, { memberId: null, apiKeyId: null })
  assert.deepEqual(event.changes.status, { from: 'active', to: 'disabled' })
  assert.deepEqual(event.snapshot, webhook)
  await settled(t, world)
  assert.equal(receiver.received.length, 1)
  assert.deepEqual(logged.at(-1), {
    sentence: 'a webhook was disabled',
    said: { orgId: world.orgId, webhookId: id, reason: 'gone' },
  })
  assert.doesNotMatch(JSON.stringify(logged), /127\.0\.0\.1|whsec/)
})

test('a webhook that only fails for days is disabled; when resumed, it continues where it was', async (t) => {
  const world = await newWorld()
  let dead = true
  const receiver = await startReceiver(t, (_, response) => response.writeHead(dead ? 500 : 200).end())
  const { id } = await webhookTo(t, world, receiver.url, { types: ['tag.created'] })
  startDelivering(t, { url, notices, retryPolicy: { ...hasty, retriesMs: Array(9).fill(100), disableAfterMs: 400 } })
  await tags(world, 12)
  await until(async () => (await world.owner.get(`/webhooks/${id}`)).body.status === 'disabled')
  assert.equal((await world.owner.get(`/webhooks/${id}`)).body.disabledReason, 'failing')
  dead = false
  await world.owner.post(`/webhooks/${id}/resume`)
  await until(async () => {
    const all = await deliveries(world, id)
    return all.length === 12 && all.every(({ status }) => status !== 'pending')
  })
  const arrived = new Set(namesOf(receiver.received))
  assert.equal(arrived.size, 12)
})

test('a receiver that says how long it is busy gets nothing before, neither retries nor new events', async (t) => {
  const world = await newWorld()
  const times: number[] = []
  const receiver = await startReceiver(t, (_, response) => {
    const status = times.push(performance.now()) === 1 ? 500 : times.length === 2 ? 503 : 204
    response.writeHead(status, status === 503 ? { 'retry-after': '2' } : {}).end()
  })
  const { id } = await webhookTo(t, world, receiver.url, { types: ['tag.created'] })
  await tags(world, 4)
  const retryPolicy = { ...hasty, retriesMs: Array(9).fill(500), longestBreakMs: 60_000 }
  startDelivering(t, { url, notices, retryPolicy })
  await until(async () => {
    const all = await deliveries(world, id)
    return all.length === 4 && all.every(({ status }) => status === 'delivered')
  })
  const [, busyAtMs = assert.fail(), nextAtMs = assert.fail()] = times
  assert.ok(nextAtMs - busyAtMs >= 1_990, `${nextAtMs - busyAtMs}`)
})

test('a dead receiver slows no other receiver, in its organization or in others', async (t) => {
  const [world, others] = [await newWorld(), await newWorld()]
  const silent = await startReceiver(t, () => {})
  const quick = await startReceiver(t)
  for (let n = 0; n < 5; n++) await webhookTo(t, world, `${silent.url}/${n}`, { types: ['tag.created'] })
  for (const { one, path } of [
    { one: world, path: '/beside' },
    { one: others, path: '/elsewhere' },
  ])
    await webhookTo(t, one, `${quick.url}${path}`, { types: ['tag.created'] })
  const { stop } = startDelivering(t, { url, notices, timeoutMs: 60_000 })
  await world.tag()
  await silent.until(({ length }) => length === 5)
  await tags(world, 20)
  await tags(others, 20)
  // all of it while the five requests hang
  await quick.until(({ length }) => length === 41)
  assert.equal(silent.received.length, 5)
  // and they do not hold up a server that ends
  const begunMs = performance.now()
  await stop()
  assert.ok(performance.now() - begunMs < 5_000)
})

test('during a rotation the public verifier accepts both secrets, after it only the new one', async (t) => {
  const [world, receiver] = [await newWorld(), await startReceiver(t)]
  const { id, secret } = await webhookTo(t, world, receiver.url, { types: ['tag.created'] })
  startDelivering(t, { url, notices })
  const arriving = async (count: number) => {
    await world.tag()
    await receiver.until(({ length }) => length === count)
    const { body, headers } = receiver.received[count - 1] ?? assert.fail()
    return { body, headers: headers as Record<string, string> }
  }
  const rotated = (await world.owner.post(`/webhooks/${id}/rotate-secret`, { overlapHours: 1 })).body
  const [former, present] = [new Webhook(secret), new Webhook(rotated.secret)]
  const both = await arriving(1)
  for (const verifier of [former, present]) assert.ok(verifier.verify(both.body, both.headers))
  await db.rows(sql`
    update webhooks set former_secret_until = ${new Date(Date.now() - 1).toISOString()}
    where org_id = ${world.orgId} and id = ${id} returning id`)
  const one = await arriving(2)
  assert.ok(present.verify(one.body, one.headers))
  assert.throws(() => former.verify(one.body, one.headers))
})

test('two processes share the webhooks without sending anything twice', async (t) => {
  const [world, receiver] = [await newWorld(), await startReceiver(t)]
  for (let n = 0; n < 6; n++) await webhookTo(t, world, `${receiver.url}/${n}`, { types: ['tag.created'] })
  const processes = [startDelivering(t, { url, notices }), startDelivering(t, { url, notices })]
  await tags(world, 15)
  await receiver.until(({ length }) => length === 90)
  await settled(t, world)
  assert.equal(receiver.received.length, 90)
  for (let n = 0; n < 6; n++) {
    const names = namesOf(receiver.received.filter(({ path }) => path === `/${n}`))
    assert.deepEqual(
      names,
      Array.from({ length: 15 }, (_, i) => `Tag ${i}`),
    )
  }
  assert.ok(processes.every(({ logged }) => logged.length === 0))
})

test('a delivery in progress when the lock connection broke is sent again, by the next process', async (t) => {
  const world = await newWorld()
  const held: (() => void)[] = []
  const receiver = await startReceiver(t, (_, response) => {
    if (receiver.received.length === 1) held.push(() => response.end())
    else response.end()
  })
  await webhookTo(t, world, receiver.url, { types: ['tag.created'] })
  startDelivering(t, { url, notices })
  await world.tag()
  await receiver.until(({ length }) => length === 1)
  await db.rows(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'taskwright-jobs' and datname = current_database()`)
  await receiver.until(({ length }) => length === 2)
  const [first, second] = receiver.received
  assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id'])
  assert.equal(first?.body, second?.body)
})

test('a change of a webhook during a request applies to the next request', async (t) => {
  const world = await newWorld()
  let answer = () => {}
  const old = await startReceiver(t, (_, response) => {
    answer = () => void response.writeHead(500).end()
  })
  let receive = () => {}
  const fresh = await startReceiver(t, (_, response) => {
    receive = () => void response.end()
    if (fresh.received.length > 1) receive()
  })
  const { id } = await webhookTo(t, world, old.url, { types: ['tag.created'] })
  startDelivering(t, { url, notices })
  await tags(world, 2)
  await old.until(({ length }) => length === 1)
  await world.owner.patch(`/webhooks/${id}`, { url: fresh.url })
  answer()
  await fresh.until(({ length }) => length === 1)
  const { failures, failingSince, retryAt } = await stored(world, id)
  assert.deepEqual([failures, failingSince, retryAt], [0, null, null])
  receive()
  await fresh.until(({ length }) => length === 2)
  assert.equal(old.received.length, 1)
  await world.owner.patch(`/webhooks/${id}`, { url: old.url })
  await world.tag()
  await old.until(({ length }) => length === 2)
  await world.owner.delete(`/webhooks/${id}`)
  answer()
  await tags(world, 2, 'Later')
  await settled(t, world)
  assert.deepEqual([old.received.length, fresh.received.length], [2, 2])
})

test('a position that is set back during a request stays, and the events come again', async (t) => {
  const world = await newWorld()
  let answer: (() => void) | undefined
  const receiver = await startReceiver(t, (_, response) => {
    if (receiver.received.length === 3) answer = () => void response.end()
    else response.end()
  })
  const { id } = await webhookTo(t, world, receiver.url, { types: ['tag.created'] })
  const { position } = await stored(world, id)
  startDelivering(t, { url, notices })
  await tags(world, 3)
  await receiver.until(({ length }) => length === 3)
  assert.equal((await world.owner.post(`/webhooks/${id}/replay`, { after: position })).status, 200)
  answer?.()
  await receiver.until(({ length }) => length === 6)
  assert.deepEqual(namesOf(receiver.received), ['Tag 0', 'Tag 1', 'Tag 2', 'Tag 0', 'Tag 1', 'Tag 2'])
  await settled(t, world)
  const all = await deliveries(world, id)
  assert.deepEqual(
    all.map(({ attempts }) => attempts.length),
    [2, 2, 2],
  )
})

test('a delivery that failed for good is sent once more on request', async (t) => {
  const world = await newWorld()
  let dead = true
  const receiver = await startReceiver(t, (_, response) => response.writeHead(dead ? 500 : 200).end())
  const { id } = await webhookTo(t, world, receiver.url, { types: ['tag.created'] })
  startDelivering(t, { url, notices, retryPolicy: { ...hasty, retriesMs: [] } })
  await world.tag()
  const failed = async () => (await world.owner.get(`/webhooks/${id}/deliveries?status=failed`)).body.data[0]
  const delivery = await until(failed)
  for (const status of ['failed', 'delivered']) {
    dead = status === 'failed'
    const before = receiver.received.length
    assert.equal((await world.owner.post(`/deliveries/${delivery.id}/redeliver`)).status, 200)
    await receiver.until(({ length }) => length > before)
    await until(async () => (await world.owner.get(`/deliveries/${delivery.id}`)).body.status === status)
  }
  const { attempts, attemptCount, eventId } = (await world.owner.get(`/deliveries/${delivery.id}`)).body
  assert.deepEqual(
    attempts.map(({ status }: { status: number }) => status),
    [500, 500, 200],
  )
  assert.equal(attemptCount, 3)
  assert.deepEqual(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])), new Set([eventId]))
})

test('a webhook that selects none of the events does not look behind', async (t) => {
  const [world, receiver] = [await newWorld(), await startReceiver(t)]
  const { id } = await webhookTo(t, world, receiver.url, { types: ['project.created'] })
  startDelivering(t, { url, notices, skipEveryMs: 50 })
  await tags(world, 3)
  const { latest } = (await world.owner.get('/events/head')).body
  await until(async () => (await stored(world, id)).position === latest)
})

test('metrics show the age of the oldest event that waits for its first attempt', async (t) => {
  const world = await newWorld()
  const held: (() => void)[] = []
  const receiver = await startReceiver(t, (_, response) => void held.push(() => response.end()))
  await webhookTo(t, world, receiver.url, { types: ['tag.created'] })
  const { state } = startDelivering(t, { url, notices })
  await world.tag()
  await receiver.until(({ length }) => length === 1)
  await until(async () => state().inFlight === 1 && state().lagSeconds > 0)
  held.pop()?.()
  await until(async () => state().inFlight === 0 && state().lagSeconds === 0)
})

test('while the database accepts no connection nothing is sent, and deliveries in progress are recorded, or sent again', async (t) => {
  const [world, receiver] = [await newWorld(), await startReceiver(t)]
  const between = await goBetween(t, url)
  const { id } = await webhookTo(t, world, receiver.url, { types: ['tag.created'] })
  startDelivering(t, { url: between.url, notices })
  for (let n = 0; n < 5; n++) {
    await tags(world, 8, `Round ${n}`)
    between.cut()
  }
  await until(async () => (await deliveries(world, id)).filter(({ status }) => status === 'delivered').length === 40)
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  assert.equal(new Set(ids).size, 40)
  // one more for each time at most
  assert.ok(ids.length <= 40 + 5, `${ids.length}`)
})

test('a response that arrives while a server ends is recorded', async (t) => {
  const world = await newWorld()
  let answer: (() => void) | undefined
  const receiver = await startReceiver(t, (_, response) => {
    answer = () => void response.end()
  })
  const { id } = await webhookTo(t, world, receiver.url, { types: ['tag.created'] })
  const { stop, logged } = startDelivering(t, { url, notices, finishWithinMs: 30_000 })
  await tags(world, 2)
  await receiver.until(({ length }) => length === 1)
  const stopped = stop()
  answer?.()
  await stopped
  assert.deepEqual(
    (await deliveries(world, id)).map(({ status }) => status),
    ['delivered'],
  )
  assert.equal(receiver.received.length, 1)
  assert.deepEqual(logged, [])
})

test('a response is stored as it came, as far as the database can', async (t) => {
  const world = await newWorld()
  const receiver = await startReceiver(t, (_, response) => void response.writeHead(500).end('a\0b"\\\ud83d\u{1f600}'))
  const { id } = await webhookTo(t, world, receiver.url, { types: ['tag.created'] })
  startDelivering(t, { url, notices })
  await world.tag()
  const [delivery = assert.fail()] = await until(async () => {
    const all = await deliveries(world, id)
    return all.length > 0 ? all : undefined
  })
  assert.equal(delivery.attempts[0]?.answer, 'a\ufffdb"\\\ufffd\u{1f600}')
})

test('an organization that holds its webhooks for long delays no other', async (t) => {
  const [world, other] = [await newWorld(), await newWorld()]
  const receiver = await startReceiver(t)
  for (let n = 0; n < 6; n++) await webhookTo(t, world, `${receiver.url}/held`, { types: ['tag.created'] })
  await webhookTo(t, other, `${receiver.url}/other`, { types: ['tag.created'] })
  const held = await hold(t, url, 'select id from webhooks where org_id = $1 for update', [world.orgId])
  startDelivering(t, { url, notices })
  await world.tag()
  await receiver.until(({ length }) => length === 6)
  await tags(other, 10)
  await receiver.until((received) => received.filter(({ path }) => path === '/other').length === 10)
  assert.equal(receiver.received.filter(({ path }) => path === '/held').length, 6)
  await held.release()
  await until(async () => {
    const rows = await db.rows(sql`select id from deliveries where org_id = ${world.orgId} and status = 'delivered'`)
    return rows.length === 6
  })
})

test(
  'a delivery that cannot be recorded is not sent again and again',
  onPlainPostgres('it refuses writes by a trigger'),
  async (t) => {
    const [world, receiver] = [await newWorld(), await startReceiver(t)]
    const { id } = await webhookTo(t, world, receiver.url, { types: ['tag.created'] })
    await db.rows(sql`create or replace function refuse_write() returns trigger language plpgsql as
    'begin raise exception ''no room''; end'`)
    await db.rows(sql`create trigger refusing before update on webhooks for each row execute function refuse_write()`)
    const { logged } = startDelivering(t, { url, notices })
    await world.tag()
    await until(async () => logged.length >= 2)
    assert.equal(receiver.received.length, 1)
    await db.rows(sql`drop trigger refusing on webhooks`)
    await until(async () => (await deliveries(world, id)).length === 1)
    assert.equal(receiver.received.length, 2)
  },
)

test('after a database was restored to an earlier state, events that replace the lost ones are sent', async (t) => {
  const [world, receiver] = [await newWorld(), await startReceiver(t)]
  const { id } = await webhookTo(t, world, receiver.url, { types: ['project.created'] })
  startDelivering(t, { url, notices })
  const { latest } = (await world.owner.get('/events/head')).body
  await tags(world, 5)
  await settled(t, world)
  const lose = async (position: number) => {
    await db.rows(sql`delete from events where org_id = ${world.orgId} and sequence > ${latest}`)
    await db.rows(sql`update event_counters set last_sequence = ${latest} where org_id = ${world.orgId}`)
    await db.rows(sql`update webhooks set position = ${position} where org_id = ${world.orgId} and id = ${id}`)
  }
  await lose(latest)
  await world.project({ name: 'One' })
  await receiver.until(({ length }) => length === 1)
  await lose(latest + 50)
  await until(async () => (await stored(world, id)).position === latest)
  await world.project({ name: 'Other' })
  await receiver.until(({ length }) => length === 2)
  assert.deepEqual(namesOf(receiver.received), ['One', 'Other'])
})

test('the log names a webhook whose receiver was so slow that events are no longer kept', async (t) => {
  const [world, receiver] = [await newWorld(), await startReceiver(t)]
  const { id } = await webhookTo(t, world, receiver.url, { types: ['tag.created'] })
  await tags(world, 3)
  const { latest } = (await world.owner.get('/events/head')).body
  await db.rows(sql`delete from events where org_id = ${world.orgId} and sequence < ${latest}`)
  const { position } = await stored(world, id)
  const { logged } = startDelivering(t, { url, notices })
  await receiver.until(({ length }) => length === 1)
  assert.deepEqual(namesOf(receiver.received), ['Tag 2'])
  const said = { orgId: world.orgId, webhookId: id, after: position }
  assert.deepEqual(logged, [{ sentence: 'a webhook waits for events that are no longer kept', said }])
})

test('a webhook that only waits for events that are no longer kept is not checked for ever', async (t) => {
  const [world, receiver] = [await newWorld(), await startReceiver(t)]
  const { id } = await webhookTo(t, world, receiver.url)
  const { latest } = (await world.owner.get('/events/head')).body
  await db.rows(sql`delete from events where org_id = ${world.orgId}`)
  const { logged } = startDelivering(t, { url, notices })
  await until(async () => (await stored(world, id)).position === latest)
  assert.equal(logged.length, 1)
})

test('a server with a different SECRET_KEY leaves the webhooks to the others', async (t) => {
  const [world, receiver] = [await newWorld(), await startReceiver(t)]
  await webhookTo(t, world, receiver.url, { types: ['tag.created'] })
  const other = startDelivering(t, { url, notices, key: 'another-secret-key-than-that-of-the-others' })
  await world.tag()
  await until(async () => other.logged.some(({ sentence }) => sentence.startsWith('SECRET_KEY is not')))
  startDelivering(t, { url, notices })
  await receiver.until(({ length }) => length === 1)
  const before = other.logged.length
  await tags(world, 3)
  await receiver.until(({ length }) => length === 4)
  assert.equal(other.logged.length, before)
})

async function emittedAll({ orgId }: World, changes: readonly (readonly [string, object])[]): Promise<void> {
  await changeByJob(db, orgId, 'deliveries', async (_, emit) => {
    for (const [type, item] of changes) emit(type, item)
  })
  notices.note(orgId)
}
const emitted = (world: World, type: string, item: object) => emittedAll(world, [[type, item]])

/** Resolves when others have had the time to get an event that happened now: a webhook that is newer than they has got it. */
async function settled(t: TestContext, world: World): Promise<void> {
  for (let n = 1; n <= 3; n++) {
    const receiver = await startReceiver(t)
    await webhookTo(t, world, receiver.url, { types: ['tag.updated'] })
    await emitted(world, 'tag.updated', { id: world.orgId })
    await receiver.until(({ length }) => length === 1)
  }
}

interface Stored {
  position: number
  failures: number
  failingSince: string | null
  retryAt: string | null
}

async function stored({ orgId }: World, id: string): Promise<Stored> {
  const row = await db.row<Stored>(sql`
    select position, failures, failing_since as "failingSince", retry_at as "retryAt" from webhooks
    where org_id = ${orgId} and id = ${id}`)
  return row ?? assert.fail()
}

/** How often the row of a webhook is written from now on. */
async function countedWrites(id: string): Promise<() => Promise<number>> {
  await db.rows(sql`create table if not exists writes (id uuid)`)
  await db.rows(sql`create or replace function count_write() returns trigger language plpgsql as
    'begin insert into writes values (new.id); return null; end'`)
  await db.rows(
    sql`create or replace trigger writes after update on webhooks for each row execute function count_write()`,
  )
  return async () => (await db.rows(sql`select id from writes where id = ${id}`)).length
}

interface Delivered {
  status: string
  attempts: { at: string; status: number | null; ms: number; error: string | null; answer: string | null }[]
  attemptCount: number
  nextAttemptAt: string | null
}

const deliveries = ({ orgId }: World, id: string) =>
  db.rows<Delivered>(sql`
    select status, attempts, attempt_count as "attemptCount", next_attempt_at as "nextAttemptAt" from deliveries
    where org_id = ${orgId} and webhook_id = ${id} order by sequence`)

async function until<T>(found: () => Promise<T>): Promise<NonNullable<T>> {
  for (const begunMs = performance.now(); performance.now() - begunMs < 60_000; await wait(10)) {
    const one = await found()
    if (one) return one
  }
  return assert.fail('It does not come to that')
}
