import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { deleteOldEvents } from '../../../src/jobs/retention.ts'
import { assertRefused } from '../../support/envelope.ts'
import { readFeed } from '../../support/feed.ts'
import { rounds } from '../../support/rounds.ts'
import { ranOnce } from '../../support/running.ts'
import { type Api, migratedDatabase, startServer, type World } from '../../support/world.ts'

// of its own, because the job looks at all organizations
const { url, drop } = await migratedDatabase()
const { db, newWorld } = await startServer({ url })

test.after(drop)

const keptMs = 30 * 86_400_000

/** Makes all events up to this one older than they are kept, and lets the job remove them. */
async function forgetUntil({ orgId }: World, sequence: number): Promise<void> {
  const old = new Date(Date.now() - keptMs - 1_000).toISOString()
  await db.rows(sql`update events set created_at = ${old} where org_id = ${orgId} and sequence <= ${sequence}`)
  assert.equal((await ranOnce(db, (run) => deleteOldEvents(run, keptMs, 3))).size, 0)
}

const headOf = async ({ get }: Api) => (await get('/events/head')).body

test('the head returns the oldest event that is kept and the latest, as they are now, to any caller', async () => {
  const world = await newWorld()
  const { owner, member, tag } = world
  const { oldest, latest } = await headOf(owner)
  assert.deepEqual([oldest, latest], [1, (await readFeed(owner)).at(-1)?.sequence])
  await tag()
  for (const api of [owner, member]) assert.deepEqual(await headOf(api), { oldest: 1, latest: latest + 1 })
  await forgetUntil(world, 4)
  for (const api of [owner, member]) assert.deepEqual(await headOf(api), { oldest: 5, latest: latest + 1 })
  assert.equal((await readFeed(owner))[0]?.sequence, 5)
})

test('if no event is kept, or there was none yet, oldest is the next event, and a reader continues just before it', async () => {
  const world = await newWorld()
  const { orgId, owner, tag } = world
  const { latest } = await headOf(owner)
  await forgetUntil(world, latest)
  assert.deepEqual(await headOf(owner), { oldest: latest + 1, latest })
  const nothing = { data: [], pagination: { nextCursor: null } }
  for (const query of ['', `?after=${latest}`]) assert.deepEqual((await owner.get(`/events${query}`)).body, nothing)
  assertRefused(await owner.get(`/events?after=${latest - 1}`), 412, 'position_expired')
  await tag()
  const [next] = await readFeed(owner, `after=${latest}`)
  assert.equal(next?.sequence, latest + 1)
  // as before the first change of all
  await db.rows(sql`delete from events where org_id = ${orgId}`)
  await db.rows(sql`update event_counters set last_sequence = 0 where org_id = ${orgId}`)
  assert.deepEqual(await headOf(owner), { oldest: 1, latest: 0 })
  for (const query of ['', '?after=0']) assert.deepEqual((await owner.get(`/events${query}`)).body, nothing)
})

test('a position with events after it that are no longer kept gets 412, which says what to do; the one just before the oldest does not', async () => {
  const world = await newWorld()
  const { owner, member, project, addToProject, tag } = world
  await addToProject((await project()).id, member)
  const { latest } = await headOf(owner)
  await forgetUntil(world, latest)
  const { id } = await tag()
  for (const api of [owner, member]) {
    for (const after of [0, 1, latest - 1]) {
      for (const filter of ['', '&type=tag.*', `&resourceId=${id}`, `&actorId=${member.memberId}`]) {
        const reply = await api.get(`/events?after=${after}${filter}`)
        assertRefused(reply, 412, 'position_expired')
        assert.match(reply.body.error, /\/events\/head.*state.*follow/)
      }
    }
    for (const query of [`after=${latest}`, '']) {
      const [only, ...more] = await readFeed(api, query)
      assert.deepEqual([only?.resource.id, more], [id, []])
    }
  }
  // by the way that is told
  const { latest: position } = await headOf(member)
  await tag()
  assert.deepEqual(
    (await readFeed(member, `after=${position}`)).map(({ type }) => type),
    ['tag.created'],
  )
})

test('a reader that pages while events are removed continues if nothing is lost, and gets 412 for a cursor with lost events after it', async () => {
  const world = await newWorld()
  const { owner, tag } = world
  for (let i = 0; i < 9; i++) await tag()
  const all = await readFeed(owner)
  const first = (await owner.get('/events?limit=5')).body
  const cursor = first.pagination.nextCursor
  await forgetUntil(world, 3)
  assert.deepEqual(await readFeed(owner, `limit=5&cursor=${cursor}`), all.slice(5))
  await forgetUntil(world, 5)
  assert.deepEqual(await readFeed(owner, `limit=5&cursor=${cursor}`), all.slice(5))
  await forgetUntil(world, 6)
  assertRefused(await owner.get(`/events?limit=5&cursor=${cursor}`), 412, 'position_expired')
  assert.deepEqual(await readFeed(owner, 'limit=5'), all.slice(6))
})

test('a page that is being read while events are removed is complete or gets 412', async () => {
  const world = await newWorld()
  const { orgId, owner } = world
  const { latest } = await headOf(owner)
  const count = rounds(600, 3_000)
  await db.rows(sql`
    with counter as (update event_counters set last_sequence = last_sequence + ${count} where org_id = ${orgId} returning 1)
    insert into events (org_id, sequence, type, request_id, resource_id, changes, snapshot, created_at)
    select ${orgId}::uuid, ${latest} + n, 'organization.updated', 'many', ${orgId}::uuid, '{}', '{}', current_timestamp
    from counter, generate_series(1, ${count}) n`)
  let removing = true
  const removed = forgetUntil(world, latest + count - 10).finally(() => {
    removing = false
  })
  const replies = []
  while (removing) {
    const from = (await headOf(owner)).oldest - 1
    replies.push(
      { from, reply: await owner.get(`/events?after=${from}&limit=100`) },
      { from, reply: await owner.get('/events') },
    )
  }
  await removed
  let pages = 0
  for (const { from, reply } of replies) {
    if (reply.status === 412) continue
    const sequences = reply.body.data.map(({ sequence }: { sequence: number }) => sequence)
    assert.ok(sequences[0] > from)
    assert.deepEqual(
      sequences,
      sequences.map((_: number, i: number) => sequences[0] + i),
    )
    pages++
  }
  assert.ok(pages > 0)
  assert.equal((await readFeed(owner, 'limit=100')).length, 10)
})
