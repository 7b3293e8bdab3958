import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

test('numbers have no gaps when 50 tasks are created at once and most fail, in every way, and are never used again', async () => {
  const { owner, project, workspace, stages, task } = await newWorld()
  const { id: projectId } = await project({ key: 'WEB' })
  const { id: empty } = await workspace({ stages: [] })
  const [full] = await stages((await workspace()).id)
  await owner.patch(`/stages/${full.id}`, { wipLimit: 1 })
  const create = (more: object, query = '') => owner.post(`/tasks${query}`, { name: 'A task', projectId, ...more })
  const inBulk = (second: object) =>
    owner.post('/bulk', {
      operations: [{}, second].map((more) => ({
        method: 'POST',
        path: '/tasks',
        body: { name: 'A task', projectId, ...more },
      })),
    })
  const ways = [
    () => create({}),
    () => create({ workspaceId: empty }),
    () => create({ name: '' }),
    () => create({}, '?dryRun=true'),
    () => create({ tagIds: [randomUUID()] }),
    () => create({ stageId: full.id }),
    () => inBulk({}),
    () => inBulk({ workspaceId: empty }),
    () =>
      owner.post('/bulk?dryRun=true', {
        operations: [{ method: 'POST', path: '/tasks', body: { name: 'A task', projectId } }],
      }),
    () => create({ assigneeIds: [owner.memberId] }),
  ]
  const replies = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => ({ way: i % ways.length, reply: await ways[i % ways.length]?.() })),
  )
  const statusesOf = (wanted: number) =>
    replies
      .filter(({ way }) => way === wanted)
      .map(({ reply }) => reply?.status)
      .toSorted()
  const every = (status: number) => Array(5).fill(status)
  assert.deepEqual(
    [0, 1, 2, 3, 4, 6, 7, 8, 9].map(statusesOf),
    [201, 412, 422, 201, 404, 200, 412, 200, 201].map(every),
  )
  assert.deepEqual(statusesOf(5), [201, 412, 412, 412, 412])
  const all = (await owner.get(`/tasks?limit=100&projectId=${projectId}`)).body.data
  const numbers = all.map(({ number }: { number: number }) => number).toSorted((a: number, b: number) => a - b)
  assert.deepEqual(
    numbers,
    Array.from({ length: 21 }, (_, i) => i + 1),
  )
  for (const { key, number } of all) assert.equal(key, `WEB-${number}`)
  for (const { id } of all) await owner.delete(`/tasks/${id}`)
  assert.equal((await task({ projectId })).key, 'WEB-22')
})
