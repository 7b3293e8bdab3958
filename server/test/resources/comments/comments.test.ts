import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { created, sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

/** A task in a project that the member contributes to. */
async function taskAndPeople() {
  const world = await newWorld()
  const { id: projectId } = await world.project()
  const { id: taskId } = await world.task({ projectId })
  await world.addToProject(projectId, world.member)
  return { ...world, projectId, taskId, comments: `/tasks/${taskId}/comments` }
}

test('a contributor creates a comment, with its author, its task and its project', async () => {
  const { member, comments, taskId, projectId } = await taskAndPeople()
  const reply = await member.post(comments, { body: '  **Hi**\n\nthere 🚀 ' })
  const { id, body, authorId, version } = reply.body
  assert.deepEqual([reply.status, body, authorId, version], [201, '**Hi**\n\nthere 🚀', member.memberId, 1])
  assert.deepEqual([reply.body.taskId, reply.body.projectId], [taskId, projectId])
  assert.equal(reply.headers.get('location'), `/api/v1/comments/${id}`)
  assert.deepEqual((await member.get(`/comments/${id}`)).body, reply.body)
})

test('the comments on a task are listed oldest first, by pages', async () => {
  const { member, owner, comments, projectId, task } = await taskAndPeople()
  for (const body of ['one', 'two', 'three']) await member.post(comments, { body })
  const other = await task({ projectId })
  await owner.post(`/tasks/${other.id}/comments`, { body: 'elsewhere' })
  const { body } = await owner.get(`${comments}?limit=2&offset=1`)
  assert.deepEqual([body.data.map(({ body }: { body: string }) => body), body.total], [['two', 'three'], 3])
})

test('only its author can update a comment, and only its author or a lead can delete it', async () => {
  const { owner, member, join, addToProject, comments, projectId } = await taskAndPeople()
  const other = await join('Otto', 'member')
  await addToProject(projectId, other)
  const { id } = await created(member.post(comments, { body: 'mine' }))
  assert.equal((await other.patch(`/comments/${id}`, { body: 'x' })).status, 403)
  assert.equal((await owner.patch(`/comments/${id}`, { body: 'x' })).status, 403)
  assert.equal((await other.delete(`/comments/${id}`)).status, 403)
  const edited = await member.patch(`/comments/${id}`, { body: 'better' })
  assert.deepEqual([edited.status, edited.body.body, edited.body.version], [200, 'better', 2])
  assert.equal((await owner.delete(`/comments/${id}`)).status, 204)
  assert.equal((await member.get(`/comments/${id}`)).status, 404)
  const { id: second } = await created(member.post(comments, { body: 'mine too' }))
  assert.equal((await member.delete(`/comments/${second}`)).status, 204)
  assert.equal((await member.get(comments)).body.total, 0)
})

test('an author who is only a viewer of the project now can update and delete nothing there: 403', async () => {
  const { owner, member, comments, projectId } = await taskAndPeople()
  const { id } = await created(member.post(comments, { body: 'mine' }))
  await owner.patch(`/projects/${projectId}/members/${member.memberId}`, { role: 'viewer' })
  assert.equal((await member.get(`/comments/${id}`)).status, 200)
  assert.equal((await member.patch(`/comments/${id}`, { body: 'x' })).status, 403)
  assert.equal((await member.delete(`/comments/${id}`)).status, 403)
  assert.equal((await member.post(comments, { body: 'x' })).status, 403)
})

test('comments of another organization or an invisible project get 404 for every operation', async () => {
  const { owner, member, comments, projectId } = await taskAndPeople()
  const other = await newWorld()
  const { id } = await created(owner.post(comments, { body: 'secret' }))
  await owner.delete(`/projects/${projectId}/members/${member.memberId}`)
  for (const api of [other.owner, member]) {
    const replies = [
      await api.get(`/comments/${id}`),
      await api.patch(`/comments/${id}`, { body: 'x' }),
      await api.delete(`/comments/${id}`),
      await api.get(comments),
      await api.post(comments, { body: 'x' }),
      await api.get(`/comments/${randomUUID()}`),
    ]
    for (const { status, text } of replies) assert.deepEqual([status, text], [404, '{"error":"Not found"}'])
  }
})

test('a comment is deleted and restored with its task; one of a deleted task cannot be restored alone: 412', async () => {
  const { owner, comments, taskId } = await taskAndPeople()
  const [a, b] = [
    await created(owner.post(comments, { body: 'a' })),
    await created(owner.post(comments, { body: 'b' })),
  ]
  await owner.delete(`/comments/${b.id}`)
  await owner.delete(`/tasks/${taskId}`)
  assert.equal((await owner.get(`/comments/${a.id}`)).status, 404)
  assert.equal((await owner.post(`/comments/${b.id}/restore`)).status, 412)
  await owner.post(`/tasks/${taskId}/restore`)
  assert.equal((await owner.get(`/comments/${a.id}`)).status, 200)
  assert.equal((await owner.get(`/comments/${b.id}`)).status, 404)
  assert.equal((await owner.post(`/comments/${b.id}/restore`)).status, 200)
})

test('a comment without words, with U+0000, too long or with unknown fields is refused with 422', async () => {
  const { owner, comments } = await taskAndPeople()
  const { id } = await created(owner.post(comments, { body: 'x'.repeat(20_000) }))
  for (const body of ['', '  \n ', 'a\0b', '\ud800', 'x'.repeat(20_001), null, 7, ['x'], {}]) {
    for (const reply of [await owner.post(comments, { body }), await owner.patch(`/comments/${id}`, { body })]) {
      assert.equal(reply.status, 422, JSON.stringify(body).slice(0, 40))
      assert.deepEqual(Object.keys(reply.body.details.fieldErrors), ['body'])
    }
  }
  for (const field of ['authorId', 'taskId', 'createdAt']) {
    assert.equal((await owner.post(comments, { body: 'x', [field]: randomUUID() })).status, 422)
  }
})

test('a comment is updated under the version that was read: 412 if it changed since', async () => {
  const { owner, comments } = await taskAndPeople()
  const { id } = await created(owner.post(comments, { body: 'a' }))
  await owner.patch(`/comments/${id}`, { body: 'b' }, { 'if-match': '"1"' })
  assert.equal((await owner.patch(`/comments/${id}`, { body: 'c' }, { 'if-match': '"1"' })).status, 412)
  assert.equal((await owner.get(`/comments/${id}`)).body.body, 'b')
})
