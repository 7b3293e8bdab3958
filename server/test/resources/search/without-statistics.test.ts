import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { kinds } from '../../../src/resources/search/hit.ts'
import {
  plannedServer,
  plannerOf,
  readsOf,
  sorted,
  touched,
  touchedBy,
  withoutAutovacuum,
} from '../../support/slow/plans.ts'
import { lexemesOf } from '../../support/slow/skewed.ts'

const { db, newWorld, planner, url } = await plannedServer()
const world = await newWorld()
const member = await world.join('Member of a third', 'member')
const callers = { owner: world.owner, 'member of a third': member, 'member of no project': world.member }

// what PostgreSQL knows of the tables is what it knew when they were empty
await withoutAutovacuum(db)

const [projects, ofEach] = [400, 2]
const queries = ['said', 'rare', 'said common', '"said common"', 'comm*', 'said comm*']
const paths = queries.map((q) => `/search?q=${encodeURIComponent(q)}`)

test('a search reads few rows of a small new organization, about which the database has no statistics', async (t) => {
  // plans that are made now are kept
  await search(planner)
  await fill()
  const later = await plannerOf(db, url)
  t.after(later.close)
  const looks = [...(await search(planner)), ...(await search(later))]
  assert.deepEqual(
    looks.filter(({ rows, order }) => rows > most || order > mostInOrder),
    [],
  )
  assert.ok(looks.some(({ rows }) => rows > 100))
})

/** Where indexes seem equally short, the one of a kind may be read for a word of it: never rows of rows, which are millions. */
const most = 20_000
const mostInOrder = 1_000

/** What each statement of each search looks at. */
async function search(asking: typeof planner) {
  const looks: { asked: string; rows: number; order: number; ways: string[] }[] = []
  for (const [name, caller] of Object.entries(callers))
    for (const path of paths) {
      const plans = await asking.plansOf(async () => {
        const { status, text } = await caller.get(path)
        assert.equal(status, 200, `${path}: ${text}`)
      })
      assert.equal(plans.length, kinds.length, path)
      for (const plan of plans) {
        const ways = readsOf(plan).filter((step) => touchedBy(step) > 500)
        looks.push({
          asked: `${name}, ${path}, ${/from (\w+) where/.exec(plan.statement.text)?.[1]}`,
          rows: Math.round(touched(plan)),
          order: Math.round(sorted(plan)),
          ways: ways.map((step) => `${step['Index Name'] ?? step['Relation Name']} ${Math.round(touchedBy(step))}`),
        })
      }
    }
  return looks
}

/** 400 projects with two tasks each, and of each task one of every kind. */
async function fill(): Promise<void> {
  const { orgId, owner } = world
  const now = new Date().toISOString()
  const words = sql`'said' || case when n % 5 = 0 then ' common' else '' end || case when n % 100 = 0 then ' rare' else '' end`
  const ofTasks = sql`from tasks where tasks.org_id = ${orgId}`
  await db.rows(sql`
    insert into projects (org_id, id, name, name_key, key, last_task_number, created_at, updated_at, lexemes)
    select ${orgId}, gen_random_uuid(), ${words}, 'name ' || n, 'P' || n, 1000, ${now}, ${now}, ${lexemesOf(orgId, words)}
    from generate_series(1, ${projects}::integer) n`)
  await db.rows(sql`
    insert into project_members (org_id, project_id, member_id, role, created_at, updated_at)
    select org_id, id, ${member.memberId}, 'contributor', ${now}, ${now} from projects
    where org_id = ${orgId} and substr(key, 2)::integer % 3 = 0`)
  await db.rows(sql`
    insert into tasks (org_id, id, project_id, number, key, name, created_by, created_at, updated_at, lexemes)
    select org_id, gen_random_uuid(), id, number, key || '-' || number, ${words}, ${owner.memberId}, ${now}, ${now},
      ${lexemesOf(orgId, words)}
    from projects cross join generate_series(1, ${ofEach}::integer) number
      cross join lateral (select ${ofEach} * substr(key, 2)::integer + number as n) drawn where org_id = ${orgId}`)
  await db.rows(sql`
    insert into subtasks (org_id, id, task_id, project_id, name, position, created_at, updated_at, lexemes)
    select org_id, gen_random_uuid(), id, project_id, name, 1, ${now}, ${now}, lexemes ${ofTasks}`)
  await db.rows(sql`
    insert into comments (org_id, id, task_id, project_id, author_id, body, created_at, updated_at, lexemes)
    select org_id, gen_random_uuid(), id, project_id, created_by, name, ${now}, ${now}, lexemes ${ofTasks}`)
  await db.rows(sql`
    insert into time_entries (org_id, id, project_id, task_id, member_id, started_at, ended_at, description, created_at, updated_at, lexemes)
    select org_id, gen_random_uuid(), project_id, id, created_by, ${now}::timestamptz - number * interval '1 hour', ${now}, name,
      ${now}, ${now}, lexemes ${ofTasks}`)
}
