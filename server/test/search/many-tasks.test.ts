import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sql, sql } from '../../src/db/sql.ts'
import { assertFound } from '../support/found-tasks.ts'
import { type Plan, plannedServer, readsOf, touchedBy } from '../support/slow/plans.ts'
import { fillUnevenly, idsIn, lexemesOf, memberOf, viewersOf } from '../support/slow/skewed.ts'

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
await db.rows(sql`update tasks set lexemes = ${lexemesOf(world.orgId, sql`name`)} where org_id = ${world.orgId}`)
await db.rows(sql`vacuum analyze`)
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

test('hits among many tasks come newest first and once each, page by page, for any caller and any query', async () => {
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

/** How many rows are read for a page of 50: of the 12,000 tasks the newest 8,000 (2,000 of them twice), and those with the word or in the list of a filter. */
const atMost = 15_000

/** Rows that a step reads; one of a bitmap reads entries of an index. */
const rowsOf = (plan: Plan) =>
  readsOf(plan)
    .filter((step) => step['Node Type'] !== 'Bitmap Index Scan')
    .reduce((sum, step) => sum + touchedBy(step), 0)

test('words, and words with filters, read few rows, for any caller', async () => {
  const wrong: string[] = []
  for (const [name, caller] of Object.entries(callers))
    for (const q of [
      'often',
      'seldom',
      'often tenth',
      'tenth other',
      'often seldom',
      'pref*',
      'left zzz*',
      'elsewhere',
    ])
      for (const beside of Object.keys(besides)) {
        const query = `q=${encodeURIComponent(q)}${beside}`
        const plans = await planner.plansOf(() => caller.get(`/tasks?limit=50&${query}`))
        const rows = Math.round(plans.reduce((sum, plan) => sum + rowsOf(plan), 0))
        if (rows > atMost)
          wrong.push(
            `${name}, ${query}: ${rows} rows; ${plans.flatMap(readsOf).map((step) => `${step['Index Name'] ?? step['Relation Name']} ${Math.round(touchedBy(step))}`)}`,
          )
      }
  assert.deepEqual(wrong, [])
})
