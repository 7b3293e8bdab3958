import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedServer } from '../../support/world.ts'
import { at, outcome, refusal, settingUp } from './overlapping.ts'

const setUp = settingUp((await sharedServer()).newWorld)

test('a deleted entry frees its slot, and cannot be restored once the slot is taken', async () => {
  const { log, owner } = await setUp()
  const { id } = (await log('10:00', '11:00')).body
  await owner.delete(`/time-entries/${id}`)
  const taker = (await log('10:00', '11:00')).body
  assert.deepEqual(outcome(await owner.post(`/time-entries/${id}/restore`)), refusal)
  await owner.delete(`/time-entries/${taker.id}`)
  assert.equal((await owner.post(`/time-entries/${id}/restore`)).status, 200)
})

test('a deleted task or subtask cannot be restored when the slot of its time is taken: 412', async () => {
  const { log, owner, task, projectId, subtask } = await setUp()
  const { id: taskId } = await task({ projectId })
  const { id: subtaskId } = await subtask(taskId)
  await log('10:00', '11:00', { taskId: undefined, subtaskId })
  for (const path of [`/subtasks/${subtaskId}`, `/tasks/${taskId}`]) {
    await owner.delete(path)
    const taker = (await log('10:00', '11:00')).body
    assert.deepEqual(outcome(await owner.post(`${path}/restore`)), refusal)
    await owner.delete(`/time-entries/${taker.id}`)
    assert.equal((await owner.post(`${path}/restore`)).status, 200)
  }
})

test('a task cannot be restored over time that was recorded before the organization refused overlaps', async () => {
  const { log, owner, task, projectId, settle } = await setUp('allow')
  const { id: taskId } = await task({ projectId })
  await log('10:00', '11:00', { taskId })
  await log('10:30', '11:30')
  await owner.delete(`/tasks/${taskId}`)
  await settle({ overlapPolicy: 'reject' })
  assert.deepEqual(outcome(await owner.post(`/tasks/${taskId}/restore`)), refusal)
})

test('a task returns with its own time that overlapped itself before the policy', async () => {
  const { log, owner, settle, task, projectId } = await setUp('allow')
  const { id: taskId } = await task({ projectId })
  const both = [(await log('10:00', '12:00', { taskId })).body, (await log('11:00', '13:00', { taskId })).body]
  await settle({ overlapPolicy: 'reject' })
  await owner.delete(`/tasks/${taskId}`)
  assert.equal((await owner.post(`/tasks/${taskId}/restore`)).status, 200)
  for (const { id } of both) assert.equal((await owner.get(`/time-entries/${id}`)).status, 200)
  assert.deepEqual(outcome(await log('12:30', '13:30')), refusal)
})

test('once entries may overlap again, entries whose slot was taken are restored, alone and with their task', async () => {
  const { log, owner, task, projectId, settle } = await setUp()
  const { id: taskId } = await task({ projectId })
  const { id } = (await log('10:00', '11:00')).body
  await log('11:00', '12:00', { taskId })
  await owner.delete(`/time-entries/${id}`)
  await owner.delete(`/tasks/${taskId}`)
  await log('10:00', '12:00')
  await settle({ overlapPolicy: 'allow' })
  assert.equal((await owner.post(`/time-entries/${id}/restore`)).status, 200)
  assert.equal((await owner.post(`/tasks/${taskId}/restore`)).status, 200)
})

test('the time of a deleted project takes no slot: it can be recorded again on every path', async () => {
  const { log, owner, project, task } = await setUp()
  const before = (await log('09:00', '10:00')).body
  const trashed = (await log('11:00', '12:00')).body
  await owner.delete(`/time-entries/${trashed.id}`)
  const { id: projectId } = await project()
  const { id: taskId } = await task({ projectId })
  for (const [from, to] of [
    ['10:00', '10:45'],
    ['11:00', '12:00'],
    ['13:00', '14:00'],
  ] as const)
    assert.equal((await log(from, to, { taskId })).status, 201)
  await owner.delete(`/projects/${projectId}`)
  assert.equal((await log('13:30', '13:45')).status, 201)
  assert.equal((await owner.patch(`/time-entries/${before.id}`, { endedAt: at('10:30') })).status, 200)
  assert.equal((await owner.post(`/time-entries/${trashed.id}/restore`)).status, 200)
  assert.deepEqual(outcome(await log('10:15', '10:45')), refusal)
})

test('a project cannot be restored when the slot of its time is taken, until it is free: 412', async () => {
  const { log, owner, project, task } = await setUp()
  const { id: projectId } = await project()
  const { id: taskId } = await task({ projectId })
  const { id } = (await log('10:00', '11:00', { taskId })).body
  await owner.delete(`/projects/${projectId}`)
  const taker = (await log('10:30', '11:30')).body
  const refused = await owner.post(`/projects/${projectId}/restore`)
  assert.deepEqual(outcome(refused), refusal)
  assert.equal(refused.body.error, `The time entry ${id} overlaps the time entry ${taker.id} of the same member`)
  await owner.delete(`/time-entries/${taker.id}`)
  assert.equal((await owner.post(`/projects/${projectId}/restore`)).status, 200)
  assert.deepEqual(outcome(await log('10:00', '11:00')), refusal)
})

test('a project returns over time that it overlapped before, and over any time if entries may overlap', async () => {
  const { log, owner, project, task, settle } = await setUp('allow')
  const { id: projectId } = await project()
  const { id: taskId } = await task({ projectId })
  await log('10:00', '11:00', { taskId })
  await log('10:30', '11:30')
  await settle({ overlapPolicy: 'reject' })
  await owner.delete(`/projects/${projectId}`)
  assert.equal((await owner.post(`/projects/${projectId}/restore`)).status, 200)
  await owner.delete(`/projects/${projectId}`)
  assert.equal((await log('09:30', '10:30')).status, 201)
  await settle({ overlapPolicy: 'allow' })
  assert.equal((await owner.post(`/projects/${projectId}/restore`)).status, 200)
})

test('any of several deleted projects with time in one slot can return, but one at a time', async () => {
  const { log, owner, project, task } = await setUp()
  const projects: string[] = []
  for (let made = 0; made < 3; made++) {
    const { id } = await project()
    const { id: taskId } = await task({ projectId: id })
    assert.equal((await log('10:00', '11:00', { taskId })).status, 201)
    assert.equal((await owner.delete(`/projects/${id}`)).status, 204)
    projects.push(id)
  }
  const restore = (id: string) => owner.post(`/projects/${id}/restore`)
  for (const returning of [...projects, ...projects.toReversed()]) {
    assert.equal((await restore(returning)).status, 200)
    for (const other of projects) if (other !== returning) assert.deepEqual(outcome(await restore(other)), refusal)
    assert.deepEqual(outcome(await log('10:30', '11:30')), refusal)
    assert.equal((await owner.delete(`/projects/${returning}`)).status, 204)
  }
  const racing = await Promise.all(projects.map(restore))
  assert.deepEqual(racing.map(({ status }) => status).sort(), [200, 412, 412])
})

test('time recorded before the policy gives way in a deleted project too', async () => {
  const { log, owner, project, task, settle } = await setUp('allow')
  const { id: projectId } = await project()
  const { id: taskId } = await task({ projectId })
  await log('10:00', '11:00', { taskId })
  await owner.delete(`/projects/${projectId}`)
  await settle({ overlapPolicy: 'reject' })
  const { id } = (await log('10:30', '11:30')).body
  assert.deepEqual(outcome(await owner.post(`/projects/${projectId}/restore`)), refusal)
  await owner.delete(`/time-entries/${id}`)
  assert.equal((await owner.post(`/projects/${projectId}/restore`)).status, 200)
})

test('time that overlapped before the policy returns with its project, though both gave way meanwhile', async () => {
  const { log, owner, project, task, settle } = await setUp('allow')
  const { id: projectId } = await project()
  const { id: taskId } = await task({ projectId })
  for (const [from, to] of [
    ['09:00', '10:00'],
    ['09:30', '10:30'],
  ] as const)
    await log(from, to, { taskId })
  await settle({ overlapPolicy: 'reject' })
  await owner.delete(`/projects/${projectId}`)
  const { id } = (await log('09:40', '09:50')).body
  await owner.delete(`/time-entries/${id}`)
  assert.equal((await owner.post(`/projects/${projectId}/restore`)).status, 200)
})
