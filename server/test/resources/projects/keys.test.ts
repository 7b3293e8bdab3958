import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invalidFields } from '../../support/envelope.ts'
import { sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

test('a caller reads, updates, archives, deletes and restores a project by its key as by its id', async () => {
  const { owner, project } = await newWorld()
  const { id } = await project({ key: 'WEB' })
  assert.deepEqual((await owner.get('/projects/WEB')).body, (await owner.get(`/projects/${id}`)).body)
  const edited = await owner.patch('/projects/WEB', { name: 'Anew' })
  assert.deepEqual([edited.status, edited.body.id, edited.body.name], [200, id, 'Anew'])
  for (const action of ['archive', 'unarchive']) {
    const { status, body } = await owner.post(`/projects/WEB/${action}`)
    assert.deepEqual([status, body.id], [200, id], action)
  }
  assert.equal((await owner.delete('/projects/WEB')).status, 204)
  assert.equal((await owner.get(`/projects/${id}`)).status, 404)
  assert.equal((await owner.post('/projects/WEB/restore')).body.id, id)
})

test('the members of a project are listed, added, updated and removed below its key', async () => {
  const { owner, member, project } = await newWorld()
  const { id } = await project({ key: 'WEB' })
  const added = await owner.post('/projects/WEB/members', { memberId: member.memberId, role: 'viewer' })
  assert.equal(added.status, 201)
  assert.equal(added.headers.get('location'), `/api/v1/projects/${id}/members/${member.memberId}`)
  const one = `/projects/WEB/members/${member.memberId}`
  assert.deepEqual((await owner.get(one)).body, added.body)
  assert.equal((await owner.patch(one, { role: 'lead' })).body.projectId, id)
  assert.deepEqual((await owner.get('/projects/WEB/members')).body, (await owner.get(`/projects/${id}/members`)).body)
  assert.equal((await owner.delete(one)).status, 204)
  assert.equal((await owner.get(one)).status, 404)
})

test('the key of an invisible project and an unknown key get the same 404 everywhere', async () => {
  const [world, other] = [await newWorld(), await newWorld()]
  const { owner, member, admin } = world
  await world.project({ key: 'HID' })
  await other.project({ key: 'FOR' })
  const gone = await world.project({ key: 'GONE' })
  await owner.delete(`/projects/${gone.id}`)
  const replies = []
  for (const [api, key] of [
    [member, 'HID'],
    [owner, 'FOR'],
    [owner, 'GONE'],
    [owner, 'NONE'],
    [owner, 'H'],
  ] as const) {
    replies.push(
      await api.get(`/projects/${key}`),
      await api.patch(`/projects/${key}`, { name: 'x' }),
      await api.get(`/projects/${key}/members`),
      await api.get(`/projects/${key}/members/${admin.memberId}`),
      await api.delete(`/projects/${key}/members/${admin.memberId}`),
    )
  }
  replies.push(await owner.get('/projects/HID/members/HID'))
  const answers = new Set(replies.map(({ status, text }) => `${status} ${text}`))
  assert.deepEqual(answers, new Set(['404 {"error":"Not found"}']))
})

test('a key that a deleted project had too names the project that has it now, also in paths below it', async () => {
  const { owner, member, project, addToProject } = await newWorld()
  const gone = await project({ key: 'WEB' })
  await addToProject(gone.id, member)
  await owner.delete('/projects/WEB')
  const { id } = await project({ key: 'WEB' })
  assert.equal((await owner.get('/projects/WEB')).body.id, id)
  const { status, body } = await owner.get('/projects/WEB/members')
  assert.deepEqual([status, body.data[0].projectId], [200, id])
  assert.equal((await member.get('/projects/WEB/members')).status, 404)
  await addToProject(id, member, 'viewer')
  const listed = (await member.get('/projects/WEB/members')).body.data
  const own = listed.find(({ memberId }: { memberId: string }) => memberId === member.memberId)
  assert.deepEqual([own.projectId, own.role], [id, 'viewer'])
})

test('if several deleted projects had a key, that key restores the one that was deleted last', async () => {
  const { owner, project } = await newWorld()
  // made one after the other, and deleted so that neither the first one made nor the last one is the one deleted last
  const ids: string[] = []
  for (const name of ['first', 'second', 'third']) {
    ids.push((await project({ key: 'WEB', name })).id)
    await owner.delete('/projects/WEB')
  }
  const [, second = ''] = ids
  await owner.post(`/projects/${second}/restore`)
  await owner.delete('/projects/WEB')
  const { status, body } = await owner.post('/projects/WEB/restore')
  assert.deepEqual([status, body.id], [200, second])
  const taken = await owner.post('/projects/WEB/restore')
  assert.deepEqual(invalidFields(taken), ['key'])
})
