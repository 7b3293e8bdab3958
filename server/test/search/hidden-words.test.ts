import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { onPlainPostgres } from '../support/citus.ts'
import { pagesOf, plannedServer, readsOf, type Step, touchedBy } from '../support/slow/plans.ts'
import { until } from '../support/until.ts'
import type { Api } from '../support/world.ts'

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
const besides = [
  '',
  '&priority=high',
  '&sort=dueDate',
  '&sort=relevance',
  '&assigneeId=me',
  '&dueDate=2026-01-31',
  '&dueBefore=2026-01-31',
]

const paths = asked
  .map(encodeURIComponent)
  .flatMap((q) => [...besides.map((beside) => `/tasks?q=${q}${beside}`), `/search?q=${q}`])

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

/** How many rows somebody's search looks at besides those of projects, and how many pages of tables and indexes it reads. */
async function readBy(member: Api, path: string) {
  const plans = await planner.plansOf(async () => assert.equal((await member.get(path)).status, 200, path))
  assert.ok(plans.length > 0)
  return { rows: sum(plans.flatMap(readsOf).filter(isOfWords).map(touchedBy)), pages: sum(plans.map(pagesOf)) }
}

/** Until indexes alone tell of each row: not while anybody may still see what was there before it. */
const settled = () =>
  until(async () => {
    await db.rows(sql`vacuum analyze`)
    const unsettled = await db.rows(sql`
      select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relallvisible < relpages`)
    return unsettled.length === 0
  }, 'Rows are told from tables')

const shown = ({ rows, pages }: { rows: number; pages: number }) => `${rows} rows and ${pages} pages`

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)

// GET /search reads the end of the log for each of four kinds, which may lie on a page more; hidden postings fill dozens
const laidOtherwise = 8

test(
  'what a search reads for a word that is hidden does not depend on how many hidden tasks have it',
  looks,
  async () => {
    const [one, thousands] = [await hiding(0), await hiding(3_000)]
    await settled()
    const wrong: string[] = []
    for (const path of paths) {
      // a statement that runs for the first time reads the catalogue too
      await readBy(one.member, path)
      const [few, many] = [await readBy(one.member, path), await readBy(thousands.member, path)]
      if (many.rows > few.rows || many.pages > few.pages + laidOtherwise)
        wrong.push(`${path}: ${shown(few)}, and ${shown(many)} beside many hidden ones`)
    }
    assert.deepEqual(wrong, [])
  },
)

/**
 * A world in which somebody sees 70 projects with 1,200 tasks that have a word, of which each fourth is marked: by an assignee, a tag and a type.
 * Before them stand 2,000 that are hidden: half of them have the word, an eighth of them is marked.
 * @param both whether those that are marked have the word
 */
async function marking(both: boolean) {
  const { orgId, owner, member, project, tag, taskType, addToProject } = await newWorld()
  const hidden = await project()
  const [assigneeId, { id: tagId }, { id: typeId }] = [owner.memberId, await tag(), await taskType()]
  for (let n = 0; n < 70; n++) await addToProject((await project()).id, member, 'viewer')
  await db.rows(sql`
    with filed as (
      select n, n > 1200 as is_hidden, case when n > 1200 then ${hidden.id} else (array(
          select project_id from project_members where org_id = ${orgId} and member_id = ${member.memberId} order by project_id))[1 + n % 70] end as project_id,
        (lpad(to_hex(1795000000000 + n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid as id,
        case when n > 1200 then n % 2 = 0 else true end as has_word,
        case when n <= 1200 then n % 4 = 0 else n % 8 = case when ${both} then 0 else 1 end end as is_marked
      from generate_series(1, 3200) n),
    made as (
      insert into tasks (org_id, id, project_id, number, key, name, created_by, created_at, updated_at, search, assignee_ids, tag_ids, type_id)
      select ${orgId}, id, project_id, n, 'ALL-' || n, word, ${owner.memberId}, now(), now(), to_tsvector('simple', word),
        case when is_marked then array[${assigneeId}::uuid] else '{}' end,
        case when is_marked then array[${tagId}::uuid] else '{}' end, case when is_marked then ${typeId}::uuid end
      from filed, lateral (select case when has_word then 'common' else 'other' end as word) named),
    assigned as (
      insert into task_assignees (org_id, task_id, member_id) select ${orgId}, id, ${assigneeId} from filed where is_marked),
    tagged as (insert into task_tags (org_id, task_id, tag_id) select ${orgId}, id, ${tagId} from filed where is_marked)
    insert into postings (org_id, kind, word, project_id, id)
    select ${orgId}, 1, 'common', project_id, id from filed where has_word`)
  return { member, asked: [`assigneeId=${assigneeId}`, `tagId=${tagId}`, `typeId=${typeId}`] }
}

test(
  'what a search beside a filter reads does not depend on whether hidden tasks have the word and what is filtered by, or either',
  looks,
  async () => {
    const [apart, both] = [await marking(false), await marking(true)]
    await settled()
    const wrong: string[] = []
    for (const [place, filter] of apart.asked.entries()) {
      const pathOf = ({ asked }: typeof apart) => `/tasks?q=common&${asked[place]}&limit=50`
      await readBy(apart.member, pathOf(apart))
      const [other, same] = [await readBy(apart.member, pathOf(apart)), await readBy(both.member, pathOf(both))]
      if (Math.abs(other.rows - same.rows) > 10 || Math.abs(other.pages - same.pages) > laidOtherwise)
        wrong.push(`${filter}: ${shown(other)} where they are apart, else ${shown(same)}`)
    }
    assert.deepEqual(wrong, [])
  },
)
