import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

test('a member who was removed by mistake is restored with the keys, but not with projects and assignments', async () => {
  const { owner, member, project, addToProject, task, timeEntry } = await newWorld()
  const { id: projectId } = await project()
  await addToProject(projectId, member)
  const work = await task({ projectId, assigneeIds: [member.memberId] })
  const entry = await timeEntry({ taskId: work.id, memberId: member.memberId })
  const before = (await owner.get(`/members/${member.memberId}`)).body
  await owner.delete(`/members/${member.memberId}`)
  assert.equal((await member.get('/me')).status, 401)
  const { status, body } = await owner.post(`/members/${member.memberId}/restore`)
  assert.deepEqual([status, body.name, body.email, body.role], [200, before.name, before.email, before.role])
  assert.ok(body.version > before.version)
  assert.equal((await member.get('/me')).body.member.id, member.memberId)
  assert.deepEqual((await member.get('/projects')).body.data, [])
  assert.deepEqual((await owner.get(`/tasks/${work.id}`)).body.assigneeIds, [])
  assert.equal((await owner.get(`/time-entries/${entry.id}`)).body.memberId, member.memberId)
  assert.equal((await owner.post(`/members/${member.memberId}/restore`)).status, 404)
})

test('nobody can restore a member of a role above their own: 403; or one whose address is taken: 422', async () => {
  const { owner, admin, member, join } = await newWorld()
  const second = await join('Otto Owner', 'owner')
  await owner.delete(`/members/${second.memberId}`)
  for (const api of [admin, member]) {
    assert.equal((await api.post(`/members/${second.memberId}/restore`)).status, 403)
  }
  assert.equal((await owner.post(`/members/${second.memberId}/restore`)).status, 200)
  const { email } = (await owner.get(`/members/${member.memberId}`)).body
  await owner.delete(`/members/${member.memberId}`)
  const taker = (await owner.post('/members', { name: 'Taker', email })).body
  const refused = await admin.post(`/members/${member.memberId}/restore`)
  assert.deepEqual([refused.status, refused.body.details.fieldErrors], [422, { email: ['Is already taken'] }])
  await owner.delete(`/members/${taker.id}`)
  assert.equal((await admin.post(`/members/${member.memberId}/restore`)).status, 200)
})

test('a member of another organization cannot be restored: 404', async () => {
  const [{ owner, member }, other] = [await newWorld(), await newWorld()]
  await owner.delete(`/members/${member.memberId}`)
  assert.equal((await other.owner.post(`/members/${member.memberId}/restore`)).status, 404)
  assert.equal((await owner.post(`/members/${member.memberId}/restore`)).status, 200)
})
