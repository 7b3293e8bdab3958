import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { idFrom } from '../../src/db/ids.ts'
import { type Sql, sql } from '../../src/db/sql.ts'
import { rounds } from '../support/rounds.ts'
import { sharedServer, type World } from '../support/world.ts'

const { newWorld, db } = await sharedServer()

const lanes = 2
const runsPerLane = rounds(10, 100)
const morning = Date.UTC(2026, 0, 1, 8)
const moments = 6

// many rows share a moment, and ids are no clock: some of what comes in lands behind the reader, some before
const placed = { moment: fc.nat(moments - 1), minted: fc.nat(moments - 1) }
// null: the last row of the page just read, whose position the cursor holds
const picked = { pick: fc.option(fc.nat(40), { freq: 2 }) }
const change = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), ...placed }),
  fc.record({ kind: fc.constant('delete' as const), ...picked }),
  fc.record({ kind: fc.constant('edit' as const), ...picked, moment: placed.moment }),
)
const reading = fc.record({
  rows: fc.array(fc.record(placed), { maxLength: 20 }),
  pages: fc.array(
    fc.record({
      limit: fc.integer({ min: 1, max: 6 }),
      filtered: fc.boolean(),
      changes: fc.array(change, { maxLength: 3 }),
    }),
    { maxLength: 8 },
  ),
})
type Reading = typeof reading extends fc.Arbitrary<infer Value> ? Value : never

interface Row {
  id: string
  moment: number
  /** it was there at first, and was neither deleted nor moved since */
  stayed: boolean
  /** an edit gave it another place; behind the reader it is given again */
  moved: boolean
}

/** A list, how rows come into it, and whether an edit can move one. */
interface List {
  path: string
  filter: string
  moves: boolean
  insert(rows: readonly Row[]): Promise<unknown>
  edit(row: Row, moment: number): Promise<{ status: number }>
  clear(): Promise<unknown>
  position(item: { id: string; createdAt: string; startedAt: string }): string
}

// the statement of the last two is that of the first
const lists = {
  '/tasks': { listOf: tasksOf, runs: runsPerLane },
  '/time-entries': { listOf: timeEntriesOf, runs: runsPerLane },
  '/subtasks': { listOf: subtasksOf, runs: runsPerLane / 5 },
  '/comments': { listOf: commentsOf, runs: runsPerLane / 5 },
}

for (const [name, { listOf, runs }] of Object.entries(lists)) {
  test(`${name}: after any changes between pages, a row that stays comes once, any other at most once, in order`, async () => {
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        const world = await newWorld()
        const list = await listOf(world)
        const property = fc.asyncProperty(reading, async (run) => {
          await read(world, list, run).finally(() => list.clear())
        })
        await fc.assert(property, { numRuns: runs })
      }),
    )
  })
}

/** Reads the list to its end while it changes between the pages. */
async function read({ owner }: World, list: List, { rows: first, pages }: Reading): Promise<void> {
  const rows = first.map((place) => newRow(list, place, true))
  await list.insert(rows)
  const given: { id: string; position: string }[] = []
  let cursor = ''
  for (let n = 0; ; n++) {
    const { limit, filtered, changes } = pages[n] ?? { limit: 4, filtered: false, changes: [] }
    const { body } = await owner.get(`${list.path}?limit=${limit}${filtered ? list.filter : ''}${cursor}`)
    const { nextCursor } = body.pagination
    given.push(
      ...body.data.map((item: Parameters<List['position']>[0]) => ({ id: item.id, position: list.position(item) })),
    )
    if (nextCursor === null) assert.ok(body.data.length <= limit)
    else assert.equal(body.data.length, limit)
    if (nextCursor === null) break
    cursor = `&cursor=${nextCursor}`
    for (const one of changes) await apply(one, given.at(-1)?.id)
  }
  for (const { id, stayed, moved } of rows) {
    const times = given.filter((one) => one.id === id).length
    assert.ok(moved || times <= 1, `an unmoved row was given ${times} times`)
    assert.ok(!stayed || times === 1, `a row that stayed was given ${times} times`)
  }
  const positions = given.map(({ position }) => position)
  assert.deepEqual(positions, [...new Set(positions)].sort().reverse(), 'in order')

  async function apply(one: Reading['pages'][number]['changes'][number], lastGiven: string | undefined) {
    if (one.kind === 'insert') {
      const row = newRow(list, one, false)
      rows.push(row)
      return list.insert([row])
    }
    const row = one.pick === null ? rows.find(({ id }) => id === lastGiven) : rows[one.pick % rows.length]
    if (row === undefined) return
    if (one.kind === 'edit' && list.moves && row.moment !== one.moment) row.moved = true
    if (one.kind === 'delete' || row.moved) row.stayed = false
    const { status } =
      one.kind === 'delete' ? await owner.delete(`${list.path}/${row.id}`) : await list.edit(row, one.moment)
    assert.ok([200, 204, 404].includes(status), String(status))
  }
}

let counter = 0

/** A task is placed by its id alone, a time entry by its start and then its id. */
function newRow(list: List, { moment, minted }: { moment: number; minted: number }, stayed: boolean): Row {
  const id = idFrom(morning + (list.moves ? minted : moment), ++counter, randomBytes(6))
  return { id, moment, stayed, moved: false }
}

async function tasksOf({ owner, orgId, project }: World): Promise<List> {
  const { id: projectId } = await project()
  let number = 0
  return {
    path: '/tasks',
    filter: `&projectId=${projectId}`,
    moves: false,
    insert: (rows) =>
      db.rows(sql`
        insert into tasks (org_id, id, project_id, number, key, name, created_by, created_at, updated_at)
        select ${orgId}::uuid, row.id, ${projectId}::uuid, row.number, 'KEY-' || row.number, 'A task',
          ${owner.memberId}::uuid, row.at, row.at
        from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(() => ++number)}::integer[],
          ${momentsOf(rows)}::timestamptz[]) as row (id, number, at)`),
    edit: ({ id }, moment) => owner.patch(`/tasks/${id}`, { name: `Task ${moment}` }),
    clear: () => clear(sql`tasks`, orgId),
    position: ({ createdAt, id }) => `${createdAt} ${id}`,
  }
}

async function subtasksOf({ orgId, owner, project, task }: World): Promise<List> {
  const { id: projectId } = await project()
  const { id: taskId } = await task({ projectId })
  return {
    path: '/subtasks',
    filter: '&finalized=false',
    moves: false,
    insert: (rows) =>
      db.rows(sql`
        insert into subtasks (org_id, id, task_id, project_id, name, position, created_at, updated_at)
        select ${orgId}::uuid, row.id, ${taskId}::uuid, ${projectId}::uuid, 'A step', 1, row.at, row.at
        from unnest(${rows.map(({ id }) => id)}::uuid[], ${momentsOf(rows)}::timestamptz[]) as row (id, at)`),
    edit: ({ id }, moment) => owner.patch(`/subtasks/${id}`, { name: `Step ${moment}` }),
    clear: () => clear(sql`subtasks`, orgId),
    position: ({ createdAt, id }) => `${createdAt} ${id}`,
  }
}

async function commentsOf({ orgId, owner, project, task }: World): Promise<List> {
  const { id: projectId } = await project()
  const { id: taskId } = await task({ projectId })
  return {
    path: '/comments',
    filter: '&authorId=me',
    moves: false,
    insert: (rows) =>
      db.rows(sql`
        insert into comments (org_id, id, task_id, project_id, author_id, body, created_at, updated_at)
        select ${orgId}::uuid, row.id, ${taskId}::uuid, ${projectId}::uuid, ${owner.memberId}::uuid, 'Said', row.at, row.at
        from unnest(${rows.map(({ id }) => id)}::uuid[], ${momentsOf(rows)}::timestamptz[]) as row (id, at)`),
    edit: ({ id }, moment) => owner.patch(`/comments/${id}`, { body: `Said at ${moment}` }),
    clear: () => clear(sql`comments`, orgId),
    position: ({ createdAt, id }) => `${createdAt} ${id}`,
  }
}

async function timeEntriesOf({ owner, orgId, project, task }: World): Promise<List> {
  const { id: projectId } = await project()
  const { id: taskId } = await task({ projectId })
  const endedAt = new Date(morning + 3_600_000).toISOString()
  return {
    path: '/time-entries',
    filter: `&taskId=${taskId}`,
    moves: true,
    insert: (rows) =>
      db.rows(sql`
        insert into time_entries (org_id, id, project_id, task_id, member_id, started_at, ended_at, created_at, updated_at)
        select ${orgId}::uuid, row.id, ${projectId}::uuid, ${taskId}::uuid, ${owner.memberId}::uuid, row.at,
          ${endedAt}, row.at, row.at
        from unnest(${rows.map(({ id }) => id)}::uuid[], ${momentsOf(rows)}::timestamptz[]) as row (id, at)`),
    async edit(row, moment) {
      row.moment = moment
      return owner.patch(`/time-entries/${row.id}`, { startedAt: momentOf(row) })
    },
    clear: () => clear(sql`time_entries`, orgId),
    position: ({ startedAt, id }) => `${startedAt} ${id}`,
  }
}

const momentOf = ({ moment }: Row) => new Date(morning + moment).toISOString()
const momentsOf = (rows: readonly Row[]) => rows.map(momentOf)

const clear = (table: Sql, orgId: string) => db.rows(sql`delete from ${table} where org_id = ${orgId}`)
