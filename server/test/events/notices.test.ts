import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { openNotices } from '../../src/events/notices.ts'
import { goBetween } from '../support/go-between.ts'
import { until } from '../support/until.ts'
import { databaseUrl, startServer } from '../support/world.ts'

const { newWorld, notices, db } = await startServer()
const other = await startServer()

/** The next notices of these organizations that one process gets. */
function heard(by: typeof notices, orgIds: readonly string[]): Promise<string[]> {
  const waiting = new Set(orgIds)
  return new Promise((resolve) => {
    const got: string[] = []
    const end = by.onNotice((orgId) => {
      if (orgId === undefined || !orgIds.includes(orgId)) return
      got.push(orgId)
      waiting.delete(orgId)
      if (waiting.size > 0) return
      end()
      resolve(got)
    })
  })
}

/** The payloads of all notices on this database, from now on. */
async function listening(t: { after(work: () => Promise<void>): void }) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  t.after(() => client.end())
  await client.query('listen taskwright_events')
  const payloads: string[] = []
  client.on('notification', ({ payload = '' }) => payloads.push(payload))
  const catchUp = async () => {
    // notices come in the order of their commits
    const last = randomUUID()
    await client.query(`select pg_notify('taskwright_events', $1)`, [last])
    await until(() => payloads.includes(last), 'Its own notice does not come')
  }
  return { payloads, catchUp }
}

test('followers of events are notified of a write before its response is sent, and in every other process soon after', async () => {
  const { orgId, owner } = await newWorld()
  let toldHere = 0
  const end = notices.onNotice((told) => {
    if (told === orgId) toldHere++
  })
  const elsewhere = heard(other.notices, [orgId])
  const { status } = await owner.post('/tags', { name: 'told' }, { 'idempotency-key': 'k1' })
  assert.deepEqual([status, toldHere], [201, 1])
  await elsewhere
  await owner.post('/tags', { name: 'told' }, { 'idempotency-key': 'k1' })
  await owner.post('/tags', { name: 'told' })
  await owner.get('/tags')
  assert.equal(toldHere, 1, 'a replay, a refusal and a read change nothing')
  end()
})

test('organizations with new writes are notified together, by notices under 8,000 bytes', async (t) => {
  const { payloads, catchUp } = await listening(t)
  const orgIds = Array.from({ length: 450 }, () => randomUUID())
  const all = heard(other.notices, orgIds)
  for (const orgId of [...orgIds, ...orgIds]) notices.note(orgId)
  assert.deepEqual((await all).toSorted(), orgIds.toSorted(), 'each once')
  await catchUp()
  const own = payloads.filter((payload) => orgIds.some((orgId) => payload.includes(orgId)))
  assert.equal(own.length, 3)
  assert.ok(own.every(({ length }) => length < 8_000))
})

test('an ordinary write sends no notice of its own, which would wait for the commit of the previous one', async (t) => {
  const patient = await startServer({ noticesEveryMs: 3_600_000 })
  const { orgId, owner, project, task } = await patient.newWorld()
  const { payloads, catchUp } = await listening(t)
  const { id: projectId } = await project()
  for (let n = 0; n < 6; n++) {
    const { id } = await task({ projectId })
    assert.equal((await owner.patch(`/tasks/${id}`, { priority: 'high' })).status, 200)
    assert.equal((await owner.post('/tags', { name: `Tag ${n}` }, { 'idempotency-key': `${n}` })).status, 201)
  }
  assert.equal((await owner.delete(`/projects/${projectId}`)).status, 204)
  await catchUp()
  assert.deepEqual(
    payloads.filter((payload) => payload.includes(orgId)),
    [],
  )
})

test('the last noted write is sent before the notices are closed', async () => {
  const orgId = randomUUID()
  const passing = await openNotices(db)
  const told = heard(notices, [orgId])
  passing.note(orgId)
  await passing.close()
  await told
})

test('when notices may have been missed, followers of events are told to look by themselves', async (t) => {
  const line = await goBetween(t)
  const broken = await startServer({ url: line.url })
  const missed = new Promise<void>((resolve) => {
    broken.notices.onNotice((orgId) => orgId === undefined && resolve())
  })
  line.cut()
  await missed
})
