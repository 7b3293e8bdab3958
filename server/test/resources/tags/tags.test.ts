import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

test('a tag is created with 201, Location and ETag, and can be read there', async () => {
  const { member } = await newWorld()
  const reply = await member.post('/tags', { name: '  Urgent ', color: '#D1242F' })
  assert.equal(reply.status, 201)
  assert.equal(reply.body.name, 'Urgent')
  assert.equal(reply.headers.get('location'), `/api/v1/tags/${reply.body.id}`)
  assert.equal(reply.headers.get('etag'), `"${reply.body.id}.1"`)
  const read = await member.get(`/tags/${reply.body.id}`)
  assert.deepEqual(read.body, reply.body)
})

test('a name that differs only in case or accents is already taken: 422 in fieldErrors.name', async () => {
  const { owner } = await newWorld()
  await owner.post('/tags', { name: 'Résumé' })
  const reply = await owner.post('/tags', { name: 'RESUME' })
  assert.equal(reply.status, 422)
  assert.deepEqual(reply.body, {
    error: 'Validation failed',
    details: { formErrors: [], fieldErrors: { name: ['Is already taken'] } },
  })
})

test('PATCH keeps absent fields and clears null fields', async () => {
  const { owner, tag } = await newWorld()
  const { id, name } = await tag({ color: '#ffffff' })
  const cleared = await owner.patch(`/tags/${id}`, { color: null })
  assert.equal(cleared.body.name, name)
  assert.equal(cleared.body.color, null)
  assert.equal(cleared.body.version, 2)
})

test('a deleted tag is gone, its name is free, and its tasks changed', async () => {
  const { owner, tag, task, project } = await newWorld()
  const { id, name } = await tag()
  const bearer = await task({ projectId: (await project()).id, tagIds: [id] })
  assert.equal((await owner.delete(`/tags/${id}`)).status, 204)
  assert.equal((await owner.get(`/tags/${id}`)).status, 404)
  assert.equal((await owner.post('/tags', { name })).status, 201)
  const { body } = await owner.get(`/tasks/${bearer.id}`)
  assert.deepEqual([body.tagIds, body.version], [[], bearer.version + 1])
})
