import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, sharedServer } from '../support/world.ts'

const { newWorld } = await sharedServer()

/** All in one moment. */
async function inBulk(owner: Api, ...writes: [method: string, path: string, body?: object][]) {
  const operations = writes.map(([method, path, body]) => ({ method, path, ...(body && { body }) }))
  assert.equal((await owner.post('/bulk', { operations })).status, 200)
}

test('a task returns without the items deleted before it, even at the same time', async () => {
  const { owner, project, task, subtask, timeEntry } = await newWorld()
  const { id: taskId } = await task({ projectId: (await project()).id })
  const [gone, staying] = [await subtask(taskId), await subtask(taskId)]
  const comment = (await owner.post(`/tasks/${taskId}/comments`, { body: 'Gone' })).body
  const onGone = await timeEntry({ subtaskId: gone.id })
  await inBulk(
    owner,
    ['DELETE', `/subtasks/${gone.id}`],
    ['DELETE', `/comments/${comment.id}`],
    ['DELETE', `/tasks/${taskId}`],
  )
  assert.equal((await owner.post(`/tasks/${taskId}/restore`)).status, 200)
  const paths = [
    `/subtasks/${staying.id}`,
    `/subtasks/${gone.id}`,
    `/comments/${comment.id}`,
    `/time-entries/${onGone.id}`,
  ]
  const statuses = await Promise.all(paths.map(async (path) => (await owner.get(path)).status))
  assert.deepEqual(statuses, [200, 404, 404, 404])
  assert.equal((await owner.post(`/subtasks/${gone.id}/restore`)).status, 200)
  assert.equal((await owner.get(`/time-entries/${onGone.id}`)).status, 200)
})

test('a task whose time was replaced just before its deletion returns with the latest time', async () => {
  const { owner, project, task, timeEntry } = await newWorld()
  await owner.patch('/organization', { settings: { overlapPolicy: 'reject' } })
  const { id: taskId } = await task({ projectId: (await project()).id })
  const times = { taskId, startedAt: '2026-03-02T10:00:00Z', durationSeconds: 3_600 }
  const first = await timeEntry(times)
  await inBulk(
    owner,
    ['DELETE', `/time-entries/${first.id}`],
    ['POST', '/time-entries', times],
    ['DELETE', `/tasks/${taskId}`],
  )
  assert.equal((await owner.post(`/tasks/${taskId}/restore`)).status, 200)
  assert.equal((await owner.get('/time-entries')).body.data.length, 1)
  assert.equal((await owner.get(`/time-entries/${first.id}`)).status, 404)
})

test('a workspace with a stage that was replaced just before its deletion returns with the new stage', async () => {
  const { owner, project, workspace, stages } = await newWorld()
  const { id: workspaceId } = await workspace({ projectId: (await project()).id })
  const [{ id, name }] = await stages(workspaceId)
  const replaced: [string, string, object] = ['POST', `/workspaces/${workspaceId}/stages`, { name }]
  await inBulk(owner, ['DELETE', `/stages/${id}`], replaced, ['DELETE', `/workspaces/${workspaceId}`])
  assert.equal((await owner.post(`/workspaces/${workspaceId}/restore`)).status, 200)
  assert.equal((await owner.get(`/stages/${id}`)).status, 404)
})
