import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from '../../src/db/sql.ts'
import { randomFrom } from '../../src/demo/random.ts'
import { afterwards, file } from '../support/afterwards.ts'
import { slowCommits } from '../support/slow/slow-commits.ts'
import { type Api, migratedDatabase, type Reply, startServer } from '../support/world.ts'

// backends are ended, which tests beside these would notice
const { url, drop } = await migratedDatabase()
afterwards(file, drop)
const { newWorld, db } = await startServer({ url })

test('while connections break and statements are cancelled all the time, writes that share transactions are done once each, answered as stored, and told of without a gap in the order of their commits', async (t) => {
  const world = await newWorld()
  const { owner, orgId } = world
  const { id: projectId } = await world.project()
  const { id: taskId } = await world.task({ projectId })
  await owner.post('/tags', { name: 'Taken' })
  const since = (await owner.get('/events?limit=100')).body.data.length
  await slowCommits(t, url, orgId, 40)
  const stop = breaking()
  afterwards(t, stop)
  const following = follow(owner)
  const before = { ...db.sharedCounts }

  const random = randomFrom(17)
  const answered: { path: string; body: object; key: string; reply: Reply }[] = []
  let [unkeyed, unclear] = [0, 0]
  const clients = Array.from({ length: 24 }, async () => {
    for (let n = 0; n < 12; n++) {
      const key = randomUUID()
      const [path, body] = random.pick<[string, object]>([
        ['/tags', { name: `Tag ${key}` }],
        ['/tags', { name: 'taken' }],
        ['/time-entries', { taskId, durationSeconds: 60, description: key }],
        ['/time-entries', { taskId: projectId, durationSeconds: 60 }],
        ['/tasks', { projectId, name: key }],
      ])
      if (random.chance(0.2)) {
        const { status } = await owner.post('/time-entries', { taskId, durationSeconds: 1, description: 'unkeyed' })
        if (status === 201) unkeyed++
        else unclear++
        continue
      }
      // often together with its twin
      const sent = Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => untilAnswered(owner, path, body, key))
      const [reply, twin] = await Promise.all(sent)
      if (reply === undefined) continue
      if (twin) assert.deepEqual([twin.status, twin.text], [reply.status, reply.text])
      answered.push({ path, body, key, reply })
    }
  })
  await Promise.all(clients)
  const broken = await stop()
  const { writes, transactions, alone } = db.sharedCounts
  assert.ok(broken > 10, `${broken} were broken`)
  assert.ok(writes - before.writes > 10, `${writes - before.writes} writes shared ${transactions} transactions`)
  assert.ok(alone > before.alone)

  const events = await db.rows<{
    sequence: number
    type: string
    resourceId: string
    snapshot: { description?: string }
  }>(sql`
    select sequence::integer, type, resource_id as "resourceId", snapshot from events where org_id = ${orgId} order by sequence`)
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, i) => i + 1),
  )
  const made = events.slice(since).filter(({ snapshot }) => snapshot.description !== 'unkeyed')
  const done = answered.filter(({ reply }) => reply.status === 201)
  assert.deepEqual(made.map(({ resourceId }) => resourceId).sort(), done.map(({ reply }) => reply.body.id).sort())
  const withoutKey = events.length - since - made.length
  assert.ok(
    withoutKey >= unkeyed && withoutKey <= unkeyed + unclear,
    `${withoutKey} of ${unkeyed} to ${unkeyed + unclear}`,
  )
  for (const { path, body, key, reply } of answered) {
    const again = await owner.post(path, body, { 'idempotency-key': key })
    assert.deepEqual(
      [again.status, again.text, again.headers.get('idempotent-replayed')],
      [reply.status, reply.text, 'true'],
    )
  }
  assert.deepEqual(
    await following(events.length),
    events.map(({ sequence }) => sequence),
  )
})

async function untilAnswered(api: Api, path: string, body: object, key: string): Promise<Reply> {
  for (;;) {
    const reply = await api.post(path, body, { 'idempotency-key': key })
    if (reply.status !== 503) return reply
    await wait(10)
  }
}

/** Reads the log while it is written; then the sequence numbers, in the order in which they were seen. */
function follow(api: Api) {
  const seen: number[] = []
  let goal = Number.POSITIVE_INFINITY
  const ended = (async () => {
    while (seen.length < goal) {
      const { status, body } = await api.get(`/events?limit=100&after=${seen.at(-1) ?? 0}`)
      if (status !== 200) continue
      for (const { sequence } of body.data) seen.push(sequence)
      await wait(5)
    }
    return seen
  })()
  return (count: number) => {
    goal = count
    return ended
  }
}

/** Ends the server's backends, or cancels what they do, until it is told to stop; then says how often. */
function breaking() {
  let [going, broken] = [true, 0]
  const ended = (async () => {
    while (going) {
      const rows = await db
        .rows(sql`
          select case when random() < 0.3 then pg_terminate_backend(pid) else pg_cancel_backend(pid) end
          from pg_stat_activity where datname = current_database() and application_name = 'taskwright'
            and pid <> pg_backend_pid() and state <> 'idle' and random() < 0.1`)
        .catch(() => [])
      broken += rows.length
      await wait(30)
    }
  })()
  return async () => {
    going = false
    await ended
    return broken
  }
}
