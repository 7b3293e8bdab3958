import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { everyone } from '../../../src/access/caller.ts'
import { sql } from '../../../src/db/sql.ts'
import type { EventType } from '../../../src/events/event-type.ts'
import { eventTypeNames } from '../../../src/events/type-names.ts'
import { route } from '../../../src/operations/route.ts'
import { eventTypes, routes } from '../../../src/resources/index.ts'
import { signInEvents } from '../../../src/sign-in/recording.ts'
import { asNamed, inUsefulOrder, lineOf, startScenes } from '../../support/scene.ts'
import { type Api, created, type Reply, startServer, type World } from '../../support/world.ts'

const { db, newWorld, scene } = await startScenes()

/** By route, the types of the events that it was seen to write. */
const seen = new Map<string, Set<string>>(routes.map((route) => [lineOf(route), new Set()]))

async function note(line: string, reply: Reply): Promise<void> {
  assert.ok(reply.status < 300, `${line}: ${reply.text}`)
  const events = await db.rows<{ type: string }>(sql`
    select distinct type from events where request_id = ${reply.headers.get('x-request-id')}`)
  for (const { type } of events) seen.get(line)?.add(type)
}

/** Two people, and a task with a subtask that one of them is working on. */
async function atWork(world: World) {
  const { owner, admin, join, project, workspace, stages, task, subtask } = world
  const { id: projectId } = await project()
  const { id: workspaceId } = await workspace()
  const [first, next] = await stages(workspaceId)
  const colleague = await join('Carl Colleague', 'member')
  await created(owner.post(`/members/${colleague.memberId}/invite`))
  const [tag, type] = [await world.tag(), await world.taskType()]
  const labels = { tagIds: [tag.id], typeId: type.id, assigneeIds: [colleague.memberId] }
  const { id: taskId } = await task({ projectId, workspaceId, ...labels })
  const { id: subtaskId } = await subtask(taskId, { assigneeId: colleague.memberId })
  const running = await created(owner.post('/time-entries', { taskId, memberId: colleague.memberId, tagIds: [tag.id] }))
  return { ...{ owner, admin, projectId, colleague, tag, type, taskId, subtaskId, running, first, next } }
}

type Work = Awaited<ReturnType<typeof atWork>>

/** What else each write may change, beyond what it is for. */
const cascades: Record<string, (work: Work) => Promise<Reply>> = {
  'PATCH /members/{id}': async ({ owner, admin, colleague }) => {
    await created(admin.post('/api-keys', { name: 'Given', memberId: colleague.memberId }))
    return owner.patch(`/members/${colleague.memberId}`, { role: 'owner', status: 'deactivated' })
  },
  'DELETE /members/{id}': async ({ owner, admin, colleague }) => {
    assert.equal((await owner.patch(`/members/${colleague.memberId}`, { role: 'admin' })).status, 200)
    await created(colleague.post('/api-keys', { name: 'Given', memberId: admin.memberId }))
    return owner.delete(`/members/${colleague.memberId}`)
  },
  'POST /members': ({ owner }) =>
    owner.post('/members', { name: 'Gina Guest', email: 'gina@example.com', invite: true }),
  'POST /members/{id}/invite': ({ owner, colleague }) => owner.post(`/members/${colleague.memberId}/invite`),
  'POST /members/{id}/erase': ({ owner, colleague }) => owner.post(`/members/${colleague.memberId}/erase`),
  'POST /projects/{id}/archive': ({ owner, projectId }) => owner.post(`/projects/${projectId}/archive`),
  'DELETE /projects/{id}': ({ owner, projectId }) => owner.delete(`/projects/${projectId}`),
  'POST /projects/{id}/restore': async ({ owner, projectId, first }) => {
    for (const path of [`/projects/${projectId}`, `/stages/${first.id}`])
      assert.equal((await owner.delete(path)).status, 204)
    return owner.post(`/projects/${projectId}/restore`)
  },
  'POST /stages/{id}/move': ({ owner, first }) =>
    crowd(owner, 'stages', first.id, () =>
      owner.post(`/workspaces/${first.workspaceId}/stages`, { name: randomUUID() }),
    ),
  'POST /tasks/{id}/move': ({ owner, taskId, projectId, first }) =>
    crowd(owner, 'tasks', taskId, () => owner.post('/tasks', { name: 'Other', projectId, stageId: first.id })),
  'POST /subtasks/{id}/move': ({ owner, taskId, subtaskId }) =>
    crowd(owner, 'subtasks', subtaskId, () => owner.post(`/tasks/${taskId}/subtasks`, { name: 'Other' })),
  'DELETE /stages/{id}': ({ owner, first, next }) => owner.delete(`/stages/${first.id}?moveTasksTo=${next.id}`),
  'DELETE /task-types/{id}': ({ owner, type }) => owner.delete(`/task-types/${type.id}`),
  'DELETE /tags/{id}': ({ owner, tag }) => owner.delete(`/tags/${tag.id}`),
  'DELETE /tasks/{id}': ({ owner, taskId }) => owner.delete(`/tasks/${taskId}`),
  'DELETE /subtasks/{id}': async ({ owner, subtaskId, running }) => {
    await owner.patch(`/time-entries/${running.id}`, { subtaskId })
    return owner.delete(`/subtasks/${subtaskId}`)
  },
  'POST /time-entries': ({ owner, taskId, colleague }) =>
    owner.post('/time-entries', { taskId, memberId: colleague.memberId }),
  'PATCH /time-entries/{id}': async ({ owner, running }) => {
    const elsewhere = await created(owner.post('/projects', { name: 'Elsewhere' }))
    const task = await created(owner.post('/tasks', { name: 'Other', projectId: elsewhere.id }))
    return owner.patch(`/time-entries/${running.id}`, { taskId: task.id })
  },
  'DELETE /time-entries/{id}': ({ owner, running }) => owner.delete(`/time-entries/${running.id}`),
}

/** Moves two things behind another one by turns, until others have to make room. */
async function crowd(owner: Api, path: string, afterId: string, make: () => Promise<Reply>): Promise<Reply> {
  const [one, two] = [await created(make()), await created(make())]
  const together = { 'x-request-id': randomUUID() }
  const move = ({ id }: { id: string }) => owner.post(`/${path}/${id}/move`, { afterId }, together)
  for (let i = 0; i < 15; i++) for (const thing of [one, two]) assert.equal((await move(thing)).status, 200)
  return move(one)
}

test('each write emits every event type that it declares, in at least one case', async () => {
  const { ask, world } = await scene()
  for (const route of inUsefulOrder.filter(({ method }) => method !== 'GET'))
    await note(lineOf(route), await ask(world.owner, route, asNamed(route)))
  const elsewhere = await newWorld()
  for (const [line, write] of Object.entries(cascades)) await note(line, await write(await atWork(elsewhere)))
  const silent = routes.flatMap((route) => {
    return route.emits.filter((type) => !seen.get(lineOf(route))?.has(type)).map((type) => `${lineOf(route)}: ${type}`)
  })
  assert.deepEqual(silent, [])
})

test('emitting an event type that the route does not declare does not compile', () => {
  const declared = route('DELETE /tags/{id}', {
    name: 'tags.delete',
    summary: 'Delete a tag',
    roles: everyone,
    emits: ['tag.deleted'],
    async handle({ emit }) {
      emit('tag.deleted', {})
      // @ts-expect-error: misspelt
      emit('tag.deletd', {})
      // @ts-expect-error: of another route
      emit('tag.created', {})
    },
  })
  assert.deepEqual(declared.emits, ['tag.deleted'])
})

test('each event type describes its event and its snapshot', () => {
  assert.deepEqual(
    eventTypes.map(({ type }) => type),
    [...new Set(eventTypes.map(({ type }) => type))],
  )
  for (const { type, description, snapshot } of eventTypes) {
    assert.match(type, /^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/)
    assert.match(description, /^[A-Z].*\.$/, type)
    assert.ok(snapshot.meta()?.id, type)
  }
})

test('every emitted type can be selected, and no other', () => {
  assert.deepEqual([...eventTypeNames].toSorted(), eventTypes.map(({ type }) => type).toSorted())
  // a webhook is disabled by what runs by itself
  const emitted = new Set([...signInEvents, 'webhook.disabled', ...routes.flatMap((route) => route.emits)])
  assert.deepEqual([...emitted].toSorted(), eventTypes.map(({ type }) => type).toSorted())
})

test('every test would find a route that emits an undeclared event, or one that differs from the published schema', async () => {
  const without = (changed: (type: EventType) => EventType) => startServer({ eventTypes: eventTypes.map(changed) })
  const undeclared = routes.map((route) => (lineOf(route) === 'POST /tags' ? { ...route, emits: [] } : route))
  const wrong = eventTypes.find(({ type }) => type === 'member.created') ?? assert.fail()
  const servers = [
    await startServer({ routes: undeclared }),
    await without((known) => (known.type === 'tag.created' ? { ...known, snapshot: wrong.snapshot } : known)),
  ]
  for (const { newWorld, logged } of servers) {
    const { owner } = await newWorld()
    const { status } = await owner.post('/tags', { name: randomUUID() })
    assert.equal(status, 500)
    assert.match(logged.join(), /POST \/tags does not declare tag\.created|invalid_type|unrecognized_keys/)
  }
})
