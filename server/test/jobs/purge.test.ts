import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Database } from '../../src/db/pool/database.ts'
import { failureOf } from '../../src/db/pool/failures.ts'
import { sql } from '../../src/db/sql.ts'
import type { JobContext } from '../../src/jobs/job.ts'
import { purge } from '../../src/jobs/purge.ts'
import { named, tablesWith } from '../support/catalogue.ts'
import { onCitus } from '../support/citus.ts'
import { hold } from '../support/holding.ts'
import { ranOnce } from '../support/running.ts'
import { type Api, created, migratedDatabase, startServer } from '../support/world.ts'

// of its own, because a purge looks at all organizations
const { url, drop } = await migratedDatabase()
const { db, api, newWorld } = await startServer({ url })
after(drop)

const days = (count: number) => count * 86_400_000
const tables = (await tablesWith(db, 'deleted_at')).filter((table) => table !== 'members')

test('a deleted resource can be restored for 30 days, and then is gone with everything below it', async () => {
  const world = await newWorld()
  const { owner, orgId } = world
  const [tag, project] = [await world.tag(), await world.project()]
  const board = await world.workspace({ projectId: project.id })
  const task = await world.task({ projectId: project.id, workspaceId: board.id, tagIds: [tag.id] })
  const subtask = await world.subtask(task.id)
  await world.timeEntry({ taskId: task.id, tagIds: [tag.id] })
  await world.timeEntry({ subtaskId: subtask.id })
  await owner.post(`/tasks/${task.id}/comments`, { body: 'Soon gone' })
  for (const path of [`/projects/${project.id}`, `/tags/${tag.id}`])
    assert.equal((await owner.delete(path)).status, 204)

  await purgedAfter(days(29), 1)
  assert.equal((await owner.post(`/projects/${project.id}/restore`)).status, 200)
  assert.equal((await owner.get(`/tasks/${task.id}`)).body.id, task.id)
  assert.equal((await owner.delete(`/projects/${project.id}`)).status, 204)

  await purgedAfter(days(31), 1)
  for (const table of tables) {
    const left = await db.rows(sql`select id from ${named(table)} where org_id = ${orgId}`)
    assert.equal(left.length, 0, table)
  }
  assert.equal((await owner.post(`/projects/${project.id}/restore`)).status, 404)
})

test('revoked and expired keys are kept for 30 days, and for as long as a key created with them exists', async () => {
  const { owner } = await newWorld()
  const make = (by: Api, fields: object = {}) => created(by.post('/api-keys', { name: 'Robot', ...fields }))
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  const [revoked, expiring, above] = [await make(owner), await make(owner, { expiresAt: soon }), await make(owner)]
  const between = await make(api(above.secret))
  const below = await make(api(between.secret))
  for (const { id } of [revoked, above, between])
    assert.equal((await owner.delete(`/api-keys/${id}?descendants=false`)).status, 204)
  const there = async () => {
    const statuses = [revoked, expiring, above, between, below].map(({ id }) => owner.get(`/api-keys/${id}`))
    return (await Promise.all(statuses)).map(({ status }) => status === 200)
  }
  await purgedAfter(days(30))
  assert.deepEqual(await there(), [true, true, true, true, true])
  for (let run = 0; run < 3; run++) await purgedAfter(days(31))
  assert.deepEqual(await there(), [false, false, true, true, true])
  // what was made with a key that has been dead for long is still revoked with it
  assert.equal((await owner.delete(`/api-keys/${above.id}?descendants=true`)).status, 204)
  assert.equal((await api(below.secret).get('/me')).status, 401)
  for (let run = 0; run < 3; run++) await purgedAfter(days(31))
  assert.deepEqual(await there(), [false, false, false, false, false])
  assert.equal((await owner.get('/me')).status, 200)
})

test('the purge leaves rows that a restore has begun to bring back in time: they wait for another hour', async () => {
  const { owner, orgId, tag } = await newWorld()
  const { id } = await tag()
  await owner.delete(`/tags/${id}`)
  const minutes = (count: number) => days(30) + count * 60_000
  const left = async () => (await db.rows(sql`select id from tags where org_id = ${orgId}`)).length
  await purgedAfter(minutes(55))
  assert.equal(await left(), 1)
  await purgedAfter(minutes(65))
  assert.equal(await left(), 0)
})

test('thousands of rows are purged in batches, and an organization with locked rows delays no other', async (t) => {
  const impatient = new Database({ connection: { connectionString: url }, lockTimeoutMs: 100 })
  t.after(() => impatient.close())
  const [large, held, small] = [await newWorld(), await newWorld(), await newWorld()]
  for (const { owner, orgId, project, task } of [large, held, small]) {
    const { id: projectId } = await project()
    const { id: taskId } = await task({ projectId })
    await db.rows(sql`
      insert into comments (org_id, id, task_id, project_id, author_id, body, created_at, updated_at)
      select ${orgId}, gen_random_uuid(), ${taskId}, ${projectId}, ${owner.memberId}, 'Soon gone', now(), now()
      from generate_series(1, ${orgId === small.orgId ? 5 : 2_000})`)
    await owner.delete(`/projects/${projectId}`)
  }
  const { release } = await hold(t, url, 'select 1 from comments where org_id = $1 for update', [held.orgId])
  const gone: string[] = []
  const purged = () =>
    ranOnce(
      impatient,
      ({ inEach, ...run }) => {
        const noted: JobContext['inEach'] = (orgIds, turn) =>
          inEach(orgIds, async (orgId) => {
            const more = await turn(orgId)
            gone.push(orgId)
            return more
          })
        return purge({ ...run, inEach: noted }, 200)
      },
      new Date(Date.now() + days(31)),
    )
  const failures = await purged()
  assert.deepEqual([...failures.keys()], [held.orgId])
  // a node of Citus does not hear of a server's patience: there the transaction comes to its end
  assert.equal(failureOf(failures.get(held.orgId)), onCitus ? 'long' : 'unavailable')
  const left = async (orgId: string) => (await db.rows(sql`select id from comments where org_id = ${orgId}`)).length
  assert.deepEqual(await Promise.all([large, held, small].map(({ orgId }) => left(orgId))), [0, 2_000, 0])
  assert.equal(gone.filter((orgId) => orgId === large.orgId).length, 11)
  assert.ok(gone.indexOf(small.orgId) < 2)
  await release()
  assert.deepEqual([...(await purged())], [])
  assert.equal(await left(held.orgId), 0)
})

/** Purges as if so much time had passed. @returns the organizations in which it failed */
const purgedAfter = (ms: number, batch?: number) => ranOnce(db, (run) => purge(run, batch), new Date(Date.now() + ms))
