import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../../support/envelope.ts'
import { sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

/** A finalized subtask with an entry of time on it, and another entry on its task. */
async function newFinalized() {
  const world = await newWorld()
  const { id: projectId } = await world.project()
  const { id: taskId } = await world.task({ projectId })
  const { id } = await world.subtask(taskId)
  const frozen = await world.timeEntry({ subtaskId: id })
  const free = await world.timeEntry({ taskId })
  const { body: subtask } = await world.owner.post(`/subtasks/${id}/finalize`)
  return { ...world, projectId, taskId, subtask, frozen, free, path: `/subtasks/${id}` }
}

test('a caller can finalize a subtask, which then shows when and by whom', async () => {
  const { owner, project, task, subtask } = await newWorld()
  const made = await subtask((await task({ projectId: (await project()).id })).id)
  assert.deepEqual([made.finalizedAt, made.finalizedBy], [null, null])
  const { status, body } = await owner.post(`/subtasks/${made.id}/finalize`)
  assert.equal(status, 200)
  assert.deepEqual(body, { ...made, ...body, finalizedAt: body.updatedAt, finalizedBy: owner.memberId, version: 2 })
  assert.deepEqual((await owner.get(`/subtasks/${made.id}`)).body, body)
})

test('finalizing a subtask that is already finalized is refused with 412', async () => {
  const { owner, path, subtask } = await newFinalized()
  assertRefused(await owner.post(`${path}/finalize`), 412, 'subtask_finalized')
  assert.deepEqual((await owner.get(path)).body, subtask)
})

test('an action accepts an empty body, with or without a JSON content type', async () => {
  const { owner, path } = await newFinalized()
  assert.equal((await owner.post(`${path}/reopen`, '', { 'content-type': 'application/json' })).status, 200)
  assert.equal((await owner.post(`${path}/finalize`)).status, 200)
  assert.equal((await owner.post(`${path}/reopen`, {})).status, 200)
})

test('a finalized subtask is frozen: updating or deleting it gets 412', async () => {
  const { owner, path, subtask } = await newFinalized()
  assertRefused(await owner.patch(path, { name: 'Renamed' }), 412, 'subtask_finalized')
  assertRefused(await owner.patch(path, { assigneeId: owner.memberId }), 412, 'subtask_finalized')
  assertRefused(await owner.delete(path), 412, 'subtask_finalized')
  assert.deepEqual((await owner.get(path)).body, subtask)
})

test('a task with a finalized subtask cannot be deleted, alone or in bulk: 412, until it is reopened', async () => {
  const { owner, path, subtask, taskId, frozen } = await newFinalized()
  assertRefused(await owner.delete(`/tasks/${taskId}`), 412, 'subtask_finalized')
  const inBulk = await owner.post('/bulk', { operations: [{ method: 'DELETE', path: `/tasks/${taskId}` }] })
  assert.deepEqual([inBulk.status, inBulk.headers.get('x-error-code')], [412, 'subtask_finalized'])
  assert.deepEqual((await owner.get(path)).body, subtask)
  assert.deepEqual((await owner.get(`/time-entries/${frozen.id}`)).body, frozen)
  await owner.post(`${path}/reopen`)
  assert.equal((await owner.delete(`/tasks/${taskId}`)).status, 204)
  assert.equal((await owner.post(`/tasks/${taskId}/restore`)).status, 200)
})

test('finalizing a subtask and deleting its task at once never delete a finalized subtask', async () => {
  const { owner, project, task, subtask } = await newWorld()
  const { id: projectId } = await project()
  for (let round = 0; round < 8; round++) {
    const { id: taskId } = await task({ projectId })
    const { id } = await subtask(taskId)
    const [finalized, deleted] = await Promise.all([
      owner.post(`/subtasks/${id}/finalize`),
      owner.delete(`/tasks/${taskId}`),
    ])
    assert.deepEqual(finalized.status === 200 ? [200, 412] : [404, 204], [finalized.status, deleted.status])
  }
})

test('no timer can start on a finalized subtask, and none of its time can run or move in bulk: 412', async () => {
  const { owner, subtask, frozen, free } = await newFinalized()
  assertRefused(await owner.post('/timer/start', { subtaskId: subtask.id }), 412, 'subtask_finalized')
  const patches = [
    [`/time-entries/${frozen.id}`, { endedAt: null }],
    [`/time-entries/${free.id}`, { subtaskId: subtask.id }],
  ] as const
  for (const [path, body] of patches) {
    const operations = [{ method: 'PATCH', path, body }]
    const { status, headers } = await owner.post('/bulk', { operations })
    assert.deepEqual([status, headers.get('x-error-code')], [412, 'subtask_finalized'])
  }
})

test('no time can be recorded on a finalized subtask: 412', async () => {
  const { owner, subtask } = await newFinalized()
  const body = { subtaskId: subtask.id, durationSeconds: 60 }
  assertRefused(await owner.post('/time-entries', body), 412, 'subtask_finalized')
})

test('the time of a finalized subtask cannot be updated, moved off it or deleted: 412', async () => {
  const { owner, frozen, taskId } = await newFinalized()
  const path = `/time-entries/${frozen.id}`
  for (const changes of [{ description: 'More' }, { endedAt: null }, { taskId }]) {
    assertRefused(await owner.patch(path, changes), 412, 'subtask_finalized')
  }
  assertRefused(await owner.delete(path), 412, 'subtask_finalized')
  assert.deepEqual((await owner.get(path)).body, frozen)
})

test('other time cannot be moved onto a finalized subtask: 412', async () => {
  const { owner, free, subtask } = await newFinalized()
  const path = `/time-entries/${free.id}`
  assertRefused(await owner.patch(path, { subtaskId: subtask.id }), 412, 'subtask_finalized')
  assert.deepEqual((await owner.get(path)).body, free)
})

test('reopening a subtask unfreezes it and its time', async () => {
  const { owner, path, frozen, subtask } = await newFinalized()
  const reopened = await owner.post(`${path}/reopen`)
  assert.equal(reopened.status, 200)
  assert.deepEqual([reopened.body.finalizedAt, reopened.body.finalizedBy], [null, null])
  assert.equal((await owner.patch(`/time-entries/${frozen.id}`, { billable: true })).status, 200)
  assert.equal((await owner.post('/time-entries', { subtaskId: subtask.id, durationSeconds: 60 })).status, 201)
  assert.equal((await owner.patch(path, { name: 'Renamed' })).status, 200)
  assert.equal((await owner.delete(path)).status, 204)
})

test('reopening a subtask that is not finalized is refused with 412', async () => {
  const { owner, path } = await newFinalized()
  await owner.post(`${path}/reopen`)
  assertRefused(await owner.post(`${path}/reopen`), 412)
})

test('finalizing again with the same Idempotency-Key does nothing a second time: it replays', async () => {
  const { owner, path } = await newFinalized()
  await owner.post(`${path}/reopen`)
  const [first, again] = [
    await owner.post(`${path}/finalize`, undefined, { 'idempotency-key': 'once' }),
    await owner.post(`${path}/finalize`, undefined, { 'idempotency-key': 'once' }),
  ]
  assert.deepEqual([again.status, again.text], [200, first.text])
})

test('a finalized subtask freezes nothing else of its task', async () => {
  const { owner, taskId, free } = await newFinalized()
  assert.equal((await owner.patch(`/tasks/${taskId}`, { name: 'Renamed' })).status, 200)
  assert.equal((await owner.patch(`/time-entries/${free.id}`, { billable: true })).status, 200)

  assert.equal((await owner.post(`/tasks/${taskId}/subtasks`, { name: 'Another' })).status, 201)
})

test('finalizing and reopening require a contributor: a viewer gets 403, a caller who does not see the project 404', async () => {
  const { member, admin, path, projectId, addToProject } = await newFinalized()
  assertRefused(await member.post(`${path}/reopen`), 404)
  await addToProject(projectId, member, 'viewer')
  assertRefused(await member.post(`${path}/reopen`), 403)
  assertRefused(await member.post(`${path}/finalize`), 403)
  await admin.patch(`/projects/${projectId}/members/${member.memberId}`, { role: 'contributor' })
  assert.equal((await member.post(`${path}/reopen`)).status, 200)
})
