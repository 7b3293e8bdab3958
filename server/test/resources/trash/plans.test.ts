import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { onPlainPostgres } from '../../support/citus.ts'
import { plannedServer, sorted, touched, unindexed } from '../../support/slow/plans.ts'
import { fillUnevenly } from '../../support/slow/skewed.ts'

const plain = onPlainPostgres('plans of one PostgreSQL are read')
const { db, newWorld, planner } = await plannedServer()

test('a page of the trash reads few rows by indexes, however much was deleted with tasks', plain, async () => {
  const [world, other] = [await newWorld(), await newWorld()]
  const wanted = [world, other].map((one) => ({ world: one, tasks: 10_000 }))
  await fillUnevenly(db, wanted)
  const { owner, orgId } = world
  // half of the tasks with the time on them, then a few entries by themselves
  await db.rows(sql`
    update tasks set deleted_at = now() - number * interval '1 second', updated_at = now() where org_id = ${orgId} and number % 2 = 0`)
  await db.rows(sql`
    update time_entries set deleted_at = tasks.deleted_at from tasks where tasks.org_id = ${orgId}
      and time_entries.org_id = ${orgId} and time_entries.task_id = tasks.id and tasks.deleted_at is not null`)
  await db.rows(sql`
    update time_entries set deleted_at = now() - interval '20 days', updated_at = now() where org_id = ${orgId} and deleted_at is null
      and id in (select id from time_entries where org_id = ${orgId} and deleted_at is null limit 120)`)
  const [{ goneWithTasks } = { goneWithTasks: 0 }] = await db.rows<{ goneWithTasks: number }>(sql`
    select count(*)::int as "goneWithTasks" from time_entries where org_id = ${orgId} and updated_at < deleted_at`)
  assert.ok(goneWithTasks > 3_000, `${goneWithTasks}`)
  await db.rows(sql`vacuum analyze`)
  for (const query of [
    '',
    '&kind=time_entry',
    '&kind=task,comment',
    '&kind=member',
    '&kind=time_entry,subtask,comment',
  ]) {
    const first = await owner.get(`/trash?limit=50${query}`)
    const { nextCursor } = first.body.pagination
    for (const cursor of nextCursor === null ? [''] : ['', `&cursor=${nextCursor}`]) {
      const plans = await planner.plansOf(async () => {
        assert.equal((await owner.get(`/trash?limit=50${query}${cursor}`)).status, 200)
      })
      for (const plan of plans) {
        const passed = unindexed(plan).filter((table) => !['projects', 'webhooks'].includes(table))
        const [rows, order] = [Math.round(touched(plan)), Math.round(sorted(plan))]
        assert.ok(
          rows < 700 && order < 1_000 && passed.length === 0,
          `${query}${cursor}: ${rows} rows, ${order} sorted, ${passed}`,
        )
      }
    }
  }
})
