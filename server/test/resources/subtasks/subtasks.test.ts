import assert from 'node:assert/strict'
import { test } from 'node:test'
import { positionGap } from '../../../src/resources/board/order.ts'
import { created, type Reply, sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

const codeOf = ({ status, headers }: Reply) => [status, headers.get('x-error-code')]

async function newTask() {
  const world = await newWorld()
  const { id: projectId } = await world.project()
  const { id: taskId } = await world.task({ projectId })
  return { ...world, projectId, taskId, steps: `/tasks/${taskId}/subtasks` }
}

test('a subtask is added at the end of its task, assigned to nobody and not finalized', async () => {
  const { owner, steps, taskId, projectId, subtask } = await newTask()
  await subtask(taskId)
  const reply = await owner.post(steps, { name: ' Buy paint ' })
  assert.equal(reply.status, 201)
  const { id, version, createdAt, updatedAt, ...fields } = reply.body
  assert.deepEqual(fields, {
    ...{ taskId, projectId, name: 'Buy paint', position: 2 * positionGap },
    ...{ assigneeId: null, finalizedAt: null, finalizedBy: null },
  })
  assert.equal(reply.headers.get('location'), `/api/v1/subtasks/${id}`)
  assert.deepEqual((await owner.get(`/subtasks/${id}`)).body, reply.body)
})

test('subtasks that are added at the same time get different positions, and are listed by them', async () => {
  const { owner, steps } = await newTask()
  const names = Array.from({ length: 10 }, (_, i) => `Step ${i}`)
  const made = await Promise.all(names.map((name) => created(owner.post(steps, { name }))))
  const { body } = await owner.get(`${steps}?limit=100`)
  assert.deepEqual(
    body.data.map(({ position }: { position: number }) => position),
    names.map((_, i) => (i + 1) * positionGap),
  )
  assert.deepEqual(
    body.data,
    made.toSorted((a, b) => a.position - b.position),
  )
})

test('PATCH keeps absent fields and clears null fields, and fields that the server sets get 422', async () => {
  const { owner, member, taskId, subtask } = await newTask()
  const { id, name } = await subtask(taskId, { assigneeId: member.memberId })
  const { body } = await owner.patch(`/subtasks/${id}`, { assigneeId: null })
  assert.deepEqual([body.name, body.assigneeId, body.version], [name, null, 2])
  for (const fixed of [{ taskId }, { position: 1 }, { finalizedAt: null }, { finalizedBy: null }]) {
    assert.equal((await owner.patch(`/subtasks/${id}`, fixed)).status, 422)
  }
})

test('if several callers finalize a subtask at the same time one succeeds, and the others are refused: 412', async () => {
  const { owner, admin, taskId, subtask } = await newTask()
  const { id } = await subtask(taskId)
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => (i % 2 ? owner : admin).post(`/subtasks/${id}/finalize`)),
  )
  const refusals = answers.filter(({ status }) => status !== 200)
  assert.deepEqual(refusals.map(codeOf), Array(7).fill([412, 'subtask_finalized']))
  const { body } = await owner.get(`/subtasks/${id}`)
  assert.deepEqual(body, answers.find(({ status }) => status === 200)?.body)
  assert.equal(body.version, 2)
})

test('a deleted subtask is gone with its time; the time of its task stays', async () => {
  const { owner, steps, taskId, subtask, timeEntry } = await newTask()
  const { id } = await subtask(taskId)
  const [onStep, onTask] = [await timeEntry({ subtaskId: id }), await timeEntry({ taskId })]
  assert.equal((await owner.delete(`/subtasks/${id}`)).status, 204)
  assert.equal((await owner.get(`/subtasks/${id}`)).status, 404)
  assert.equal((await owner.get(`/time-entries/${onStep.id}`)).status, 404)
  assert.equal((await owner.get(`/time-entries/${onTask.id}`)).status, 200)
  assert.deepEqual((await owner.get(steps)).body, { data: [], total: 0 })
})
