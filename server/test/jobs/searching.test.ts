import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Db } from '../../src/db/db.ts'
import { type Sql, sql } from '../../src/db/sql.ts'
import { purge } from '../../src/jobs/purge.ts'
import { keepUp } from '../../src/jobs/searching.ts'
import { mostPending, mostPendingBytes } from '../../src/resources/search/finding.ts'
import { followLog } from '../../src/resources/search/following.ts'
import { onPlainPostgres } from '../support/citus.ts'
import { ranOnce } from '../support/running.ts'
import { plannerOf, unindexed } from '../support/slow/plans.ts'
import { type Api, created, migratedDatabase, startServer } from '../support/world.ts'

// of its own, because the job looks at all organizations
const { url, drop } = await migratedDatabase()
const { db, newWorld } = await startServer({ url })
const planner = await plannerOf(db, url)
after(async () => {
  await planner.close()
  await drop()
})

const found = async ({ get }: Api, q: string): Promise<Record<string, string[]>> => {
  const { body } = await get(`/search?limit=50&q=${encodeURIComponent(q)}`)
  const ids = ({ kind, hits }: { kind: string; hits: { id: string }[] }) => [kind, hits.map(({ id }) => id)]
  return Object.fromEntries(body.groups.map(ids))
}

const keepsUp = (batch?: number) => ranOnce(db, (run) => keepUp(run, batch))

async function fence() {
  const world = await newWorld()
  const { id: projectId } = await world.project({ name: 'The fence' })
  const task = await world.task({ projectId, name: 'Paint' })
  const subtask = await world.subtask(task.id, { name: 'The fence' })
  const said = []
  for (let i = 0; i < 5; i++)
    said.unshift((await created(world.owner.post(`/tasks/${task.id}/comments`, { body: `fence ${i}` }))).id)
  const entry = await world.timeEntry({ taskId: task.id, description: 'Along the fence' })
  await world.timeEntry({ taskId: task.id })
  const all = { project: [projectId], subtask: [subtask.id], comment: said, time_entry: [entry.id] }
  return { ...world, task, all }
}

/** As it is where the log was removed before it was followed, and where the tables were filled without a log. */
const forget = (orgId: string) => db.rows(sql`delete from events where org_id = ${orgId}`)

test('long texts are followed a few at a time, however many wait: no statement holds all of them', async () => {
  const { orgId, owner, task } = await fence()
  assert.deepEqual([...(await keepsUp())], [])
  // one character of which folding makes eighteen
  const operations = Array.from({ length: 12 }, (_, i) => {
    return {
      method: 'POST',
      path: `/tasks/${task.id}/comments`,
      body: { body: `long ${i} ${'\ufdfa'.repeat(19_900)}` },
    }
  })
  for (let i = 0; i < 2; i++) assert.equal((await owner.post('/bulk', { operations })).status, 200)
  const letters: number[] = []
  const noting = (tx: Db) =>
    new Proxy(tx, {
      get: (of, name, self) =>
        name !== 'rows'
          ? Reflect.get(of, name, self)
          : (statement: Sql) => {
              letters.push(JSON.stringify(statement.values).length)
              return of.rows(statement)
            },
    })
  let turns = 0
  for (let more = true; more; turns++) more = (await db.transaction((tx) => followLog(noting(tx), orgId, 200))).more
  assert.ok(turns > 4 && turns < 12, `${turns} turns`)
  assert.ok(Math.max(...letters) < 1_500_000, `${Math.max(...letters)} characters in one statement`)
  const { body } = await owner.get('/search?q=long&limit=50')
  assert.equal(body.groups[0].hits.length, 24)
})

test('what was there before its log was followed is taken up, newest first, and then there is nothing left to do', async () => {
  const { orgId, owner, all } = await fence()
  await forget(orgId)
  assert.deepEqual(await found(owner, 'fence'), {})
  await db.transaction((tx) => followOnce(tx, orgId))
  await db.transaction((tx) => followOnce(tx, orgId))
  const [newest] = all.comment
  assert.deepEqual((await found(owner, 'fence')).comment, [newest])
  assert.deepEqual([...(await keepsUp(2))], [])
  assert.deepEqual(await found(owner, 'fence'), all)
  const rows = () =>
    db.rows(sql`
    select id, word, xmin::text from postings where org_id = ${orgId} order by id, word`)
  const done = await rows()
  assert.ok(done.length > 10)
  assert.deepEqual([...(await keepsUp())], [])
  assert.deepEqual(await rows(), done)
})

const followOnce = (tx: Db, orgId: string) => followLog(tx, orgId, 1)

test('where the log lost events that were not followed yet, all is taken up anew', async () => {
  const { orgId, owner, all, task } = await fence()
  await keepsUp()
  const late = await created(owner.post(`/tasks/${task.id}/comments`, { body: 'A late fence' }))
  await forget(orgId)
  assert.deepEqual([...(await keepsUp())], [])
  assert.deepEqual(await found(owner, 'fence'), { ...all, comment: [late.id, ...all.comment] })
  const later = await created(owner.post(`/tasks/${task.id}/comments`, { body: 'A later fence' }))
  await forget(orgId)
  await created(owner.post(`/tasks/${task.id}/comments`, { body: 'post' }))
  assert.deepEqual([...(await keepsUp())], [])
  assert.deepEqual((await found(owner, 'fence')).comment, [later.id, late.id, ...all.comment])
})

test('of very many changes at once the last are found at once, and all when their words have followed', async () => {
  const { orgId, owner, all } = await fence()
  await keepsUp()
  await db.rows(sql`
    insert into events (org_id, sequence, type, actor_id, actor_key_id, request_id, resource_id, project_id, changes, snapshot,
      created_at)
    select org_id, last_sequence + number, 'tag.updated', null, null, 'many', org_id, null, '{}', '{}', now()
    from event_counters, generate_series(1, ${mostPending}) number where org_id = ${orgId}`)
  await db.rows(sql`
    update event_counters set last_sequence = last_sequence + ${mostPending} where org_id = ${orgId}`)
  assert.deepEqual(await found(owner, 'fence'), all)
  assert.equal((await owner.patch(`/comments/${all.comment[0]}`, { body: 'A new fence' })).status, 200)
  assert.deepEqual(await found(owner, '"new fence"'), { comment: [all.comment[0]] })
  assert.deepEqual([...(await keepsUp())], [])
  assert.deepEqual(await found(owner, '"new fence"'), { comment: [all.comment[0]] })
})

test('what was too long to be compared at once is new to who asks again, once its words have followed', async () => {
  const { owner, task } = await fence()
  await keepsUp()
  const say = (body: string) => created(owner.post(`/tasks/${task.id}/comments`, { body }))
  const { id } = await say('A zebra')
  const long = 'post '.repeat(3_999)
  for (let bytes = 0; bytes <= mostPendingBytes; bytes += long.length) await say(long)
  const ask = (etag = '') => owner.get('/search?q=zebra', { 'if-none-match': etag })
  const before = await ask()
  assert.deepEqual(before.body.groups, [])
  await keepsUp()
  const after = await ask(before.headers.get('etag') ?? '')
  assert.equal(after.status, 200)
  assert.deepEqual(await found(owner, 'zebra'), { comment: [id] })
})

test('what is purged leaves no words', async () => {
  const { orgId, owner, all } = await fence()
  await keepsUp()
  const [comment, entry] = [all.comment[0], all.time_entry[0]]
  for (const path of [`/comments/${comment}`, `/time-entries/${entry}`])
    assert.equal((await owner.delete(path)).status, 204)
  const left = () =>
    db.rows(sql`
    select id from postings where org_id = ${orgId} and id = any(${[comment, entry]})
    union all select id from comment_words where org_id = ${orgId} and id = ${comment}
    union all select id from time_entry_words where org_id = ${orgId} and id = ${entry}`)
  await keepsUp()
  assert.ok((await left()).length > 4)
  assert.deepEqual([...(await ranOnce(db, (run) => purge(run), new Date(Date.now() + 40 * 86_400_000)))], [])
  assert.deepEqual(await left(), [])
})

test('whether there is something to follow is found by indexes', onPlainPostgres('it looks into plans'), async () => {
  await keepsUp()
  const plans = await planner.plansOf(() => keepsUp())
  assert.ok(plans.length > 0)
  for (const plan of plans)
    assert.deepEqual(
      unindexed(plan).filter((table) => !['organizations'].includes(table)),
      [],
      plan.statement.text,
    )
})
