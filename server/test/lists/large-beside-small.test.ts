import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Sql, sql } from '../../src/db/sql.ts'
import { routes } from '../../src/resources/index.ts'
import { afterwards } from '../support/afterwards.ts'
import { referToEach } from '../support/samples.ts'
import { lineOf, startScenes, wordsOf } from '../support/scene.ts'
import { plannerOf, readsOf, touched, touchedBy } from '../support/slow/plans.ts'
import { migratedDatabase } from '../support/world.ts'

// so many small organizations make the planner take the large one for small, and whoever is in all projects for somebody in one
const [projects, ofEach] = [40, 400]

const { url, drop } = await migratedDatabase()
const { db, scene } = await startScenes({ url })
const { world, open, ask } = await scene()
await referToEach(world, open)
const member = await world.join('Member of all', 'member')
await fill('Small', 70, true)
const planner = await plannerOf(db, url)
after(async () => {
  await planner.close()
  await drop()
})

// an organization has few, and may read all of them for some
const few = 'stages'

const byId = routes.filter(({ method, path, target }) => method === 'GET' && target && path.endsWith('/{id}'))
const lists = routes.filter(({ path }) => ['/tasks', '/time-entries', '/subtasks', '/comments'].includes(path))
const reading = [...byId, ...lists.filter(({ method }) => method === 'GET')]

test('a page of one project is read by an index in its order, for any caller', async () => {
  const [filled] = await db.rows<{ id: string }>(sql`
    select id from projects where org_id = ${world.orgId} and name = 'Filled, Small' limit 1`)
  for (const [name, api] of Object.entries({ owner: world.owner, 'member of all': member }))
    for (const { path } of lists.filter(({ method }) => method === 'GET'))
      for (const place of ['', '&cursor=']) {
        const asked = `${path}?limit=10&projectId=${filled?.id}`
        const cursor = place && (await api.get(asked)).body.pagination.nextCursor
        const plans = await planner.plansOf(async () => {
          const { body } = await api.get(`${asked}${place}${cursor}`)
          assert.equal(body.data.length, 10)
        })
        const rows = plans.reduce((sum, plan) => sum + touched(plan), 0)
        assert.ok(rows < 100, `${name}, ${path}${place}: ${rows} rows of ${ofEach} for 10`)
      }
})

test('a query of a few milliseconds starts no parallel process, which would take longer', async (t) => {
  // tables and costs as of a page that puts thousands of rows in order
  for (const setting of [
    'min_parallel_table_scan_size = 0',
    'min_parallel_index_scan_size = 0',
    'cpu_tuple_cost = 0.5',
  ])
    await db.rows(new Sql([`alter database ${new URL(url).pathname.slice(1)} set ${setting}`], []))
  const dearer = await plannerOf(db, url)
  afterwards(t, dearer.close)
  const sorting = sql`
    select id from tasks where org_id = ${world.orgId} and version > 0 order by shown, id limit 50`
  const [plan] = await dearer.plansOf(() => db.rows(sql.customPlan(sorting)))
  assert.ok(plan && touched(plan) > projects * ofEach)
  assert.doesNotMatch(JSON.stringify(plan.root), /Gather/)
})

test('a row and its included rows are looked up by id, for any caller, in a large organization beside many small ones', async () => {
  const [server] = await db.rows<{ version: number }>(sql`select current_setting('server_version_num')::int as version`)
  // older ones still take some of these ways
  if (Number(server?.version) >= 180_000) await fill('Tiny', 1_000, false)
  const wrong: string[] = []
  let found = 0
  for (const [name, api] of Object.entries({ owner: world.owner, 'member of all': member }))
    for (const route of reading) {
      const parts = wordsOf(route, 'include')
      const limit = lists.includes(route) ? 'limit=1' : ''
      const included = parts.length > 0 ? `include=${parts}` : ''
      const plans = await planner.plansOf(async () => {
        const { status } = await ask(api, route, { query: `?${[limit, included].filter(Boolean).join('&')}` })
        if (status === 200) found++
      })
      for (const plan of plans)
        for (const step of readsOf(plan))
          if (touchedBy(step) > ofEach && step['Relation Name'] !== few)
            wrong.push(
              `${name}, ${lineOf(route)}: ${touchedBy(step)} of ${step['Relation Name']} by ${step['Index Name']}: ${plan.statement.text.slice(0, 150)}`,
            )
    }
  assert.deepEqual(wrong, [])
  assert.ok(found >= 25, `${found} were found`)
})

/** So many organizations of that name with one of each, and many tasks, subtasks, comments and time in ours. */
async function fill(small: string, count: number, ours: boolean): Promise<void> {
  const { orgId } = world
  const now = new Date().toISOString()
  const [filled, work] = [`Filled, ${small}`, `Work, ${small}`]
  const everywhere = sql`(select org_id, case when org_id = ${orgId} then ${ofEach}::integer else 1 end as tasks,
      case when org_id = ${orgId} then ${projects}::integer else 1 end as projects
    from organizations where organizations.name = ${small} or ${ours}::boolean and org_id = ${orgId}) organizations`
  await db.rows(sql`
    insert into organizations (org_id, name, created_at, updated_at)
    select gen_random_uuid(), ${small}, ${now}, ${now} from generate_series(1, ${count}::integer)`)
  await db.rows(sql`
    insert into members (org_id, id, name, name_key, email, role, created_at, updated_at)
    select org_id, gen_random_uuid(), 'Member', 'member', 'member@example.com', 'member', ${now}, ${now}
    from organizations where organizations.name = ${small}`)
  await db.rows(sql`
    insert into projects (org_id, id, name, name_key, key, last_task_number, created_at, updated_at)
    select org_id, gen_random_uuid(), ${filled}, ${filled} || n, 'F' || n, 1000, ${now}, ${now}
    from ${everywhere}, generate_series(1, projects) n`)
  await db.rows(sql`
    insert into project_members (org_id, project_id, member_id, role, created_at, updated_at)
    select projects.org_id, projects.id, members.id, 'contributor', ${now}, ${now} from projects
    join members on members.org_id = projects.org_id and (members.org_id <> ${orgId} or members.id = ${member.memberId})
    where projects.name = ${filled} or ${ours}::boolean and projects.org_id = ${orgId}`)
  await db.rows(sql`
    insert into workspaces (org_id, id, project_id, name, name_key, created_at, updated_at)
    select org_id, id, id, 'Board', 'board', ${now}, ${now} from projects where projects.name = ${filled}`)
  await db.rows(sql`
    insert into stages (org_id, id, workspace_id, project_id, name, name_key, category, position, created_at, updated_at)
    select org_id, gen_random_uuid(), id, id, 'Stage', 'stage ' || n, 'todo', n, ${now}, ${now}
    from projects, generate_series(1, 10) n where projects.name = ${filled}`)
  await db.rows(sql`
    insert into tasks (org_id, id, project_id, number, key, name, created_by, created_at, updated_at)
    select projects.org_id, gen_random_uuid(), projects.id, n, projects.key || '-' || n, ${work}, members.id, ${now}, ${now}
    from ${everywhere} join projects using (org_id) join project_members using (org_id) join members using (org_id)
      cross join generate_series(1, tasks) n
    where projects.name = ${filled} and project_members.project_id = projects.id and members.id = project_members.member_id`)
  await db.rows(sql`
    insert into subtasks (org_id, id, task_id, project_id, name, position, created_at, updated_at)
    select org_id, gen_random_uuid(), id, project_id, 'Step', 1, ${now}, ${now} from tasks where tasks.name = ${work}`)
  await db.rows(sql`
    insert into comments (org_id, id, task_id, project_id, author_id, body, created_at, updated_at)
    select org_id, gen_random_uuid(), id, project_id, created_by, 'Fine', ${now}, ${now} from tasks where tasks.name = ${work}`)
  await db.rows(sql`
    insert into time_entries (org_id, id, project_id, task_id, member_id, started_at, ended_at, created_at, updated_at)
    select org_id, gen_random_uuid(), project_id, id, created_by, ${now}::timestamptz - number * interval '1 hour', ${now}, ${now},
      ${now} from tasks where tasks.name = ${work}`)
  await db.rows(sql`vacuum analyze`)
}
