import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { hold } from '../../support/holding.ts'
import { type Api, created, databaseUrl, type Reply, sharedServer } from '../../support/world.ts'

const { api, newWorld } = await sharedServer()

const newMember = (role?: string) => ({ name: 'Nora New', email: `${randomUUID()}@example.com`, role })
const codeOf = ({ status, headers }: Reply) => [status, headers.get('x-error-code')]
const lastOwner = [412, 'last_owner']

test('a member is added with a name and an e-mail address, as a plain and active member by default', async () => {
  const { owner } = await newWorld()
  const reply = await owner.post('/members', { name: ' Nora New ', email: 'Nora@Example.COM' })
  assert.equal(reply.status, 201)
  assert.equal(reply.headers.get('location'), `/api/v1/members/${reply.body.id}`)
  const { name, email, role, timezone, status } = reply.body
  assert.deepEqual([name, email, role, timezone, status], ['Nora New', 'nora@example.com', 'member', null, 'active'])
  assert.deepEqual((await owner.get(`/members/${reply.body.id}`)).body, reply.body)
})

test('an e-mail address is unique in its organization, ignoring case, and free again once its member is removed', async () => {
  const [{ owner, admin, member }, other] = [await newWorld(), await newWorld()]
  const fields = { name: 'Nora New', email: 'nora@example.com' }
  const { body: first } = await owner.post('/members', fields)
  const taken = { formErrors: [], fieldErrors: { email: ['Is already taken'] } }
  assert.deepEqual((await admin.post('/members', { ...fields, email: 'NORA@example.com' })).body.details, taken)
  assert.deepEqual((await admin.patch(`/members/${member.memberId}`, { email: first.email })).body.details, taken)
  assert.equal((await other.owner.post('/members', fields)).status, 201)
  assert.equal((await owner.delete(`/members/${first.id}`)).status, 204)
  assert.equal((await owner.post('/members', fields)).status, 201)
})

test('nobody can grant a role above their own: 403', async () => {
  const { owner, admin, member } = await newWorld()
  const above = [403, 'role_above_own']
  assert.deepEqual(codeOf(await admin.post('/members', newMember('owner'))), above)
  assert.deepEqual(codeOf(await admin.patch(`/members/${admin.memberId}`, { role: 'owner' })), above)
  assert.deepEqual(codeOf(await admin.patch(`/members/${member.memberId}`, { role: 'owner' })), above)
  assert.equal((await admin.post('/members', newMember('admin'))).status, 201)
  assert.equal((await admin.patch(`/members/${member.memberId}`, { role: 'admin' })).body.role, 'admin')
  assert.equal((await owner.patch(`/members/${member.memberId}`, { role: 'owner' })).body.role, 'owner')
})

test('nobody can act on a member of a role above their own: 403', async () => {
  const { owner, admin } = await newWorld()
  const path = `/members/${owner.memberId}`
  for (const change of [{ name: 'Mallory' }, { role: 'member' }, { status: 'deactivated' }, {}]) {
    assert.deepEqual(codeOf(await admin.patch(path, change)), [403, 'missing_role'])
  }
  const refused = await admin.delete(path)
  assert.deepEqual(codeOf(refused), [403, 'missing_role'])
  assert.equal(refused.body.error, 'Your role in the organization does not allow this')
  assert.equal((await owner.get(path)).body.version, 1)
})

test('a refusal for a missing role mentions the project only if there is one: 403', async () => {
  const { member, project, workspace, addToProject } = await newWorld()
  const { id: projectId } = await project()
  await addToProject(projectId, member, 'viewer')
  const [own, shared] = [await workspace({ projectId }), await workspace()]
  const said = async (reply: Promise<Reply>) => [(await reply).status, (await reply).body.error]
  const ofOrganization = [403, 'Your role in the organization does not allow this']
  const ofProject = (role: string) => [403, `This needs the role ${role} in the project`]
  assert.deepEqual(await said(member.patch(`/projects/${projectId}`, { name: 'x' })), ofProject('lead'))
  assert.deepEqual(await said(member.patch(`/workspaces/${own.id}`, { name: 'x' })), ofProject('lead'))
  assert.deepEqual(await said(member.post('/tasks', { projectId, name: 'x' })), ofProject('contributor'))
  assert.deepEqual(await said(member.patch(`/workspaces/${shared.id}`, { name: 'x' })), ofOrganization)
  assert.deepEqual(await said(member.patch(`/members/${member.memberId}`, { name: 'x' })), ofOrganization)
  const forOther = { name: 'Robot', memberId: (await member.get('/members')).body.data[0].id }
  assert.deepEqual(await said(member.post('/api-keys', forOther)), ofOrganization)
})

test('an admin can leave, step down, and act on another admin', async () => {
  const { admin, join } = await newWorld()
  const other = await join('Anna Admin', 'admin')
  assert.equal((await admin.patch(`/members/${other.memberId}`, { role: 'member' })).body.role, 'member')
  assert.equal((await admin.patch(`/members/${admin.memberId}`, { role: 'member' })).body.role, 'member')
  assert.equal((await admin.patch(`/members/${admin.memberId}`, { role: 'admin' })).status, 403)
})

test('the last owner cannot be removed, demoted or deactivated: 412', async () => {
  const { owner } = await newWorld()
  const path = `/members/${owner.memberId}`
  assert.deepEqual(codeOf(await owner.delete(path)), lastOwner)
  assert.deepEqual(codeOf(await owner.patch(path, { role: 'admin' })), lastOwner)
  assert.deepEqual(codeOf(await owner.patch(path, { status: 'deactivated' })), lastOwner)
  assert.equal((await owner.patch(path, { role: 'owner', status: 'active', name: 'Olga' })).status, 200)
})

test('an owner who is deactivated or removed does not count as another owner', async () => {
  const { owner, join } = await newWorld()
  const [path, second, third] = [`/members/${owner.memberId}`, await join('Oz', 'owner'), await join('Oda', 'owner')]
  assert.equal((await owner.patch(`/members/${second.memberId}`, { status: 'deactivated' })).status, 200)
  assert.equal((await owner.delete(`/members/${third.memberId}`)).status, 204)
  assert.deepEqual(codeOf(await owner.patch(path, { role: 'member' })), lastOwner)
  await owner.patch(`/members/${second.memberId}`, { status: 'active' })
  const { id } = (await second.get('/me')).body.apiKey
  const own = api((await created(second.post(`/api-keys/${id}/rotate`))).secret)
  assert.equal((await own.patch(path, { role: 'member' })).status, 200)
})

const ways: Record<string, (by: Api, other: Api) => Promise<Reply>> = {
  'demote each other': (by, other) => by.patch(`/members/${other.memberId}`, { role: 'member' }),
  'deactivate each other': (by, other) => by.patch(`/members/${other.memberId}`, { status: 'deactivated' }),
  'remove each other': (by, other) => by.delete(`/members/${other.memberId}`),
  'step down': (by) => by.patch(`/members/${by.memberId}`, { role: 'member' }),
}
for (const [way, act] of Object.entries(ways)) {
  test(`if the last two owners ${way} at the same time, one is refused: 412`, async (t) => {
    const { owner, orgId, join } = await newWorld()
    const second = await join('Oscar Owner', 'owner')
    const held = await hold(t, databaseUrl, 'select from organizations where org_id = $1 for update', [orgId])
    const answers = Promise.all([act(owner, second), act(second, owner)])
    await held.waiters(2)
    await held.release()
    const statuses = (await answers).map(({ status }) => status).sort()
    assert.deepEqual(statuses, way === 'remove each other' ? [204, 412] : [200, 412])
  })
}

test("a removed member loses assignments and projects, but the member's time stays", async () => {
  const { owner, member, project, task, subtask, timeEntry, addToProject } = await newWorld()
  const { id: projectId } = await project()
  await addToProject(projectId, member)
  const { memberId } = member
  const assigned = await task({ projectId, assigneeIds: [memberId, owner.memberId] })
  const step = await subtask(assigned.id, { assigneeId: memberId })
  const time = await timeEntry({ taskId: assigned.id, memberId })
  assert.equal((await owner.delete(`/members/${memberId}`)).status, 204)

  const left = (await owner.get(`/tasks/${assigned.id}`)).body
  assert.deepEqual([left.assigneeIds, left.version], [[owner.memberId], assigned.version + 1])
  const stepLeft = (await owner.get(`/subtasks/${step.id}`)).body
  assert.deepEqual([stepLeft.assigneeId, stepLeft.version], [null, step.version + 1])
  assert.deepEqual((await owner.get(`/time-entries/${time.id}`)).body, time)
  assert.equal((await owner.get(`/projects/${projectId}/members/${memberId}`)).status, 404)
  assert.equal((await owner.get(`/members/${memberId}`)).status, 404)
  assert.equal((await owner.get('/members')).body.total, 2)
  assert.equal((await owner.patch(`/tasks/${assigned.id}`, { assigneeIds: [memberId] })).status, 404)
})

test("a removed member's timer is stopped", async () => {
  const { owner, member, project, task, timeEntry } = await newWorld()
  const { id: taskId } = await task({ projectId: (await project()).id })
  const { id } = await timeEntry({ taskId, memberId: member.memberId, durationSeconds: undefined })
  await owner.delete(`/members/${member.memberId}`)
  assert.notEqual((await owner.get(`/time-entries/${id}`)).body.endedAt, null)
})
