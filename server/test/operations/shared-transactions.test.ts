import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { afterwards, file, type Scope } from '../support/afterwards.ts'
import { goBetween } from '../support/go-between.ts'
import { hold } from '../support/holding.ts'
import { commitsWait } from '../support/slow/slow-commits.ts'
import { until } from '../support/until.ts'
import { type Api, created, databaseUrl, type Reply, startServer } from '../support/world.ts'

const { newWorld, db, api } = await startServer()
const between = await goBetween(file)
const behind = await startServer({ url: between.url })

const keyed = (by: Api, path: string, body: object, key: string) => by.post(path, body, { 'idempotency-key': key })

interface Told {
  sequence: number
  type: string
  memberId: string | null
  keyId: string | null
  requestId: string
  snapshot: { name?: string }
}

const eventsOf = (orgId: string) =>
  db.rows<Told>(sql`
    select sequence::integer, type, actor_id as "memberId", actor_key_id as "keyId", request_id as "requestId", snapshot
    from events where org_id = ${orgId} order by sequence`)

function assertGapFree(events: readonly Told[]): void {
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, i) => i + 1),
  )
}

test('writes that wait for each other share a transaction: each is answered, stored and told of as if it had its own', async (t) => {
  // where the first of them takes long all go alone; on a busy machine, but hardly each time
  let shared = 0
  for (let n = 0; n < 5 && shared <= 3; n++) shared = await writeMany(t)
  assert.ok(shared > 3, `${shared} shared`)
})

/** @returns how many of the writes shared a transaction */
async function writeMany(t: Scope): Promise<number> {
  const world = await newWorld()
  const { owner, admin, member, orgId, task, project } = world
  const { id: projectId } = await project()
  const { id: taskId } = await task({ projectId })
  const [mine] = [await created(owner.post('/tags', { name: 'To be renamed' }))]
  const line = await commitsWait(t, databaseUrl, world)
  const { writes } = db.sharedCounts
  const sent = [
    ...Array.from({ length: 8 }, (_, n) => keyed(owner, '/tags', { name: `Tag ${n}` }, `tag-${n}`)),
    ...[owner, admin].map((by, n) => keyed(by, '/time-entries', { taskId, durationSeconds: n + 1 }, 'time')),
    // one of them is refused, as its name is taken by the other
    ...[1, 2].map((n) => keyed(member, '/tags', { name: 'Twice' }, `twice-${n}`)),
    // twins
    ...[1, 2].map(() => keyed(member, '/tags', { name: 'Twin' }, 'twin')),
    owner.patch(`/tags/${mine.id}`, { name: 'Renamed' }),
    member.post('/tags', { name: 'renamed' }),
    keyed(member, '/time-entries', { durationSeconds: 1 }, 'invalid'),
    keyed(member, '/tasks', { projectId: taskId, name: 'Nowhere' }, 'nowhere'),
  ]
  await line.waiters(3)
  await line.release()
  const result = await Promise.all(sent)
  await line.first
  const shared = db.sharedCounts.writes - writes
  const statuses = result.map(({ status }) => status)
  assert.deepEqual(statuses.slice(0, 10), Array(10).fill(201))
  assert.deepEqual(statuses.slice(10, 12).toSorted(), [201, 422])
  assert.deepEqual(statuses.slice(12, 14), [201, 201])
  assert.equal(result[12]?.text, result[13]?.text)
  // whichever came first
  assert.ok(statuses.slice(14, 16).includes(422) && Math.min(...statuses.slice(14, 16)) < 300)
  assert.deepEqual(statuses.slice(16), [422, 404])

  const events = await eventsOf(orgId)
  assertGapFree(events)
  const told = (name: string) => events.filter(({ snapshot }) => snapshot.name === name)
  for (const [by, name, reply] of [
    [owner, 'Tag 0', result[0]],
    [member, 'Twin', result[12]],
  ] as const) {
    const [event, ...others] = told(name)
    assert.deepEqual([event?.memberId, event?.type, others], [by.memberId, 'tag.created', []])
    assert.ok(
      [reply?.headers.get('x-request-id'), result[13]?.headers.get('x-request-id')].includes(event?.requestId ?? ''),
    )
  }
  assert.equal(told('Twice').length, 1)
  const again = await Promise.all(
    Array.from({ length: 8 }, (_, n) => keyed(owner, '/tags', { name: `Tag ${n}` }, `tag-${n}`)),
  )
  assert.deepEqual(
    again.map(({ text, headers }) => [text, headers.get('idempotent-replayed')]),
    result.slice(0, 8).map(({ text }) => [text, 'true']),
  )
  const refused = await Promise.all([1, 2].map((n) => keyed(member, '/tags', { name: 'Twice' }, `twice-${n}`)))
  assert.deepEqual(
    refused.map(({ text }) => text),
    result.slice(10, 12).map(({ text }) => text),
  )
  return shared
}

test('nothing of what writes did that share a transaction is seen, nor is one of them answered, before it is committed', async (t) => {
  const world = await newWorld()
  const line = await commitsWait(t, databaseUrl, world)
  let answered = 0
  const count = (reply: Reply) => {
    answered++
    return reply
  }
  const sent = [1, 2, 3].map((n) => keyed(world.owner, '/tags', { name: `Tag ${n}` }, `k${n}`).then(count))
  // it or the first of those is refused because of the other, whichever comes first
  sent.push(keyed(world.owner, '/tags', { name: 'tag 1' }, 'k4').then(count))
  await line.waiters(3)
  assert.deepEqual([(await world.owner.get('/tags')).body.total, answered], [0, 0])
  await line.release()
  const [one, ...others] = (await Promise.all(sent)).map(({ status }) => status)
  assert.deepEqual(others.splice(0, 2), [201, 201])
  assert.deepEqual([one, ...others].toSorted(), [201, 422])
})

test('a write that waits for what somebody holds leaves those with which it shares a transaction, which go on without it', async (t) => {
  const world = await newWorld()
  const { owner, project, task, orgId } = world
  const { id: projectId } = await project()
  const { id } = await task({ projectId })
  const line = await commitsWait(t, databaseUrl, world)
  const row = await hold(t, databaseUrl, 'select 1 from tasks where org_id = $1 and id = $2 for update', [orgId, id])
  const { alone } = db.sharedCounts
  const before = [1, 2].map((n) => keyed(owner, '/tags', { name: `Before ${n}` }, `before-${n}`))
  const slow = owner.patch(`/tasks/${id}`, { name: 'Slow' })
  const after = [1, 2].map((n) => keyed(owner, '/tags', { name: `After ${n}` }, `after-${n}`))
  await row.waiters(1)
  await line.release()
  const others = await Promise.all([...before, ...after])
  // where they came too late to share with it they did not wait for it
  await until(() => db.sharedCounts.alone > alone, 'It does not leave')
  await row.waiters(1)
  await row.release()
  assert.deepEqual(
    [...others, await slow].map(({ status }) => status),
    [201, 201, 201, 201, 200],
  )
  const events = await eventsOf(orgId)
  assertGapFree(events)
  assert.equal(events.filter(({ type }) => type === 'task.updated').length, 1)
})

test('who loses its key while its write shares a transaction has done nothing: 401; the others are done, once each', async (t) => {
  const world = await newWorld()
  const { owner, orgId } = world
  const { id, secret } = await created(owner.post('/api-keys', { name: 'Soon revoked' }))
  const line = await commitsWait(t, databaseUrl, world)
  const sent = [
    keyed(owner, '/tags', { name: 'One' }, 'one'),
    keyed(api(secret), '/tags', { name: 'Revoked' }, 'revoked'),
    keyed(owner, '/tags', { name: 'Two' }, 'two'),
  ]
  await line.waiters(3)
  await db.rows(sql`update api_keys set revoked_at = now() where org_id = ${orgId} and id = ${id}`)
  await line.release()
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  assert.deepEqual(statuses, [201, 401, 201])
  const events = await eventsOf(orgId)
  assertGapFree(events)
  const made = events.map(({ snapshot }) => snapshot.name)
  assert.deepEqual(
    ['One', 'Revoked', 'Two'].map((name) => made.filter((one) => one === name).length),
    [1, 0, 1],
  )
})

test('where the answer to the COMMIT of a shared transaction is lost, all its writes get 503, and under their keys took effect once', async (t) => {
  const { owner, orgId, project, task } = await newWorld()
  const { id: taskId } = await task({ projectId: (await project()).id })
  const by = behind.api(owner.key)
  const line = await commitsWait(t, databaseUrl, { orgId, owner: by })
  const unkeyed = () => by.post('/time-entries', { taskId, durationSeconds: 60 })
  const send = () => Promise.all([1, 2, 3, 4].map((n) => keyed(by, '/tags', { name: `Tag ${n}` }, `k${n}`)))
  // answers to all that is committed from now on are lost, but not to the two in front, which were sent
  afterwards(t, async () => between.interfere(() => undefined))
  between.interfere((text) => (text === 'commit' ? 'cut' : undefined))
  const sent = [unkeyed(), send(), unkeyed()] as const
  await line.waiters(3)
  await line.release()
  const [one, replies, other] = await Promise.all(sent)
  between.interfere(() => undefined)
  assert.deepEqual(new Set([one, ...replies, other].map(({ status }) => status)), new Set([503]))
  const again = await send()
  assert.deepEqual(
    again.map(({ status }) => status),
    [201, 201, 201, 201],
  )
  const events = await eventsOf(orgId)
  assertGapFree(events)
  for (const n of [1, 2, 3, 4]) assert.equal(events.filter(({ snapshot }) => snapshot.name === `Tag ${n}`).length, 1)
  // they were done, and not again when nobody could know
  assert.equal(events.filter(({ type }) => type === 'time_entry.created').length, 2)
})

for (const fate of ['lose', 'refuse'] as const) {
  for (const command of [
    'savepoint part',
    'release savepoint part',
    'rollback to savepoint part',
    'savepoint effect',
    'rollback to savepoint effect',
    'begin',
  ]) {
    test(`where a connection ${fate}s ${command.toUpperCase()} of a shared transaction, each of its writes is done once, or not at all and says so`, async (t) => {
      const world = await newWorld()
      const by = behind.api(world.owner.key)
      const { id: projectId } = await world.project()
      const { id } = await world.task({ projectId })
      await created(world.owner.post('/tags', { name: 'Taken' }))
      const line = await commitsWait(t, databaseUrl, world)
      // the server behind the proxy has its own line
      const second = [1, 2].map((n) => by.post('/tags', { name: `In front of it ${n}` }))
      await line.waiters(4)
      afterwards(t, async () => between.interfere(() => undefined))
      const lostBefore = between.seen.lost
      between.interfere((text) => (text.startsWith(command) ? fate : undefined))
      const row =
        command.startsWith('r') && command.includes('part')
          ? await hold(t, databaseUrl, 'select 1 from tasks where org_id = $1 and id = $2 for update', [
              world.orgId,
              id,
            ])
          : undefined
      const sent = [
        keyed(by, '/tags', { name: 'One' }, 'one'),
        keyed(by, '/tags', { name: 'taken' }, 'refused'),
        by.patch(`/tasks/${id}`, { name: 'Slow' }),
        keyed(by, '/tags', { name: 'Two' }, 'two'),
      ]
      // where BEGIN is lost they are all answered
      await Promise.race([line.waiters(5).catch(() => {}), Promise.all(sent)])
      await row?.waiters(1)
      // a part is undone once it has waited for a while; whether two are in one transaction is a matter of time
      if (!command.startsWith('release')) await until(() => between.seen.lost > lostBefore, 'Nothing is lost')
      await line.release()
      await row?.release()
      const replies = await Promise.all(sent)
      between.interfere(() => undefined)
      await Promise.all([line.first, ...second])
      const events = await eventsOf(world.orgId)
      assertGapFree(events)
      const told = (name: string) => events.filter(({ snapshot }) => snapshot.name === name).length
      const done = [told('One'), told('taken'), told('Slow'), told('Two')]
      const statuses = replies.map(({ status }) => status)
      const wanted = [201, 422, 200, 201]
      for (const [i, status] of statuses.entries()) {
        assert.ok(status === 503 || status === wanted[i], `${statuses}`)
        assert.equal(done[i], status < 300 ? 1 : 0, `${statuses} ${done}`)
      }
      assert.equal((await keyed(by, '/tags', { name: 'One' }, 'one')).status, 201)
      assert.equal((await keyed(by, '/tags', { name: 'taken' }, 'refused')).status, 422)
    })
  }
}
