import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sql, sql } from '../../src/db/sql.ts'
import { assertFound } from '../support/found-tasks.ts'
import { plannedServer, readsOf, touched, touchedBy } from '../support/slow/plans.ts'
import { fillUnevenly, idsIn, memberOf, viewersOf } from '../support/slow/skewed.ts'

const { db, newWorld, planner } = await plannedServer()
const world = await newWorld()
await fillUnevenly(db, [{ world, tasks: 12_000 }])
const id = await idsIn(db, world)

/** Of how many tasks of a thousand each word is in the name, and in what order: in each run in the same ones, unlike ids. */
const shares = { often: 330, nearly: 250, tenth: 100, other: 90, seldom: 4, pretty: 200, prefer: 6, preset: 3, pry: 1 }
const borne = Object.entries(shares).map(
  ([word, share], i) =>
    sql`case when abs(hashtext(number::text || ${` ${i}`}) % 1000) < ${share}::integer then ${` ${word}`} else '' end`,
)
const half = sql`case when hashtext(number::text || ' half') % 2 = 0 then ' left' else ' right' end`
await db.rows(sql`update tasks set name = name || ${half} || ${sql.join(borne, ' || ')} where org_id = ${world.orgId}`)
const longAgo = '2020-02-29'
await db.rows(sql`
  update tasks set due_date = ${longAgo} where org_id = ${world.orgId} and number between 2000 and 3000 and number % 3 = 0`)
// one of a hundred is as if its text were too long for postings
const isLong = sql`abs(hashtext(number::text || ' long') % 100) = 0`
await db.rows(sql`
  update tasks set search = setweight(to_tsvector('simple', lower(name) || ' ς'), case when ${isLong} then 'B' else 'A' end::"char")
  where org_id = ${world.orgId}`)
await db.rows(sql`delete from postings where org_id = ${world.orgId} and id in (
  select id from tasks where org_id = ${world.orgId} and ${isLong})`)
await db.rows(sql`
  insert into postings (org_id, kind, word, project_id, id)
  select org_id, 1, word, project_id, id from tasks, unnest(tsvector_to_array(search)) word
  where org_id = ${world.orgId} and word <> 'ς' and deleted_at is null and not (${isLong}) on conflict do nothing`)
await db.rows(sql`
  insert into vocabulary (org_id, kind, project_id, word, id)
  select distinct on (project_id, word) org_id, kind, project_id, word, id from postings where org_id = ${world.orgId}
  on conflict do nothing`)
await db.rows(sql`vacuum analyze`)
const [unposted] = await db.rows<{ tasks: number }>(sql`
  select count(*)::integer as tasks from tasks where org_id = ${world.orgId} and ${isLong}`)
const withoutPostings = unposted?.tasks ?? 0

const callers = { ...(await viewersOf(db, world)), 'a member of 30 projects': await memberOf(db, world, 71, 100) }

const has = (text: string): Sql => sql`(' ' || lower(tasks.name) || ' ') like ${`% ${text}%`}`
const word = (one: string) => has(`${one} `)

/** What is searched for, and which tasks have it, as their names tell. */
const queries: Record<string, Sql> = {
  often: word('often'),
  seldom: word('seldom'),
  'often tenth': sql.all(word('often'), word('tenth')),
  'tenth often': sql.all(word('often'), word('tenth')),
  'tenth other': sql.all(word('tenth'), word('other')),
  'often seldom': sql.all(word('often'), word('seldom')),
  'often nearly tenth': sql.all(word('often'), word('nearly'), word('tenth')),
  'left right': sql`false`,
  '"often nearly"': word('often nearly'),
  '"nearly tenth" -often': sql`${word('nearly tenth')} and not ${word('often')}`,
  'tenth or seldom': sql`(${word('tenth')} or ${word('seldom')})`,
  'often or pref*': sql`(${word('often')} or ${has('pref')})`,
  'pre*': has('pre'),
  'pref*': has('pref'),
  'often pre*': sql.all(word('often'), has('pre')),
  'often pref*': sql.all(word('often'), has('pref')),
  'seldom pre*': sql.all(word('seldom'), has('pre')),
  'left pry*': sql.all(word('left'), has('pry')),
  'left zzz*': sql`false`,
}

const [busiest] = await db.rows<{ day: string; assignee: string }>(sql`
  select mode() within group (order by due_date)::text as day, (mode() within group (order by assignee_ids))[1] as assignee
  from tasks where org_id = ${world.orgId} and due_date is not null and assignee_ids <> '{}'`)
const { day = '', assignee = '' } = busiest ?? {}
const type = id('Type 1')
const board = id('Board 98')
const stage = id('Stage 2 of Board 98')

/** Filters beside them, and what these match. */
const besides: Record<string, Sql> = {
  '': sql`true`,
  [`&tagId=${id('Tag 1')}`]: sql`${id('Tag 1')} = any(tag_ids)`,
  [`&anyTagId=${id('Tag 2')},${id('Tag 3')}`]: sql`tag_ids && ${[id('Tag 2'), id('Tag 3')]}::uuid[]`,
  '&stageCategory=doing': sql`stage_id in (select stages.id from stages where category = 'doing')`,
  '&priority=low': sql`priority = 'low'`,
  [`&assigneeId=${assignee}`]: sql`${assignee} = any(assignee_ids)`,
  [`&assigneeId=${assignee}&tagId=${id('Tag 1')}&completed=true`]: sql`${assignee} = any(assignee_ids)
    and ${id('Tag 1')} = any(tag_ids) and completed_at is not null`,
  [`&workspaceId=${board}`]: sql`workspace_id = ${board}`,
  [`&stageId=${stage}`]: sql`stage_id = ${stage}`,
  [`&dueDate=${day}`]: sql`tasks.due_date = ${day}`,
  [`&dueDate=${longAgo}`]: sql`tasks.due_date = ${longAgo}`,
  [`&typeId=none&dueDate=${day}`]: sql`tasks.due_date = ${day} and type_id is null`,
  '&completed=true': sql`completed_at is not null`,
  [`&projectId=${id('Project 98')}&priority=medium`]: sql`project_id = ${id('Project 98')} and priority = 'medium'`,
}

const most = 160

test('what is found of many tasks comes newest first and once each, page by page, whoever asks and whatever for', async () => {
  for (const [name, caller] of Object.entries(callers))
    for (const [q, holds] of Object.entries(queries))
      for (const [beside, condition] of Object.entries(besides)) {
        if (
          beside &&
          !['often', 'seldom', 'often tenth', 'often pref*', 'tenth or seldom', 'often or pref*'].includes(q)
        )
          continue
        const query = `q=${encodeURIComponent(q)}${beside}`
        await assertFound(db, world, { caller, query, which: sql.all(holds, condition), most }, name)
      }
})

/** How many rows are looked at for a page of 50. */
const atMost: Record<string, number> = {
  'q=often+tenth': 3_000,
  'q=tenth+often': 3_000,
  'q=tenth+other': 5_000,
  'q=often+nearly+tenth': 12_000,
  'q=%22often+nearly%22': 2_500,
  'q=often+seldom': 1_500,
  'q=pre*': 2_500,
  'q=often+pre*': 2_500,
  'q=left+zzz*': 8_000,
  [`q=often&tagId=${id('Tag 1')}`]: 2_500,
  [`q=often&projectId=${id('Project 98')}`]: 600,
  [`q=often+tenth&projectId=${id('Project 98')}`]: 1_500,
  'q=often&stageCategory=doing': 5_000,
  'q=often&priority=low': 2_500,
  'q=often&completed=false': 2_500,
}

test('words that meet, and words beside filters, take few rows where what matches is not seldom, whoever asks', async () => {
  const wrong: string[] = []
  for (const [name, caller] of Object.entries(callers))
    for (const [query, limit] of Object.entries(atMost)) {
      const plans = await planner.plansOf(() => caller.get(`/tasks?limit=50&${query}`))
      const rows = Math.round(plans.reduce((sum, plan) => sum + touched(plan), 0))
      if (rows > limit)
        wrong.push(
          `${name}, ${query}: ${rows} rows; ${plans.flatMap(readsOf).map((step) => `${step['Index Name'] ?? step['Relation Name']} ${Math.round(touchedBy(step))}`)}`,
        )
    }
  assert.deepEqual(wrong, [])
})

test('what is found is looked up once to see whether it matches, and a page of it all at once, whoever asks', async () => {
  const wrong: string[] = []
  for (const [name, caller] of Object.entries(callers))
    for (const query of ['q=often', 'q=pre*', `q=often&stageId=${stage}`]) {
      // who sees some projects has all with the word looked up, where these are few
      if (query.includes('stageId') && caller !== world.owner) continue
      const plans = await planner.plansOf(() => caller.get(`/tasks?limit=50&${query}`))
      const byKey = plans.flatMap(readsOf).filter((step) => step['Index Name'] === 'tasks_pkey')
      const times = byKey.reduce((sum, step) => sum + step['Actual Loops'], 0)
      // some are deleted
      if (times > 75) wrong.push(`${name}, ${query}: ${times} times`)
    }
  assert.deepEqual(wrong, [])
})

test('words beside lists that filters name have one plan for all values, and read these no further than the page goes, for who sees all', async () => {
  const wrong: string[] = []
  for (const filter of [
    ...[`assigneeId=${assignee}`, `workspaceId=${board}`, `stageId=${stage}`],
    ...[`dueDate=${day}`, `dueDate=${longAgo}`],
  ])
    for (const q of ['often', 'seldom', 'often tenth', 'often pref*']) {
      const query = `q=${encodeURIComponent(q)}&${filter}`
      const plans = await planner.plansOf(() => world.owner.get(`/tasks?limit=50&${query}`))
      const rows = Math.round(plans.reduce((sum, plan) => sum + touched(plan), 0))
      const most = await mostReadOf(q, `&${filter}`)
      const planned = plans.some(({ statement }) => statement.customPlan)
      if (planned || rows > most)
        wrong.push(`${query}: ${rows} of ${most} rows${planned ? ', planned for its values' : ''}`)
    }
  assert.deepEqual(wrong, [])
})

test('for who sees some projects they have one plan for all values too, and take few rows', async () => {
  const wrong: string[] = []
  const filters = [`assigneeId=${assignee}`, `workspaceId=${board}`, `stageId=${stage}`, `dueDate=${day}`]
  for (const [name, caller] of Object.entries(callers))
    for (const filter of [...filters, `typeId=${type}`, `tagId=${id('Tag 1')}`])
      for (const q of ['often', 'seldom']) {
        if (caller === world.owner) continue
        const query = `q=${q}&${filter}`
        const plans = await planner.plansOf(() => caller.get(`/tasks?limit=50&${query}`))
        const rows = Math.round(plans.reduce((sum, plan) => sum + touched(plan), 0))
        const planned = plans.some(({ statement }) => statement.customPlan)
        if (planned || rows > mostOfMine)
          wrong.push(`${name}, ${query}: ${rows} rows${planned ? ', planned for its values' : ''}`)
      }
  assert.deepEqual(wrong, [])
})

/**
 * How many rows a page of 50 may read for who sees some projects: these, a thousand postings of which it is told whether all are
 * looked up, and the lists as far as the page goes.
 */
const mostOfMine = 2_500

/**
 * How many rows a page of 50 may read where words and a filter are lists: each list and what stands in all of them, from where
 * the last of them begins as far as the page goes, or a list of fewer than a hundred and its ids in the others; a hundred and one of each, by which the way is
 * chosen; what has no postings; the page; and a few of what is being deleted.
 */
async function mostReadOf(q: string, beside: string): Promise<number> {
  const words = q.split(' ').filter((one) => !one.endsWith('*'))
  const lists = [besides[beside] ?? assert.fail(beside), ...words.map(word)]
  // what has no postings is found besides
  const found = sql`deleted_at is null and not (${isLong}) and not exists (
    select from projects where projects.org_id = ${world.orgId} and projects.id = project_id and projects.deleted_at is not null)`
  const [last] = await db.rows<{ id: string }>(sql`
    select id from tasks where org_id = ${world.orgId} and ${sql.all(found, queries[q], besides[beside])}
    order by id desc offset 50 limit 1`)
  const newest = lists.map(
    (list) => sql`(select id from tasks where org_id = ${world.orgId} and ${list} order by id desc limit 1)`,
  )
  const counts = [...lists, sql.all(...lists)].map(async (list) => {
    const [counted] = await db.rows<{ tasks: number }>(sql`
      select count(*)::integer as tasks from tasks where ${sql.all(
        sql`org_id = ${world.orgId} and ${list} and id <= least(${sql.join(newest, ', ')})`,
        last && sql`id >= ${last.id}`,
      )}`)
    return counted?.tasks ?? 0
  })
  const lengths = await Promise.all(counts)
  const shortest = Math.min(...lengths.slice(0, -1))
  const isWalked = last === undefined && shortest < 100
  const inLists = isWalked ? shortest * (lists.length + 1) : lengths.reduce((sum, tasks) => sum + tasks, 0)
  return inLists + 101 * lists.length + withoutPostings + 51 + 20
}
