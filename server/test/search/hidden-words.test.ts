import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { onPlainPostgres } from '../support/citus.ts'
import { plannedServer, readsOf, type Step, touchedBy } from '../support/plans.ts'

const { db, newWorld, planner } = await plannedServer()

const looks = onPlainPostgres('it looks into plans')
const hiddenWord = 'hushhush'
const asked = [
  ...[
    'hushhush',
    'hush*',
    'hushhush plain',
    'plain hushhush',
    '"hushhush plain"',
    'hushhush or absent',
    'hushhush -plain',
  ],
  ...['hushhush hush*', 'plain -absent'],
]
const besides = ['', '&priority=high', '&sort=dueDate', '&sort=relevance', '&assigneeId=me', '&dueDate=2026-01-31']

// a project more is looked up in one way or in another
const isOfWords = (step: Step) => !/^(projects|project_members)/.test(step['Relation Name'] ?? '')

/** A world in which somebody sees two projects, and so many hidden tasks have a word. */
async function hiding(count: number) {
  const { orgId, owner, member, project, task, addToProject } = await newWorld()
  const [seen, other, hidden] = [await project(), await project(), await project()]
  for (const { id } of [seen, other]) await addToProject(id, member, 'viewer')
  for (const { id } of [seen, other, seen]) await task({ projectId: id, name: 'plain thing' })
  const { id } = await task({ projectId: hidden.id, name: `${hiddenWord} plain` })
  await db.rows(sql`
    insert into tasks (org_id, id, project_id, number, key, name, created_by, created_at, updated_at, search)
    select org_id, gen_random_uuid(), project_id, 1000 + n, 'HID-' || n, name, created_by, created_at, updated_at, search
    from tasks, generate_series(1, ${count}::integer) n where org_id = ${orgId} and id = ${id}`)
  await db.rows(sql`
    insert into postings (org_id, kind, word, project_id, id)
    select tasks.org_id, 1, word, project_id, id from tasks, unnest(array[${hiddenWord}, 'plain', ${hiddenWord} || id]) word
    where org_id = ${orgId} and project_id = ${hidden.id} on conflict do nothing`)
  await db.rows(sql`
    insert into vocabulary (org_id, kind, project_id, word, id)
    select org_id, kind, project_id, word, id from postings where org_id = ${orgId} and project_id = ${hidden.id}
    on conflict do nothing`)
  return { owner, member }
}

test(
  'what a search reads for a word that is hidden does not depend on how many hidden tasks have it',
  looks,
  async () => {
    const worlds = [await hiding(0), await hiding(3_000)]
    await db.rows(sql`vacuum analyze`)
    const wrong: string[] = []
    for (const beside of besides) {
      for (const q of asked) {
        const rows: number[] = []
        for (const { member } of worlds) {
          const path = `/tasks?q=${encodeURIComponent(q)}${beside}`
          const plans = await planner.plansOf(async () => assert.equal((await member.get(path)).status, 200, path))
          assert.ok(plans.length > 0)
          rows.push(
            plans
              .flatMap(readsOf)
              .filter(isOfWords)
              .reduce((sum, step) => sum + touchedBy(step), 0),
          )
        }
        const [few = 0, many = 0] = rows
        if (many > few) wrong.push(`${q}${beside}: ${few} rows, and ${many} beside many hidden ones`)
      }
    }
    assert.deepEqual(wrong, [])
  },
)
