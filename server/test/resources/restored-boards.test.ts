import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { inTurn } from '../support/holding.ts'
import { manyTasks } from '../support/many.ts'
import { databaseUrl, sharedServer } from '../support/world.ts'

const { db, newWorld } = await sharedServer()

const rounds = Array.from({ length: 12 })

test('a task that is restored while its workspace is deleted never stays on a deleted board', async () => {
  const { owner, project, workspace, task } = await newWorld()
  const { id: projectId } = await project()
  await Promise.all(
    rounds.map(async () => {
      const { id: workspaceId } = await workspace()
      const { id } = await task({ projectId, workspaceId })
      await owner.delete(`/tasks/${id}`)
      const [restored, deleted] = await Promise.all([
        owner.post(`/tasks/${id}/restore`),
        owner.delete(`/workspaces/${workspaceId}`),
      ])
      assert.equal(restored.status, 200)
      assert.ok([204, 412].includes(deleted.status), deleted.text)
      await standsOnBoard(id)
    }),
  )

  async function standsOnBoard(id: string) {
    const { body } = await owner.get(`/tasks/${id}`)
    if (body.workspaceId === null) return
    assert.equal((await owner.get(`/workspaces/${body.workspaceId}`)).status, 200)
    assert.equal((await owner.get(`/stages/${body.stageId}`)).status, 200)
  }
})

test('a project that is restored while a board of the organization is deleted leaves no task on that board', async () => {
  const { owner, project, workspace, stages, task } = await newWorld()
  for (const _ of rounds) {
    const { id: projectId } = await project()
    const { id: workspaceId } = await workspace()
    const [{ id: stageId }] = await stages(workspaceId)
    const { id } = await task({ projectId, workspaceId })
    await owner.delete(`/projects/${projectId}`)
    await Promise.all([
      owner.post(`/projects/${projectId}/restore`),
      owner.delete(`/stages/${stageId}`),
      owner.delete(`/workspaces/${workspaceId}`),
    ])
    const { status, body } = await owner.get(`/tasks/${id}`)
    assert.equal(status, 200)
    if (body.stageId !== null) assert.equal((await owner.get(`/stages/${body.stageId}`)).status, 200)
  }
})

test('a project cannot return to a shared board whose stage is full: 412, and nothing changes', async () => {
  const { owner, project, workspace, stages, task } = await newWorld()
  const { id: workspaceId } = await workspace()
  const [{ id: stageId }] = await stages(workspaceId)
  const [{ id: gone }, { id: stays }] = [await project(), await project()]
  await task({ projectId: gone, stageId })
  assert.equal((await owner.patch(`/stages/${stageId}`, { wipLimit: 1 })).status, 200)
  await owner.delete(`/projects/${gone}`)
  const successor = await task({ projectId: stays, stageId })
  const refused = await owner.post(`/projects/${gone}/restore`)
  assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [412, 'stage_full'])
  await owner.delete(`/tasks/${successor.id}`)
  assert.equal((await owner.post(`/projects/${gone}/restore`)).status, 200)
  assert.equal((await owner.get(`/tasks?stageId=${stageId}`)).body.data.length, 1)
})

test('a subtask that is restored while others are added has a position of its own', async () => {
  const { owner, project, task, subtask } = await newWorld()
  const { id: projectId } = await project()
  await Promise.all(
    rounds.map(async () => {
      const { id: taskId } = await task({ projectId })
      const { id } = await subtask(taskId)
      await owner.delete(`/subtasks/${id}`)
      await Promise.all([owner.post(`/subtasks/${id}/restore`), subtask(taskId), subtask(taskId)])
      const { data } = (await owner.get(`/tasks/${taskId}/subtasks`)).body
      assert.deepEqual([data.length, new Set(data.map(({ position }: { position: number }) => position)).size], [3, 3])
    }),
  )
})

test('a project with 10,000 tasks on stages that were deleted meanwhile can be restored after these: 412 before', async () => {
  const { owner, orgId, project, workspace, stages, task } = await newWorld()
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace()
  const [{ id: stageId }] = await stages(workspaceId)
  const { id } = await task({ projectId, stageId })
  const copies = await manyTasks(db, orgId, id, 9_999, {})
  await db.rows(sql`
    update tasks set workspace_id = ${workspaceId}, stage_id = ${stageId}, position = number
    where org_id = ${orgId} and project_id = ${projectId}`)
  for (const path of [`/projects/${projectId}`, `/stages/${stageId}`])
    assert.equal((await owner.delete(path)).status, 204)
  const restore = () => owner.post(`/projects/${projectId}/restore`)
  const { status, headers, body } = await restore()
  assert.deepEqual([status, headers.get('x-error-code')], [412, 'too_many_changes'])
  assert.match(body.error, /^The deleted stages have 10000 or more tasks,.*; restore these stages first$/)
  assert.equal((await owner.post(`/stages/${stageId}/restore`)).status, 200)
  assert.equal((await restore()).status, 200)
  assert.equal((await owner.get(`/tasks/${copies[0]}`)).body.stageId, stageId)
})

test('if two stages are restored at once to a workspace with room for one, one is: 412 for the other', async (t) => {
  const { orgId, owner, workspace, stages } = await newWorld()
  const names = Array.from({ length: 50 }, (_, i) => `Stage ${i}`)
  const { id: workspaceId } = await workspace({ stages: names })
  const add = (name: string) => ({ method: 'POST', path: `/workspaces/${workspaceId}/stages`, body: { name } })
  const more = Array.from({ length: 50 }, (_, i) => add(`Another ${i}`))
  assert.equal((await owner.post('/bulk', { operations: more })).status, 200)
  const [first, second] = await stages(workspaceId)
  for (const { id } of [first, second]) assert.equal((await owner.delete(`/stages/${id}`)).status, 204)
  assert.equal((await owner.post(`/workspaces/${workspaceId}/stages`, { name: 'One more' })).status, 201)
  const [ahead, behind] = await inTurn(
    t,
    { url: databaseUrl, orgId },
    () => owner.post(`/stages/${first.id}/restore`),
    () => owner.post(`/stages/${second.id}/restore`),
  )
  assert.deepEqual([ahead.status, behind.status], [200, 412])
  assert.equal(behind.headers.get('x-error-code'), 'no_room')
  assert.equal((await owner.get(`/workspaces/${workspaceId}/stages`)).body.total, 100)
})
