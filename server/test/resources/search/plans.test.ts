import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Sql, sql } from '../../../src/db/sql.ts'
import { kinds } from '../../../src/resources/search/hit.ts'
import { type Plan, plannedServer, readsOf, sorted, touchedBy } from '../../support/slow/plans.ts'
import { fillUnevenly, idsIn, lexemesOf, viewersOf } from '../../support/slow/skewed.ts'

const { db, newWorld, planner } = await plannedServer()

const world = await newWorld()
const other = await newWorld()
await fillUnevenly(db, [
  { world, tasks: 12_000 },
  { world: other, tasks: 4_000 },
])
const id = await idsIn(db, world)
for (const { orgId } of [world, other]) {
  const of = sql`where org_id = ${orgId}`
  // a word in all of them, one in a fifth, one in a hundredth; and one in very few
  const words = sql`'said' || case when hashtext(id::text) % 5 = 0 then ' common' else '' end
    || case when hashtext(id::text) % 100 = 0 then ' medium' else '' end
    || case when hashtext(id::text) % 2000 = 0 then ' rare' else '' end`
  const lexemes = (text: Sql) => sql`lexemes = ${lexemesOf(orgId, text)}`
  await db.rows(sql`update comments set body = ${words}, ${lexemes(words)} ${of}`)
  await db.rows(sql`update subtasks set name = ${words}, ${lexemes(words)} ${of}`)
  await db.rows(sql`update time_entries set description = ${words}, ${lexemes(words)} ${of}`)
  await db.rows(sql`update projects set description = 'said common', ${lexemes(sql`'said common'`)} ${of}`)
}
await db.rows(sql`vacuum analyze`)

const callers = await viewersOf(db, world)

const queries = [
  ...['said', 'common', 'medium', 'rare', 'absent', 'common rare', 'said medium', 'common -medium', '"said common"'],
  ...['medium or rare', 'comm*', 's*', 'm*', 'said comm*', 'P1-1', 'x'],
]

test('a search sends one statement for each kind, which reads few rows for common and rare words and for every caller', async () => {
  const wrong: string[] = []
  for (const [name, caller] of Object.entries(callers)) {
    for (const q of queries) {
      for (const more of ['', '&limit=50', `&projectId=${id('Project 98')}`, `&projectId=${id('Project 1')}`]) {
        const path = `/search?q=${encodeURIComponent(q)}${more}`
        const plans = await planner.plansOf(async () => {
          const { status, text } = await caller.get(path)
          assert.equal(status, 200, `${path}: ${text}`)
        })
        assert.equal(plans.length, kinds.length, path)
        for (const plan of plans) {
          const [rows, order] = [Math.round(rowsOf(plan)), Math.round(sorted(plan))]
          if (rows > most || order > 2_100)
            wrong.push(
              `${name}, ${path}: ${rows} rows, ${order} sorted; ${readsOf(plan).map((step) => `${step['Index Name'] ?? step['Relation Name']} ${Math.round(touchedBy(step))}`)}`,
            )
        }
      }
    }
  }
  assert.deepEqual(wrong, [])
})

// the newest 8,000 one by one, 2,000 of them twice, and those with the word
const most = 11_000

/** Rows that a step reads; one of a bitmap reads entries of an index. */
const rowsOf = (plan: Plan) =>
  readsOf(plan)
    .filter((step) => step['Node Type'] !== 'Bitmap Index Scan')
    .reduce((sum, step) => sum + touchedBy(step), 0)
