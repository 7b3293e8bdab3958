import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { idFrom } from '../../src/db/ids.ts'
import { sql } from '../../src/db/sql.ts'
import { rounds } from '../support/rounds.ts'
import { type Api, sharedServer } from '../support/world.ts'

const { newWorld, db } = await sharedServer()

const lanes = 2
const runsPerOrder = rounds(1, 4)
const morning = Date.UTC(2026, 0, 1, 8)
const most = 5

// many rows share a value, some have none, and ids are no clock: some of what comes in lands behind the reader, some before
const value = fc.option(fc.nat(most), { freq: 4 })
const placed = { value, minted: fc.nat(most), hidden: fc.boolean() }
// null: the last row of the page just read, whose place the cursor holds
const picked = { pick: fc.option(fc.nat(40), { freq: 2 }) }
const change = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), ...placed }),
  fc.record({ kind: fc.constant('delete' as const), ...picked }),
  fc.record({ kind: fc.constant('edit' as const), ...picked, value }),
)
const reading = fc.record({
  asMember: fc.boolean(),
  rows: fc.array(fc.record(placed), { minLength: 4, maxLength: 24 }),
  pages: fc.array(
    fc.record({
      limit: fc.integer({ min: 1, max: 6 }),
      filtered: fc.boolean(),
      changes: fc.array(change, { maxLength: 4 }),
    }),
    { maxLength: 8 },
  ),
})
type Reading = typeof reading extends fc.Arbitrary<infer Value> ? Value : never
type Change = Reading['pages'][number]['changes'][number]

interface Row {
  id: string
  value: number | null
  /** among rows of one place, where these have none alike */
  count: number
  /** it is in a project that the member does not see */
  hidden: boolean
  /** it was there at first, and was neither deleted nor moved since */
  stayed: boolean
  /** an edit gave it another place; behind the reader it is given again */
  moved: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an item by asserting it
type Item = Record<string, any>
type Key = (item: Item) => (string | number | null)[]

const tables = {
  '/tasks': sql`tasks`,
  '/subtasks': sql`subtasks`,
  '/comments': sql`comments`,
  '/time-entries': sql`time_entries`,
}
const priorities = ['none', 'low', 'medium', 'high', 'urgent']
const orders: { path: keyof typeof tables; name: string; key: Key; within?: 'stage' | 'workspace' }[] = [
  { path: '/tasks', name: 'createdAt', key: ({ createdAt }) => [createdAt] },
  { path: '/tasks', name: 'updatedAt', key: ({ updatedAt }) => [updatedAt] },
  { path: '/tasks', name: 'dueDate', key: ({ dueDate }) => [dueDate] },
  { path: '/tasks', name: 'priority', key: ({ priority }) => [priorities.indexOf(priority)] },
  { path: '/tasks', name: 'completedAt', key: ({ completedAt }) => [completedAt] },
  { path: '/tasks', name: 'position', key: ({ position }) => [position], within: 'stage' },
  { path: '/tasks', name: 'position', key: ({ stageId, position }) => [stageId, position], within: 'workspace' },
  { path: '/subtasks', name: 'createdAt', key: ({ createdAt }) => [createdAt] },
  { path: '/subtasks', name: 'finalizedAt', key: ({ finalizedAt }) => [finalizedAt] },
  { path: '/comments', name: 'createdAt', key: ({ createdAt }) => [createdAt] },
  { path: '/time-entries', name: 'startedAt', key: ({ startedAt }) => [startedAt] },
  { path: '/time-entries', name: 'createdAt', key: ({ createdAt }) => [createdAt] },
  { path: '/time-entries', name: 'updatedAt', key: ({ updatedAt }) => [updatedAt] },
]
const asked = orders.flatMap((order) => [false, true].map((descending) => ({ ...order, descending })))

test('after any changes between the pages of any order, a row that stays comes once, any other at most once, in order', async () => {
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const lists = await scene()
      for (const order of asked.filter((_, i) => i % lanes === lane)) {
        const property = fc.asyncProperty(reading, async (run) => {
          await read(lists, order, run).finally(() => lists.clear(order.path))
        })
        await fc.assert(property, { numRuns: runsPerOrder })
      }
    }),
  )
})

type Asked = (typeof asked)[number]
type Lists = Awaited<ReturnType<typeof scene>>

/** Reads the list to its end while it changes between the pages. */
async function read(lists: Lists, order: Asked, { asMember, rows: first, pages }: Reading): Promise<void> {
  const { path, name, key, within, descending } = order
  const rows = first.map((place) => newRow(place, true))
  await lists.put(path, within, rows)
  const reader: Api = asMember ? lists.member : lists.owner
  const place =
    within === undefined
      ? ''
      : within === 'stage'
        ? `&stageId=${lists.stageIds[0]}`
        : `&workspaceId=${lists.workspaceId}`
  const given: Item[] = []
  let cursor = ''
  for (let n = 0; ; n++) {
    const { limit, filtered, changes } = pages[n] ?? { limit: 4, filtered: false, changes: [] }
    const filter = filtered ? `&projectId=${lists.projectIds[0]}&projectId=${lists.projectIds[1]}` : ''
    const query = `sort=${descending ? '-' : ''}${name}&limit=${limit}${place}${filter}${cursor}`
    const { body, status, text } = await reader.get(`${path}?${query}`)
    assert.equal(status, 200, text)
    const { nextCursor } = body.pagination
    assert.ok(n < 100, 'it does not end')
    given.push(...body.data)
    if (nextCursor === null) break
    assert.equal(body.data.length, limit)
    cursor = `&cursor=${nextCursor}`
    for (const one of changes) await apply(one, given.at(-1)?.id)
  }
  for (const { id, stayed, moved, hidden } of rows) {
    const times = given.filter((one) => one.id === id).length
    assert.ok(moved || times <= 1, `an unmoved row was given ${times} times`)
    assert.ok(!stayed || times === (asMember && hidden ? 0 : 1), `a row that stayed was given ${times} times`)
  }
  const keys = given.map((item) => [...key(item), item.id])
  for (const [i, next] of keys.slice(1).entries())
    assert.ok(isBefore(keys[i] ?? [], next, descending), `${keys[i]} came before ${next}`)

  async function apply(one: Change, lastGiven: string | undefined) {
    if (one.kind === 'insert') {
      const row = newRow(one, false)
      rows.push(row)
      return lists.put(path, within, [row])
    }
    const row = one.pick === null ? rows.find(({ id }) => id === lastGiven) : rows[one.pick % rows.length]
    if (row === undefined) return
    if (one.kind === 'delete') {
      row.stayed = false
      return lists.remove(path, row.id)
    }
    if (row.value === one.value) return
    row.value = one.value
    // it never changes
    if (name !== 'createdAt') row.moved = true
    if (row.moved) row.stayed = false
    return lists.edit(path, within, row)
  }
}

/** What has no value comes last, whatever the direction. */
function isBefore(one: unknown[], other: unknown[], descending: boolean): boolean {
  const at = one.findIndex((part, i) => part !== other[i])
  const [a, b] = [one[at] as string, other[at] as string]
  if (a === null || b === null) return b === null
  return at >= 0 && a < b !== descending
}

let counter = 0

function newRow(
  { value, minted, hidden }: { value: number | null; minted: number; hidden: boolean },
  stayed: boolean,
): Row {
  const count = ++counter
  return { id: idFrom(morning + minted, count, randomBytes(6)), value, count, hidden, stayed, moved: false }
}

/** Two projects, of which a member sees one, with a board for both. */
async function scene() {
  const { owner, orgId, project, workspace, stages, task, join, addToProject } = await newWorld()
  const projectIds: string[] = []
  for (let i = 0; i < 2; i++) projectIds.push((await project()).id)
  const [seen, unseen] = projectIds
  const { id: workspaceId } = await workspace({ stages: ['One', 'Two', 'Three'] })
  const stageIds: string[] = (await stages(workspaceId)).map(({ id }: Item) => id)
  const member = await join('Member of one', 'member')
  await addToProject(seen ?? '', member)
  const { id: taskId } = await task({ projectId: seen ?? '' })
  const { id: unseenTaskId } = await task({ projectId: unseen ?? '' })
  const ofTasks = (row: Row, within: Asked['within']) => {
    const at = row.value ?? 0
    const day = row.value === null ? null : `2026-01-0${1 + row.value}`
    // beside each other, below zero too
    const position = within && (at - 3) * 4_096 + row.count
    const place = within && { workspaceId, stageId: stageIds[within === 'stage' ? 0 : at % 3], position }
    const completedAt = row.value === null ? null : momentOf(at)
    return { dueDate: day, updatedAt: momentOf(at), completedAt, priority: priorities[at % 5], ...place }
  }
  const ofEntries = ({ value }: Row) => {
    const at = momentOf(value ?? 0)
    return { startedAt: at, endedAt: momentOf(most), updatedAt: at }
  }
  const ofSubtasks = ({ value }: Row) => ({
    finalizedAt: value === null ? null : momentOf(value),
    finalizedBy: value === null ? null : owner.memberId,
  })
  const ofComments = ({ value }: Row) => ({ updatedAt: momentOf(value ?? 0) })
  const valuesOf = (path: Asked['path'], within: Asked['within'], row: Row) =>
    ({ '/tasks': ofTasks, '/subtasks': ofSubtasks, '/comments': ofComments, '/time-entries': ofEntries })[path](
      row,
      within,
    )
  let number = 10
  const made = (path: Asked['path'], row: Row) => {
    const createdAt = new Date(Number(`0x${row.id.slice(0, 8)}${row.id.slice(9, 13)}`)).toISOString()
    const below = { taskId: row.hidden ? unseenTaskId : taskId, createdAt, updatedAt: createdAt }
    if (path === '/tasks')
      return { number: ++number, key: `KEY-${number}`, name: 'A task', createdBy: owner.memberId, createdAt }
    if (path === '/subtasks') return { ...below, name: 'A step', position: row.count }
    return path === '/comments'
      ? { ...below, authorId: owner.memberId, body: 'A remark' }
      : { ...below, memberId: owner.memberId }
  }
  return {
    ...{ owner, member, projectIds, workspaceId, stageIds },
    async put(path: Asked['path'], within: Asked['within'], rows: readonly Row[]) {
      for (const row of rows) {
        const common = { orgId, id: row.id, projectId: row.hidden ? unseen : seen }
        const values = { ...common, ...made(path, row), ...valuesOf(path, within, row) }
        await db.rows(sql`insert into ${tables[path]} ${sql.values(values)}`)
      }
    },
    edit: (path: Asked['path'], within: Asked['within'], row: Row) =>
      db.rows(sql`update ${tables[path]} set ${sql.set(valuesOf(path, within, row))}
        where org_id = ${orgId} and id = ${row.id}`),
    remove: (path: Asked['path'], id: string) =>
      db.rows(sql`update ${tables[path]} set deleted_at = ${momentOf(0)} where org_id = ${orgId} and id = ${id}`),
    clear: (path: Asked['path']) =>
      db.rows(sql`delete from ${tables[path]} where org_id = ${orgId} and id <> all(${[taskId, unseenTaskId]})`),
  }
}

const momentOf = (value: number) => new Date(morning + value).toISOString()
