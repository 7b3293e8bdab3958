import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { randomFrom } from '../../../../src/commands/demo/random.ts'
import { idFrom } from '../../../../src/db/ids.ts'
import { sql } from '../../../../src/db/sql.ts'
import { dayIn, iso, monthOf, weekOf, zones } from '../../../support/calendar.ts'
import { rounds } from '../../../support/rounds.ts'
import { type Api, sharedServer, type World } from '../../../support/world.ts'

const { db, newWorld } = await sharedServer()

interface Task {
  id: string
  projectId: string
  workspaceId: string | null
  stageId: string | null
  typeId: string | null
  priority: string
  assigneeIds: string[]
  tagIds: string[]
  dueDate: string | null
  estimateSeconds: number | null
  createdAt: string
  completedAt: string | null
  createdBy: string
}

const dayMs = 86_400_000
// around the changes of the clocks in Europe and North America, around New Year, long ago and far ahead
const around = [...['2024-03-31', '2024-11-03', '2024-01-01', '2023-10-29'], '1970-01-04', '2099-12-28'].map((day) =>
  Date.parse(day),
)
const seed = 7

/** Two projects, one of them the member's, with tasks of many years, made straight in the table, and time on them. */
async function setUp() {
  const world = await newWorld()
  const { owner, admin, member } = world
  const random = randomFrom(seed)
  const projects = [await world.project(), await world.project()]
  await world.addToProject(projects[0]?.id, member, 'viewer')
  const boards: { projectId: string; workspaceId: string; stageIds: string[] }[] = []
  for (const { id: projectId } of projects) {
    const { id: workspaceId } = await world.workspace({ projectId, stages: ['A', 'B', 'C'] })
    const stages = await world.stages(workspaceId)
    for (const [i, category] of ['todo', 'doing', 'done'].entries())
      assert.equal((await owner.patch(`/stages/${stages[i].id}`, { category })).status, 200)
    boards.push({ projectId, workspaceId, stageIds: stages.map(({ id }: { id: string }) => String(id)) })
  }
  const tags = [await world.tag(), await world.tag(), await world.tag()].map(({ id }) => String(id))
  const types = [await world.taskType(), await world.taskType()].map(({ id }) => String(id))
  const people = [owner, admin, member].map(({ memberId }) => memberId)
  const some = (all: readonly string[]) => all.filter(() => random.chance(0.4)).toSorted()
  const moment = () => random.pick(around) + random.between(-2 * dayMs, 2 * dayMs)
  const taskIds: string[] = []
  for (let number = 1; number <= 60; number++) {
    const { projectId, workspaceId, stageIds } = random.pick(boards)
    const place = random.between(0, 3)
    const createdMs = moment()
    const id = idFrom(createdMs, number, randomBytes(6))
    const at = new Date(createdMs).toISOString()
    await db.rows(
      sql`insert into tasks ${sql.values({
        ...{ orgId: world.orgId, id, projectId, number, key: `T${number}-${number}`, name: `Task ${number}` },
        ...(place < 3 && { workspaceId, stageId: stageIds[place], position: number }),
        completedAt: place === 2 ? new Date(Math.max(createdMs, moment())).toISOString() : null,
        typeId: random.pick([null, ...types]),
        priority: random.pick(['none', 'high']),
        dueDate: random.chance(0.7) ? iso(new Date(random.chance(0.2) ? Date.UTC(2090, 4, 5) : moment())) : null,
        estimateSeconds: random.chance(0.5) ? random.between(0, 9_000) : null,
        ...{ createdBy: random.pick(people), createdAt: at, updatedAt: at },
        ...{ assigneeIds: some(people), tagIds: some(tags) },
      })}`,
    )
    taskIds.push(id)
  }
  const stepIds: string[] = []
  for (const taskId of taskIds.slice(0, 6)) stepIds.push((await world.subtask(taskId)).id)
  const bodies = Array.from({ length: 80 }, () => ({
    ...(random.chance(0.3) ? { subtaskId: random.pick(stepIds) } : { taskId: random.pick(taskIds) }),
    ...{
      startedAt: '2025-06-07T08:09:10Z',
      endedAt: new Date(Date.UTC(2025, 5, 8) + random.between(0, dayMs)).toISOString(),
    },
  }))
  const operations = bodies.map((body) => ({ method: 'POST', path: '/time-entries', body }))
  assert.equal((await owner.post('/bulk', { operations })).status, 200)
  return world
}

/** What an API shows: the tasks, the seconds of time on each, and the categories of stages. */
async function shownTo(api: Api) {
  const all = async (path: string) => (await api.get(`${path}?limit=100`)).body.data
  const tasks: Task[] = await all('/tasks')
  const trackedSeconds = new Map<string, number>()
  for (const { taskId, subtaskId, startedAt, endedAt } of await all('/time-entries')) {
    const id = taskId ?? (await api.get(`/subtasks/${subtaskId}`)).body.taskId
    trackedSeconds.set(
      id,
      (trackedSeconds.get(id) ?? 0) + Math.floor((Date.parse(endedAt) - Date.parse(startedAt)) / 1_000),
    )
  }
  const categories = new Map<string | null, string>()
  for (const { id } of await all('/workspaces'))
    for (const stage of (await api.get(`/workspaces/${id}/stages`)).body.data) categories.set(stage.id, stage.category)
  return { tasks, trackedSeconds, categories }
}

type Shown = Awaited<ReturnType<typeof shownTo>>
type WeekStart = 'monday' | 'sunday' | 'saturday'

/** By dimension, the keys of the groups that a task is in. */
function keysOf(
  task: Task,
  { categories }: Shown,
  zone: string,
  weekStart: WeekStart,
): Record<string, (string | null)[]> {
  const orNone = (ids: string[]) => (ids.length === 0 ? [null] : ids)
  const dates = (name: string, day: Date | null) => ({
    [`${name}Day`]: [day && iso(day)],
    [`${name}Week`]: [day && weekOf(day, weekStart)],
    [`${name}Month`]: [day && monthOf(day)],
  })
  return {
    ...{ project: [task.projectId], workspace: [task.workspaceId], stage: [task.stageId], type: [task.typeId] },
    ...{
      stageCategory: [categories.get(task.stageId) ?? null],
      priority: [task.priority],
      createdBy: [task.createdBy],
    },
    ...{ assignee: orNone(task.assigneeIds), tag: orNone(task.tagIds) },
    ...dates('created', dayIn(zone, Date.parse(task.createdAt))),
    ...dates('completed', task.completedAt === null ? null : dayIn(zone, Date.parse(task.completedAt))),
    ...dates('due', task.dueDate === null ? null : new Date(task.dueDate)),
  }
}

function sumsOf(tasks: readonly Task[], { trackedSeconds }: Shown) {
  const took = tasks.flatMap(({ createdAt, completedAt }) =>
    completedAt === null ? [] : [Date.parse(completedAt) - Date.parse(createdAt)],
  )
  const ordered = took.toSorted((a, b) => a - b)
  const middle = (ordered.length - 1) / 2
  const medianMs = ((ordered[Math.floor(middle)] ?? 0) + (ordered[Math.ceil(middle)] ?? 0)) / 2
  const sum = (of: (task: Task) => number) => tasks.reduce((all, task) => all + of(task), 0)
  return {
    open: tasks.length - took.length,
    completed: took.length,
    overdue: tasks.filter(({ completedAt, dueDate }) => completedAt === null && dueDate && dueDate < '2025').length,
    estimatedSeconds: sum(({ estimateSeconds }) => estimateSeconds ?? 0),
    trackedSeconds: sum(({ id }) => trackedSeconds.get(id) ?? 0),
    medianDaysToCompletion: took.length === 0 ? null : Math.round((medianMs / dayMs) * 1_000) / 1_000,
  }
}

const world: World = await setUp()
const dimensions = Object.keys(
  keysOf((await shownTo(world.owner)).tasks[0] as Task, await shownTo(world.owner), 'UTC', 'monday'),
)

test('reports count any tasks, in any time zone, by any groupings and filters as a simple model does', async () => {
  const { owner, member } = world
  const shown = { owner: await shownTo(owner), member: await shownTo(member) }
  const filters: Record<string, (task: Task) => boolean> = {
    '': () => true,
    '&completed=true': ({ completedAt }) => completedAt !== null,
    '&assigneeId=none': ({ assigneeIds }) => assigneeIds.length === 0,
    '&priority=high&dueDate=none': ({ priority, dueDate }) => priority === 'high' && dueDate === null,
    '&createdAfter=2024-03-31T00:30:00Z': ({ createdAt }) => createdAt >= '2024-03-31T00:30:00.000Z',
  }
  const property = fc.asyncProperty(
    fc.constantFrom(...zones),
    fc.constantFrom('monday', 'sunday', 'saturday'),
    fc.subarray(dimensions, { minLength: 1, maxLength: 3 }),
    fc.constantFrom(...Object.keys(filters)),
    fc.constantFrom('owner', 'member'),
    async (timezone, weekStart, groupBy, filter, who) => {
      assert.equal((await owner.patch('/organization', { timezone, weekStart })).status, 200)
      const tasks = shown[who].tasks.filter(filters[filter] ?? assert.fail())
      const groups = new Map<string, Task[]>()
      for (const task of tasks) {
        const keys = keysOf(task, shown[who], timezone, weekStart)
        const combinations = groupBy.reduce<(string | null)[][]>(
          (all, name) => all.flatMap((head) => (keys[name] ?? []).map((key) => [...head, key])),
          [[]],
        )
        for (const key of combinations.map((parts) => JSON.stringify(parts)))
          groups.set(key, [...(groups.get(key) ?? []), task])
      }
      const { status, body, text } = await world[who].get(`/reports/tasks?groupBy=${groupBy}${filter}`)
      assert.equal(status, 200, text)
      const actual = body.data.map(({ group, ...sums }: { group: Record<string, { id: string | null }> }) => [
        JSON.stringify(groupBy.map((name) => group[name]?.id)),
        sums,
      ])
      const expected = [...groups].map(([key, some]) => [key, sumsOf(some, shown[who])])
      assert.deepEqual(Object.fromEntries(actual), Object.fromEntries(expected))
      assert.equal(actual.length, expected.length)
      assert.deepEqual(body.totals, sumsOf(tasks, shown[who]))
    },
  )
  await fc.assert(property, { numRuns: rounds(8, 40) })
})

test('a task of long ago and one of far ahead are counted on their days', async () => {
  const { orgId, owner, project, task } = await newWorld()
  const { id: projectId } = await project()
  const { createdAt } = await task({ projectId })
  for (const [number, at] of [
    [7, '1970-01-02T09:00:00.000Z'],
    [8, '2099-12-30T09:00:00.000Z'],
  ] as const) {
    const id = idFrom(Date.parse(at), number, randomBytes(6))
    const times = { createdAt: at, updatedAt: at, completedAt: at, createdBy: owner.memberId }
    await db.rows(
      sql`insert into tasks ${sql.values({ orgId, id, projectId, number, key: `T-${number}`, name: 'Odd', ...times })}`,
    )
  }
  const { data } = (await owner.get('/reports/tasks?groupBy=createdMonth,completedDay')).body
  const keys = data.map(({ group }: { group: Record<string, { id: string }> }) =>
    Object.values(group).map(({ id }) => id),
  )
  assert.deepEqual(keys, [
    ['1970-01', '1970-01-02'],
    [createdAt.slice(0, 7), null],
    ['2099-12', '2099-12-30'],
  ])
})
