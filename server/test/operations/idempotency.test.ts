import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { everyone } from '../../src/access/caller.ts'
import { route } from '../../src/operations/route.ts'
import { routes } from '../../src/resources/index.ts'
import { altered } from '../support/altered.ts'
import { assertRefused } from '../support/envelope.ts'
import { type Api, created, type Reply, sharedServer, startServer, type World } from '../support/world.ts'

const { api, newWorld } = await sharedServer()

const keyed = (key: string) => ({ 'idempotency-key': key })

/** Asserts that a reply is another one again, byte for byte. */
function assertReplayed(reply: Reply, of: Reply): void {
  assert.equal(reply.headers.get('idempotent-replayed'), 'true')
  assert.equal(of.headers.get('idempotent-replayed'), null)
  assert.equal(reply.status, of.status)
  assert.equal(reply.text, of.text)
  for (const name of ['content-type', 'location', 'etag', 'x-error-code']) {
    assert.equal(reply.headers.get(name), of.headers.get(name), name)
  }
}

test('same key, same body: the stored response of a creation or an action is replayed byte for byte', async () => {
  const { owner, project, task, workspace } = await newWorld()
  const { id } = await task({ projectId: (await project()).id })
  const requests: [path: string, body: object, status: number][] = [
    ['/projects', { name: 'Website' }, 201],
    ['/time-entries', { taskId: id }, 201],
    [`/tasks/${id}/move`, { workspaceId: (await workspace()).id }, 200],
  ]
  for (const [path, body, status] of requests) {
    const first = await owner.post(path, body, keyed(path))
    assert.equal(first.status, status)
    assertReplayed(await owner.post(path, body, keyed(path)), first)
  }
})

test('a POST takes effect once, however often it is sent again', async () => {
  const { owner } = await newWorld()
  const first = await owner.post('/workspaces', { name: 'Board' }, keyed('once'))
  for (let i = 0; i < 3; i++) {
    assertReplayed(await owner.post('/workspaces', { name: 'Board' }, keyed('once')), first)
  }
  assert.equal((await owner.get('/workspaces')).body.total, 1)
  await owner.post('/workspaces', { name: 'Board' })
  await owner.post('/workspaces', { name: 'Board' }, keyed('twice'))
  assert.equal((await owner.get('/workspaces')).body.total, 3)
})

test('a replay shows the result as it was, after any change of the resource', async () => {
  const { owner } = await newWorld()
  const first = await owner.post('/tags', { name: 'Urgent' }, keyed('k'))
  await owner.patch(`/tags/${first.body.id}`, { name: 'Later' })
  assertReplayed(await owner.post('/tags', { name: 'Urgent' }, keyed('k')), first)
  await owner.delete(`/tags/${first.body.id}`)
  assertReplayed(await owner.post('/tags', { name: 'Urgent' }, keyed('k')), first)
})

test('the order of members, white space and spelling do not make a JSON body different', async () => {
  const { owner } = await newWorld()
  const spellings = [
    '{"name":"Ship it","stages":["A","B"]}',
    '{ "stages" : [ "A",\n\t"B" ], "name" : "Ship it" }\r\n',
    '{"\\u006eame":"Ship\\u0020it","stages":["\\u0041","B"]}',
  ]
  const [first, ...others] = spellings
  const reply = await owner.post('/workspaces', first, keyed('k'))
  assert.equal(reply.status, 201)
  for (const other of others) assertReplayed(await owner.post('/workspaces', other, keyed('k')), reply)
})

test('1 and 1.0 and 1e0 are the same number', async () => {
  const { owner, project, task } = await newWorld()
  const { id } = await task({ projectId: (await project()).id })
  const bodyOf = (seconds: string) => `{"taskId":"${id}","durationSeconds":${seconds}}`
  const first = await owner.post('/time-entries', bodyOf('60'), keyed('k'))
  for (const same of ['60.0', '6e1', '600E-1']) {
    assertReplayed(await owner.post('/time-entries', bodyOf(same), keyed('k')), first)
  }
})

test('same key, different body: 409, and nothing happens', async () => {
  const { owner } = await newWorld()
  const first = await owner.post('/workspaces', { name: 'One', stages: ['A', 'B'] }, keyed('k'))
  const different = [
    { name: 'Two', stages: ['A', 'B'] },
    { name: 'One', stages: ['B', 'A'] },
    { name: 'One', stages: ['A', 'B'], color: null },
    { name: 'One' },
    { name: '' },
    undefined,
  ]
  for (const body of different) {
    assertRefused(await owner.post('/workspaces', body, keyed('k')), 409, 'idempotency_key_reused')
  }
  assert.equal((await owner.get('/workspaces')).body.total, 1)
  assertReplayed(await owner.post('/workspaces', { name: 'One', stages: ['A', 'B'] }, keyed('k')), first)
})

test('same key, same body, but a different path or query: 409', async () => {
  const { owner } = await newWorld()
  await created(owner.post('/tags', { name: 'Bug' }, keyed('k')))
  assertRefused(await owner.post('/task-types', { name: 'Bug' }, keyed('k')), 409)
  assertRefused(await owner.post('/tags?colour=red', { name: 'Bug' }, keyed('k')), 409)
  assert.equal((await owner.get('/task-types')).body.total, 0)
})

const refusals: Record<
  number,
  (world: World) => Promise<{ by: Api; path: string; body: object; mend: () => Promise<Reply> }>
> = {
  400: async ({ owner, project, workspace, stages }) => {
    const [one, other] = [await workspace({ stages: [] }), await workspace()]
    const [stage] = await stages(other.id)
    const body = { name: 'x', projectId: (await project()).id, workspaceId: one.id, stageId: stage.id }
    return { by: owner, path: '/tasks', body, mend: () => owner.delete(`/workspaces/${one.id}`) }
  },
  403: async ({ owner, member, project, addToProject }) => {
    const { id: projectId } = await project()
    await addToProject(projectId, member, 'viewer')
    const mend = () => owner.patch(`/projects/${projectId}/members/${member.memberId}`, { role: 'lead' })
    return { by: member, path: '/tasks', body: { name: 'x', projectId }, mend }
  },
  404: async ({ owner, member, project }) => {
    const { id: projectId } = await project()
    const mend = () => owner.post(`/projects/${projectId}/members`, { memberId: member.memberId, role: 'lead' })
    return { by: member, path: '/tasks', body: { name: 'x', projectId }, mend }
  },
  412: async ({ owner, project, workspace }) => {
    const { id: workspaceId } = await workspace({ stages: [] })
    const body = { name: 'x', projectId: (await project()).id, workspaceId }
    return {
      by: owner,
      path: '/tasks',
      body,
      mend: () => owner.post(`/workspaces/${workspaceId}/stages`, { name: 'x' }),
    }
  },
  422: async ({ owner, tag }) => {
    const { id, name } = await tag()
    return { by: owner, path: '/tags', body: { name }, mend: () => owner.delete(`/tags/${id}`) }
  },
}

for (const [status, refusalOf] of Object.entries(refusals)) {
  test(`a ${status} from the operation is stored too, and replayed after its cause is gone`, async () => {
    const { by, path, body, mend } = await refusalOf(await newWorld())
    const first = await by.post(path, body, keyed('k'))
    assertRefused(first, Number(status))
    assert.ok((await mend()).status < 300)
    assertReplayed(await by.post(path, body, keyed('k')), first)
    if (status !== '400') assert.equal((await by.post(path, body, keyed('anew'))).status, 201)
  })
}

test('refusals before the operation are not stored: 401, malformed JSON, an unknown media type', async () => {
  const { owner, orgId } = await newWorld()
  const nobody = api(altered(owner.key))
  assertRefused(await nobody.post('/tags', { name: orgId }, keyed('k')), 401)
  assertRefused(await owner.post('/tags', '{', keyed('k')), 400)
  assertRefused(await owner.post('/tags', 'name=x', { ...keyed('k'), 'content-type': 'text/plain' }), 415)
  const { status, headers } = await owner.post('/tags', { name: orgId }, keyed('k'))
  assert.deepEqual([status, headers.get('idempotent-replayed')], [201, null])
})

test('an unhandled error is not stored: sent again with the same key, the request runs again', async () => {
  let runs = 0
  const failOnce = () => {
    runs++
    if (runs === 1) throw new Error('nobody foresaw this')
    return { runs }
  }
  const returns = z.strictObject({ runs: z.int() })
  const failing = route('POST /failing', {
    name: 'failing.create',
    summary: 'Fail once',
    roles: everyone,
    returns,
    handle: failOnce,
  })
  const server = await startServer({ routes: [...routes, failing] })
  const { owner } = await server.newWorld()
  const send = () => owner.post('/failing', {}, keyed('k'))
  assertRefused(await send(), 500, 'internal')
  const second = await send()
  assert.deepEqual([second.status, second.body], [200, { runs: 2 }])
  assertReplayed(await send(), second)
})

test('each user and each organization has its own Idempotency-Keys', async () => {
  const [one, other] = [await newWorld(), await newWorld()]
  const replies = []
  for (const user of [one.owner, one.admin, other.owner]) {
    replies.push(await user.post('/workspaces', { name: 'Board' }, keyed('k')))
  }
  for (const { status, headers } of replies) assert.deepEqual([status, headers.get('idempotent-replayed')], [201, null])
  assert.equal(new Set(replies.map(({ body }) => body.id)).size, 3)
})

test('another API key of the same user shares its Idempotency-Keys', async () => {
  const { owner } = await newWorld()
  const { secret } = await created(owner.post('/api-keys', { name: 'Second' }))
  const first = await owner.post('/tags', { name: 'Urgent' }, keyed('k'))
  assertReplayed(await api(secret).post('/tags', { name: 'Urgent' }, keyed('k')), first)
})

test('a caller who lost the right to send a request gets 403 for it, not a replay', async () => {
  const { owner, admin } = await newWorld()
  const first = await admin.post('/projects', { name: 'Secret plans' }, keyed('k'))
  assert.equal(first.status, 201)
  await owner.patch(`/members/${admin.memberId}`, { role: 'member' })
  const again = await admin.post('/projects', { name: 'Secret plans' }, keyed('k'))
  assertRefused(again, 403)
  assert.equal(again.headers.get('idempotent-replayed'), null)
  const { secret } = await created(owner.post('/api-keys', { name: 'Reader', scopes: ['read'] }))
  await owner.post('/tags', { name: 'x' }, keyed('k'))
  assertRefused(await api(secret).post('/tags', { name: 'x' }, keyed('k')), 403, 'missing_scope')
})

test('after its retention an Idempotency-Key is free: the request runs again, and another request can use it', async () => {
  const server = await startServer({ idempotencyTtlMs: 0 })
  const { owner } = await server.newWorld()
  for (const name of ['One', 'One', 'Two']) {
    const { status, headers } = await owner.post('/workspaces', { name }, keyed('k'))
    assert.deepEqual([status, headers.get('idempotent-replayed')], [201, null])
  }
  assert.equal((await owner.get('/workspaces')).body.total, 3)
})
