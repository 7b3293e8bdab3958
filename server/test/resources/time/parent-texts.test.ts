import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notingStatements } from '../../support/sent.ts'
import { created, startServer } from '../../support/world.ts'

const { db, newWorld } = await startServer()

test('recording time on a task, or moving another one beside it, does not read its long text', async () => {
  const { owner, project, task, subtask, workspace } = await newWorld()
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace({ projectId, stages: ['Doing'] })
  const [taskId, otherId] = [(await task({ projectId, workspaceId })).id, (await task({ projectId, workspaceId })).id]
  const { id: subtaskId } = await subtask(taskId)
  const sent = notingStatements(db)
  const { id } = await created(owner.post('/time-entries', { taskId, durationSeconds: 60 }))
  for (const [path, body] of [
    ['/time-entries', { subtaskId, durationSeconds: 60 }],
    ['/timer/start', { taskId }],
    ['/timer/start', { subtaskId }],
  ] as const) {
    await created(owner.post(path, body))
  }
  assert.equal((await owner.patch(`/time-entries/${id}`, { taskId: otherId })).status, 200)
  const reading = () => sent.filter(({ text }) => /\btasks\.(description|shown)\b/.test(text)).length
  assert.equal(reading(), 0)
  // what is moved has an event with all of it: read once for the path, once written
  sent.length = 0
  assert.equal((await owner.post(`/tasks/${otherId}/move`, { beforeId: taskId })).status, 200)
  assert.equal(reading(), 2)
})
