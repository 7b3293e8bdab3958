import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { reap } from '../../src/jobs/idempotency-retention.ts'
import { purge } from '../../src/jobs/purge.ts'
import { ranOnce } from '../support/running.ts'
import { type Plan, plannedServer, touched, unindexed } from '../support/slow/plans.ts'
import { fillUnevenly } from '../support/slow/skewed.ts'

const { db, newWorld, planner } = await plannedServer()

// two of the projects of each were deleted 300 days ago
const [world, other] = [await newWorld(), await newWorld()]
await fillUnevenly(db, [
  { world, tasks: 20_000 },
  { world: other, tasks: 10_000 },
])

const batch = 100
// a batch and what hangs on it: two labels, and what is asked for of each row before it goes
const mostTouched = 12 * batch

const wrong = (plans: Plan[]) =>
  plans.flatMap((plan) => {
    // organizations are listed from one end to the other, a thousand at a time
    const passed = unindexed(plan).filter((table) => table !== 'organizations')
    const rows = Math.round(touched(plan))
    return rows > mostTouched || passed.length > 0
      ? [`${rows} rows, without an index: ${passed}: ${plan.statement.text}`]
      : []
  })

test('a batch of the purge reads few rows, by indexes of their organization', async () => {
  const failures: unknown[] = []
  const plans = await planner.plansOf(async () => {
    failures.push(...(await ranOnce(db, (run) => purge(run, batch))))
  })
  assert.deepEqual(failures, [])
  assert.ok(plans.length > 30)
  assert.deepEqual([...new Set(wrong(plans))], [])
  const { rows } = await left()
  assert.equal(rows, 0)
})

test('the purge asks an organization only for tables in which it has rows to purge', async () => {
  const { orgId, tag } = world
  const { id } = await tag()
  await db.rows(sql`update tags set deleted_at = '2024-01-01'::timestamptz where org_id = ${orgId} and id = ${id}`)
  const plans = await planner.plansOf(() => ranOnce(db, (run) => purge(run, batch)))
  const deleting = plans.filter(({ statement }) => /delete from/.test(statement.text))
  assert.equal(deleting.length, 1)
  assert.deepEqual(await db.rows(sql`select id from tags where org_id = ${orgId} and id = ${id}`), [])
})

test('a batch of expired responses reads few rows too, beside a thousand organizations that have few of them', async () => {
  await db.rows(sql`
    insert into idempotency_keys (org_id, member_id, key, fingerprint, created_at, expires_at)
    select organizations.org_id, organizations.org_id, 'key ' || n, ''::bytea, '2024-01-01'::timestamptz,
      case when n % 20 = 0 then '2024-01-02'::timestamptz else '2099-01-01'::timestamptz end
    from organizations, generate_series(1, 20000) n`)
  // by the average of all of them few rows are an organization's, by whichever index
  await db.rows(sql`
    insert into idempotency_keys (org_id, member_id, key, fingerprint, created_at, expires_at)
    select md5('small ' || small)::uuid, md5('member')::uuid, 'key ' || n, ''::bytea, '2024-01-01'::timestamptz,
      '2099-01-01'::timestamptz
    from generate_series(1, 1000) small, generate_series(1, 1 + small % 4) n`)
  await db.rows(sql`analyze idempotency_keys`)
  const plans = await planner.plansOf(() => ranOnce(db, (run) => reap(run, batch)))
  assert.ok(plans.length > 20)
  assert.deepEqual([...new Set(wrong(plans))], [])
  const [kept] = await db.rows<{ count: number }>(sql`
    select count(*)::int as count from idempotency_keys where org_id in (select org_id from organizations)`)
  assert.equal(kept?.count, 2 * 19_000)
})

test('deleting and restoring a task with its time reads few rows, by indexes of its organization', async () => {
  const { owner } = world
  const { id } = (await owner.get('/tasks?limit=1')).body.data[0]
  await world.timeEntry({ taskId: id })
  await world.timeEntry({ subtaskId: (await world.subtask(id)).id })
  const plans = await planner.plansOf(async () => {
    assert.equal((await owner.delete(`/tasks/${id}`)).status, 204)
    assert.equal((await owner.post(`/tasks/${id}/restore`)).status, 200)
  })
  assert.ok(plans.length > 15)
  assert.deepEqual([...new Set(wrong(plans))], [])
})

test('removing a member reads few rows, by indexes of their organization', async () => {
  const { owner, orgId } = world
  const [seldom] = await db.rows<{ id: string }>(sql`
    select id from members where org_id = ${orgId} and name like 'Member %' order by id desc limit 1`)
  const id = seldom?.id ?? assert.fail('There is no member')
  const plans = await planner.plansOf(async () => {
    assert.equal((await owner.delete(`/members/${id}`)).status, 204)
  })
  const asked = plans.map(({ statement }) => statement.text).join()
  for (const table of ['subtasks', 'tasks', 'time_entries', 'project_members', 'task_assignees'])
    assert.match(asked, new RegExp(`(from|update|join) ${table}\\b`), table)
  assert.deepEqual([...new Set(wrong(plans))], [])
})

test('every table that refers to purged rows has an index that finds them', async () => {
  const lacking = await db.rows<{ lacks: string }>(sql`
    select conrelid::regclass || ' ' || pg_get_constraintdef(pg_constraint.oid) as lacks from pg_constraint
    where contype = 'f' and confrelid::regclass::text not in ('organizations', 'members')
      and connamespace = 'public'::regnamespace and not exists (
        -- what refers to something has a value there
        select from pg_index where indrelid = conrelid
          and coalesce(pg_get_expr(indpred, indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$', true) and indisvalid
          and (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey)`)
  assert.deepEqual(lacking, [])
})

/** How many rows are left of what was deleted long ago. */
async function left() {
  const counted = await db.row<{ rows: number }>(sql`
    select count(*)::int as rows from tasks
    join projects on projects.org_id = tasks.org_id and projects.id = tasks.project_id
    where projects.deleted_at < now() - interval '60 days'`)
  return counted ?? assert.fail()
}
