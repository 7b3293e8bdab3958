import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invalidFields } from '../../support/envelope.ts'
import { type Api, sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

/** Subtasks of two projects, of which the member sees the first. */
async function subtasksOfTwoProjects() {
  const world = await newWorld()
  const { project, task, subtask, member, addToProject } = world
  const [open, hidden] = [await project(), await project()]
  await addToProject(open.id, member)
  const [one, other, unseen] = [
    await task({ projectId: open.id }),
    await task({ projectId: open.id }),
    await task({ projectId: hidden.id }),
  ]
  const [mine, nobodys, ofOther] = [
    await subtask(one.id, { assigneeId: member.memberId }),
    await subtask(one.id),
    await subtask(other.id, { assigneeId: member.memberId }),
  ]
  const ofUnseen = await subtask(unseen.id, { assigneeId: member.memberId })
  return { ...world, open, hidden, one, other, unseen, mine, nobodys, ofOther, ofUnseen }
}

const listed = async (api: Api, query = '') => (await api.get(`/subtasks?${query}`)).body.data
const idsOf = (items: { id: string }[]) => items.map(({ id }) => id)

test('/subtasks lists the subtasks of all tasks newest first, each as GET by id shows it, to callers who see its project', async () => {
  const { owner, member, mine, nobodys, ofOther, ofUnseen } = await subtasksOfTwoProjects()
  assert.deepEqual(await listed(owner), [ofUnseen, ofOther, nobodys, mine])
  assert.deepEqual(await listed(member), [ofOther, nobodys, mine])
  for (const made of await listed(owner)) assert.deepEqual((await owner.get(`/subtasks/${made.id}`)).body, made)
})

test("one list finds the caller's open subtasks, across tasks and projects", async () => {
  const { owner, member, addToProject, hidden, mine, ofOther, ofUnseen } = await subtasksOfTwoProjects()
  await owner.post(`/subtasks/${mine.id}/finalize`)
  assert.deepEqual(idsOf(await listed(member, 'assigneeId=me&finalized=false')), [ofOther.id])
  assert.deepEqual(idsOf(await listed(member, 'assigneeId=me&finalized=true')), [mine.id])
  assert.deepEqual(await listed(owner, 'assigneeId=me'), [])
  await addToProject(hidden.id, member, 'viewer')
  assert.deepEqual(idsOf(await listed(member, 'assigneeId=me&finalized=false')), [ofUnseen.id, ofOther.id])
})

test('subtasks can be filtered by task, by project, and by no assignee', async () => {
  const { owner, one, open, hidden, mine, nobodys, ofOther, ofUnseen } = await subtasksOfTwoProjects()
  assert.deepEqual(await listed(owner, `taskId=${one.id}`), [nobodys, mine])
  assert.deepEqual(await listed(owner, `projectId=${open.id}`), [ofOther, nobodys, mine])
  assert.deepEqual(await listed(owner, `projectId=${hidden.id}&taskId=${one.id}`), [])
  assert.deepEqual(await listed(owner, 'assigneeId=none'), [nobodys])
  assert.deepEqual(idsOf(await listed(owner, `projectId=${hidden.id}`)), [ofUnseen.id])
})

test('no list shows an item below a deleted task or project, and the item returns with it', async () => {
  const { owner, member, open, other, mine, nobodys, ofOther, ofUnseen } = await subtasksOfTwoProjects()
  await owner.delete(`/tasks/${other.id}`)
  assert.deepEqual(await listed(owner), [ofUnseen, nobodys, mine])
  assert.deepEqual(await listed(member), [nobodys, mine])
  await owner.delete(`/projects/${open.id}`)
  assert.deepEqual(await listed(owner), [ofUnseen])
  assert.deepEqual(await listed(member), [])
  assert.equal((await owner.post(`/projects/${open.id}/restore`)).status, 200)
  assert.equal((await owner.post(`/tasks/${other.id}/restore`)).status, 200)
  assert.deepEqual(idsOf(await listed(member)), idsOf([ofOther, nobodys, mine]))
})

test('a deleted member is assigned to nothing in the list, and as a filter finds nothing', async () => {
  const { owner, member, mine } = await subtasksOfTwoProjects()
  assert.equal((await owner.delete(`/members/${member.memberId}`)).status, 204)
  assert.deepEqual(await listed(owner, `assigneeId=${member.memberId}`), [])
  const [shown] = (await listed(owner)).filter(({ id }: { id: string }) => id === mine.id)
  assert.equal(shown.assigneeId, null)
})

test('an unknown filter gets 422', async () => {
  const { owner } = await newWorld()
  for (const [name, value] of Object.entries({ assigneeId: 'all', taskId: 'WEB-1', finalized: 'yes', projectId: '' }))
    assert.deepEqual(invalidFields(await owner.get(`/subtasks?${name}=${value}`)), [name])
})
