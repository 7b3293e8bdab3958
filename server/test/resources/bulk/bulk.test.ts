import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { operator } from '../../../src/access/caller.ts'
import { sql } from '../../../src/db/sql.ts'
import { routes } from '../../../src/resources/index.ts'
import { type Api, apiOf, created, operatorToken, sharedServer } from '../../support/world.ts'

const { base, db, newWorld } = await sharedServer()

type Write = { method: string; path: string; body?: unknown; ifMatch?: string }

const bulk = (api: Api, operations: Write[], headers = {}) => api.post('/bulk', { operations }, headers)
const newTag = (name: string): Write => ({ method: 'POST', path: '/tags', body: { name } })
const tagNames = async (api: Api) =>
  (await api.get('/tags?limit=100')).body.data.map(({ name }: { name: string }) => name)

test('the writes of a bulk get responses in order, each as it would alone', async () => {
  const { owner, tag } = await newWorld()
  const [edited, gone] = [await tag(), await tag()]
  const { status, body } = await bulk(owner, [
    newTag('new'),
    { method: 'PATCH', path: `/tags/${edited.id}`, body: { color: '#ffffff' } },
    { method: 'DELETE', path: `/tags/${gone.id}` },
  ])
  assert.equal(status, 200)
  const [made, changed, removed] = body.results
  assert.deepEqual(
    [made.status, made.location, made.etag],
    [201, `/api/v1/tags/${made.body.id}`, `"${made.body.id}.1"`],
  )
  assert.deepEqual([changed.status, changed.etag, changed.body.color], [200, `"${changed.body.id}.2"`, '#ffffff'])
  assert.deepEqual(removed, { status: 204, body: null })
  assert.deepEqual((await owner.get(`/tags/${edited.id}`)).body, changed.body)
})

test('all writes of a bulk happen or none: the response has the status of the first refusal and names its operation', async () => {
  const { owner, member, tag, workspace, project, task } = await newWorld()
  const { id } = await tag({ name: 'taken' })
  const empty = await workspace({ stages: [] })
  const work = await task({ projectId: (await project()).id })
  const refusals: [Api, Write, number, string][] = [
    [owner, { method: 'DELETE', path: `/tags/${randomUUID()}` }, 404, 'Not found'],
    [owner, { method: 'POST', path: '/nowhere' }, 404, 'Not found'],
    [owner, { method: 'POST', path: `/tasks/${work.id}/move`, body: { workspaceId: empty.id } }, 412, 'no stages'],
    [owner, { method: 'DELETE', path: `/tags/${id}`, ifMatch: '"7"' }, 412, 'changed since'],
    [member, { method: 'POST', path: '/projects', body: { name: 'x' } }, 403, 'role'],
  ]
  for (const [api, write, status, message] of refusals) {
    const reply = await bulk(api, [newTag('first'), write, newTag('third')])
    assert.equal(reply.status, status, reply.text)
    assert.match(reply.body.error, /^operations\.1: /)
    assert.ok(reply.body.error.includes(message), reply.body.error)
    assert.equal(reply.body.details, undefined)
  }
  assert.deepEqual(await tagNames(owner), ['taken'])
})

test('a bulk with a response longer than 16 MB gets 412, also as a dry run, and changes nothing', async () => {
  const { owner, project, task } = await newWorld()
  // each of these is six characters of JSON
  const { id } = await task({ projectId: (await project()).id, description: '\u0001'.repeat(50_000) })
  const edits = (count: number) =>
    Array.from({ length: count }, (_, n) => {
      const priority = n % 2 === 0 ? 'high' : 'low'
      return { method: 'PATCH', path: `/tasks/${id}`, body: { priority } }
    })
  for (const path of ['/bulk', '/bulk?dryRun=true']) {
    const { status, headers, body } = await owner.post(path, { operations: edits(55) })
    assert.deepEqual([status, headers.get('x-error-code')], [412, 'answer_too_long'])
    assert.match(body.error, /^operations\.53: .* 16 MB/)
  }
  assert.equal((await owner.get(`/tasks/${id}`)).body.version, 1)
  const { status, body } = await bulk(owner, edits(50))
  assert.deepEqual([status, body.results.length, body.results[49].etag], [200, 50, `"${id}.51"`])
})

test('an invalid write gets 422 with the path of each field below its operation', async () => {
  const { owner } = await newWorld()
  await owner.post('/tags', { name: 'taken' })
  const invalid = async (write: Write) => {
    const { status, body } = await bulk(owner, [newTag('first'), write])
    assert.deepEqual([status, body.error], [422, 'Validation failed'])
    return body.details
  }
  const paths = async (write: Write) => Object.keys((await invalid(write)).fieldErrors)
  assert.deepEqual(await paths(newTag('TAKEN')), ['operations.1.body.name'])
  assert.deepEqual(await paths(newTag('first')), ['operations.1.body.name'])
  assert.deepEqual(await paths(newTag('a\0b')), ['operations.1.body.name'])
  const stages = { name: 'x', stages: ['a', ''] }
  assert.deepEqual(await paths({ method: 'POST', path: '/workspaces', body: stages }), ['operations.1.body.stages.1'])
  const unknown = await invalid({ method: 'POST', path: '/tags', body: { name: 'x', nme: 'y' } })
  assert.deepEqual(unknown, { formErrors: ['operations.1: Unknown field: nme'], fieldErrors: {} })
  assert.deepEqual(await tagNames(owner), ['taken'])
})

test('an error of a write in a bulk says whether a field is in the query or in the body', async () => {
  const { owner, workspace, stages, project, task } = await newWorld()
  const { id: workspaceId } = await workspace()
  const [first] = await stages(workspaceId)
  const { id } = await task({ projectId: (await project()).id, workspaceId })
  const detailsOf = async (write: Write) => (await bulk(owner, [newTag('first'), write])).body.details
  const inQuery = { method: 'DELETE', path: `/stages/${first.id}?moveTasksTo=x` }
  const notAnId = { 'operations.1.query.moveTasksTo': ['Must be a UUID'] }
  assert.deepEqual(await detailsOf(inQuery), { formErrors: [], fieldErrors: notAnId })
  const inBody = { method: 'PATCH', path: `/tasks/${id}`, body: { stageId: null } }
  assert.deepEqual(Object.keys((await detailsOf(inBody)).fieldErrors), ['operations.1.body.stageId'])
  const dryRun = { method: 'PATCH', path: `/tasks/${id}?dryRun=true`, body: { nme: 'x', name: '' } }
  const { formErrors, fieldErrors } = await detailsOf(dryRun)
  assert.deepEqual(formErrors, ['operations.1: Unknown parameter: dryRun', 'operations.1: Unknown field: nme'])
  assert.deepEqual(Object.keys(fieldErrors), ['operations.1.body.name'])
})

test('everything after the first question mark of a path in a bulk is its query', async () => {
  const { owner, tag } = await newWorld()
  const { id } = await tag()
  const { status, body } = await bulk(owner, [{ method: 'DELETE', path: `/tags/${id}?a=1?b=2&c?d` }])
  assert.deepEqual(
    [status, body.details.formErrors],
    [422, ['operations.0: Unknown parameter: a', 'operations.0: Unknown parameter: c?d']],
  )
  const twice = await bulk(owner, [{ method: 'DELETE', path: `/tags/${id}??` }])
  assert.deepEqual([twice.status, twice.body.details.formErrors], [422, ['operations.0: Unknown parameter: ?']])
})

test('later writes of a bulk see what earlier ones did', async () => {
  const { owner, project, task } = await newWorld()
  const { id } = await task({ projectId: (await project()).id })
  const { status, body } = await bulk(owner, [
    { method: 'PATCH', path: `/tasks/${id}`, body: { name: 'one' }, ifMatch: '"1"' },
    { method: 'PATCH', path: `/tasks/${id}`, body: { name: 'two' }, ifMatch: '"2"' },
    { method: 'DELETE', path: `/tasks/${id}` },
  ])
  assert.deepEqual([status, body.results[1].body.version], [200, 3])
  const again = await bulk(owner, [{ method: 'DELETE', path: `/tasks/${id}` }])
  assert.deepEqual([again.status, again.body.error], [404, 'operations.0: Not found'])
})

test('a bulk reaches nothing of another organization or an invisible project', async () => {
  const [{ owner, member, project, task, tag }, other] = [await newWorld(), await newWorld()]
  const [hidden, foreign] = [await project(), await other.project()]
  const hiddenTask = await task({ projectId: hidden.id })
  const foreignTag = await other.tag()
  const attempts: [Api, Write][] = [
    [member, { method: 'PATCH', path: `/tasks/${hiddenTask.id}`, body: { name: 'x' } }],
    [member, { method: 'PATCH', path: `/tasks/${hiddenTask.key}`, body: { name: 'x' } }],
    [member, { method: 'POST', path: '/tasks', body: { projectId: hidden.id, name: 'x' } }],
    [owner, { method: 'POST', path: '/tasks', body: { projectId: foreign.id, name: 'x' } }],
    [owner, { method: 'PATCH', path: `/tasks/${hiddenTask.id}`, body: { tagIds: [foreignTag.id] } }],
    [owner, { method: 'DELETE', path: `/tags/${foreignTag.id}` }],
  ]
  for (const [api, write] of attempts) {
    const { status, text } = await bulk(api, [newTag('x'), write])
    assert.deepEqual([status, text], [404, '{"error":"operations.1: Not found"}'])
  }
  assert.equal((await other.owner.get(`/tags/${foreignTag.id}`)).status, 200)
  assert.equal((await tag({ name: 'x' })).version, 1)
})

test('operations that return a secret, operator operations, and another bulk are refused in a bulk with 403', async () => {
  const { owner } = await newWorld()
  const refused = routes.filter(({ method, secret, roles, name }) => {
    return method !== 'GET' && (secret === true || roles === operator || name === 'bulk')
  })
  assert.ok(refused.length >= 5)
  for (const { method, path: pattern } of refused) {
    const path = pattern.replace(/\{\w+\}/g, () => randomUUID())
    const { status, body } = await bulk(owner, [newTag('first'), { method, path }])
    assert.deepEqual([status, body.error], [403, 'operations.1: This operation cannot be part of a bulk request'], path)
  }
  const invite = { method: 'POST', path: '/members', body: { name: 'Ann', email: 'ann@example.com', invite: true } }
  assert.equal((await bulk(owner, [newTag('first'), invite])).status, 403)
  assert.deepEqual(await tagNames(owner), [])
  const { invite: _, ...uninvited } = invite.body
  assert.equal((await bulk(owner, [{ ...invite, body: uninvited }])).status, 200)
})

test('the page on writing names each operation that is refused in a bulk', () => {
  const page = readFileSync(new URL('../../../../docs/writing-safely.md', import.meta.url), 'utf8')
  const [, named = ''] = /response has a secret \(([^)]*)\)/.exec(page) ?? []
  const paths = routes.filter(({ secret, method }) => secret && method === 'POST').map(({ path }) => path)
  assert.deepEqual([...named.matchAll(/`(?:POST )?(\/[^`]*)`/g)].map(([, path]) => path).toSorted(), paths.toSorted())
})

test('a bulk requires a key with the scope write, and is not for the operator', async () => {
  const { owner } = await newWorld()
  const { secret } = await created(owner.post('/api-keys', { name: 'Reader', scopes: ['read'] }))
  const reader = apiOf(`${base}/api/v1`, secret)
  assert.equal((await bulk(reader, [newTag('x')])).status, 403)
  assert.equal((await bulk(apiOf(`${base}/api/v1`, operatorToken), [newTag('x')])).status, 401)
})

test('one Idempotency-Key replays the whole bulk, and its refusal too', async () => {
  const { owner } = await newWorld()
  const once = { 'idempotency-key': randomUUID() }
  const writes = [newTag('a'), newTag('b')]
  const [first, again] = [await bulk(owner, writes, once), await bulk(owner, writes, once)]
  assert.deepEqual([again.status, again.text], [first.status, first.text])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal((await bulk(owner, [newTag('a')], once)).status, 409)
  const other = { 'idempotency-key': randomUUID() }
  const refusal = await bulk(owner, [newTag('c'), newTag('a')], other)
  assert.equal(refusal.status, 422)
  await owner.delete(`/tags/${first.body.results[0].body.id}`)
  const replayed = await bulk(owner, [newTag('c'), newTag('a')], other)
  assert.deepEqual([replayed.status, replayed.text], [422, refusal.text])
  assert.deepEqual(await tagNames(owner), ['b'])
})

test('a bulk has up to 100 writes; 101 writes, none, or an operation that is not a write gets 422', async () => {
  const { owner } = await newWorld()
  const many = (count: number) => Array.from({ length: count }, (_, i) => newTag(`tag ${i}`))
  const tooMany = await bulk(owner, many(101))
  assert.deepEqual([tooMany.status, Object.keys(tooMany.body.details.fieldErrors)], [422, ['operations']])
  assert.equal((await bulk(owner, many(100))).status, 200)
  assert.equal((await tagNames(owner)).length, 100)
  const odd: unknown[] = [
    [],
    null,
    {},
    'x',
    [null],
    [{ method: 'GET', path: '/tags' }],
    [{ method: 'PUT', path: '/tags' }],
  ]
  odd.push(
    [{ path: '/tags' }],
    [{ method: 'POST' }],
    [{ method: 'POST', path: 'tags' }],
    [{ ...newTag('x'), headers: {} }],
  )
  odd.push(
    [{ ...newTag('x'), body: [] }],
    [{ ...newTag('x'), path: `/${'x'.repeat(2_000)}` }],
    [{ ...newTag('x'), ifMatch: 7 }],
  )
  for (const operations of odd) {
    assert.equal((await owner.post('/bulk', { operations })).status, 422, JSON.stringify(operations).slice(0, 80))
  }
})

test('a path that names nothing, however odd, gets 404 in a bulk', async () => {
  const { owner } = await newWorld()
  for (const path of [
    '/',
    '//',
    '/tags/',
    '/tags/%2e',
    '/tags/\0',
    '/tags/x',
    '/api/v1/tags',
    '/tags/../tags',
    '/🚀',
  ]) {
    const { status, text } = await bulk(owner, [{ method: 'DELETE', path }])
    assert.deepEqual([status, text], [404, '{"error":"operations.0: Not found"}'], path)
  }
})

test('an encoded path means the same inside a bulk as alone; a path that cannot be decoded gets 404 in both', async () => {
  const { owner, project, task } = await newWorld()
  const { id, key } = await task({ projectId: (await project({ key: 'WEB' })).id })
  const alone = async (path: string) => (await owner.patch(path, { priority: 'high' })).status
  const inside = async (path: string) =>
    (await bulk(owner, [{ method: 'PATCH', path, body: { priority: 'high' } }])).status
  const same = ['/tasks/WEB%2D1', '/tasks/%57EB-1', `/tasks/${id.replaceAll('-', '%2d')}`, '/t%61sks/WEB-1']
  for (const path of same) assert.deepEqual([await alone(path), await inside(path)], [200, 200], path)
  const none = [
    '/tasks/WEB%2',
    '/tasks/WEB%zz',
    '/tasks/%ff',
    '/tasks/WEB-1%',
    '/tasks/WEB%252D1',
    '/tasks%2FWEB-1',
    '/tasks/%2FWEB-1',
  ]
  for (const path of none) assert.deepEqual([await alone(path), await inside(path)], [404, 404], path)
  assert.equal(key, 'WEB-1')
})

test('the query of a write in a bulk counts', async () => {
  const world = await newWorld()
  const { id: projectId } = await world.project()
  const { id: workspaceId } = await world.workspace({ projectId })
  const [first, second] = await world.stages(workspaceId)
  const task = await world.task({ projectId, workspaceId })
  const { status } = await bulk(world.owner, [
    { method: 'DELETE', path: `/stages/${first.id}?moveTasksTo=${second.id}` },
  ])
  assert.equal(status, 200)
  assert.equal((await world.owner.get(`/tasks/${task.id}`)).body.stageId, second.id)
  const unknown = await bulk(world.owner, [{ method: 'DELETE', path: `/stages/${second.id}?moveTo=${first.id}` }])
  assert.equal(unknown.status, 422)
})

test('the events of a bulk are in the order of its writes, under one request id', async () => {
  const { owner, orgId } = await newWorld()
  await bulk(owner, [newTag('c'), newTag('a'), newTag('b')], { 'x-request-id': 'one-bulk' })
  const events = await db.rows<{ sequence: number; name: string }>(sql`
    select sequence, snapshot ->> 'name' as name from events
    where org_id = ${orgId} and request_id = 'one-bulk' order by sequence`)
  assert.deepEqual(
    events.map(({ name }) => name),
    ['c', 'a', 'b'],
  )
  assert.equal((events[2]?.sequence ?? 0) - (events[0]?.sequence ?? 0), 2)
})

test('two bulks that change the same things in opposite order both succeed', async () => {
  const { owner, tag } = await newWorld()
  const ids = [(await tag()).id, (await tag()).id]
  const paint = (order: string[], color: string) =>
    bulk(
      owner,
      order.map((id) => ({ method: 'PATCH', path: `/tags/${id}`, body: { color } })),
    )
  const backwards = ids.toReversed()
  const replies = await Promise.all([paint(ids, '#000000'), paint(backwards, '#ffffff')])
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200],
  )
  const [one, other] = await Promise.all(ids.map(async (id) => (await owner.get(`/tags/${id}`)).body.color))
  assert.equal(one, other)
})

test('a caller who gives up a role or its key in a bulk no longer has it for later writes', async () => {
  const { owner, join } = await newWorld()
  const sneaky: Write = { method: 'POST', path: '/projects', body: { name: 'Sneaky' } }
  const self = async (api: Api) => (await api.get('/me')).body
  const [demoted, removed, revoked] = [await join('A', 'admin'), await join('B', 'admin'), await join('C', 'admin')]
  const without: [Api, Write, number][] = [
    [demoted, { method: 'PATCH', path: `/members/${demoted.memberId}`, body: { role: 'member' } }, 403],
    [removed, { method: 'DELETE', path: `/members/${removed.memberId}` }, 401],
    [revoked, { method: 'DELETE', path: `/api-keys/${(await self(revoked)).apiKey.id}` }, 401],
  ]
  for (const [api, giveUp, status] of without) {
    const twice = { 'idempotency-key': 'sneaky' }
    const reply = await bulk(api, [giveUp, sneaky], twice)
    assert.equal(reply.status, status)
    // a 401 is never kept
    const again = (await bulk(api, [giveUp, sneaky], twice)).headers
    assert.equal(again.get('idempotent-replayed'), status === 401 ? null : 'true')
    assert.match(reply.body.error, /^operations\.1: /)
    assert.equal((await api.get('/me')).status, 200)
  }
  assert.equal((await owner.get('/projects')).body.total, 0)
})
