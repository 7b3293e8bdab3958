import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { type Sql, sql } from '../../src/db/sql.ts'
import type { Route } from '../../src/operations/route.ts'
import { looksAt } from '../../src/resources/events/feed.ts'
import { routes } from '../../src/resources/index.ts'
import { fieldsOf, lineOf } from '../support/scene.ts'
import { plannedServer, readsOf, sorted, touched, touchedBy, unindexed } from '../support/slow/plans.ts'
import { fillUnevenly, idsIn, memberOf, viewersOf } from '../support/slow/skewed.ts'
import { type Api, created } from '../support/world.ts'

const { db, newWorld, planner } = await plannedServer()

const world = await newWorld()
const others = [await newWorld(), await newWorld()]
await fillUnevenly(db, [{ world, tasks: 30_000 }, ...others.map((other) => ({ world: other, tasks: 10_000 }))])
const id = await idsIn(db, world)
await fillLog(300_000)
await fillBelowTasks(20_000)
// as PostgreSQL itself does some time after such writes; at a moment of the test it would plan otherwise from then on
await db.rows(sql`vacuum analyze`)

const callers = await viewersOf(db, world)

// the same all along, also past midnight
const nowMs = Date.now()
const moment = (daysAgo: number) => new Date(nowMs - daysAgo * 86_400_000).toISOString()
const day = (daysAgo: number) => moment(daysAgo).slice(0, 10)

// what each filter of a list is asked for: what is common, what is seldom, what is rare, what is not there
const nothing = '0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f'
const projects = [id('Project 98'), id('Project 2'), id('Project 1'), nothing]
const people = [id('Member 1'), id('Member 2'), id('Member 3'), nothing]
const labels = [id('Tag 1'), id('Tag 2'), id('Tag 3'), nothing]

/** Each value beside the next one, and all of them. */
const several = (values: readonly string[]) => [
  ...values.slice(1).map((value, i) => `${values[i]},${value}`),
  values.join(),
]
const severally = (values: readonly string[]) => [...values, ...several(values)]

const answers: Record<string, Record<string, readonly string[]>> = {
  'GET /tasks': {
    id: [id('Task 1'), `${id('Task 1')},${id('Task 400')}`, nothing],
    projectId: [...projects, ...several(projects), [2, 3, 4, 5, 6, 7].map((n) => id(`Project ${n}`)).join()],
    workspaceId: severally([id('Board 98'), id('Board 2'), id('Board 1'), 'none']),
    stageId: severally([id('Stage 2 of Board 98'), id('Stage 1 of Board 98'), id('Stage 0 of Board 2'), 'none']),
    stageCategory: severally(['done', 'doing', 'todo']),
    typeId: [id('Type 1'), 'none', `none,${id('Type 3')}`, ...severally([id('Type 2'), id('Type 3'), nothing])],
    assigneeId: [...severally(people), 'me', 'none', 'me,none', `${people},none`],
    createdBy: severally(people),
    tagId: labels,
    anyTagId: severally(labels),
    priority: severally(['none', 'medium', 'high', 'urgent']),
    completed: ['true', 'false'],
    dueDate: severally([day(150), day(0), '1999-12-31', 'none']),
    dueBefore: [day(290), day(150), day(0)],
    dueAfter: [day(290), day(150), day(-40)],
    createdBefore: [moment(299), moment(0)],
    createdAfter: [moment(299), moment(0)],
    updatedAfter: [moment(299), moment(20), moment(0)],
    q: [
      ...['work', 'common', 'medium', 'rare', 'absent', '-work', '%22work+common%22', 'P1-1'],
      ...['wor*', 'rar*', 'abs*', 'common+or+rare', 'medium+-common', 'common+medium', 'work+rare', 'common+rar*'],
    ],
  },
  'GET /time-entries': {
    id: [nothing],
    memberId: severally([...people, 'me']),
    projectId: [...projects, ...several(projects)],
    taskId: severally([id('Task 400'), id('Task 1'), nothing]),
    subtaskId: ['none', `none,${id('Subtask 1')}`, ...severally([id('Subtask 400'), id('Subtask 1'), nothing])],
    tagId: labels,
    anyTagId: [...labels, ...several(labels.slice(1))],
    billable: ['true', 'false'],
    running: ['true', 'false'],
    startedAfter: [moment(299), moment(0)],
    startedBefore: [moment(299), moment(0)],
    updatedAfter: [moment(299), moment(20), moment(0)],
  },
  'GET /subtasks': {
    id: [nothing],
    taskId: severally([id('Task 1'), id('Task 400'), nothing]),
    projectId: [...projects, ...several(projects)],
    assigneeId: ['none', 'me', 'me,none', ...people],
    finalized: ['true', 'false'],
  },
  'GET /comments': {
    id: [nothing],
    taskId: [id('Task 1'), id('Task 400'), nothing],
    projectId: [...projects, ...several(projects)],
    authorId: severally(['me', ...people]),
    since: [moment(299), moment(150), moment(0)],
  },
  'GET /events': {
    type: ['task.updated', 'task.*', 'comment.created', 'tag.deleted', 'webhook.deleted'],
    resourceId: [id('Task 400'), id('Task 1'), nothing],
    taskId: [id('Task 400'), id('Task 1'), nothing],
    projectId: projects,
    actorId: people,
    after: ['0', '150000', '299999'],
    since: [moment(299), moment(15), moment(0)],
  },
  'GET /audit': {
    type: ['tag.deleted', 'member.*', 'webhook.*,api_key.*', 'task.deleted'],
    actorId: people,
    createdAfter: [moment(299), moment(0)],
    createdBefore: [moment(299), moment(0)],
  },
  'GET /trash': {
    kind: severally(['task', 'subtask', 'comment', 'time_entry', 'member', 'webhook']),
    id: [id('Task 1'), nothing],
  },
  'GET /audit/refused-sign-ins': {
    keyId: [nothing],
    hourAfter: [moment(299), moment(0)],
    hourBefore: [moment(299), moment(0)],
  },
  'GET /tags': { q: ['tag', '1999', 'absent'] },
  'GET /task-types': { q: ['type', 'absent'] },
  'GET /members': { q: ['member', '1999', 'absent'] },
  'GET /projects': {
    memberId: severally(['me', ...people]),
    status: ['active', 'archived'],
    q: ['project', '98', 'absent'],
  },
  'GET /workspaces': { projectId: severally([...projects, 'none']), q: ['board', '98', 'absent'] },
  'GET /api-keys': { memberId: severally(['me', ...people]) },
  'GET /invitations': { memberId: severally(people), state: ['open', 'accepted', 'expired'] },
  'GET /webhooks': { projectId: projects, status: ['active', 'paused', 'disabled'] },
  'GET /webhooks/{id}/deliveries': { status: ['delivered', 'failed', 'pending'] },
}

// filters that meet: the first of each pair alone leaves many rows, and the second few, or none that the first leaves
const together: Record<string, readonly string[]> = {
  'GET /tasks': [
    `projectId=${id('Project 98')}&stageId=${id('Stage 1 of Board 98')}`,
    `projectId=${id('Project 2')}&stageId=${id('Stage 1 of Board 98')}`,
    `projectId=${id('Project 98')}&stageCategory=todo&completed=false`,
    `projectId=${id('Project 98')}&assigneeId=${id('Member 2')}`,
    `projectId=${id('Project 98')}&q=medium`,
    `projectId=${id('Project 1')}&q=common`,
    `projectId=${id('Project 98')}&tagId=${id('Tag 2')}`,
    `projectId=${id('Project 98')}&priority=urgent`,
    `stageId=${id('Stage 2 of Board 98')}&assigneeId=${id('Member 1')}`,
    `stageId=${id('Stage 1 of Board 98')}&assigneeId=${id('Member 3')}`,
    `stageCategory=doing&assigneeId=${id('Member 2')}`,
    `tagId=${id('Tag 1')}&tagId=${id('Tag 3')}`,
    `tagId=${id('Tag 1')}&tagId=${id('Tag 2')}`,
    `tagId=${id('Tag 1')}&assigneeId=${id('Member 2')}`,
    `tagId=${id('Tag 1')}&completed=false`,
    `tagId=${id('Tag 1')}&q=medium`,
    `typeId=${id('Type 2')}&priority=high`,
    `completed=true&assigneeId=${id('Member 1')}`,
    `completed=false&dueBefore=${day(0)}`,
    `completed=false&assigneeId=me&dueBefore=${day(0)}`,
    `completed=false&priority=urgent`,
    `dueAfter=${day(151)}&dueBefore=${day(150)}`,
    `updatedAfter=${moment(1)}&completed=true`,
    `q=common&assigneeId=${id('Member 3')}`,
    `q=common&updatedAfter=${moment(1)}`,
    'q=common+rare',
    `q=common&projectId=${id('Project 98')}&projectId=${id('Project 2')}`,
    `q=rar*&projectId=${id('Project 98')}`,
    'q=common&priority=urgent',
    'q=medium&priority=urgent',
    `q=medium&dueDate=none,${day(0)}`,
    'q=rar*&completed=false',
    'assigneeId=me,none&completed=false',
    'include=assignees,tags,subtasks,trackedSeconds,project,workspace,stage,type,creator,subtaskAssignees,comments',
  ],
  'GET /time-entries': [
    `projectId=${id('Project 98')}&memberId=${id('Member 2')}`,
    `projectId=${id('Project 1')}&memberId=${id('Member 1')}`,
    `projectId=${id('Project 98')}&tagId=${id('Tag 2')}`,
    `memberId=${id('Member 1')}&billable=false`,
    `memberId=${id('Member 1')}&startedBefore=${moment(290)}`,
    `memberId=${id('Member 1')}&running=true`,
    `tagId=${id('Tag 1')}&billable=false`,
    `startedAfter=${moment(151)}&startedBefore=${moment(150)}`,
    `updatedAfter=${moment(1)}&billable=true`,
    `taskId=${id('Task 400')}&subtaskId=none`,
    `taskId=${id('Task 1')},${id('Task 400')}&memberId=${id('Member 3')}`,
    'include=task,subtask,project,member,tags',
  ],
  'GET /subtasks': [
    'assigneeId=me&finalized=false',
    `assigneeId=${id('Member 1')}&finalized=false`,
    `assigneeId=${id('Member 2')}&finalized=true`,
    `projectId=${id('Project 98')}&finalized=false`,
    `projectId=${id('Project 1')}&assigneeId=${id('Member 1')}`,
    `projectId=${id('Project 98')}&assigneeId=${id('Member 3')}`,
    `taskId=${id('Task 1')}&finalized=false`,
    'include=assignee,task,project',
  ],
  'GET /comments': [
    `authorId=me&since=${moment(150)}`,
    `projectId=${id('Project 98')}&since=${moment(1)}`,
    `projectId=${id('Project 98')}&authorId=${id('Member 2')}`,
    `projectId=${id('Project 1')}&authorId=${id('Member 1')}`,
    `taskId=${id('Task 1')}&authorId=${id('Member 3')}`,
    'include=author,task,project',
  ],
  'GET /members': ['include=projects'],
  'GET /projects': [`memberId=${id('Member 1')}&q=98`, 'include=members'],
  'GET /events': [
    'type=tag.deleted&type=tag.created&type=stage.*',
    `type=comment.*&projectId=${id('Project 98')}`,
    `type=task.*&projectId=${id('Project 1')}`,
    `resourceId=${id('Task 1')}&type=tag.deleted`,
    `resourceId=${id('Task 1')}&actorId=${id('Member 3')}`,
    `actorId=${id('Member 1')}&projectId=${id('Project 2')}`,
    `actorId=${id('Member 3')}&type=task.*&after=150000`,
    `resourceId=${id('Task 1')}&since=${moment(15)}`,
    `actorId=${id('Member 3')}&type=task.*&since=${moment(1)}`,
  ],
}

for (const { id: tagId } of [await world.tag(), await world.tag()])
  assert.equal((await world.owner.delete(`/tags/${tagId}`)).status, 204)

/** A webhook that was sent very many events, of which it received most. */
const { id: webhookId } = await created(world.owner.post('/webhooks', { url: 'https://example.com/hook' }))
await db.rows(sql`
  insert into deliveries (org_id, id, webhook_id, sequence, event_id, event_type, status, created_at, updated_at)
  select ${world.orgId}, gen_random_uuid(), ${webhookId}, n, gen_random_uuid(), 'task.created', case when n % 1000 = 0 then 'failed'
    else 'delivered' end, now(), now() from generate_series(1, 30000) n`)
await db.rows(sql`analyze deliveries`)

const inPath: Record<string, readonly string[]> = {
  'projects/{id}': [id('Project 98'), id('Project 1')],
  'workspaces/{id}': [id('Board 98'), id('Board 1')],
  'tasks/{id}': [id('Task 1'), id('Task 400'), 'P1-1'],
  'webhooks/{id}': [webhookId],
}

// of 50,000 tasks and 66,000 time entries, with room for what ANALYZE happens to see; 2,000 members and tags of 6,000 are
// read from end to end
const mostTouched = 20_000
const mostSorted = 6_000
// a third of the tasks are in one project: where others are asked for beside it, or few are left of it, it is put in order whole
const mostInOrder = 10_000
const large = ['tasks', 'subtasks', 'comments', 'time_entries', 'events', 'deliveries']

// where every way is long: a filter that matches 6,000 to 8,000 rows, whose way is walked with two look-ups a row when
// another filter leaves few of them; and days that are due, which statistics do not know to be old
const longer: Record<string, number> = {
  [`dueBefore=${day(150)}`]: 28_000,
  [`assigneeId=${id('Member 1')}`]: 28_000,
  [`tagId=${id('Tag 1')}`]: 32_000,
  [`anyTagId=${id('Tag 1')}`]: 32_000,
  [`projectId=${id('Project 98')}&tagId=${id('Tag 2')}`]: 32_000,
  // what an assignee has in a stage, or left to do, is far less than both together let expect
  [`stageCategory=doing&assigneeId=${id('Member 2')}`]: 32_000,
  [`sort=dueDate&limit=50&assigneeId=${id('Member 1')}&completed=false`]: 40_000,
  // read in an index alone, which costs less than to look up 385 rows of a tag, or 2,000 of an assignee
  [`/time-entries?tagId=${id('Tag 2')}`]: 42_000,
  [`/time-entries?anyTagId=${id('Tag 2')}`]: 42_000,
  [`/time-entries?tagId=${id('Tag 1')}&billable=false`]: 42_000,
  [`sort=-priority&limit=50&assigneeId=${id('Member 2')}&completed=false`]: 32_000,
  // no index tells what is not there: all 30,000 tasks of the organization are looked at
  'q=-work': 32_000,
  // every word of all tasks begins so, and the index is read to its end
  'q=wor*': 34_000,
  // the newest 20,000 are looked at one by one; where they are too few, all that match
  'sort=relevance': 60_000,
  'sort=-relevance': 60_000,
}

// a board counts too: what it looks at is asked for below; what a search looks at in a test of its own
const lists = routes.filter(
  ({ method, path, returns }) =>
    method === 'GET' && !path.endsWith('/board') && path !== '/search' && /"(total|nextCursor)"/.test(shapeOf(returns)),
)

for (const route of lists) {
  test(`${lineOf(route)} reads few rows, by indexes, for any caller and any parameters`, async () => {
    const wrong: string[] = []
    let statements = 0
    for (const [name, caller] of Object.entries(callers)) {
      for (const path of await pathsOf(route)) {
        const plans = await planner.plansOf(async () => {
          const { status, text } = await caller.get(path)
          assert.ok([200, 403, 404].includes(status), `${path} is ${status}: ${text}`)
        })
        for (const plan of plans) {
          statements++
          const [rows, order] = [Math.round(touched(plan)), Math.round(sorted(plan))]
          const passed = unindexed(plan).filter((table) => large.includes(table))
          if (rows > mostFor(path) || order > mostSorted || passed.length > 0)
            wrong.push(`${name}, ${path}: ${rows} rows, ${order} sorted, without an index: ${passed}`)
        }
      }
    }
    assert.deepEqual(wrong, [])
    assert.ok(statements > 0, 'none was heard of')
  })
}

test('a page without filters is found by indexes alone, and only its own rows are read, for any caller', async () => {
  for (const [path, table] of [
    ['/tasks', 'tasks'],
    ['/time-entries', 'time_entries'],
  ] as const)
    for (const [name, caller] of Object.entries({
      ...callers,
      'a member of 40 projects': await memberOf(db, world, 2, 41),
    }))
      for (const cursor of ['', `&cursor=${await farIn(path)}`]) {
        const { rows, heap } = await rowsReadBy(caller, `${path}?limit=50${cursor}`, table)
        // the owner passes over those of deleted projects
        assert.ok(heap <= (caller === world.owner ? 60 : 51), `${name}, ${path}${cursor}: ${heap} rows`)
        // twice a walk, to the end, the first rows of each project, and those of the page
        assert.ok(rows <= 2 * 1_000 + 20 * 51 + 51, `${name}, ${path}${cursor}: ${rows} rows of the index`)
      }
})

/** Filters by tags and assignees, and the tasks that match, as their rows tell. */
const [tag1, tag2, tag3] = [id('Tag 1'), id('Tag 2'), id('Tag 3')]
const listed: Record<string, Sql> = {
  [`tagId=${tag1}`]: sql`${tag1} = any(tag_ids)`,
  [`tagId=${tag1}&tagId=${tag2}`]: sql`tag_ids @> ${[tag1, tag2]}::uuid[]`,
  [`tagId=${tag1}&tagId=${tag3}`]: sql`tag_ids @> ${[tag1, tag3]}::uuid[]`,
  [`tagId=${tag1}&assigneeId=${id('Member 2')}`]: sql`${tag1} = any(tag_ids) and ${id('Member 2')} = any(assignee_ids)`,
  [`tagId=${tag2}&anyTagId=${tag1},${tag3}`]: sql`${tag2} = any(tag_ids) and tag_ids && ${[tag1, tag3]}::uuid[]`,
  [`anyTagId=${tag2},${tag3}`]: sql`tag_ids && ${[tag2, tag3]}::uuid[]`,
  [`projectId=${id('Project 98')}&tagId=${tag2}`]: sql`project_id = ${id('Project 98')} and ${tag2} = any(tag_ids)`,
  [`projectId=${id('Project 98')}&assigneeId=${id('Member 2')}`]: sql`project_id = ${id('Project 98')} and ${id('Member 2')} = any(assignee_ids)`,
  [`assigneeId=${id('Member 1')}&stageCategory=doing`]: sql`${id('Member 1')} = any(assignee_ids)
    and stage_id in (select stages.id from stages where stages.org_id = ${world.orgId} and category = 'doing')`,
  [`assigneeId=${id('Member 1')}&completed=false&priority=medium`]: sql`${id('Member 1')} = any(assignee_ids)
    and completed_at is null and priority = 'medium'`,
}

test('a task that matches several tags, assignees and other filters comes once, for any caller', async () => {
  for (const [name, caller] of Object.entries(callers))
    for (const [query, condition] of Object.entries(listed)) {
      const seen = sql`select project_id from project_members where org_id = ${world.orgId} and member_id = ${caller.memberId}`
      const expected = await db.rows<{ id: string }>(sql`
        select tasks.id from tasks join projects on projects.org_id = ${world.orgId} and projects.id = project_id
        where tasks.org_id = ${world.orgId} and tasks.deleted_at is null and projects.deleted_at is null and ${condition}
          and ${caller === world.owner ? sql`true` : sql`project_id in (${seen})`}
        order by tasks.id desc limit 350`)
      const ids: string[] = []
      for (let cursor: string | null = ''; cursor !== null && ids.length < 350; ) {
        const { body } = await caller.get(`/tasks?${query}&fields=id&limit=50${cursor && `&cursor=${cursor}`}`)
        ids.push(...body.data.map((task: { id: string }) => task.id))
        cursor = body.pagination.nextCursor
      }
      assert.deepEqual(
        ids.slice(0, 350),
        expected.map((task) => task.id),
        `${name}, ${query}`,
      )
    }
})

/** Cursors behind nine tenths of a sorted list: how the owner comes by one. */
const farSorted: Record<string, string> = {
  '/tasks?sort=createdAt': `createdAfter=${moment(30)}`,
  '/tasks?sort=updatedAt': `createdAfter=${moment(30)}`,
  '/tasks?sort=-updatedAt': `createdBefore=${moment(270)}`,
  '/tasks?sort=dueDate': `dueAfter=${day(30)}`,
  '/tasks?sort=-dueDate': `dueBefore=${day(270)}`,
  '/tasks?sort=priority': `priority=medium`,
  '/tasks?sort=-priority': `priority=none&createdBefore=${moment(270)}`,
  '/tasks?sort=completedAt': 'completed=false',
  '/tasks?sort=-completedAt': `completed=true&createdBefore=${moment(270)}`,
  '/time-entries?sort=startedAt': `startedAfter=${moment(30)}`,
  '/time-entries?sort=createdAt': `startedAfter=${moment(30)}`,
  '/time-entries?sort=-createdAt': `startedBefore=${moment(270)}`,
  '/time-entries?sort=updatedAt': `startedAfter=${moment(30)}`,
  '/time-entries?sort=-updatedAt': `startedBefore=${moment(270)}`,
}

/** What sorted lists are asked for besides. */
const sortedFor: Record<string, readonly string[]> = {
  '/tasks?sort=-updatedAt': [`projectId=${id('Project 98')}`, `workspaceId=${id('Board 98')}`, 'completed=false'],
  '/tasks?sort=dueDate': [
    `projectId=${id('Project 98')}`,
    `projectId=${id('Project 2')}&projectId=${id('Project 98')}`,
    `assigneeId=${id('Member 1')}&completed=false`,
    `workspaceId=${id('Board 98')}`,
    'completed=false',
    `completed=false&dueBefore=${day(0)}`,
    'assigneeId=me&completed=false',
    ...['q=common', 'q=medium', 'q=rare&completed=true'],
  ],
  '/tasks?sort=relevance': [
    'q=common',
    'q=medium',
    'q=wor*',
    'q=medium&completed=true',
    `q=common&projectId=${id('Project 98')}`,
  ],
  '/tasks?sort=-relevance': ['q=medium'],
  '/tasks?sort=-priority': [`assigneeId=${id('Member 2')}&completed=false`, 'completed=false'],
  '/tasks?sort=-completedAt': [`projectId=${id('Project 2')}`, 'completed=true', 'completed=false'],
  '/tasks?sort=position': [
    `stageId=${id('Stage 2 of Board 98')}`,
    `workspaceId=${id('Board 98')}`,
    `workspaceId=${id('Board 98')}&completed=false`,
  ],
  '/tasks?sort=-position': [`workspaceId=${id('Board 98')}`],
  '/time-entries?sort=-updatedAt': [`projectId=${id('Project 98')}`, `memberId=${id('Member 1')}`, 'billable=false'],
  '/events?sort=-sequence': [
    ...['', 'type=tag.deleted', `taskId=${id('Task 1')}`, `actorId=${id('Member 3')}&type=task.*`],
  ],
}

test('a page in any order reads few rows, by indexes, and sorts few, also far in, for any caller', async () => {
  const sorts = lists.flatMap(({ path, query }) => {
    const [, field] = fieldsOf(query).find(([name]) => name === 'sort') ?? []
    return (field?.enum ?? []).map((sort) => `${path}?sort=${sort}`)
  })
  // those of the default orders are looked at above
  const unsorted = ['/tasks', '/subtasks', '/comments'].map((path) => `${path}?sort=-createdAt`)
  unsorted.push('/time-entries?sort=-startedAt', '/events?sort=sequence')
  const wrong: string[] = []
  for (const path of sorts.filter((sort) => !unsorted.includes(sort))) {
    const far = farSorted[path]
    const alone = far !== undefined || path.startsWith('/subtasks') || path.startsWith('/comments')
    const asked = [...(alone ? [''] : []), ...(sortedFor[path] ?? [])]
    assert.ok(asked.length > 0, `What is ${path} asked for?`)
    for (const query of asked) {
      const first = `${path}&limit=50&${query}`
      const start = far === undefined ? `${path}&limit=100&${query}` : `${path}&limit=1&${far}`
      const { body } = await world.owner.get(start)
      const cursor = body.pagination.nextCursor ?? assert.fail(`${start} has one page`)
      for (const [name, caller] of Object.entries(callers)) {
        for (const one of [first, `${first}&cursor=${cursor}`]) {
          const plans = await planner.plansOf(async () => assert.equal((await caller.get(one)).status, 200, one))
          for (const plan of plans) {
            const [rows, order] = [Math.round(touched(plan)), Math.round(sorted(plan))]
            const passed = unindexed(plan).filter((table) => large.includes(table))
            if (rows > Math.max(mostTouched, mostFor(one)) || order > mostInOrder || passed.length > 0)
              wrong.push(`${name}, ${one}: ${rows} rows, ${order} sorted, without an index: ${passed}`)
          }
        }
      }
    }
  }
  assert.deepEqual(wrong, [])
})

test('several projects in an order are not read whole if they have most of the rows', async () => {
  const query = `limit=50&projectId=${id('Project 98')},${id('Project 99')},${id('Project 2')}`
  for (const list of [
    '/tasks?sort=createdAt',
    '/tasks?sort=-updatedAt',
    '/tasks?sort=-priority',
    '/time-entries?sort=startedAt',
  ])
    for (const name of ['the owner', 'a member of all projects']) {
      const plans = await planner.plansOf(() => callers[name]?.get(`${list}&${query}`) ?? assert.fail())
      const rows = Math.round(plans.reduce((sum, plan) => sum + touched(plan), 0))
      assert.ok(rows < 2_000, `${name}, ${list}: ${rows} rows of 15,000`)
    }
})

test('a caller who asks for an invisible project reads none of its rows, so response times reveal nothing about them', async () => {
  const { get } = callers['a member of one small and old project'] ?? assert.fail()
  const read = async (path: string) => {
    const plans = await planner.plansOf(() => get(path))
    return Math.max(
      0,
      ...plans
        .flatMap(readsOf)
        .filter((step) => large.includes(step['Relation Name'] ?? ''))
        .map(touchedBy),
    )
  }
  const lists = [
    '/tasks?',
    '/tasks?q=common&',
    '/tasks?sort=dueDate&',
    '/time-entries?',
    '/time-entries?billable=true&',
    '/subtasks?',
    '/subtasks?finalized=true&',
    '/comments?',
    '/reports/time?groupBy=member&',
    '/reports/tasks?groupBy=assignee&',
  ]
  for (const list of lists) {
    assert.equal(await read(`${list}projectId=${id('Project 98')}`), 0, list)
    assert.equal(await read(`${list}projectId=${id('Project 98')},${id('Project 99')}`), 0, list)
    const own = await read(`${list}projectId=${id('Project 1')},${nothing}`)
    assert.notEqual(own, 0, list)
    assert.equal(await read(`${list}projectId=${id('Project 1')},${id('Project 98')}`), own, list)
  }
})

test('a caller who asks for an invisible workspace, stage or task reads none of its rows, so response times reveal nothing about them', async () => {
  const { get } = callers['a member of one small and old project'] ?? assert.fail()
  const read = async (path: string, table: string) => {
    const plans = await planner.plansOf(async () => assert.equal((await get(path)).status, 200, path))
    const steps = plans.flatMap(readsOf).filter((step) => step['Relation Name'] === table)
    return Math.max(0, ...steps.map(touchedBy))
  }
  /** Two that rows of a hidden project name. */
  const namedIn = async (table: string, column: string) => {
    const rows = await db.rows<{ id: string }>(sql`
      select distinct ${sql.named(column)} as id from ${sql.named(table)}
      where org_id = ${world.orgId} and project_id = ${id('Project 98')} and ${sql.named(column)} is not null limit 2`)
    return rows.map((row) => row.id)
  }
  const boards = { workspaceId: [id('Board 98'), id('Board 97')] }
  const stages = { stageId: [id('Stage 1 of Board 98'), id('Stage 2 of Board 98')] }
  const timed = {
    taskId: await namedIn('timeEntries', 'taskId'),
    subtaskId: await namedIn('timeEntries', 'subtaskId'),
  }
  const lists: Record<string, { table: string; by: Record<string, readonly string[]> }> = {
    '/tasks?': { table: 'tasks', by: { ...boards, ...stages } },
    '/tasks?q=common&': { table: 'tasks', by: { ...boards, ...stages } },
    '/tasks?sort=dueDate&': { table: 'tasks', by: { ...boards, ...stages } },
    '/reports/tasks?groupBy=assignee&': { table: 'tasks', by: { ...boards, ...stages } },
    '/time-entries?': { table: 'time_entries', by: timed },
    '/time-entries?sort=-updatedAt&': { table: 'time_entries', by: timed },
    '/reports/time?groupBy=member&': { table: 'time_entries', by: timed },
    '/subtasks?': { table: 'subtasks', by: { taskId: await namedIn('subtasks', 'taskId') } },
    '/comments?': { table: 'comments', by: { taskId: await namedIn('comments', 'taskId') } },
  }
  for (const [list, { table, by }] of Object.entries(lists)) {
    for (const [name, [one, other]] of Object.entries(by)) {
      assert.equal(await read(`${list}${name}=${one}`, table), 0, `${list}${name}`)
      assert.equal(await read(`${list}${name}=${one},${other}`, table), 0, `${list}${name}, of several`)
    }
  }
  for (const [name, [one]] of Object.entries({ ...boards, ...stages })) {
    assert.equal(await read(`/tasks?sort=position&${name}=${one}`, 'tasks'), 0, name)
  }
})

test('a report of tasks and the progress of projects read no task and no time of projects that the caller does not see', async () => {
  const member = callers['a member of one small and old project'] ?? assert.fail()
  for (const path of [
    '/reports/tasks?groupBy=assignee,createdMonth,completedDay',
    '/reports/tasks?groupBy=tag&completed=false',
    '/projects?include=progress',
  ]) {
    const plans = await planner.plansOf(() => member.get(path))
    const steps = plans
      .flatMap(readsOf)
      .filter((step) => ['tasks', 'time_entries'].includes(step['Relation Name'] ?? ''))
    const rows = steps.reduce((sum, step) => sum + touchedBy(step), 0)
    // of 12 tasks, which are read up to four times, and the time on them
    assert.ok(rows > 0 && rows < 200, `${path} looks at ${rows} rows`)
  }
})

test('every page is ordered where its rows leave the database, with any plan', async () => {
  const unordered: string[] = []
  for (const route of lists) {
    for (const [name, caller] of Object.entries(callers)) {
      const [first = '', later = ''] = await pathsOf(route)
      for (const asked of [first, later]) {
        // what the path names is looked up before
        const plans = await planner.plansOf(() => caller.get(asked))
        const page = plans.find(({ statement }) => /\blimit\b/.test(statement.text))
        const outermost = withoutParentheses(page?.statement.text ?? '')
        // rows that are joined into one text are put in order there
        const joined = /^\s*select [^(]*string_agg\(\S+, ',' order by |, ',' order by events\.sequence\) filter /.test(
          (page?.statement.text ?? '').replace('count(*)', '').replace(/sum\(octet_length\(\S+\)\)/, ''),
        )
        if (page && !joined && !/ order by /.test(outermost)) unordered.push(`${name}, ${asked}: ${outermost}`)
      }
    }
  }
  assert.deepEqual(unordered, [])
})

test('the tasks of a workspace are read stage by stage, and later stages not at all once the page is full', async () => {
  const { id: workspaceId } = await world.workspace({ stages: Array.from({ length: 10 }, (_, i) => `Stage ${i}`) })
  const stages: { id: string }[] = await world.stages(workspaceId)
  const stageIds = stages.map((stage) => stage.id)
  await db.rows(sql`
    update tasks set workspace_id = ${workspaceId}, stage_id = (${stageIds}::uuid[])[1 + number / 3 % 10]
    where org_id = ${world.orgId} and project_id = ${id('Project 99')} and number % 3 = 0`)
  await db.rows(sql`analyze tasks`)
  for (const sort of ['position', '-position'])
    for (const name of ['the owner', 'a member of all projects']) {
      const path = `/tasks?sort=${sort}&limit=1&workspaceId=${workspaceId}`
      const { rows } = await tasksReadBy(callers[name] ?? assert.fail(), path)
      assert.ok(rows > 0 && rows < 10, `${name}, ${sort}: ${rows} rows for 1`)
    }
})

/** A board of the whole organization: in its one stage tasks of a large project, of a small one and of a deleted one. */
async function fillSharedBoard() {
  const { id: workspaceId } = await world.workspace({ stages: ['To do', 'Empty'] })
  const [{ id: stageId }, { id: emptyId }] = await world.stages(workspaceId)
  await db.rows(sql`
    update tasks set workspace_id = ${workspaceId}, stage_id = ${stageId} where org_id = ${world.orgId}
      and (project_id = any(${[id('Project 1'), id('Project 97')]}) or project_id = ${id('Project 98')} and number % 3 = 0)`)
  // what was written since the last vacuum is looked up in the table
  await db.rows(sql`vacuum analyze tasks`)
  return { workspaceId, stageId, emptyId }
}

/** How many tasks are looked at by an answer of one statement, and how many of them not in an index alone. */
const tasksReadBy = (api: Api, path: string) => rowsReadBy(api, path, 'tasks')

async function rowsReadBy(api: Api, path: string, table: string) {
  const plans = await planner.plansOf(async () => assert.equal((await api.get(path)).status, 200, path))
  const steps = plans.flatMap(readsOf).filter((step) => step['Relation Name'] === table)
  const rows = (all: typeof steps) => Math.round(all.reduce((sum, step) => sum + touchedBy(step), 0))
  const statements = plans.filter(({ statement }) => statement.text.includes(`from ${table}`)).length
  assert.equal(statements, 1, 'one statement')
  return { rows: rows(steps), heap: rows(steps.filter((step) => step['Node Type'] !== 'Index Only Scan')) }
}

const stranger = callers['a member of one small and old project'] ?? assert.fail()

test('a board reads the cards that it shows, and looks at no task that the caller does not see', async () => {
  const { workspaceId: shared } = await fillSharedBoard()
  const of = (workspaceId: string, query = '') => `/workspaces/${workspaceId}/board?${query}`
  // of one project: 50 cards, or fewer, of three stages, one more of each, and 6,000 or so that are counted
  for (const query of ['', 'perStage=0', 'perStage=100']) {
    const { heap } = await tasksReadBy(world.owner, of(id('Board 98'), query))
    assert.ok(heap <= 303, `${heap} rows for ${query}`)
  }
  for (const query of ['', 'perStage=0', 'priority=none', 'q=work', `projectId=${id('Project 98')}`]) {
    const { rows } = await tasksReadBy(stranger, of(shared, query))
    assert.ok(rows <= 60, `${rows} rows for ${query}, where 12 are seen`)
  }
  const [{ taskCount }] = (await stranger.get(of(shared))).body.stages
  assert.equal(taskCount, 12)
})

test('tasks in a stage are counted by indexes alone, and only those in it and those of deleted projects', async () => {
  const { workspaceId, stageId, emptyId } = await fillSharedBoard()
  const [counted] = await db.rows<{ standing: number; hidden: number; deleted: number }>(sql`
    with gone as (select id from projects where org_id = ${world.orgId} and deleted_at is not null)
    select count(*) filter (where stage_id = ${stageId} and deleted_at is null)::int as standing,
      count(*) filter (where stage_id = ${stageId} and deleted_at is null and project_id in (select id from gone))::int as hidden,
      count(*) filter (where project_id in (select id from gone))::int as deleted
    from tasks where org_id = ${world.orgId}`)
  const { standing, hidden, deleted } = counted ?? assert.fail()
  assert.ok(standing > 2_000 && hidden > 100, `${standing} tasks, of which ${hidden} are hidden`)
  const { admin, owner } = world
  for (const [path, most, cards] of [
    [`/stages/${stageId}?include=taskCount`, standing + deleted, 0],
    [`/stages/${emptyId}?include=taskCount`, deleted, 0],
    [`/workspaces/${workspaceId}/stages?include=taskCount`, standing + deleted, 0],
    [`/workspaces/${workspaceId}/board?perStage=1`, standing + deleted, 2 + hidden],
  ] as const)
    for (const api of [owner, admin]) {
      const { rows, heap } = await tasksReadBy(api, path)
      assert.ok(heap <= cards, `${heap} rows not in an index alone for ${path}`)
      assert.ok(rows <= most + cards, `${rows} rows for ${path}, where ${most} are counted`)
    }
  const { rows, heap } = await tasksReadBy(stranger, `/stages/${stageId}?include=taskCount`)
  assert.deepEqual([rows <= 13, heap], [true, 0], `${rows} rows, where 12 are seen`)
  for (const [api, count] of [
    [owner, standing - hidden],
    [admin, standing - hidden],
    [stranger, 12],
  ] as const) {
    assert.equal((await api.get(`/stages/${stageId}?include=taskCount`)).body.taskCount, count)
    assert.equal((await api.get(`/workspaces/${workspaceId}/board?perStage=1`)).body.stages[0].taskCount, count)
  }
})

test('a report of all tasks reads their time at once, a report of few tasks only the time on them', async () => {
  const timeReadBy = async (api: Api, query: string) => {
    const path = `/reports/tasks?groupBy=${query}`
    const plans = await planner.plansOf(async () => assert.equal((await api.get(path)).status, 200, path))
    const steps = plans.flatMap(readsOf).filter((step) => step['Relation Name'] === 'time_entries')
    assert.equal(steps.length, 2, 'of tasks, and of subtasks')
    const sum = (of: (step: (typeof steps)[0]) => number) => Math.round(steps.reduce((all, step) => all + of(step), 0))
    return { lookUps: sum((step) => step['Actual Loops']), rows: sum(touchedBy) }
  }
  for (const groupBy of ['project', 'assignee,tag', 'createdMonth', 'completedWeek,priority']) {
    const { lookUps } = await timeReadBy(world.owner, groupBy)
    assert.ok(lookUps <= 8, `${lookUps} look-ups for ${groupBy}`)
  }
  for (const query of [`project&projectId=${id('Project 1')}`, `tag&typeId=${id('Type 3')}`]) {
    const { rows } = await timeReadBy(world.owner, query)
    assert.ok(rows <= 1_000, `${rows} time entries for ${query}`)
  }
  const { rows } = await timeReadBy(stranger, 'project')
  assert.ok(rows <= 1_000, `${rows} time entries, where 12 tasks are seen`)
})

/** A statement without its inner ones. */
function withoutParentheses(text: string): string {
  const flat = text.replace(/\([^()]*\)/g, '').replace(/\s+/g, ' ')
  return flat === text ? flat : withoutParentheses(flat)
}

/** The most rows that the statements of a page may look at. */
const mostFor = (path: string) => {
  // besides what it looks at: the oldest event, the caller's projects
  if (path.startsWith('/events')) return looksAt + 500
  // of 300,000 events 5 and those that made the organization
  if (path.startsWith('/audit')) return 500
  // up to 51 of each of 11 kinds, who deleted each of the page, and the projects
  if (path.startsWith('/trash')) return 2_000
  if (/^\/(subtasks|comments)/.test(path)) return 4_500
  return Math.max(mostTouched, ...Object.entries(longer).map(([query, most]) => (path.includes(query) ? most : 0)))
}

/** A list as it is asked for: with every filter alone and with those that meet; the first page and one far behind. */
async function pathsOf(route: Route): Promise<string[]> {
  const line = lineOf(route)
  const far = await farIn(route.path)
  const filters = fieldsOf(route.query)
    .map(([name]) => name)
    .filter((name) => !['limit', 'cursor', 'offset', 'sort', 'include', 'fields'].includes(name))
  const alone = filters.flatMap((name) =>
    (answers[line]?.[name] ?? assert.fail(`What is ${line} asked for by ${name}?`)).map((value) => `${name}=${value}`),
  )
  const queries = ['limit=50', ...alone, ...(together[line] ?? [])]
  const paged = fieldsOf(route.query).some(([name]) => name === 'cursor')
    ? queries.flatMap((query) => [query, `${query}&cursor=${far}`])
    : queries.flatMap((query) => [query, `${query}&offset=1000`])
  const [parent] = route.path.match(/[\w-]+\/\{id\}/) ?? []
  const parents = parent === undefined ? [''] : (inPath[parent] ?? assert.fail(`Whose is ${line}?`))
  const paths = parents.map((one) => route.path.replace('{id}', one))
  return paths.flatMap((path) => paged.map((query) => `${path}?${query}`))
}

/** The schema of an answer, as it is published. */
function shapeOf(returns: Route['returns']): string {
  return JSON.stringify(returns === undefined ? {} : z.toJSONSchema(returns, { io: 'input', unrepresentable: 'any' }))
}

/** A member of the projects with the numbers from `first` to `last`. */
/** A cursor behind nine tenths of a list: it may be used with other filters than those that it was given with. */
async function farIn(path: string): Promise<string> {
  const behind: Record<string, string> = {
    '/tasks': `createdBefore=${moment(270)}`,
    '/time-entries': `startedBefore=${moment(270)}`,
    '/subtasks': `taskId=${id('Task 1')}`,
    '/comments': `taskId=${id('Task 1')}`,
    '/events': 'after=270000',
    '/audit': '',
    '/trash': '',
  }
  if (path.endsWith('/deliveries'))
    return (await world.owner.get(`/webhooks/${webhookId}/deliveries?limit=100`)).body.pagination.nextCursor
  if (behind[path] === undefined) return ''
  const { body } = await world.owner.get(`${path}?limit=1&${behind[path]}`)
  return body.pagination.nextCursor
}

/**
 * Events of the first organization, up to this sequence: nearly all are edits of tasks, one in 1,000 a comment, one in 60,000
 * the deletion of a tag; most were made by one member, few by another, a third made none.
 */
async function fillLog(upTo: number): Promise<void> {
  await db.rows(sql`
    with counter as (update event_counters set last_sequence = ${upTo} where org_id = ${world.orgId} returning org_id)
    insert into events (org_id, sequence, type, actor_id, request_id, resource_id, project_id, changes, snapshot, created_at)
    select counter.org_id, n, case when n % 60000 = 7 then 'tag.deleted' when n % 1000 = 7 then 'comment.created' else 'task.updated' end,
      case when n % 500 = 3 then ${id('Member 2')}::uuid when n % 3 > 0 then ${id('Member 1')}::uuid end, 'none', tasks.id,
      case when n % 60000 <> 7 then tasks.project_id end, '{}', '{}', current_timestamp
    from counter cross join (select max(sequence) as last from events where events.org_id = ${world.orgId}) written
    cross join lateral generate_series(written.last + 1, ${upTo}::bigint) n
    join tasks on tasks.org_id = counter.org_id and tasks.number = 1000 + n % 29000`)
  await db.rows(sql`analyze events`)
}

/**
 * Subtasks and comments of the first organization, so many of each, over all its days: nearly all subtasks are finalized, most
 * belong to one member, few to another, one in 20 to nobody; comments likewise.
 */
async function fillBelowTasks(count: number): Promise<void> {
  const made = sql`from generate_series(1, ${count}::integer) n
    join tasks on tasks.org_id = ${world.orgId} and tasks.number = 1000 + (n * 13) % 29000
    cross join lateral (select
      (lpad(to_hex((extract(epoch from tasks.created_at) * 1000)::bigint), 12, '0') || '7001a000' || lpad(to_hex(n), 12, '0'))::uuid as id,
      case when n % 500 = 3 then ${id('Member 2')}::uuid when n % 20 > 0 then ${id('Member 1')}::uuid end as who) one`
  await db.rows(sql`
    insert into subtasks (org_id, id, task_id, project_id, name, position, assignee_id, finalized_at, finalized_by, created_at, updated_at)
    select tasks.org_id, one.id, tasks.id, tasks.project_id, 'Step', 100000 + n, who, case when n % 100 <> 7 then tasks.created_at end,
      case when n % 100 <> 7 then ${world.owner.memberId}::uuid end, tasks.created_at, tasks.created_at ${made}`)
  await db.rows(sql`
    insert into comments (org_id, id, task_id, project_id, author_id, body, created_at, updated_at)
    select tasks.org_id, one.id, tasks.id, tasks.project_id, coalesce(who, ${world.owner.memberId}::uuid), 'Fine',
      tasks.created_at, tasks.created_at ${made}`)
}
