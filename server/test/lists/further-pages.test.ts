import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { plannedServer, touched } from '../support/slow/plans.ts'
import { fillUnevenly, idsIn, memberOf } from '../support/slow/skewed.ts'

const { db, newWorld, planner } = await plannedServer()
const world = await newWorld()
await fillUnevenly(db, [{ world, tasks: 4_000 }])
const id = await idsIn(db, world)
const [tag, other] = [id('Tag 1'), id('Tag 10')]
await db.rows(sql`
  insert into task_tags (org_id, task_id, tag_id)
  select org_id, id, label from tasks, unnest(${[tag, other]}::uuid[]) label
  where org_id = ${world.orgId} and number % 2 = 0 on conflict do nothing`)
await db.rows(sql`
  update tasks set tag_ids = array(
    select tag_id from task_tags where task_tags.org_id = tasks.org_id and task_id = tasks.id order by tag_id)
  where org_id = ${world.orgId} and number % 2 = 0`)
// as beside two hundred organizations: of each of these a tag seems to be on a task or two
await db.rows(sql`alter table task_tags alter column org_id set (n_distinct = 200)`)
await db.rows(sql`vacuum analyze`)
const viewers = { 'the owner': world.owner, 'a member of all projects': await memberOf(db, world, 1, 100) }

test('each page of two tags that are on half of all tasks reads next to what it shows, whoever asks', async () => {
  const wrong: string[] = []
  for (const [name, viewer] of Object.entries(viewers))
    for (let cursor = '', page = 1; page <= 3; page++) {
      let next: string | undefined
      const plans = await planner.plansOf(async () => {
        const { body } = await viewer.get(`/tasks?tagId=${tag}&tagId=${other}&limit=50&fields=id${cursor}`)
        assert.equal(body.data.length, 50)
        next = body.pagination.nextCursor
      })
      const rows = Math.round(plans.reduce((sum, plan) => sum + touched(plan), 0))
      if (rows > 1_500) wrong.push(`${name}, page ${page}: ${rows} rows`)
      cursor = `&cursor=${next}`
    }
  assert.deepEqual(wrong, [])
})
