import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { Sql, sql } from '../../src/db/sql.ts'
import { jobsOf } from '../../src/jobs/all-jobs.ts'
import { deleteOldEvents } from '../../src/jobs/retention.ts'
import { onPlainPostgres } from '../support/citus.ts'
import { ranOnce } from '../support/running.ts'
import { plannedServer, touched, unindexed } from '../support/slow/plans.ts'
import type { World } from '../support/world.ts'

// of its own, because these jobs look at all organizations
const { db, newWorld, planner } = await plannedServer()

const days = (count: number) => count * 86_400_000
const ago = (count: number) => new Date(Date.now() - days(count)).toISOString()
const forgets = (batch?: number) => ranOnce(db, (run) => deleteOldEvents(run, days(30), batch))

const numbersOf = async ({ orgId }: World) =>
  (await db.rows<{ sequence: number }>(sql`select sequence from events where org_id = ${orgId} order by sequence`)).map(
    ({ sequence }) => sequence,
  )

/** Makes the events of an organization from one number to another so many days old. */
const age = ({ orgId }: World, count: number, from: number, to: number) =>
  db.rows(sql`
    update events set created_at = ${ago(count)} where org_id = ${orgId} and sequence between ${from} and ${to}`)

test('events are removed after 30 days, a history reaches no further back, and the numbers continue', async () => {
  const [world, other] = [await newWorld(), await newWorld()]
  const { owner, project, task } = world
  const { id } = await task({ projectId: (await project()).id })
  const last = (await numbersOf(world)).length
  await owner.patch(`/tasks/${id}`, { priority: 'high' })
  await age(world, 31, 1, last)
  await age(other, 29, 1, 3)
  const others = await numbersOf(other)
  assert.deepEqual([...(await forgets(2))], [])
  assert.deepEqual([await numbersOf(world), await numbersOf(other)], [[last + 1], others])
  const { body } = await owner.get(`/tasks/${id}/history`)
  assert.deepEqual([body.total, body.data[0].type], [1, 'task.updated'])
  await owner.patch(`/tasks/${id}`, { priority: 'low' })
  assert.deepEqual(await numbersOf(world), [last + 1, last + 2])
})

test('a client that asks again for event data with an ETag is told that some events are removed', async () => {
  const world = await newWorld()
  const { owner, project, task } = world
  const { id } = await task({ projectId: (await project()).id })
  const history = `/tasks/${id}/history`
  for (const path of ['/events', '/events/head', history]) {
    const etag = (await owner.get(path)).headers.get('etag') ?? ''
    assert.equal((await owner.get(path, { 'if-none-match': etag })).status, 304, path)
    const numbers = await numbersOf(world)
    const [oldest = 0, latest = 0] = [numbers[0], numbers.at(-1)]
    await age(world, 31, oldest, path === history ? latest : oldest)
    await forgets()
    assert.equal((await owner.get(path, { 'if-none-match': etag })).status, 200, path)
  }
})

test('the remaining events have no gaps, with any clocks of the writers', async () => {
  const [world, tag] = [await newWorld(), { name: 'A tag' }]
  const from = (await numbersOf(world)).length
  for (let n = 0; n < 6; n++) await world.tag({ name: `${tag.name} ${n}` })
  await age(world, 31, 1, from + 1)
  await age(world, 29, from + 2, from + 2)
  await age(world, 31, from + 3, from + 3)
  await age(world, -400, 1, 1)
  await forgets()
  assert.deepEqual(await numbersOf(world), [from + 4, from + 5, from + 6])
})

test('deliveries are removed with their events, and no others', async () => {
  const [world, other] = [await newWorld(), await newWorld()]
  const numbers = await numbersOf(world)
  for (const { orgId, owner } of [world, other]) {
    const { id } = (await owner.post('/webhooks', { url: 'https://example.com/hook' })).body
    for (const sequence of numbers) {
      const event = { eventId: randomUUID(), eventType: 'tag.created' }
      const told = { orgId, id: randomUUID(), webhookId: id, sequence, ...event, status: 'delivered' }
      await db.rows(sql`insert into deliveries ${sql.values({ ...told, createdAt: ago(0), updatedAt: ago(0) })}`)
    }
  }
  const [last = 0] = numbers.slice(-2)
  await age(world, 31, 1, last)
  await forgets(2)
  const left = async ({ orgId }: World) =>
    (
      await db.rows<{ sequence: number }>(
        sql`select sequence from deliveries where org_id = ${orgId} order by sequence`,
      )
    ).map(({ sequence }) => sequence)
  assert.deepEqual(
    await left(world),
    numbers.filter((sequence) => sequence > last),
  )
  assert.deepEqual(await left(other), numbers)
})

test(
  'finding the events to remove reads few events, by the index of their organization',
  onPlainPostgres('it looks into plans'),
  async () => {
    const worlds = [await newWorld(), await newWorld(), await newWorld()]
    for (const { orgId } of worlds) {
      await db.rows(sql`
      insert into events (org_id, sequence, type, request_id, resource_id, changes, snapshot, created_at)
      select ${orgId}, 1000 + n, 'tag.updated', 'none', ${randomUUID()}, '{}', '{}',
        case when n <= 250 then ${ago(31)}::timestamptz else ${ago(1)}::timestamptz end
      from generate_series(1, 20000) n`)
      await db.rows(sql`delete from events where org_id = ${orgId} and sequence < 1000`)
    }
    await db.rows(sql`analyze events`)
    const plans = await planner.plansOf(() => forgets(100))
    assert.ok(plans.length >= 1 + 3 * 3)
    for (const plan of plans) {
      assert.deepEqual(
        unindexed(plan).filter((table) => table !== 'organizations'),
        [],
      )
      assert.ok(touched(plan) <= 400, `${touched(plan)} rows: ${plan.statement.text}`)
    }
    for (const world of worlds) assert.ok(((await numbersOf(world))[0] ?? 0) > 1250)
  },
)

test('nothing of purged data is left: no event and no stored response has a word of it', async () => {
  const word = `word${randomUUID().slice(0, 8)}`
  const { owner, project, workspace, subtask, timeEntry, tag } = await newWorld()
  const said = { name: word, description: `${word} and more` }
  const { id: projectId } = await project(said)
  await workspace({ ...said, projectId, stages: [word] })
  const { body: task } = await owner.post('/tasks', { ...said, projectId }, { 'idempotency-key': 'k' })
  await owner.patch(`/tasks/${task.id}`, { description: `${word} anew` })
  await subtask(task.id, { name: word })
  await owner.post(`/tasks/${task.id}/comments`, { body: word })
  await timeEntry({ taskId: task.id, description: word })
  const { id: tagId } = await tag({ name: word })
  for (const path of [`/tasks/${task.id}`, `/projects/${projectId}`, `/tags/${tagId}`])
    assert.equal((await owner.delete(path)).status, 204)
  assert.deepEqual(
    (await tablesWith(word)).filter((table) => ['events', 'idempotency_keys', 'tasks'].includes(table)),
    ['events', 'idempotency_keys', 'tasks'],
  )
  for (const { run } of jobsOf(readConfig({ EVENT_RETENTION: '30d', IDEMPOTENCY_TTL: '30d' }))) {
    const failures = await ranOnce(db, run, new Date(Date.now() + days(30) + 2 * 3_600_000))
    assert.deepEqual([...failures], [])
  }
  assert.deepEqual(await tablesWith(word), [])
})

test('no event about changes of deleted data is left either, and the log has no gap', async () => {
  const word = `word${randomUUID().slice(0, 8)}`
  const key = word.slice(4).toUpperCase().replace(/^./, 'K')
  const world = await newWorld()
  const { owner, orgId, project, workspace, task, timeEntry, tag } = world
  const { id: projectId } = await project({ key })
  const board = await workspace({ stages: ['Open'] })
  const [stage] = await world.stages(board.id)
  const { id: tagId } = await tag()
  const said = { name: word, description: `${word} and more` }
  const { id: taskId } = await task({ ...said, projectId, workspaceId: board.id, tagIds: [tagId] })
  await timeEntry({ taskId, description: word, tagIds: [tagId] })
  const last = (await numbersOf(world)).length
  const url = `https://example.com/${word}`
  assert.equal((await owner.post('/webhooks', { ...said, name: undefined, projectId, url })).status, 201)
  assert.equal((await owner.delete(`/projects/${projectId}`)).status, 204)
  await age(world, 29, 1, last)
  await db.rows(sql`update projects set deleted_at = ${ago(29)} where org_id = ${orgId} and id = ${projectId}`)
  assert.equal((await owner.patch(`/stages/${stage.id}`, { category: 'done' })).status, 200)
  assert.equal((await owner.delete(`/tags/${tagId}`)).status, 204)
  assert.ok((await tablesWith(word)).includes('events'))
  const told = await numbersOf(world)

  for (const { run } of jobsOf(readConfig({ EVENT_RETENTION: '30d', IDEMPOTENCY_TTL: '30d' })))
    assert.deepEqual([...(await ranOnce(db, run, new Date(Date.now() + days(1) + 2 * 3_600_000)))], [])
  assert.deepEqual([await tablesWith(word), await tablesWith(key)], [[], []])
  assert.deepEqual(
    await numbersOf(world),
    told.filter((sequence) => sequence > last),
  )
  const { body } = await owner.get(`/events?after=${last}`)
  const shown = body.data.filter(({ type }: { type: string }) => /^(webhook|project|task|time_entry)\./.test(type))
  assert.deepEqual(
    shown.map(({ type, snapshot }: { type: string; snapshot: Record<string, string> }) => [
      type,
      snapshot.name ?? snapshot.description,
      snapshot.key ?? snapshot.url,
    ]),
    [
      ['webhook.created', 'Purged', 'https://purged.invalid/'],
      ['project.deleted', 'Purged', 'PURGED'],
      ['task.updated', 'Purged', 'PURGED-1'],
      ['task.updated', 'Purged', 'PURGED-1'],
      ['time_entry.updated', 'Purged', undefined],
    ],
  )
})

/** The tables in which a word stands, be it in text or in bytes. */
async function tablesWith(word: string): Promise<string[]> {
  const tables = await db.rows<{ name: string }>(sql`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename`)
  const found: string[] = []
  for (const { name } of tables) {
    const table = new Sql([name], [])
    const rows = await db.rows(sql`
      select 1 from ${table} where ${table}::text ~ ${`${word}|${Buffer.from(word).toString('hex')}`} limit 1`)
    if (rows.length > 0) found.push(name)
  }
  return found
}
