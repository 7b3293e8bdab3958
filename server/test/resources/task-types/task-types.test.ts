import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

test('a task type is created with 201, Location and ETag, and everybody can read it there', async () => {
  const { admin, member } = await newWorld()
  const reply = await admin.post('/task-types', { name: ' Bug ', icon: '🐞' })
  assert.equal(reply.status, 201)
  const { id, version, createdAt, updatedAt, ...fields } = reply.body
  assert.deepEqual(fields, { name: 'Bug', icon: '🐞', color: null })
  assert.equal(reply.headers.get('location'), `/api/v1/task-types/${id}`)
  assert.equal(reply.headers.get('etag'), `"${reply.body.id}.1"`)
  assert.deepEqual((await member.get(`/task-types/${id}`)).body, reply.body)
})

test('a name that differs only in case or accents is already taken: 422 in fieldErrors.name', async () => {
  const { owner, taskType } = await newWorld()
  await owner.post('/task-types', { name: 'Tâche' })
  const { id } = await taskType()
  const details = { formErrors: [], fieldErrors: { name: ['Is already taken'] } }
  assert.deepEqual((await owner.post('/task-types', { name: 'TACHE' })).body.details, details)
  assert.deepEqual((await owner.patch(`/task-types/${id}`, { name: 'tache' })).body.details, details)
})

test('task types are listed by name, ignoring case', async () => {
  const { owner, member } = await newWorld()
  for (const name of ['chore', 'Feature', 'bug', 'Épic']) await owner.post('/task-types', { name })
  const { body } = await member.get('/task-types')
  assert.deepEqual(
    body.data.map(({ name }: { name: string }) => name),
    ['bug', 'chore', 'Épic', 'Feature'],
  )
  assert.equal(body.total, 4)
})

test('PATCH keeps absent fields and clears null fields', async () => {
  const { owner, taskType } = await newWorld()
  const { id, name } = await taskType({ icon: 'bug', color: '#ffffff' })
  const { body } = await owner.patch(`/task-types/${id}`, { icon: null })
  assert.deepEqual([body.name, body.icon, body.color, body.version], [name, null, '#ffffff', 2])
})

test('a deleted task type is gone, its name is free, and its tasks have no type', async () => {
  const { owner, taskType, task, project } = await newWorld()
  const { id, name } = await taskType()
  const typed = await task({ projectId: (await project()).id, typeId: id })
  assert.equal((await owner.delete(`/task-types/${id}`)).status, 204)
  assert.equal((await owner.get(`/task-types/${id}`)).status, 404)
  assert.equal((await owner.patch(`/tasks/${typed.id}`, { typeId: id })).status, 404)
  assert.equal((await owner.post('/task-types', { name })).status, 201)
  const { body } = await owner.get(`/tasks/${typed.id}`)
  assert.deepEqual([body.typeId, body.version], [null, typed.version + 1])
})
