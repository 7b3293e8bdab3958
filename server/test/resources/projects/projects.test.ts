import assert from 'node:assert/strict'
import { test } from 'node:test'
import { created, type Reply, sharedServer } from '../../support/world.ts'

const { newWorld } = await sharedServer()

const codeOf = ({ status, headers }: Reply) => [status, headers.get('x-error-code')]

test('a project is created active, with the given fields and null for the rest', async () => {
  const { admin } = await newWorld()
  const given = { name: 'Web site', key: 'WEB', color: '#1f6feb', startDate: '2026-01-01', dueDate: '2026-01-01' }
  const reply = await admin.post('/projects', given)
  assert.equal(reply.status, 201)
  const { id, version, createdAt, updatedAt, ...fields } = reply.body
  assert.deepEqual(fields, { ...given, description: null, status: 'active' })
  assert.deepEqual([reply.headers.get('location'), version, updatedAt], [`/api/v1/projects/${id}`, 1, createdAt])
})

test('a missing key is derived from the name: initials, or the first letters of a single word', async () => {
  const { owner } = await newWorld()
  const keyOf = async (name: string) => (await created(owner.post('/projects', { name }))).key
  assert.equal(await keyOf('Customer Success Portal'), 'CSP')
  assert.equal(await keyOf('website'), 'WEBS')
  assert.equal(await keyOf('Website'), 'WEBS2')
  assert.equal(await keyOf('Ünlü Éclair'), 'UE')
  for (const name of ['42', '日本', '1 2 3 go', '!']) assert.match(await keyOf(name), /^[A-Z][A-Z0-9]{1,9}$/)
})

test('projects with the same name that are created at the same time get different keys', async () => {
  const { owner } = await newWorld()
  const made = await Promise.all(Array.from({ length: 12 }, () => created(owner.post('/projects', { name: 'Web' }))))
  assert.equal(new Set(made.map(({ key }) => key)).size, 12)
})

test('a derived key differs from that of a deleted project, which can be restored', async () => {
  const { owner, project } = await newWorld()
  const { id, key } = await project({ name: 'Web' })
  await owner.delete(`/projects/${id}`)
  assert.equal((await project({ name: 'Web' })).key, `${key}2`)
  assert.equal((await owner.post(`/projects/${id}/restore`)).status, 200)
})

test('a key of another project gets 422 in fieldErrors.key, and another organization can have it', async () => {
  const [{ owner }, other] = [await newWorld(), await newWorld()]
  const fields = { name: 'Web', key: 'WEB' }
  await owner.post('/projects', fields)
  const { status, body } = await owner.post('/projects', fields)
  assert.deepEqual([status, body.details.fieldErrors], [422, { key: ['Is already taken'] }])
  assert.equal((await other.owner.post('/projects', fields)).status, 201)
})

test('the key of a project is fixed: 422', async () => {
  const { owner, project } = await newWorld()
  const { id } = await project({ key: 'WEB' })
  assert.equal((await owner.patch(`/projects/${id}`, { key: 'APP' })).status, 422)
  assert.equal((await owner.get(`/projects/${id}`)).body.key, 'WEB')
})

test('a project cannot be due before it starts: 422, also if only one of the dates changes', async () => {
  const { owner, project } = await newWorld()
  const [startDate, dueDate] = ['2026-02-02', '2026-02-01']
  const refusal = ['dueDate must not be before startDate']
  const { status, body } = await owner.post('/projects', { name: 'Web', startDate, dueDate })
  assert.deepEqual([status, body.details.formErrors], [422, refusal])
  const { id } = await project({ startDate })
  assert.deepEqual((await owner.patch(`/projects/${id}`, { dueDate })).body.details.formErrors, refusal)
  assert.equal((await owner.patch(`/projects/${id}`, { dueDate, startDate: null })).status, 200)
})

test('the members of a project are those added to it, and every owner and admin, as leads', async () => {
  const { owner, admin, member, project, addToProject, join } = await newWorld()
  await join('Nobody', 'member')
  const { id } = await project()
  await addToProject(id, member, 'viewer')
  const { body } = await member.get(`/projects/${id}/members`)
  const seen = body.data.map((it: { memberId: string; role: string; name: string }) => [it.name, it.memberId, it.role])
  assert.deepEqual(seen, [
    ['Adam Admin', admin.memberId, 'lead'],
    ['Mia Member', member.memberId, 'viewer'],
    ['Olivia Owner', owner.memberId, 'lead'],
  ])
  assert.equal(body.total, 3)
})

test('a member is added once, with a role that can be changed, and can be removed', async () => {
  const { owner, member, project } = await newWorld()
  const { id } = await project()
  const path = `/projects/${id}/members/${member.memberId}`
  const added = await owner.post(`/projects/${id}/members`, { memberId: member.memberId, role: 'viewer' })
  assert.deepEqual([added.status, added.headers.get('location')], [201, `/api/v1${path}`])
  assert.deepEqual((await owner.get(path)).body, added.body)
  const again = await owner.post(`/projects/${id}/members`, { memberId: member.memberId, role: 'lead' })
  assert.deepEqual([again.status, again.body.details.fieldErrors], [422, { memberId: ['Is already taken'] }])
  const changed = await owner.patch(path, { role: 'contributor' })
  assert.deepEqual([changed.body.role, changed.body.version], ['contributor', added.body.version + 1])
  assert.equal((await owner.delete(path)).status, 204)
  assert.equal((await owner.get(path)).status, 404)
  assert.equal((await owner.delete(path)).status, 404)
})

test('a member who leads a project only as owner or admin gets no other role there, and cannot be removed: 412', async () => {
  const { owner, admin, project } = await newWorld()
  const path = `/projects/${(await project()).id}/members/${admin.memberId}`
  assert.deepEqual(codeOf(await owner.patch(path, { role: 'viewer' })), [412, 'leads_by_organization'])
  assert.deepEqual(codeOf(await owner.delete(path)), [412, 'leads_by_organization'])
})

test('the role given to an owner or admin applies once they are a plain member', async () => {
  const { owner, admin, project, task } = await newWorld()
  const { id: projectId } = await project()
  const { role } = await created(
    owner.post(`/projects/${projectId}/members`, { memberId: admin.memberId, role: 'viewer' }),
  )
  assert.equal(role, 'lead')
  const { id } = await task({ projectId })
  assert.equal((await admin.patch(`/tasks/${id}`, {})).status, 200)
  await owner.patch(`/members/${admin.memberId}`, { role: 'member' })
  assert.equal((await admin.patch(`/tasks/${id}`, {})).status, 403)
  assert.equal((await admin.get(`/projects/${projectId}/members/${admin.memberId}`)).body.role, 'viewer')
})

test('the row of an owner or admin in a project cannot be changed or removed: 412, before any change', async () => {
  const { owner, admin, project, addToProject } = await newWorld()
  const { id } = await project()
  await addToProject(id, admin, 'viewer')
  for (const { memberId } of [owner, admin]) {
    const path = `/projects/${id}/members/${memberId}`
    const { body: before } = await owner.get(path)
    assert.deepEqual(codeOf(await owner.patch(path, { role: 'contributor' })), [412, 'leads_by_organization'])
    assert.deepEqual(codeOf(await owner.delete(path)), [412, 'leads_by_organization'])
    assert.deepEqual((await owner.get(path)).body, before)
  }
})

test('an owner who becomes a plain member keeps only the given roles, in those projects', async () => {
  const { owner, project, addToProject, join } = await newWorld()
  const other = await join('Oscar Owner', 'owner')
  const { body: made } = await other.post('/projects', { name: 'Made' })
  const [given, none] = [await project(), await project()]
  await addToProject(given.id, other, 'viewer')
  assert.equal((await owner.patch(`/members/${other.memberId}`, { role: 'member' })).status, 200)
  const roleIn = async ({ id }: { id: string }) =>
    (await owner.get(`/projects/${id}/members/${other.memberId}`)).body.role
  assert.deepEqual([await roleIn(made), await roleIn(given), await roleIn(none)], ['lead', 'viewer', undefined])
  assert.equal((await other.patch(`/projects/${made.id}`, { name: 'Still mine' })).status, 200)
  assert.equal((await other.patch(`/projects/${given.id}`, { name: 'Not mine' })).status, 403)
  assert.equal((await other.get(`/projects/${none.id}`)).status, 404)
  const path = `/projects/${given.id}/members/${other.memberId}`
  assert.equal((await owner.patch(path, { role: 'contributor' })).body.role, 'contributor')
  assert.equal((await owner.delete(path)).status, 204)
})

test('a lead can remove themselves from the project, and then no longer sees it', async () => {
  const { member, project, addToProject } = await newWorld()
  const { id } = await project()
  await addToProject(id, member, 'lead')
  assert.equal((await member.delete(`/projects/${id}/members/${member.memberId}`)).status, 204)
  assert.equal((await member.get(`/projects/${id}`)).status, 404)
})

test('the filter memberId lists the projects that the member was added to, among those that the caller sees', async () => {
  const { owner, member, project, addToProject, join } = await newWorld()
  const other = await join('Olga Other', 'member')
  const [both, one] = [await project(), await project()]
  await addToProject(both.id, member)
  await addToProject(both.id, other)
  await addToProject(one.id, other)
  const idsOf = ({ body }: Reply) => body.data.map(({ id }: { id: string }) => id)
  assert.deepEqual(idsOf(await owner.get(`/projects?memberId=${other.memberId}`)), [one.id, both.id])
  assert.deepEqual(idsOf(await member.get(`/projects?memberId=${other.memberId}`)), [both.id])
})
