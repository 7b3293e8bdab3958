import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertRefused } from '../support/envelope.ts'
import { type Api, created, type Reply, sharedServer, type World } from '../support/world.ts'

const { api, newWorld } = await sharedServer()

/** What somebody sends twice with one Idempotency-Key; between both times everything about them changes. */
interface Sent {
  by: Api
  projectId: string
  path: string
  body: object
}

/** A plain member, or an admin, and a project that they are in; what they send is answered with the status. */
async function member(world: World, role: string, path: string, body: object = {}): Promise<Sent> {
  const { id: projectId } = await world.project()
  await world.addToProject(projectId, world.member, role)
  return { by: world.member, projectId, path, body: { projectId, name: 'Sent', ...body } }
}

const firsts: Record<string, (world: World) => Promise<Sent>> = {
  '201 of a member of the project': (world) => member(world, 'contributor', '/tasks'),
  '201 of an admin': async ({ admin, project }) => {
    return { by: admin, projectId: (await project()).id, path: '/projects', body: { name: 'Sent' } }
  },
  '201 with a secret': async (world) => ({
    ...(await member(world, 'viewer', '/api-keys')),
    body: { name: 'Robot' },
  }),
  '403 for the role in the project': (world) => member(world, 'viewer', '/tasks'),
  '403 for the role in the organization': async (world) => ({
    ...(await member(world, 'viewer', '/projects')),
    body: { name: 'Sent' },
  }),
  '404 for the path': async (world) => ({
    ...(await member(world, 'lead', `/tasks/${randomUUID()}/restore`)),
    body: {},
  }),
  '404 for the body': async (world) => {
    const { id } = await world.project()
    return member(world, 'lead', '/tasks', { projectId: id })
  },
  '412': async (world) => {
    const { id: workspaceId } = await world.workspace({ stages: [] })
    return member(world, 'contributor', '/tasks', { workspaceId })
  },
  '422': (world) => member(world, 'contributor', '/tasks', { name: '' }),
}

for (const [what, sentIn] of Object.entries(firsts)) {
  test(`a ${what} is replayed as it was, after any change; only a success is not replayed to a caller who may no longer ask`, async () => {
    const world = await newWorld()
    const { owner } = world
    const { by, projectId, path, body } = await sentIn(world)
    const send = (as = by) => as.post(path, body, { 'idempotency-key': 'k' })
    const first = await send()
    assert.equal(String(first.status), what.slice(0, 3))
    const succeeded = first.status === 201
    const isReplay = (again: Reply) => {
      assert.equal(again.headers.get('idempotent-replayed'), 'true')
      assert.deepEqual([again.status, again.text], [first.status, first.text])
    }
    const ofAdmin = path === '/projects' && succeeded
    const reader = api((await created(by.post('/api-keys', { name: 'Reader', scopes: ['read'] }))).secret)
    const membership = `/projects/${projectId}/members/${by.memberId}`
    isReplay(await send())

    if (succeeded) assertRefused(await send(reader), 403, 'missing_scope')
    else isReplay(await send(reader))

    assert.equal((await owner.post(`/projects/${projectId}/archive`)).status, 200)
    isReplay(await send())
    assert.equal((await owner.post(`/projects/${projectId}/unarchive`)).status, 200)

    const demoted = ofAdmin
      ? await owner.patch(`/members/${by.memberId}`, { role: 'member' })
      : await owner.patch(membership, { role: 'viewer' })
    assert.equal(demoted.status, 200)
    const expectAfter = async () =>
      ofAdmin ? assertRefused(await send(), 403, 'missing_role') : isReplay(await send())
    await expectAfter()

    if (!ofAdmin) assert.equal((await owner.delete(membership)).status, 204)
    await expectAfter()
    assert.equal((await owner.delete(`/projects/${projectId}`)).status, 204)
    await expectAfter()

    // another request with the same key is that, whatever became of the first
    assertRefused(await by.post(path, { ...body, other: 1 }, { 'idempotency-key': 'k' }), 409)

    const { apiKey } = (await by.get('/me')).body
    assert.equal((await owner.delete(`/api-keys/${apiKey.id}`)).status, 204)
    assertRefused(await send(), 401)
  })
}
