import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from '../../src/access/caller.ts'
import { randomFrom } from '../../src/commands/demo/random.ts'
import { sql } from '../../src/db/sql.ts'
import { type Progress, progressOf } from '../../src/resources/progress.ts'
import { taskCounts } from '../../src/resources/task-counts.ts'
import { readFeed } from '../support/feed.ts'
import { listed, Mirror } from '../support/mirror.ts'
import { randomWrites } from '../support/random-writes.ts'
import { rounds } from '../support/rounds.ts'
import { untilTaken } from '../support/until.ts'
import { type Api, sharedServer, type World } from '../support/world.ts'

const { db, newWorld } = await sharedServer()

const callerOf = ({ orgId }: World, api: Api, role: Caller['role']): Caller => {
  return { orgId, memberId: api.memberId, role, keyId: '', scopes: [], credential: '' }
}

const progressIn = async (world: World, projectId: string, now = new Date().toISOString()) =>
  (await progressOf(db, callerOf(world, world.owner, 'owner'), [projectId], now)).get(projectId)

const nothing = { todo: 0, doing: 0, done: 0, offBoard: 0, overdue: 0, estimatedSeconds: 0, trackedSeconds: 0 }

/** A project with a board of three stages, one of each category. */
async function board(world: World) {
  const project = await world.project()
  const workspace = await world.workspace({ projectId: project.id, stages: ['A', 'B', 'C'] })
  const stages: { id: string }[] = await world.stages(workspace.id)
  for (const [i, category] of ['todo', 'doing', 'done'].entries()) {
    assert.equal((await world.owner.patch(`/stages/${stages[i]?.id}`, { category })).status, 200)
  }
  const stageId = (place: number) => stages[place]?.id ?? assert.fail()
  return { project, stageId, add: (fields: object = {}) => world.task({ projectId: project.id, ...fields }) }
}

test('the progress of a project has its tasks by category of their stage, those on no board separately, and time', async () => {
  const world = await newWorld()
  const { project, stageId, add } = await board(world)
  assert.deepEqual(await progressIn(world, project.id), nothing)
  const first = await add({ stageId: stageId(0), estimateSeconds: 600 })
  await add({ stageId: stageId(1), estimateSeconds: 60 })
  await add({ stageId: stageId(1) })
  await add({ stageId: stageId(2), estimateSeconds: 6 })
  await add()
  const deleted = await add({ stageId: stageId(0), estimateSeconds: 7_000, dueDate: '2020-01-01' })
  const step = await world.subtask(first.id)
  await world.timeEntry({ taskId: first.id, startedAt: '2026-03-02T09:00:00Z', durationSeconds: 90 })
  await world.timeEntry({ subtaskId: step.id, startedAt: '2026-03-02T09:00:00Z', durationSeconds: 10 })
  await world.timeEntry({ taskId: deleted.id, startedAt: '2026-03-02T09:00:00Z', durationSeconds: 1_000 })
  const gone = await world.timeEntry({ taskId: first.id, startedAt: '2026-03-02T09:00:00Z', durationSeconds: 5_000 })
  for (const path of [`/tasks/${deleted.id}`, `/time-entries/${gone.id}`])
    assert.equal((await world.owner.delete(path)).status, 204)
  assert.deepEqual(await progressIn(world, project.id), {
    ...{ todo: 1, doing: 2, done: 1, offBoard: 1, overdue: 0 },
    ...{ estimatedSeconds: 666, trackedSeconds: 100 },
  })
  assert.equal((await world.owner.post(`/tasks/${deleted.id}/restore`)).status, 200)
  assert.deepEqual(await progressIn(world, project.id), {
    ...{ todo: 2, doing: 2, done: 1, offBoard: 1, overdue: 1 },
    ...{ estimatedSeconds: 7_666, trackedSeconds: 1_100 },
  })
})

test('a running timer counts in the progress of its project for the time it has run', async () => {
  const world = await newWorld()
  const { project, add } = await board(world)
  const task = await add()
  const startedAt = '2026-03-02T09:00:00.000Z'
  await world.timeEntry({ taskId: task.id, startedAt, durationSeconds: undefined })
  assert.equal((await progressIn(world, project.id, '2026-03-02T09:01:01.500Z'))?.trackedSeconds, 61)
  assert.equal((await progressIn(world, project.id, '2026-03-02T08:59:59.000Z'))?.trackedSeconds, 0)
})

test('a task is overdue from midnight after its due date, in the time zone of the organization, unless it is completed', async () => {
  const world = await newWorld()
  assert.equal((await world.owner.patch('/organization', { timezone: 'Pacific/Auckland' })).status, 200)
  const { project, stageId, add } = await board(world)
  await add({ dueDate: '2026-04-04' })
  await add({ dueDate: '2026-04-04', stageId: stageId(1) })
  await add({ dueDate: '2026-04-04', stageId: stageId(2) })
  await add({ dueDate: '2026-04-05' })
  await add()
  const overdueAt = async (now: string) => (await progressIn(world, project.id, now))?.overdue
  // there, clocks go back by an hour that night, at three in the morning
  assert.equal(await overdueAt('2026-04-04T10:59:59.999Z'), 0)
  assert.equal(await overdueAt('2026-04-04T11:00:00.000Z'), 2)
  assert.equal(await overdueAt('2026-04-05T11:59:59.999Z'), 2)
  assert.equal(await overdueAt('2026-04-05T12:00:00.000Z'), 3)
})

test('a caller gets the progress of the projects that they see, and of no other', async () => {
  const [world, elsewhere] = [await newWorld(), await newWorld()]
  const [ours, hidden, deleted] = [await world.project(), await world.project(), await world.project()]
  const foreign = await elsewhere.project()
  await world.addToProject(ours.id, world.member, 'viewer')
  await world.addToProject(deleted.id, world.member, 'viewer')
  assert.equal((await world.owner.delete(`/projects/${deleted.id}`)).status, 204)
  const asked = [ours, hidden, deleted, foreign].map(({ id }) => id)
  const told = async (api: Api, role: Caller['role']) => [
    ...(await progressOf(db, callerOf(world, api, role), asked, new Date().toISOString())).keys(),
  ]
  assert.deepEqual(await told(world.member, 'member'), [ours.id])
  assert.deepEqual((await told(world.owner, 'owner')).toSorted(), [ours.id, hidden.id].toSorted())
})

test('a member counts the tasks of its projects on a board of the organization, and all or none on a board of a project', async () => {
  const world = await newWorld()
  const [ours, hidden] = [await world.project(), await world.project()]
  const boards = [undefined, ours.id, hidden.id].map((projectId) => world.workspace({ projectId, stages: ['A'] }))
  const [shared, own, theirs] = (await Promise.all((await Promise.all(boards)).map(({ id }) => world.stages(id)))).map(
    ([stage]) => String(stage.id),
  )
  await world.addToProject(ours.id, world.member, 'viewer')
  for (const [projectId, stageId] of [
    [ours.id, shared],
    [hidden.id, shared],
    [hidden.id, shared],
    [ours.id, own],
    [hidden.id, theirs],
  ])
    await world.task({ projectId, stageId })
  const asked = [shared, own, theirs].map(String)
  const counted = async (api: Api, role: Caller['role']) => {
    const counts = await taskCounts(db, callerOf(world, api, role), asked)
    return asked.map((id) => counts.get(id))
  }
  assert.deepEqual(await counted(world.owner, 'owner'), [3, 1, 1])
  assert.deepEqual(await counted(world.member, 'member'), [1, 1, 0])
  assert.equal((await world.owner.delete(`/projects/${hidden.id}`)).status, 204)
  assert.deepEqual(await counted(world.owner, 'owner'), [1, 1, 0])
})

test('a stage has as many tasks as a plain count finds, also on its board, while projects are deleted and restored', async () => {
  const world = await newWorld()
  const { owner, admin, member } = world
  const project = async () => (await world.project()).id
  const [ours, alsoOurs, theirs, alsoTheirs] = [await project(), await project(), await project(), await project()]
  for (const projectId of [ours, alsoOurs]) await world.addToProject(projectId, member, 'viewer')
  const boards = await Promise.all(
    [undefined, ours, theirs].map((projectId) => world.workspace({ projectId, stages: ['A', 'B'] })),
  )
  const stages: { id: string }[] = (await Promise.all(boards.map(({ id }) => world.stages(id)))).flat()
  const add = (projectId: string, stage: number) => world.task({ projectId, stageId: stages[stage]?.id })
  for (const [i, projectId] of [ours, alsoOurs, theirs, alsoTheirs].entries())
    for (let n = 0; n < 2 + i; n++) await add(projectId, n % 2)
  await add(ours, 2)
  await add(theirs, 5)
  const deleted = await add(theirs, 0)
  assert.equal((await owner.delete(`/tasks/${deleted.id}`)).status, 204)

  const plainly = async (api: Api, sees: readonly string[]) => {
    const rows = await db.rows<{ id: string; count: number }>(sql`
      select stage_id as id, count(*)::int as count from tasks join projects using (org_id)
      where org_id = ${world.orgId} and projects.id = project_id and projects.deleted_at is null
        and tasks.deleted_at is null and project_id = any(${sees}) group by stage_id`)
    const plain = Object.fromEntries(rows.map(({ id, count }) => [id, count]))
    for (const { id } of boards) {
      const { status, body } = await api.get(`/workspaces/${id}/board?perStage=0`)
      const { body: beside } = await api.get(`/workspaces/${id}/stages?include=taskCount`)
      if (status === 404) continue
      for (const shown of [body.stages, beside.data])
        for (const stage of shown) assert.equal(stage.taskCount, plain[stage.id] ?? 0)
    }
    return stages.map(({ id }) => plain[id] ?? 0)
  }
  const everything = [ours, alsoOurs, theirs, alsoTheirs]
  const counted = async () => {
    const all = await plainly(owner, everything)
    assert.deepEqual(await plainly(admin, everything), all)
    return [all, await plainly(member, [ours, alsoOurs])]
  }
  const before = await counted()
  assert.deepEqual(before, [
    [8, 6, 1, 0, 0, 1],
    [3, 2, 1, 0, 0, 0],
  ])
  const toggled = [alsoOurs, theirs, ours]
  for (const id of toggled) assert.equal((await owner.delete(`/projects/${id}`)).status, 204)
  assert.deepEqual(await counted(), [
    [3, 2, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0],
  ])
  for (const id of toggled) assert.equal((await owner.post(`/projects/${id}/restore`)).status, 200)
  assert.deepEqual(await counted(), before)
})

test('after any writes, progress and counts match what the lists show', async () => {
  const world = await newWorld()
  const { owner, member, project, task, addToProject } = world
  const spared = (await Promise.all([owner, member].map((api) => api.get('/me')))).map(({ body }) => body.apiKey.id)
  for (const role of ['lead', 'contributor']) {
    const { id: projectId } = await project()
    await addToProject(projectId, member, role)
    spared.push(projectId)
    for (let made = 0; made < 6; made++) {
      await task({ projectId, estimateSeconds: 10 ** made, ...(made % 2 === 0 && { dueDate: '2026-02-03' }) })
    }
  }
  const [random, mirror] = [randomFrom(5), new Mirror()]
  const writes = randomWrites(random, mirror, [owner.memberId, member.memberId, ...spared])
  const count = rounds(60, 120)
  for (let made = 1; made <= count; made++) {
    for (const event of await readFeed(owner, `limit=100&after=${mirror.position}`)) mirror.take(event)
    const { method, path, body } = writes.next().value
    const tried = random.chance(0.1) ? `${path}${path.includes('?') ? '&' : '?'}dryRun=true` : path
    const { status, text } = await untilTaken(() => owner.call(method, tried, body))
    assert.ok(status < 500, `${method} ${path}: ${text}`)
    if (made % 60 === 0) await compare(world)
  }
})

async function compare(world: World) {
  // in a year everything that is due is overdue
  const now = new Date(Date.now() + 365 * 86_400_000).toISOString()
  const all = await listed(world.owner)
  const allIds = (noun: string) => (all[noun] ?? []).map(({ id }) => id)
  for (const [api, role] of [
    [world.owner, 'owner'],
    [world.member, 'member'],
  ] as const) {
    const { project = [], stage = [], task = [], time_entry = [] } = await listed(api)
    const caller = callerOf(world, api, role)
    const categories = new Map(stage.map(({ id, category }) => [id, category]))
    const expected = project.map(({ id }): [string, Progress] => {
      const tasks = task.filter(({ projectId }) => projectId === id)
      const within = (category?: string) => tasks.filter(({ stageId }) => categories.get(stageId) === category).length
      const entries = time_entry.filter(({ projectId }) => projectId === id)
      const seconds = entries.map(({ startedAt, endedAt }) =>
        Math.floor(Math.max(0, Date.parse(endedAt ?? now) - Date.parse(startedAt)) / 1_000),
      )
      const progress = {
        ...{ todo: within('todo'), doing: within('doing'), done: within('done'), offBoard: within(undefined) },
        overdue: tasks.filter(({ completedAt, dueDate }) => completedAt === null && dueDate !== null).length,
        estimatedSeconds: tasks.reduce((sum, { estimateSeconds }) => sum + estimateSeconds, 0),
        trackedSeconds: seconds.reduce((sum, some) => sum + some, 0),
      }
      return [id, progress]
    })
    const progress = await progressOf(db, caller, allIds('project'), now)
    assert.deepEqual(Object.fromEntries(progress), Object.fromEntries(expected))
    const counts = await taskCounts(db, caller, allIds('stage'))
    const standing = (stageId: string) => task.filter((one) => one.stageId === stageId).length
    assert.deepEqual(Object.fromEntries(counts), Object.fromEntries(allIds('stage').map((id) => [id, standing(id)])))
    assert.ok(task.length > 0 && time_entry.length > 0)
  }
}
