import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { inTurn } from '../support/holding.ts'
import { databaseUrl, type Reply, sharedServer } from '../support/world.ts'

const { db, newWorld } = await sharedServer()

const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status)

test('time that waited for a change of the policies is recorded under the new ones', async (t) => {
  const { owner, orgId, project, task } = await newWorld()
  const { id: taskId } = await task({ projectId: (await project()).id })
  const replies = await inTurn(
    t,
    { url: databaseUrl, orgId },
    () => owner.patch('/organization', { settings: { timeLockedBefore: '2026-01-01' } }),
    () => owner.post('/time-entries', { taskId, startedAt: '2025-06-01T10:00:00Z', durationSeconds: 60 }),
  )
  assert.deepEqual(statuses(replies), [200, 412])
})

test('a write that waited for the removal of a member does not assign it: 404', async (t) => {
  const { owner, orgId, project, task, join } = await newWorld()
  const { id: projectId } = await project()
  const { id: taskId } = await task({ projectId })
  const assigning = [
    (assigneeIds: string[]) => owner.patch(`/tasks/${taskId}`, { assigneeIds }),
    (assigneeIds: string[]) => owner.post('/tasks', { projectId, name: 'Assigned', assigneeIds }),
    ([assigneeId]: string[]) => owner.post(`/tasks/${taskId}/subtasks`, { name: 'Assigned', assigneeId }),
    ([memberId]: string[]) => owner.post(`/projects/${projectId}/members`, { memberId, role: 'viewer' }),
  ]
  for (const assign of assigning) {
    // an admin needs no membership, so the removal knows nothing of this project
    const { memberId } = await join('Admin', 'admin')
    const removal = () => owner.delete(`/members/${memberId}`)
    assert.deepEqual(
      statuses(await inTurn(t, { url: databaseUrl, orgId }, removal, () => assign([memberId]))),
      [204, 404],
    )
  }
})

test('renumbering the tasks of a stage does not touch a task that has left it meanwhile', async (t) => {
  const { owner, orgId, project, task, workspace, stages } = await newWorld()
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace({ projectId })
  const [, second] = await stages(workspaceId)
  for (const place of [{ workspaceId: null }, { stageId: second.id }]) {
    const [top, leaver, bottom] = [
      await task({ projectId, workspaceId }),
      await task({ projectId, workspaceId }),
      await task({ projectId, workspaceId }),
    ]
    // no room between both
    await db.rows(sql`
      update tasks set position = case when id = ${top.id} then -2 else -1 end
      where org_id = ${orgId} and id = any(${[top.id, leaver.id]})`)
    const leave = () => owner.patch(`/tasks/${leaver.id}`, place)
    const goBetween = () => owner.post(`/tasks/${bottom.id}/move`, { afterId: top.id })
    const [left, moved] = await inTurn(t, { url: databaseUrl, orgId }, leave, goBetween)
    assert.deepEqual(statuses([left, moved]), [200, 200])
    assert.deepEqual((await owner.get(`/tasks/${leaver.id}`)).body, left.body)
  }
})

test('a stop that waited for a start stops the timer that was started', async (t) => {
  const { owner, orgId, project, task } = await newWorld()
  const { id: taskId } = await task({ projectId: (await project()).id })
  await owner.post('/timer/start', { taskId })
  const start = () => owner.post('/timer/start', { taskId })
  const [started, stopped] = await inTurn(t, { url: databaseUrl, orgId }, start, () => owner.post('/timer/stop'))
  assert.deepEqual(statuses([started, stopped]), [201, 200])
  assert.equal(stopped.body.id, started.body.id)
})

test('a timer that is restarted while its task is deleted is stopped, and does not run when the task returns', async (t) => {
  const { owner, orgId, project, task, timeEntry } = await newWorld()
  const { id: taskId } = await task({ projectId: (await project()).id })
  const { id } = await timeEntry({ taskId })
  const run = () => owner.patch(`/time-entries/${id}`, { endedAt: null })
  assert.deepEqual(
    statuses(await inTurn(t, { url: databaseUrl, orgId }, run, () => owner.delete(`/tasks/${taskId}`))),
    [200, 204],
  )
  assert.equal((await owner.post(`/tasks/${taskId}/restore`)).status, 200)
  assert.notEqual((await owner.get(`/time-entries/${id}`)).body.endedAt, null)
})

test('a move to a workspace leaves a task in the stage that it was moved to meanwhile', async (t) => {
  const { owner, orgId, project, task, workspace, stages } = await newWorld()
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace({ projectId })
  const [, { id: stageId }] = await stages(workspaceId)
  const { id } = await task({ projectId })
  const move = (to: object) => () => owner.post(`/tasks/${id}/move`, to)
  const [, moved] = await inTurn(t, { url: databaseUrl, orgId }, move({ stageId }), move({ workspaceId }))
  assert.deepEqual([moved.status, moved.body.stageId], [200, stageId])
})
