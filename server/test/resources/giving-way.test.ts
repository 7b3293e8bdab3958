import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { onCitus } from '../support/citus.ts'
import { hold } from '../support/holding.ts'
import { until } from '../support/until.ts'
import { migratedDatabase, type Reply, startServer } from '../support/world.ts'

// of its own, because deadlocks are counted
const { url, drop } = await migratedDatabase()
const { db, newWorld } = await startServer({ url })
after(drop)

const statuses = (replies: Reply[]) => replies.map(({ status }) => status)

test("time that keeps its tag during the tag's deletion, and the deletion, get responses as if one came after the other", async (t) => {
  const { owner, project, task, tag, timeEntry } = await newWorld()
  const [gone, taskId] = [await tag(), (await task({ projectId: (await project()).id })).id]
  const { id } = await timeEntry({ taskId, tagIds: [gone.id] })
  const before = await deadlocks()
  const held = await hold(t, url, 'select 1 from tags where id = $1 for update', [gone.id])
  const deleting = owner.delete(`/tags/${gone.id}`)
  await held.waiters(1)
  const keeping = owner.patch(`/time-entries/${id}`, { tagIds: [gone.id], billable: true })
  await held.waiters(2)
  await held.release()
  const [deleted, kept] = statuses(await Promise.all([deleting, keeping]))
  assert.equal(deleted, 204)
  assert.ok(kept === 200 || kept === 404, `${kept}`)
  const { tagIds, billable } = (await owner.get(`/time-entries/${id}`)).body
  assert.deepEqual([tagIds, billable], [[], kept === 200])
  await someMoreThan(before)
})

test('if two stages are deleted at once, each with its tasks to go to the other, one is deleted and the other request gets 404', async (t) => {
  const { owner, project, workspace, stages, task } = await newWorld()
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace()
  const [{ id: one }, { id: other }] = await stages(workspaceId)
  const tasks = [await task({ projectId, stageId: one }), await task({ projectId, stageId: other })]
  const before = await deadlocks()
  const held = await hold(t, url, 'select 1 from stages where id = $1 for update', [other])
  const forth = owner.delete(`/stages/${other}?moveTasksTo=${one}`)
  await held.waiters(1)
  const back = owner.delete(`/stages/${one}?moveTasksTo=${other}`)
  await held.waiters(2)
  await held.release()
  assert.deepEqual(statuses(await Promise.all([forth, back])).toSorted(), [204, 404])
  const [left] = await stages(workspaceId)
  for (const { id } of tasks) assert.equal((await owner.get(`/tasks/${id}`)).body.stageId, left.id)
  await someMoreThan(before)
})

/** How many deadlocks the database has ended. */
async function deadlocks(): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select deadlocks::int as count from pg_stat_database where datname = current_database()`)
  return row?.count ?? assert.fail()
}

/**
 * One of them gave way, and tried again: once, or twice where the other one stood still meanwhile; then it would be answered
 * 503. That it did is counted a moment later.
 */
async function someMoreThan(before: number): Promise<void> {
  // of deadlocks that Citus ended itself no node keeps count
  if (onCitus) return
  await until(async () => (await deadlocks()) > before, 'Nobody gave way')
}
