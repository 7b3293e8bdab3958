import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Sql, sql } from '../../src/db/sql.ts'
import { routes } from '../../src/resources/index.ts'
import { holdCounter } from '../support/holding.ts'
import { rounds } from '../support/rounds.ts'
import { apiOf, created, databaseUrl, operatorToken, type Reply, sharedServer } from '../support/world.ts'

const { base, db, newWorld } = await sharedServer()

/** All rows of the organization, in all tables; when a key was last used is no change, though it counts as one. */
async function everything(orgId: string): Promise<Record<string, string>> {
  const tables = await db.rows<{ name: string }>(sql`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'org_id'`)
  const contents: Record<string, string> = {}
  for (const { name } of tables) {
    const used = name === 'api_keys' ? sql`- 'last_used_at' - 'version'` : sql.empty
    const rows = await db.rows<{ row: string }>(sql`
      select (to_jsonb(held) ${used})::text as row from ${new Sql([name], [])} held
      where org_id = ${orgId} order by 1`)
    contents[name] = rows.map(({ row }) => row).join('\n')
  }
  return contents
}

/** Something of everything, and for each write one request that it answers with success. */
async function fullWorld() {
  const world = await newWorld()
  const { owner, member, project, workspace, stages, task, subtask, tag, taskType, timeEntry, join } = world
  const { id: projectId } = await project()
  const archived = await project()
  await owner.post(`/projects/${archived.id}/archive`)
  await world.addToProject(projectId, member)
  const [{ id: workspaceId }, { id: bare }] = [await workspace({ projectId }), await workspace({ stages: [] })]
  const [first, second] = await stages(workspaceId)
  const { id: taskId } = await task({ projectId, workspaceId })
  const [step, nextStep] = [await subtask(taskId), await subtask(taskId)]
  // a task with a finalized subtask is not deleted
  const final = await subtask((await task({ projectId })).id)
  await owner.post(`/subtasks/${final.id}/finalize`)
  const [{ id: tagId }, { id: typeId }] = [await tag(), await taskType()]
  const comment = await created(owner.post(`/tasks/${taskId}/comments`, { body: 'x' }))
  const { id: entry } = await timeEntry({ taskId })
  await owner.post('/timer/start', { taskId })
  const { id: keyId } = await created(owner.post('/api-keys', { name: 'Spare' }))
  const newcomer = (await join('Nora', 'member')).memberId
  const { id: invitationId } = await created(owner.post(`/members/${member.memberId}/invite`))
  const { id: stageless } = await created(owner.post(`/workspaces/${bare}/stages`, { name: 'x' }))
  const url = 'https://example.com/hook'
  const newWebhook = async () => (await created(owner.post('/webhooks', { url }))).id
  const [webhookId, pausedId] = [await newWebhook(), await newWebhook()]
  assert.equal((await owner.post(`/webhooks/${pausedId}/pause`)).status, 200)
  const { id: deliveryId } = await world.delivery(webhookId)
  const gone = {
    projects: (await project()).id,
    members: (await join('Gus Gone', 'member')).memberId,
    workspaces: (await workspace()).id,
    stages: stageless,
    tasks: (await task({ projectId })).id,
    subtasks: (await subtask(taskId)).id,
    comments: (await created(owner.post(`/tasks/${taskId}/comments`, { body: 'y' }))).id,
    'time-entries': (await timeEntry({ taskId })).id,
    tags: (await tag()).id,
    'task-types': (await taskType()).id,
    webhooks: await newWebhook(),
  }
  for (const [noun, id] of Object.entries(gone)) assert.equal((await owner.delete(`/${noun}/${id}`)).status, 204)
  const other = await newWorld()
  const named = async ({ owner }: typeof world) => encodeURIComponent((await owner.get('/organization')).body.name)
  assert.equal((await other.owner.delete(`/organization?name=${await named(other)}`)).status, 204)
  const name = { name: 'New name' }
  const writes: Record<string, [string, object?]> = {
    'POST /organizations': ['/organizations', { ...name, owner: { ...name, email: 'new@example.com' } }],
    'PATCH /organization': ['/organization', name],
    'DELETE /organization': [`/organization?name=${await named(world)}`],
    'POST /organizations/{id}/restore': [`/organizations/${other.orgId}/restore`],
    'POST /members': ['/members', { ...name, email: 'new@example.com', role: 'member' }],
    'PATCH /members/{id}': [`/members/${newcomer}`, name],
    'DELETE /members/{id}': [`/members/${newcomer}`],
    'POST /members/{id}/erase': [`/members/${newcomer}/erase`],
    'POST /members/{id}/invite': [`/members/${newcomer}/invite`],
    'DELETE /invitations/{id}': [`/invitations/${invitationId}`],
    'POST /api-keys': ['/api-keys', name],
    'POST /api-keys/{id}/rotate': [`/api-keys/${keyId}/rotate`],
    'DELETE /api-keys/{id}': [`/api-keys/${keyId}`],
    'POST /projects': ['/projects', name],
    'PATCH /projects/{id}': [`/projects/${projectId}`, name],
    'DELETE /projects/{id}': [`/projects/${projectId}`],
    'POST /projects/{id}/archive': [`/projects/${projectId}/archive`],
    'POST /projects/{id}/unarchive': [`/projects/${archived.id}/unarchive`],
    'POST /projects/{id}/members': [`/projects/${projectId}/members`, { memberId: newcomer, role: 'viewer' }],
    'PATCH /projects/{id}/members/{memberId}': [`/projects/${projectId}/members/${member.memberId}`, { role: 'lead' }],
    'DELETE /projects/{id}/members/{memberId}': [`/projects/${projectId}/members/${member.memberId}`],
    'POST /workspaces': ['/workspaces', { ...name, stages: ['a', 'b'] }],
    'PATCH /workspaces/{id}': [`/workspaces/${workspaceId}`, name],
    'DELETE /workspaces/{id}': [`/workspaces/${bare}`],
    'POST /workspaces/{id}/stages': [`/workspaces/${workspaceId}/stages`, name],
    'PATCH /stages/{id}': [`/stages/${first.id}`, { category: 'done' }],
    'DELETE /stages/{id}': [`/stages/${first.id}?moveTasksTo=${second.id}`],
    'POST /stages/{id}/move': [`/stages/${first.id}/move`, { afterId: second.id }],
    'POST /task-types': ['/task-types', name],
    'PATCH /task-types/{id}': [`/task-types/${typeId}`, name],
    'DELETE /task-types/{id}': [`/task-types/${typeId}`],
    'POST /tags': ['/tags', name],
    'PATCH /tags/{id}': [`/tags/${tagId}`, name],
    'DELETE /tags/{id}': [`/tags/${tagId}`],
    'POST /tasks': ['/tasks', { ...name, projectId, workspaceId, tagIds: [tagId] }],
    'PATCH /tasks/{id}': [`/tasks/${taskId}`, { ...name, stageId: second.id, assigneeIds: [member.memberId] }],
    'POST /tasks/{id}/move': [`/tasks/${taskId}/move`, { stageId: second.id }],
    'DELETE /tasks/{id}': [`/tasks/${taskId}`],
    'POST /tasks/{id}/subtasks': [`/tasks/${taskId}/subtasks`, name],
    'PATCH /subtasks/{id}': [`/subtasks/${step.id}`, name],
    'POST /subtasks/{id}/move': [`/subtasks/${step.id}/move`, { afterId: nextStep.id }],
    'POST /subtasks/{id}/finalize': [`/subtasks/${step.id}/finalize`],
    'POST /subtasks/{id}/reopen': [`/subtasks/${final.id}/reopen`],
    'DELETE /subtasks/{id}': [`/subtasks/${step.id}`],
    'POST /tasks/{id}/comments': [`/tasks/${taskId}/comments`, { body: 'z' }],
    'PATCH /comments/{id}': [`/comments/${comment.id}`, { body: 'z' }],
    'DELETE /comments/{id}': [`/comments/${comment.id}`],
    'POST /time-entries': ['/time-entries', { taskId, tagIds: [tagId] }],
    'PATCH /time-entries/{id}': [`/time-entries/${entry}`, { billable: true, tagIds: [tagId] }],
    'DELETE /time-entries/{id}': [`/time-entries/${entry}`],
    'POST /timer/start': ['/timer/start', { taskId }],
    'POST /timer/stop': ['/timer/stop'],
    'POST /webhooks': ['/webhooks', { url, projectId }],
    'PATCH /webhooks/{id}': [`/webhooks/${webhookId}`, { url: 'https://example.org/' }],
    'DELETE /webhooks/{id}': [`/webhooks/${webhookId}`],
    'POST /webhooks/{id}/rotate-secret': [`/webhooks/${webhookId}/rotate-secret`],
    'POST /webhooks/{id}/test': [`/webhooks/${webhookId}/test`],
    'POST /webhooks/{id}/pause': [`/webhooks/${webhookId}/pause`],
    'POST /webhooks/{id}/resume': [`/webhooks/${pausedId}/resume`],
    'POST /webhooks/{id}/replay': [`/webhooks/${webhookId}/replay`, { after: 0 }],
    'POST /deliveries/{id}/redeliver': [`/deliveries/${deliveryId}/redeliver`],
    'POST /bulk': ['/bulk', { operations: [{ method: 'POST', path: '/tags', body: name }] }],
    ...Object.fromEntries(
      Object.entries(gone).map(([noun, id]) => [`POST /${noun}/{id}/restore`, [`/${noun}/${id}/restore`]]),
    ),
  }
  return { ...world, projectId, taskId, writes }
}

const dryRun = (path: string) => `${path}${path.includes('?') ? '&' : '?'}dryRun=true`

test('every write has a dry run, which returns what the write would return and changes nothing', async () => {
  const { owner, orgId, writes } = await fullWorld()
  const operator = apiOf(`${base}/api/v1`, operatorToken)
  const lines = routes.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual(Object.keys(writes).toSorted(), lines.toSorted(), 'a write is missing here')
  const before = await everything(orgId)
  // what any of them changed would be seen after later ones too
  const everyFew = rounds(10, 1)
  for (const [n, [line, [path, body]]] of Object.entries(writes).entries()) {
    const { call } = line.startsWith('POST /organizations') ? operator : owner
    const [method = ''] = line.split(' ')
    const { status, headers, text } = await call(method, dryRun(path), body, { 'idempotency-key': randomUUID() })
    const isNew = routes.find((route) => `${route.method} ${route.path}` === line)?.created !== undefined
    assert.equal(status, method === 'DELETE' ? 204 : isNew ? 201 : 200, `${line}: ${text}`)
    assert.equal(headers.get('dry-run'), 'true', line)
    assert.equal(headers.has('location'), isNew, line)
    if (n % everyFew === 0) assert.deepEqual(await everything(orgId), before, `${line} changed something`)
  }
  assert.deepEqual(await everything(orgId), before)
})

test('a dry run writes no events, so it does not wait for current writers of events', async (t) => {
  const { owner, orgId, writes } = await fullWorld()
  const held = await holdCounter(t, databaseUrl, orgId)
  for (const [line, [path, body]] of Object.entries(writes)) {
    // who would lose its own access is asked for once nobody else writes any more
    if (line.startsWith('POST /organizations') || line === 'DELETE /organization') continue
    const [method = ''] = line.split(' ')
    const { status, text } = await owner.call(method, dryRun(path), body)
    assert.ok(status < 300, `${line}: ${text}`)
  }
  const waiting = owner.post('/tags', { name: 'Written' })
  await held.waiters(1)
  await held.release()
  assert.equal((await waiting).status, 201)
})

test('a refused dry run also says that it was a dry run', async () => {
  const { owner, member, projectId } = await fullWorld()
  const replies = [
    await owner.post('/tags?dryRun=true', { nmae: 'x' }),
    await owner.post('/tags?dryRun=true', '{'),
    await owner.post('/tags?dryRun=true', 'x', { 'content-type': 'text/plain' }),
    await owner.patch(`/projects/${randomUUID()}?dryRun=true`, {}),
    await owner.patch(`/projects/${projectId}?dryRun=true`, {}, { 'if-match': '"99"' }),
    await member.post('/projects?dryRun=true', { name: 'x' }),
    await apiOf(`${base}/api/v1`, 'tw_nobody').post('/tags?dryRun=true', { name: 'x' }),
  ]
  assert.deepEqual(
    replies.map(({ status, headers }) => [status, headers.get('dry-run')]),
    [422, 400, 415, 404, 412, 403, 401].map((status) => [status, 'true']),
  )
  assert.equal((await owner.post('/tags?dryRun=false', {})).headers.get('dry-run'), null)
})

test('a dry run returns what the write itself then returns', async () => {
  const { owner, writes } = await fullWorld()
  const minted = /"(id|createdAt|updatedAt|finalizedAt)":"[^"]*"/g
  const lines = ['POST /tasks', 'PATCH /tasks/{id}', 'POST /subtasks/{id}/move', 'POST /subtasks/{id}/finalize']
  for (const line of [...lines, 'POST /workspaces', 'DELETE /tags/{id}', 'POST /projects/{id}/archive']) {
    const [path, body] = writes[line] ?? ['']
    const [method = ''] = line.split(' ')
    const dry = await owner.call(method, dryRun(path), body)
    const real = await owner.call(method, path, body)
    assert.deepEqual([dry.status, dry.text.replace(minted, '')], [real.status, real.text.replace(minted, '')])
    // its id, too, may be made anew
    const version = ({ headers }: Reply) => headers.get('etag')?.split('.')[1]
    assert.equal(version(dry), version(real), line)
    assert.equal(real.headers.get('dry-run'), null)
  }
})

test('a dry run refuses what the write would refuse, with the same bytes', async () => {
  const { owner, member, projectId, taskId } = await fullWorld()
  const requests = [
    () => ['POST', '/tasks', { projectId: randomUUID(), name: 'x' }] as const,
    () => ['POST', '/tasks', { projectId, name: '' }] as const,
    () => ['POST', `/projects/${projectId}/unarchive`, {}] as const,
    () => ['PATCH', `/projects/${projectId}`, { name: 'x' }] as const,
    () => ['DELETE', `/tasks/${randomUUID()}`] as const,
    () => ['POST', '/tags', '{'] as const,
  ]
  for (const api of [owner, member]) {
    for (const request of requests.slice(api === member ? 3 : 0)) {
      const [method, path, body] = request()
      if (api === owner && method === 'PATCH') continue
      const [dry, real] = [await api.call(method, dryRun(path), body), await api.call(method, path, body)]
      assert.ok(real.status >= 400)
      assert.deepEqual([dry.status, dry.text], [real.status, real.text])
    }
  }
  assert.equal((await owner.patch(dryRun(`/tasks/${taskId}`), { name: 'x' }, { 'if-match': '"9"' })).status, 412)
})

test('the key of a dry run stays free, and a dry run uses up no numbers', async () => {
  const { owner, projectId } = await fullWorld()
  const once = { 'idempotency-key': randomUUID() }
  const task = { projectId, name: 'x' }
  const [first, second] = [
    await owner.post('/tasks?dryRun=true', task, once),
    await owner.post('/tasks?dryRun=true', task, once),
  ]
  assert.equal(first.body.number, second.body.number)
  assert.notEqual(first.body.id, second.body.id)
  assert.equal(second.headers.get('idempotent-replayed'), null)
  const real = await owner.post('/tasks', { ...task, name: 'another body' }, once)
  assert.deepEqual([real.status, real.body.number], [201, first.body.number])
  assert.equal((await owner.get(`/tasks/${first.body.id}`)).status, 404)
  const used = await owner.post('/tasks?dryRun=true', task, once)
  assert.equal(used.headers.get('idempotent-replayed'), null, 'a key that is used does not hinder a dry run')
})

test('dryRun is true or false, once, and only for writes: 422 for anything else', async () => {
  const { owner } = await newWorld()
  for (const query of ['dryRun=maybe', 'dryRun=', 'dryRun=TRUE', 'dryRun=1', 'dryRun=true&dryRun=true']) {
    const { status, body } = await owner.post(`/tags?${query}`, { name: 'x' })
    assert.deepEqual([status, Object.keys(body.details.fieldErrors)], [422, ['dryRun']], query)
  }
  assert.equal((await owner.get('/tags?dryRun=true')).status, 422)
  assert.equal((await owner.post('/tags?dryrun=true', { name: 'x' })).status, 422)
  assert.equal((await owner.get('/tags')).body.total, 0)
  assert.equal((await owner.post('/tags?dryRun=false', { name: 'x' })).status, 201)
})

test('a bulk has a dry run as a whole, not write by write', async () => {
  const { owner } = await newWorld()
  const write = { method: 'POST', path: '/tags', body: { name: 'x' } }
  const { status, body } = await owner.post('/bulk?dryRun=true', { operations: [write] })
  assert.deepEqual([status, body.results[0].status], [200, 201])
  assert.equal((await owner.get('/tags')).body.total, 0)
  const inside = await owner.post('/bulk', { operations: [{ ...write, path: '/tags?dryRun=true' }] })
  assert.equal(inside.status, 422)
})
