import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

const below = ['subtasks', 'comments', 'history']
const bodies = { subtasks: { name: 'A step' }, comments: { body: 'Well' } }

test('the lists below a task work by its key as by its id', async () => {
  const { owner, project, task } = await newWorld()
  const { id: projectId } = await project({ key: 'WEB' })
  await task({ projectId })
  const { id, key } = await task({ projectId })
  for (const [list, body] of Object.entries(bodies)) {
    const made = await owner.post(`/tasks/${key}/${list}`, body)
    assert.deepEqual([made.status, made.body.taskId], [201, id], list)
  }
  for (const list of below) {
    const [byKey, byId] = [await owner.get(`/tasks/${key}/${list}`), await owner.get(`/tasks/${id}/${list}`)]
    assert.deepEqual([byKey.status, byKey.body], [200, byId.body], list)
    assert.equal(byKey.body.total, 1, list)
  }
  assert.deepEqual((await owner.get(`/tasks/${key}/comments?offset=5`)).body, { data: [], total: 1 })
})

test('a key that names nothing the caller sees gets the same 404 for the lists below it', async () => {
  const [world, other] = [await newWorld(), await newWorld()]
  const { owner, member } = world
  const seen = await world.project({ key: 'SEEN' })
  await world.addToProject(seen.id, member)
  const hidden = await world.task({ projectId: (await world.project({ key: 'HID' })).id })
  const foreign = await other.task({ projectId: (await other.project({ key: 'FOR' })).id })
  const gone = await world.task({ projectId: seen.id })
  await owner.delete(`/tasks/${gone.id}`)
  const inGone = await world.project({ key: 'GONE' })
  const buried = await world.task({ projectId: inGone.id })
  await owner.delete(`/projects/${inGone.id}`)
  for (const key of [hidden.key, foreign.key, gone.key, buried.key, 'SEEN-99', 'seen-1', 'SEEN-0', 'SEEN', 'SEEN-1x']) {
    for (const list of below) {
      const { status, text } = await member.get(`/tasks/${key}/${list}`)
      assert.deepEqual([status, text], [404, '{"error":"Not found"}'], `${key} ${list}`)
    }
    for (const [list, body] of Object.entries(bodies)) {
      assert.equal((await member.post(`/tasks/${key}/${list}`, body)).status, 404, `${key} ${list}`)
    }
  }
})

test('a key that a deleted project had too names the task of the existing project', async () => {
  const { owner, project, task } = await newWorld()
  const old = await project({ key: 'WEB' })
  const before = await task({ projectId: old.id })
  await owner.delete(`/projects/${old.id}`)
  const now = await task({ projectId: (await project({ key: 'WEB' })).id })
  assert.equal(now.key, before.key)
  for (const list of below) {
    const { status, body } = await owner.get(`/tasks/${now.key}/${list}`)
    assert.deepEqual([status, body], [200, (await owner.get(`/tasks/${now.id}/${list}`)).body], list)
  }
})
