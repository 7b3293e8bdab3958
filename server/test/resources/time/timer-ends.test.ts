import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { type Api, type Reply, sharedServer } from '../../support/world.ts'

const { db, newWorld } = await sharedServer()

/** An organization with a task, a subtask of it, and a member whose timer runs on what it is told. */
const setUp = async () => {
  const world = await newWorld()
  const { owner, member } = world
  const project = await world.project()
  const task = await world.task({ projectId: project.id })
  const subtask = await world.subtask(task.id)
  await world.addToProject(project.id, member)
  const start = async (on: object, api: Api = member) => {
    const { status, body, text } = await api.post('/timer/start', on)
    assert.equal(status, 201, text)
    return body
  }
  const entryAt = async (id: string) => (await owner.get(`/time-entries/${id}`)).body
  /** how often the end of an entry was told of, and by whom */
  const endsTold = (id: string) =>
    db.rows<{ by: string; end: string | null }>(sql`
      select actor_id as by, changes #>> '{endedAt,to}' as end from events
      where org_id = ${world.orgId} and resource_id = ${id} and type = 'time_entry.updated'`)
  return { ...world, newProject: world.project, newTask: world.task, project, task, subtask, start, entryAt, endsTold }
}

const succeeded = ({ status, text }: Reply) => assert.ok(status === 200 || status === 204, `${status}: ${text}`)

type Scene = Awaited<ReturnType<typeof setUp>>

const endings: Record<string, (scene: Scene) => Promise<Reply>> = {
  'its project is archived': ({ owner, project }) => owner.post(`/projects/${project.id}/archive`),
  'its project is deleted': ({ owner, project }) => owner.delete(`/projects/${project.id}`),
  'its task is deleted': ({ owner, task }) => owner.delete(`/tasks/${task.id}`),
  'its subtask is deleted': ({ owner, subtask }) => owner.delete(`/subtasks/${subtask.id}`),
  'it is deleted itself': async ({ owner, member }) =>
    owner.delete(`/time-entries/${(await member.get('/timer')).body.timeEntry.id}`),
  'its member is deactivated': ({ owner, member }) =>
    owner.patch(`/members/${member.memberId}`, { status: 'deactivated' }),
  'its member is removed': ({ owner, member }) => owner.delete(`/members/${member.memberId}`),
}

/** How each of them is taken back, where it can be. */
const undoings: Record<string, (scene: Scene, entryId: string) => Promise<Reply>> = {
  'its project is archived': ({ owner, project }) => owner.post(`/projects/${project.id}/unarchive`),
  'its project is deleted': ({ owner, project }) => owner.post(`/projects/${project.id}/restore`),
  'its task is deleted': ({ owner, task }) => owner.post(`/tasks/${task.id}/restore`),
  'its subtask is deleted': ({ owner, subtask }) => owner.post(`/subtasks/${subtask.id}/restore`),
  'it is deleted itself': ({ owner }, id) => owner.post(`/time-entries/${id}/restore`),
  'its member is deactivated': ({ owner, member }) => owner.patch(`/members/${member.memberId}`, { status: 'active' }),
}

for (const [when, end] of Object.entries(endings)) {
  test(`a timer ends when ${when}, with an event like a stop by hand, and others run on`, async () => {
    const scene = await setUp()
    const { owner, member, admin, subtask, start, entryAt, endsTold } = scene
    const { id, startedAt } = await start({ subtaskId: subtask.id })
    const elsewhere = await scene.newTask({ projectId: (await scene.newProject()).id })
    const other = await start({ taskId: elsewhere.id }, admin)
    succeeded(await end(scene))
    const undo = undoings[when]
    if (undo) succeeded(await undo(scene, id))
    const [told, ...more] = await endsTold(id)
    assert.deepEqual([told?.by, more], [owner.memberId, []])
    const { endedAt } = await entryAt(id)
    assert.ok(endedAt >= startedAt)
    assert.equal(endedAt, told?.end)
    assert.deepEqual((await admin.get('/timer')).body.timeEntry, other)
    if (when === 'its member is removed') return
    assert.deepEqual((await member.get('/timer')).body, { timeEntry: null })
    assert.equal((await member.post('/timer/start', { subtaskId: subtask.id })).status, 201)
  })
}

test("no timer runs on deleted items: neither of others nor one's own, on a task and on its subtasks", async () => {
  const { owner, member, admin, task, subtask, start, entryAt, endsTold } = await setUp()
  const entries = [
    await start({ taskId: task.id }, owner),
    await start({ subtaskId: subtask.id }, admin),
    await start({ subtaskId: subtask.id }, member),
  ]
  assert.equal((await owner.delete(`/tasks/${task.id}`)).status, 204)
  assert.equal((await owner.post(`/tasks/${task.id}/restore`)).status, 200)
  for (const { id } of entries) {
    assert.notEqual((await entryAt(id)).endedAt, null)
    assert.equal((await endsTold(id)).length, 1)
  }
})

test('an entry that begins in the near future has no duration when its project is archived', async () => {
  const { owner, project, task, entryAt } = await setUp()
  const startedAt = new Date(Date.now() + 50_000).toISOString()
  const { id } = (await owner.post('/time-entries', { taskId: task.id, startedAt })).body
  assert.equal((await owner.post(`/projects/${project.id}/archive`)).status, 200)
  assert.deepEqual((await entryAt(id)).endedAt, startedAt)
})

test('starts and an archive at once never leave a timer running in an archived project', async () => {
  const { owner, admin, member, newProject, newTask, addToProject } = await setUp()
  for (let round = 0; round < 5; round++) {
    const { id: projectId } = await newProject()
    const { id: taskId } = await newTask({ projectId })
    await addToProject(projectId, member)
    const answers = await Promise.all([
      ...[owner, admin, member].map((api) => api.post('/timer/start', { taskId })),
      owner.post(`/projects/${projectId}/archive`),
    ])
    assert.deepEqual(
      answers.filter(({ status }) => ![200, 201, 412].includes(status)).map(({ text }) => text),
      [],
    )
    assert.deepEqual((await owner.get(`/time-entries?projectId=${projectId}&running=true`)).body.data, [])
  }
})

test('starts and a deactivation at once never leave a timer running for a deactivated member', async () => {
  const { owner, member, task } = await setUp()
  const path = `/members/${member.memberId}`
  for (let round = 0; round < 5; round++) {
    const start = (api: Api, fields: object = {}) => api.post('/time-entries', { taskId: task.id, ...fields })
    const answers = await Promise.all([
      start(member),
      start(owner, { memberId: member.memberId }),
      owner.patch(path, { status: 'deactivated' }),
      start(owner, { memberId: member.memberId }),
    ])
    assert.deepEqual(
      answers.filter(({ status }) => status >= 500).map(({ text }) => text),
      [],
    )
    assert.deepEqual((await owner.get(`/time-entries?memberId=${member.memberId}&running=true`)).body.data, [])
    await owner.patch(path, { status: 'active' })
  }
})

test('no timer can start for a deactivated member: 412; finished time can still be recorded', async () => {
  const { owner, member, task } = await setUp()
  await owner.patch(`/members/${member.memberId}`, { status: 'deactivated' })
  const fields = { taskId: task.id, memberId: member.memberId }
  const running = await owner.post('/time-entries', fields)
  assert.deepEqual([running.status, running.headers.get('x-error-code')], [412, 'member_not_active'])
  const past = await owner.post('/time-entries', { ...fields, durationSeconds: 60 })
  assert.equal(past.status, 201)
  assert.equal((await owner.patch(`/time-entries/${past.body.id}`, { endedAt: null })).status, 412)
  assert.equal((await owner.patch(`/time-entries/${past.body.id}`, { durationSeconds: 90 })).status, 200)
})

test('a member who is removed from a project, or becomes a viewer, still sees and stops the timer that runs there', async () => {
  for (const withdraw of ['off', 'viewer']) {
    const { owner, member, project, task, start, entryAt } = await setUp()
    const started = await start({ taskId: task.id })
    const path = `/projects/${project.id}/members/${member.memberId}`
    succeeded(await (withdraw === 'off' ? owner.delete(path) : owner.patch(path, { role: 'viewer' })))
    assert.deepEqual((await member.get('/timer')).body.timeEntry, started)
    const stopped = await member.post('/timer/stop')
    assert.deepEqual([stopped.status, stopped.body.id], [200, started.id])
    assert.deepEqual(await entryAt(started.id), stopped.body)
  }
})

test('a member who is removed from a project can start a timer elsewhere, which stops the one that runs there', async () => {
  const { owner, member, project, task, start, entryAt, newProject, newTask, addToProject } = await setUp()
  const { id } = await start({ taskId: task.id })
  await owner.delete(`/projects/${project.id}/members/${member.memberId}`)
  const { id: projectId } = await newProject()
  await addToProject(projectId, member)
  const { startedAt } = await start({ taskId: (await newTask({ projectId })).id })
  assert.equal((await entryAt(id)).endedAt, startedAt)
})

test('a refusal because of a running entry names it only to callers who see it', async () => {
  const { owner, member, task, start, newProject, newTask, addToProject, join } = await setUp()
  await owner.patch('/organization', { settings: { timerPolicy: 'reject' } })
  const { id } = await start({ taskId: task.id })
  const lead = await join('Lea Lead', 'member')
  const { id: projectId } = await newProject()
  for (const api of [member, lead]) await addToProject(projectId, api, 'lead')
  const fields = { taskId: (await newTask({ projectId })).id, memberId: member.memberId }
  const told = async (api: Api) => (await api.post('/time-entries', fields)).body.error.includes(id)
  assert.deepEqual([await told(owner), await told(member), await told(lead)], [true, true, false])
})
