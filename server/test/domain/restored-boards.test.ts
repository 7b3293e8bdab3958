import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../world.ts'

const { newWorld } = await startServer()

const rounds = Array.from({ length: 12 })

test('of a task that is restored while its workspace is deleted, none is left on a board that is gone', async () => {
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

test('of a project that is restored while a board of the organization is deleted, no task is left on that board', async () => {
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
