import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import type { Route } from '../../../src/operations/route.ts'
import { asNamed, inUsefulOrder, lineOf, startScenes } from '../../support/scene.ts'
import { type Api, operatorToken, type Reply } from '../../support/world.ts'

const { api, db, newWorld, scene } = await startScenes()

interface Event {
  sequence: number
  type: string
  actor_id: string | null
  actor_key_id: string | null
  request_id: string
  resource_id: string
  project_id: string | null
  changes: Record<string, { from: unknown; to: unknown }>
  snapshot: unknown
  created_at: string
}

const eventsOf = (orgId: string) => db.rows<Event>(sql`select * from events where org_id = ${orgId} order by sequence`)

/** The events that a request wrote. */
async function eventsAfter(orgId: string, request: () => Promise<Reply>) {
  const before = (await eventsOf(orgId)).length
  const reply = await request()
  return { reply, events: (await eventsOf(orgId)).slice(before) }
}

test('a change writes one event: its type, its actor, its request, the differences, and the new state', async () => {
  const { orgId, owner, member, project, task, addToProject } = await newWorld()
  const { id: projectId } = await project()
  await addToProject(projectId, member)
  const before = await task({ projectId, name: 'Paint it' })
  const requestId = `request-${randomUUID()}`
  const change = { name: 'Paint it blue', priority: 'high', description: null }
  const { reply, events } = await eventsAfter(orgId, () =>
    member.patch(`/tasks/${before.id}`, change, { 'x-request-id': requestId }),
  )
  const { body: me } = await member.get('/me')
  assert.equal(events.length, 1)
  const [{ sequence, created_at, ...event } = assert.fail()] = events
  assert.deepEqual(event, {
    ...{ org_id: orgId, type: 'task.updated', request_id: requestId, resource_id: before.id, project_id: projectId },
    ...{ actor_id: member.memberId, actor_key_id: me.apiKey.id, snapshot: reply.body },
    changes: { name: { from: 'Paint it', to: 'Paint it blue' }, priority: { from: 'none', to: 'high' } },
  })
  assert.equal(created_at, reply.body.updatedAt)
  assert.equal((await owner.get(`/tasks/${before.id}`)).body.name, 'Paint it blue')
})

test('a deletion writes an event with the resource as it was', async () => {
  const { orgId, owner, project, task } = await newWorld()
  const before = await task({ projectId: (await project()).id })
  const { events } = await eventsAfter(orgId, () => owner.delete(`/tasks/${before.id}`))
  assert.deepEqual(
    events.map(({ type, changes, snapshot }) => [type, changes, snapshot]),
    [['task.deleted', {}, before]],
  )
})

test('a long text is in an event only if it changed, and the changes have only its beginning', async () => {
  const { orgId, owner, project, task } = await newWorld()
  const [old, next] = [`${'long '.repeat(9_000)}end`, `😀${'x'.repeat(508)}😀${'y'.repeat(40_000)}`]
  const { id } = await task({ projectId: (await project()).id, description: old })
  await owner.patch(`/tasks/${id}`, { priority: 'high' })
  await owner.patch(`/tasks/${id}`, { description: next })
  await owner.patch(`/tasks/${id}`, { description: 'short' })
  await owner.patch(`/tasks/${id}`, { description: old })
  await owner.delete(`/tasks/${id}`)
  await owner.post(`/tasks/${id}/restore`)
  const events = (await eventsOf(orgId)).filter(({ resource_id }) => resource_id === id)
  const texts = events.map(({ snapshot }) => (snapshot as { description?: string }).description)
  assert.deepEqual(texts.map(brief), [old, undefined, next, 'short', old, undefined, old].map(brief))
  const [, prioritized, rewritten, cut] = events.map(({ changes }) => changes)
  assert.deepEqual(prioritized, { priority: { from: 'none', to: 'high' } })
  const [from, to] = [`${old.slice(0, 510)}…`, `😀${'x'.repeat(508)}…`]
  assert.deepEqual(rewritten, { description: { from, to, shortened: true } })
  assert.deepEqual(cut, { description: { from: to, to: 'short', shortened: true } })
  const bytes = Buffer.byteLength(JSON.stringify(events[1]))
  assert.ok(bytes < 2_000, `${bytes} bytes`)
})

test('a history of a hundred long texts is no longer than their beginnings, and comes as it is stored', async () => {
  const { owner, project, task } = await newWorld()
  const { id } = await task({ projectId: (await project()).id })
  const edits = Array.from({ length: 100 }, (_, i) => ({ description: `${i} ${'"\\ü'.repeat(12_000)}` }))
  for (const edit of edits) assert.equal((await owner.patch(`/tasks/${id}`, edit)).status, 200)
  const { body, text } = await owner.get(`/tasks/${id}/history?limit=100`)
  assert.equal(body.total, 101)
  assert.deepEqual(
    body.data.map(({ changes }: Event) => brief(changes.description?.to as string)),
    edits.toReversed().map(({ description }) => brief(`${description.slice(0, 510)}…`)),
  )
  assert.ok(text.length < 300_000, `${text.length} characters`)
})

test('one request can change a limited amount: 412 above it, also in a dry run', async () => {
  const { orgId, owner, project, workspace, stages, task } = await newWorld()
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace({ projectId })
  const [stage, other] = await stages(workspaceId)
  await task({ projectId, workspaceId, stageId: stage.id })
  await addTasks(orgId, 119)
  const flips = (times: number) => ({
    operations: Array.from({ length: times }, (_, i) => ({
      ...{ method: 'PATCH', path: `/stages/${stage.id}`, body: { category: i % 2 ? 'todo' : 'done' } },
    })),
  })
  const { reply: dryRun, events: none } = await eventsAfter(orgId, () => owner.post('/bulk?dryRun=true', flips(4)))
  assert.deepEqual([dryRun.status, none], [200, []])
  const { reply: done, events } = await eventsAfter(orgId, () => owner.post('/bulk', flips(20)))
  assert.equal(done.status, 200)
  assert.equal(events.length, 20 * 121)
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, i) => (events[0]?.sequence ?? 0) + i),
  )
  await addTasks(orgId, 4_000 - 120)
  const sentence = /^operations\.2: This would change more than 10000 things, .*; do it in smaller parts$/
  for (const path of ['/bulk?dryRun=true', '/bulk']) {
    const { reply, events } = await eventsAfter(orgId, () => owner.post(path, flips(4)))
    assert.deepEqual([reply.status, reply.headers.get('x-error-code'), events], [412, 'too_many_changes', []])
    assert.match(reply.body.error, sentence)
  }
  await addTasks(orgId, 9_999 - 4_000)
  assert.equal((await owner.patch(`/stages/${stage.id}`, { category: 'done' })).status, 200)
  await addTasks(orgId, 1)
  const alone = await owner.patch(`/stages/${stage.id}`, { category: 'todo' })
  assert.match(alone.body.error, /^The stage has 10000 or more tasks/)
  const moved = await owner.delete(`/stages/${stage.id}?moveTasksTo=${other.id}`)
  for (const { status, headers } of [alone, moved])
    assert.deepEqual([status, headers.get('x-error-code')], [412, 'too_many_changes'])
})

/** Enough of a long text to tell it from others. */
const brief = (text: string | undefined) => text && [text.slice(0, 10), text.length, text.slice(-10)]

/** Puts so many more tasks beside the first one of an organization. */
const addTasks = (orgId: string, count: number) =>
  db.rows(sql`
    insert into tasks (org_id, id, project_id, workspace_id, stage_id, number, key, name, description, position,
      created_by, created_at, updated_at, completed_at)
    select tasks.org_id, gen_random_uuid(), project_id, workspace_id, stage_id, last + n, 'MORE-' || (last + n), 'More',
      'Words', position + (last + n) * 1000, created_by, created_at, updated_at, completed_at
    from (select max(number) as last from tasks where org_id = ${orgId}) made, generate_series(1, ${count}) n, tasks
    where tasks.org_id = ${orgId} and tasks.number = 1`)

/** What writes tell, in this order, beyond what their paths say. */
const told: Record<string, readonly string[]> = {
  'POST /organizations': ['organization.created', 'member.created', 'api_key.created'],
  // it was invited before
  'DELETE /members/{id}': ['invitation.deleted', 'member.deleted'],
  // of its keys two are left
  'POST /members/{id}/erase': ['api_key.revoked', 'api_key.revoked', 'member.erased'],
  'POST /members/{id}/invite': ['invitation.created'],
  'POST /api-keys/{id}/rotate': ['api_key.updated', 'api_key.created'],
  'DELETE /api-keys/{id}': ['api_key.revoked'],
  'POST /projects/{id}/archive': ['project.archived'],
  'POST /projects/{id}/unarchive': ['project.unarchived'],
  'POST /projects': ['project.created', 'project_member.created'],
  'POST /projects/{id}/members': ['project_member.created'],
  'PATCH /projects/{id}/members/{memberId}': ['project_member.updated'],
  'DELETE /projects/{id}/members/{memberId}': ['project_member.deleted', 'member.updated'],
  'POST /workspaces': ['workspace.created', 'stage.created'],
  'PATCH /stages/{id}': ['stage.updated', 'task.updated'],
  'POST /stages/{id}/move': ['stage.moved'],
  'POST /tasks/{id}/move': ['task.moved'],
  'POST /subtasks/{id}/move': ['subtask.moved'],
  'POST /subtasks/{id}/finalize': ['subtask.finalized'],
  'POST /subtasks/{id}/reopen': ['subtask.reopened'],
  // the entry made before it still runs
  'POST /timer/start': ['time_entry.updated', 'time_entry.created'],
  'POST /timer/stop': ['time_entry.updated'],
  'POST /webhooks/{id}/pause': ['webhook.paused'],
  'POST /webhooks/{id}/resume': ['webhook.resumed'],
  'POST /webhooks/{id}/rotate-secret': ['webhook.secret_rotated'],
  'POST /webhooks/{id}/test': ['webhook.test'],
  'POST /webhooks/{id}/replay': ['webhook.replayed'],
  'POST /deliveries/{id}/redeliver': ['webhook.redelivered'],
  'POST /bulk': ['tag.created'],
}

const past: Record<string, string> = { POST: 'created', PATCH: 'updated', DELETE: 'deleted' }

/** `POST /time-entries` tells of `time_entry.created`. */
function toldBy(route: Route): readonly string[] {
  const nouns = route.path.replace(/\/restore$/, '').match(/[a-z-]+(?=\/|$)/g) ?? []
  const noun = nouns.at(-1)?.replaceAll('-', '_').replace(/ies$/, 'y').replace(/s$/, '')
  return told[lineOf(route)] ?? [`${noun}.${route.path.endsWith('/restore') ? 'restored' : past[route.method]}`]
}

test('every write of the API writes the events that describe it', async () => {
  const { ask, world } = await scene()
  const writes = inUsefulOrder.filter(({ method }) => method !== 'GET')
  for (const line of Object.keys(told)) assert.ok(writes.map(lineOf).includes(line), line)
  for (const route of writes) {
    const requestId = randomUUID()
    const { status, text, body } = await ask(world.owner, route, {
      ...asNamed(route),
      headers: { 'x-request-id': requestId },
    })
    assert.ok(status < 300, `${lineOf(route)}: ${text}`)
    const events = await db.rows<Event>(sql`
      select * from events where request_id = ${requestId} order by org_id, sequence`)
    const types = events.map(({ type }) => type)
    assert.deepEqual(types, toldBy(route), lineOf(route))
    const { secret, link, ...shown } = body ?? {}
    if (typeof shown.id !== 'string' || lineOf(route) === 'POST /deliveries/{id}/redeliver') continue
    const about = events.findLast(({ resource_id }) => resource_id === shown.id)
    assert.deepEqual(about?.snapshot, shown, lineOf(route))
    if ('projectId' in shown) assert.equal(about?.project_id, shown.projectId, lineOf(route))
  }
})

test('everything else that a write changes has its own event: every stage of a new board, every timer in a project', async () => {
  const { orgId, owner, project, task } = await newWorld()
  const { id: projectId } = await project()
  const stages = ['workspace.created', 'stage.created', 'stage.created']
  await owner.post('/timer/start', { taskId: (await task({ projectId })).id })
  const writes: [() => Promise<Reply>, string[]][] = [
    [() => owner.post('/workspaces', { name: 'Board', stages: ['A', 'B'] }), stages],
    [() => owner.delete(`/projects/${projectId}`), ['time_entry.updated', 'project.deleted']],
  ]
  for (const [write, types] of writes) {
    const { reply, events } = await eventsAfter(orgId, write)
    assert.ok(reply.status < 300, reply.text)
    assert.deepEqual(
      events.map(({ type, request_id }) => [type, request_id]),
      types.map((type) => [type, reply.headers.get('x-request-id')]),
    )
  }
})

test('a time entry that moves to a task of another project leaves the first project, and appears whole in the other', async () => {
  const { owner, member, join, project, task, timeEntry, addToProject } = await newWorld()
  const [seen, hidden, colleague] = [await project(), await project(), await join('Otto Other', 'member')]
  await addToProject(seen.id, member)
  await addToProject(hidden.id, colleague)
  const [here, there] = [await task({ projectId: seen.id }), await task({ projectId: hidden.id })]
  const entry = await timeEntry({ taskId: here.id, description: 'long '.repeat(500) })
  const { latest } = (await owner.get('/events/head')).body
  const gone = (await owner.patch(`/time-entries/${entry.id}`, { taskId: there.id })).body
  const back = (await owner.patch(`/time-entries/${entry.id}`, { taskId: here.id })).body
  const told = async (api: Api) =>
    (await api.get(`/events?after=${latest}`)).body.data.map(
      ({ type, projectId, snapshot }: Record<string, unknown>) => {
        return [type, projectId, snapshot]
      },
    )
  const { description, ...brief } = entry
  const { description: _, ...briefly } = gone
  const ofMember = [
    ['time_entry.left', seen.id, brief],
    ['time_entry.updated', seen.id, back],
  ]
  assert.equal(back.description, description)
  assert.deepEqual(await told(member), ofMember)
  const elsewhere = [
    ['time_entry.updated', hidden.id, gone],
    ['time_entry.left', hidden.id, briefly],
  ]
  assert.deepEqual(await told(colleague), elsewhere)
  assert.deepEqual(await told(owner), [ofMember[0], ...elsewhere, ofMember[1]])
})

test('a refused or replayed request writes no event', async () => {
  const { orgId, owner, member, project, task, workspace, stages } = await newWorld()
  const { id: projectId } = await project()
  const { id: taskId } = await task({ projectId })
  const [empty, board] = [await workspace({ stages: [] }), await workspace()]
  const [stage] = await stages(board.id)
  const key = { 'idempotency-key': randomUUID() }
  await owner.post('/tags', { name: 'Urgent' }, key)
  const requests: [number, () => Promise<Reply>][] = [
    [400, () => owner.patch(`/tasks/${taskId}`, { name: 'Renamed', workspaceId: empty.id, stageId: stage.id })],
    [401, () => api('').post('/tags', { name: 'Nobody' })],
    [403, () => member.post('/projects', { name: 'Mine' })],
    [404, () => member.patch(`/tasks/${taskId}`, { name: 'Renamed' })],
    [409, () => owner.post('/tags', { name: 'Later' }, key)],
    [412, () => owner.patch(`/tasks/${taskId}`, { name: 'Renamed', workspaceId: empty.id })],
    [412, () => owner.patch(`/tasks/${taskId}`, { name: 'Renamed' }, { 'if-match': '"9"' })],
    [422, () => owner.post('/tags', { name: 'URGENT' })],
    [422, () => owner.post('/tags', { name: 'URGENT' }, { 'idempotency-key': randomUUID() })],
    [201, () => owner.post('/tags', { name: 'Urgent' }, key)],
  ]
  for (const [status, request] of requests) {
    const { reply, events } = await eventsAfter(orgId, request)
    assert.deepEqual([reply.status, events], [status, []])
  }
})

test('the sequence of an organization has no gaps, with any concurrent and refused requests', async () => {
  const { orgId, owner, admin, project, workspace } = await newWorld()
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace({ stages: [] })
  const before = (await eventsOf(orgId)).length
  const bursts = [owner, admin].flatMap((by: Api) =>
    Array.from({ length: 15 }, (_, i) => [
      by.post('/tasks', { name: 'A task', projectId }),
      by.post('/tasks', { name: 'Nowhere to go', projectId, workspaceId }),
      by.post('/tags', { name: `Tag ${i}` }, { 'idempotency-key': `${i % 5}` }),
    ]),
  )
  const answers = await Promise.all(bursts.flat())
  const changed = answers.filter(({ status, headers }) => status === 201 && !headers.has('idempotent-replayed'))
  const events = await eventsOf(orgId)
  assert.equal(events.length, before + changed.length)
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, i) => i + 1),
  )
  const counter = await db.row(sql`select last_sequence as last from event_counters where org_id = ${orgId}`)
  assert.deepEqual(counter, { last: events.length })
})

test('events are numbered in the order in which their changes took effect', async () => {
  const { orgId, owner, project } = await newWorld()
  const { id: projectId } = await project()
  await Promise.all(Array.from({ length: 20 }, () => owner.post('/tasks', { name: 'A task', projectId })))
  const numbers = (await eventsOf(orgId))
    .filter(({ type }) => type === 'task.created')
    .map(({ snapshot }) => (snapshot as { number: number }).number)
  assert.deepEqual(
    numbers,
    numbers.map((_, i) => i + 1),
  )
})

test('the creation of an organization is its first events; the operator is no member', async () => {
  const founding = { name: 'Acme', owner: { name: 'Ann', email: 'ann@example.com' } }
  const { organization, owner, apiKey } = (await api(operatorToken).post('/organizations', founding)).body
  const events = await eventsOf(organization.id)
  assert.deepEqual(
    events.map((event) => [event.sequence, event.type, event.resource_id, event.actor_id, event.actor_key_id]),
    [
      [1, 'organization.created', organization.id, null, null],
      [2, 'member.created', owner.id, null, null],
      [3, 'api_key.created', apiKey.id, null, null],
    ],
  )
  assert.ok(!JSON.stringify(events).includes(apiKey.secret))
})
