import assert from 'node:assert/strict'
import { test } from 'node:test'
import { file } from '../../support/afterwards.ts'
import { type Event, readFeed } from '../../support/feed.ts'
import { hold } from '../../support/holding.ts'
import { onMigratedDatabase, serving } from '../../support/slow/processes.ts'
import { untilTaken } from '../../support/until.ts'
import { type Api, apiOf, created, operatorToken, type Reply } from '../../support/world.ts'

const settings = { ...(await onMigratedDatabase(file)), OPERATOR_TOKEN: operatorToken }
const url = settings.DATABASE_URL
const servers = await Promise.all([serving(file, settings), serving(file, settings)])
const [base = '', otherBase = ''] = servers.map((server) => `${server.base}/api/v1`)

/** An organization on two servers: the owner's client of each, and that of a member of one of its two projects. */
async function organization() {
  const founding = { name: 'An organization', owner: { name: 'Olivia Owner', email: 'olivia@example.com' } }
  const { apiKey, organization } = await created(apiOf(base, operatorToken).post('/organizations', founding))
  const [owner, other] = [apiOf(base, apiKey.secret), apiOf(otherBase, apiKey.secret)]
  const [open, hidden] = [
    (await created(owner.post('/projects', { name: 'Open' }))).id,
    (await created(owner.post('/projects', { name: 'Hidden' }))).id,
  ]
  const { id: memberId } = await created(
    owner.post('/members', { name: 'Mia', email: 'mia@example.com', role: 'member' }),
  )
  const { secret } = await created(owner.post('/api-keys', { name: 'Mia', memberId }))
  await created(owner.post(`/projects/${open}/members`, { memberId, role: 'viewer' }))
  return { orgId: organization.id, owner, other, member: apiOf(otherBase, secret), open, hidden }
}

/** A reader that goes on from the last event it saw. */
function poller(api: Api, query = '') {
  const seen: Event[] = []
  return {
    seen,
    async poll() {
      seen.push(...(await readFeed(api, `after=${seen.at(-1)?.sequence ?? 0}${query}`)))
      return seen
    },
  }
}

const sequencesOf = (events: readonly Event[]) => events.map(({ sequence }) => sequence)

/** Asserts that what was read is all there is, once and in one order, without a gap. */
async function assertWhole(seen: readonly Event[], owner: Api): Promise<void> {
  const { oldest, latest } = (await owner.get('/events/head')).body
  assert.deepEqual(
    sequencesOf(seen),
    Array.from({ length: latest - oldest + 1 }, (_, i) => oldest + i),
  )
}

test('delayed writers commit after others that began later: a reader sees each event in the order of the commits', async (t) => {
  const { owner, other, open } = await organization()
  const tasks: string[] = []
  for (let i = 0; i < 12; i++) tasks.push((await created(owner.post('/tasks', { name: 'x', projectId: open }))).id)
  const slow = tasks.slice(0, 3)
  const reader = poller(owner)
  const before = (await reader.poll()).length
  const held = await hold(t, url, 'select 1 from tasks where id = any($1) for update', [slow])
  const patch = (id: string, i: number, priority: string) =>
    untilTaken(() => (i % 2 ? owner : other).patch(`/tasks/${id}`, { priority }))
  const behind = Promise.all(slow.map((id, i) => patch(id, i, 'low')))
  await held.waiters(3)
  await reader.poll()
  const ahead = await Promise.all(tasks.slice(3).map((id, i) => patch(id, i, 'high')))
  await reader.poll()
  const first = reader.seen.slice(before)
  assert.deepEqual(first.map(({ resource }) => resource.id).toSorted(), tasks.slice(3).toSorted())
  await held.release()
  assert.deepEqual(new Set([...ahead, ...(await behind)].map(({ status }) => status)), new Set([200]))
  const last = (await reader.poll()).slice(before + first.length)
  assert.deepEqual(last.map(({ resource }) => resource.id).toSorted(), slow.toSorted())
  await assertWhole(reader.seen, owner)
})

for (const end of ['commit', 'release'] as const) {
  test(`an event in the log is invisible before its commit, blocks no reader, and leaves no gap: ${end === 'commit' ? 'when it commits' : 'when it is rolled back'}`, async (t) => {
    const { orgId, owner, other, member } = await organization()
    const readers = [owner, other].map((api) => poller(api))
    const ofMember = poller(member)
    const { latest } = (await owner.get('/events/head')).body
    for (const reader of [...readers, ofMember]) await reader.poll()
    const held = await hold(
      t,
      url,
      `with counter as (update event_counters set last_sequence = last_sequence + 1 where org_id = $1 returning last_sequence)
       insert into events (org_id, sequence, type, request_id, resource_id, changes, snapshot, created_at)
       select $1, last_sequence, 'organization.updated', 'held', $1, '{}', '{}', current_timestamp from counter`,
      [orgId],
    )
    const behind = Promise.all(
      [owner, other].map((api, i) => untilTaken(() => api.post('/tags', { name: `Tag ${i}` }))),
    )
    await held.waiters(2)
    for (const { poll } of readers) assert.equal((await poll()).at(-1)?.sequence, latest)
    assert.deepEqual((await other.get('/events/head')).body.latest, latest)
    await held[end]()
    assert.deepEqual(
      (await behind).map(({ status }) => status),
      [201, 201],
    )
    const types = [...(end === 'commit' ? ['organization.updated'] : []), 'tag.created', 'tag.created']
    for (const reader of [...readers, ofMember]) {
      const news = (await reader.poll()).filter(({ sequence }) => sequence > latest)
      assert.deepEqual(
        news.map(({ type }) => type),
        types,
      )
    }
    for (const { seen } of readers) await assertWhole(seen, owner)
  })
}

test('a reader that polls two servers while fifty clients write to both sees each event once and in one order, and misses none', async (t) => {
  const { owner, other, member, open, hidden } = await organization()
  const { id: contended } = await created(owner.post('/tasks', { name: 'x', projectId: open }))
  const readers = [
    poller(owner),
    poller(other, '&limit=30'),
    poller(owner, '&type=task.*&limit=17'),
    poller(member, '&limit=25'),
    poller(member, `&resourceId=${contended}`),
  ]
  let writing = true
  const polling = Promise.all(
    readers.map(async ({ poll }) => {
      while (writing) await poll()
    }),
  )
  const fiftyWrite = async () => {
    const held = [await hold(t, url, 'select 1 from tasks where id = $1 for update', [contended])]
    const writes = Array.from({ length: 50 }, async (_, i) => {
      const [one, next] = i % 2 ? [owner, other] : [other, owner]
      const projectId = i % 3 ? open : hidden
      const done: Reply[] = []
      for (let n = 0; n < 3; n++) {
        const key = { 'idempotency-key': `${i}-${n}` }
        const operations = [1, 2].map((m) => ({
          method: 'POST',
          path: '/tags',
          body: { name: `Tag ${i} ${n} ${m}` },
        }))
        const write = () => {
          if (n === 1 && i % 10 === 0) return next.patch(`/tasks/${contended}`, { description: `by ${i}` })
          if (n === 2) return one.post('/bulk', { operations }, key)
          return one.post('/tasks', { name: `Task ${i} ${n}`, projectId }, key)
        }
        done.push(await untilTaken(write))
      }
      return done
    })
    await held[0]?.waiters(1)
    await held[0]?.release()
    return (await Promise.all(writes)).flat()
  }
  const replies = await fiftyWrite().finally(() => {
    writing = false
    return polling
  })
  for (const { poll } of readers) await poll()
  assert.deepEqual(
    replies.filter(({ status }) => status >= 300).map(({ text }) => text),
    [],
  )
  const all = await readFeed(owner, 'limit=100')
  await assertWhole(all, owner)
  const events = all.filter(({ requestId }) => replies.some(({ headers }) => headers.get('x-request-id') === requestId))
  assert.equal(events.length, replies.length + 50)
  const ofMember = await readFeed(member, 'limit=100')
  const expected = [
    all,
    all,
    all.filter(({ type }) => type.startsWith('task.')),
    ofMember,
    all.filter(({ resource }) => resource.id === contended),
  ]
  for (const [i, { seen }] of readers.entries())
    assert.deepEqual(sequencesOf(seen), sequencesOf(expected[i] ?? []), `${i}`)
  assert.ok(ofMember.length > 50 && ofMember.every(({ projectId }) => projectId !== hidden))
})
