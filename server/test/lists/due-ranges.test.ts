import { test } from 'node:test'
import { type Sql, sql } from '../../src/db/sql.ts'
import { assertFound } from '../support/found-tasks.ts'
import { plannedServer } from '../support/slow/plans.ts'
import { fillUnevenly, idsIn, memberOf, viewersOf } from '../support/slow/skewed.ts'
import type { Api } from '../support/world.ts'

const { db, newWorld } = await plannedServer()
const world = await newWorld()
await fillUnevenly(db, [{ world, tasks: 16_000 }])
const id = await idsIn(db, world)
const callers: Record<string, Api> = {
  ...(await viewersOf(db, world)),
  'a member of 70 projects': await memberOf(db, world, 31, 100),
}

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
// most is due soon after it was made; some of what is new was due long ago
await db.rows(sql`
  update tasks set due_date = case when number % 1000 = 0 then date '1998-01-31' + number / 1000
    else (to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000) at time zone 'UTC')::date + number % 9 end
  where org_id = ${world.orgId} and number % 2 = 0`)
await db.rows(sql`vacuum analyze`)

const has = (word: string): Sql => sql`(' ' || lower(tasks.name) || ' ') like ${`% ${word} %`}`
const before = (date: string): Sql => sql`tasks.due_date < ${date}`
const after = (date: string): Sql => sql`tasks.due_date >= ${date}`

/** Ranges, and what is due in them. */
const ranges: Record<string, Sql> = {
  [`dueBefore=${day(200)}`]: before(day(200)),
  [`dueBefore=${day(30)}`]: before(day(30)),
  [`dueBefore=${day(0)}`]: before(day(0)),
  'dueBefore=2000-01-01': before('2000-01-01'),
  'dueBefore=1998-01-01': before('1998-01-01'),
  [`dueAfter=${day(250)}`]: after(day(250)),
  [`dueAfter=${day(-3)}`]: after(day(-3)),
  [`dueAfter=${day(210)}&dueBefore=${day(200)}`]: sql.all(after(day(210)), before(day(200))),
  [`dueAfter=${day(280)}&dueBefore=${day(190)}`]: sql.all(after(day(280)), before(day(190))),
  [`dueAfter=${day(200)}&dueBefore=${day(200)}`]: sql`false`,
  [`dueAfter=1998-01-01&dueBefore=${day(270)}`]: sql.all(after('1998-01-01'), before(day(270))),
  [`dueBefore=${day(100)}&createdBefore=${day(150)}T00:00:00Z&createdAfter=${day(250)}T00:00:00Z`]: sql.all(
    before(day(100)),
    sql`tasks.created_at < ${day(150)} and tasks.created_at >= ${day(250)}`,
  ),
}

/** What is asked for beside them. */
const besides: Record<string, Sql> = {
  '': sql`true`,
  '&q=work': has('work'),
  '&q=common': has('common'),
  '&q=medium': has('medium'),
  '&q=rare': has('rare'),
  '&q=work+common': sql.all(has('work'), has('common')),
  '&q=common+rare': sql.all(has('common'), has('rare')),
  [`&q=work&projectId=${id('Project 98')}`]: sql.all(has('work'), sql`tasks.project_id = ${id('Project 98')}`),
  [`&q=work&projectId=${id('Project 98')},${id('Project 2')}`]: sql.all(
    has('work'),
    sql`tasks.project_id in (${id('Project 98')}, ${id('Project 2')})`,
  ),
}

/** Those that are asked for with words: far back, near, with a few that are new and were due long ago, short, long, and within moments. */
const withWords = Object.keys(ranges).filter((_, place) => [0, 1, 3, 7, 10, 11].includes(place))

const most = 120

test('a list of a due range comes newest first and once each, page by page, with words or without, for any caller', async () => {
  for (const [name, caller] of Object.entries(callers))
    for (const [range, isDue] of Object.entries(ranges))
      for (const [beside, holds] of Object.entries(besides)) {
        if (beside && !withWords.includes(range)) continue
        const which = sql.all(isDue, holds)
        await assertFound(db, world, { caller, query: `${range}${beside}`, which, most }, name)
      }
})
