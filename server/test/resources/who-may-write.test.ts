import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Api, created, startServer, type World } from '../world.ts'

const { newWorld } = await startServer()

/** What a request may name in angle brackets: made anew for each, in a project where the caller has the role. */
const makers: Record<string, (world: World, projectId: string, caller: Api) => Promise<{ id: string }>> = {
  project: async (_, id) => ({ id }),
  outsider: async ({ join }) => ({ id: (await join('Otto Outsider', 'member')).memberId }),
  colleague: async ({ join, addToProject }, projectId) => {
    const colleague = await join('Carl Colleague', 'member')
    await addToProject(projectId, colleague)
    return { id: colleague.memberId }
  },
  board: ({ workspace }, projectId) => workspace({ projectId }),
  sharedBoard: ({ workspace }) => workspace(),
  stage: async ({ workspace, stages }, projectId) => (await stages((await workspace({ projectId })).id))[0],
  sharedStage: async ({ workspace, stages }) => (await stages((await workspace()).id))[0],
  task: ({ task }, projectId) => task({ projectId }),
  subtask: async ({ task, subtask }, projectId) => subtask((await task({ projectId })).id),
  finalized: async ({ owner, task, subtask }, projectId) => {
    const { id } = await subtask((await task({ projectId })).id)
    await owner.post(`/subtasks/${id}/finalize`)
    return { id }
  },
  ownTime: async ({ task, timeEntry }, projectId, { memberId }) =>
    timeEntry({ taskId: (await task({ projectId })).id, memberId }),
  othersTime: async ({ task, timeEntry, join }, projectId) =>
    timeEntry({ taskId: (await task({ projectId })).id, memberId: (await join('Olga Other', 'member')).memberId }),
  tag: ({ tag }) => tag(),
  type: ({ taskType }) => taskType(),
  random: async () => ({ id: randomUUID() }),
  ownKey: ({ owner }, _, { memberId }) => created(owner.post('/api-keys', { name: 'Spare', memberId })),
  othersKey: async ({ owner, join }) =>
    created(owner.post('/api-keys', { name: 'Spare', memberId: (await join('Olga Other', 'member')).memberId })),
}

const roles = ['owner', 'admin', 'lead', 'contributor', 'viewer', 'no member of the project']
const name = 'A new name'
const email = '<random>@example.com'

/** A request, and its status for each of the roles. */
const table: [request: string, body: object | undefined, statuses: string][] = [
  ['POST /projects', { name }, '201 201 403 403 403 403'],
  ['GET /projects/<project>', undefined, '200 200 200 200 200 404'],
  ['PATCH /projects/<project>', { name }, '200 200 200 403 403 404'],
  ['DELETE /projects/<project>', undefined, '204 204 403 403 403 404'],

  ['GET /projects/<project>/members', undefined, '200 200 200 200 200 404'],
  ['POST /projects/<project>/members', { memberId: '<outsider>', role: 'lead' }, '201 201 201 403 403 404'],
  ['PATCH /projects/<project>/members/<colleague>', { role: 'lead' }, '200 200 200 403 403 404'],
  ['DELETE /projects/<project>/members/<colleague>', undefined, '204 204 204 403 403 404'],

  ['GET /workspaces/<board>', undefined, '200 200 200 200 200 404'],
  ['POST /workspaces', { name, projectId: '<project>' }, '201 201 201 403 403 404'],
  ['PATCH /workspaces/<board>', { name }, '200 200 200 403 403 404'],
  ['DELETE /workspaces/<board>', undefined, '204 204 204 403 403 404'],
  ['GET /workspaces/<sharedBoard>', undefined, '200 200 200 200 200 200'],
  ['POST /workspaces', { name }, '201 201 403 403 403 403'],
  ['PATCH /workspaces/<sharedBoard>', { name }, '200 200 403 403 403 403'],
  ['DELETE /workspaces/<sharedBoard>', undefined, '204 204 403 403 403 403'],

  ['GET /stages/<stage>', undefined, '200 200 200 200 200 404'],
  ['POST /workspaces/<board>/stages', { name }, '201 201 201 403 403 404'],
  ['PATCH /stages/<stage>', { name }, '200 200 200 403 403 404'],
  ['DELETE /stages/<stage>', undefined, '204 204 204 403 403 404'],
  ['POST /workspaces/<sharedBoard>/stages', { name }, '201 201 403 403 403 403'],
  ['PATCH /stages/<sharedStage>', { name }, '200 200 403 403 403 403'],
  ['DELETE /stages/<sharedStage>', undefined, '204 204 403 403 403 403'],

  ['GET /tasks/<task>', undefined, '200 200 200 200 200 404'],
  ['POST /tasks', { name, projectId: '<project>' }, '201 201 201 201 403 404'],
  ['PATCH /tasks/<task>', { name }, '200 200 200 200 403 404'],
  ['POST /tasks/<task>/move', { workspaceId: '<sharedBoard>' }, '200 200 200 200 403 404'],
  ['DELETE /tasks/<task>', undefined, '204 204 204 204 403 404'],

  ['GET /subtasks/<subtask>', undefined, '200 200 200 200 200 404'],
  ['POST /tasks/<task>/subtasks', { name }, '201 201 201 201 403 404'],
  ['PATCH /subtasks/<subtask>', { name }, '200 200 200 200 403 404'],
  ['POST /subtasks/<subtask>/finalize', undefined, '200 200 200 200 403 404'],
  ['POST /subtasks/<finalized>/reopen', undefined, '200 200 200 200 403 404'],
  ['DELETE /subtasks/<subtask>', undefined, '204 204 204 204 403 404'],

  ['GET /time-entries/<othersTime>', undefined, '200 200 200 200 200 404'],
  ['POST /time-entries', { taskId: '<task>' }, '201 201 201 201 403 404'],
  ['POST /time-entries', { subtaskId: '<subtask>' }, '201 201 201 201 403 404'],
  ['PATCH /time-entries/<ownTime>', { billable: true }, '200 200 200 200 403 404'],
  ['DELETE /time-entries/<ownTime>', undefined, '204 204 204 204 403 404'],
  ['POST /time-entries', { taskId: '<task>', memberId: '<outsider>' }, '201 201 201 403 403 404'],
  ['PATCH /time-entries/<othersTime>', { billable: true }, '200 200 200 403 403 404'],
  ['DELETE /time-entries/<othersTime>', undefined, '204 204 204 403 403 404'],

  ['POST /tags', { name: '<random>' }, '201 201 201 201 201 201'],
  ['PATCH /tags/<tag>', { color: '#000000' }, '200 200 200 200 200 200'],
  ['DELETE /tags/<tag>', undefined, '204 204 204 204 204 204'],

  ['POST /task-types', { name: '<random>' }, '201 201 403 403 403 403'],
  ['PATCH /task-types/<type>', { icon: 'bug' }, '200 200 403 403 403 403'],
  ['DELETE /task-types/<type>', undefined, '204 204 403 403 403 403'],

  ['GET /members/<outsider>', undefined, '200 200 200 200 200 200'],
  ['POST /members', { name, email }, '201 201 403 403 403 403'],
  ['PATCH /members/<outsider>', { name }, '200 200 403 403 403 403'],
  ['DELETE /members/<outsider>', undefined, '204 204 403 403 403 403'],

  ['POST /api-keys', { name }, '201 201 201 201 201 201'],
  ['POST /api-keys', { name, memberId: '<outsider>' }, '201 201 403 403 403 403'],
  ['POST /api-keys/<ownKey>/rotate', {}, '201 201 201 201 201 201'],
  ['DELETE /api-keys/<ownKey>', undefined, '204 204 204 204 204 204'],
  ['GET /api-keys/<othersKey>', undefined, '200 200 404 404 404 404'],
  ['POST /api-keys/<othersKey>/rotate', {}, '201 201 404 404 404 404'],
  ['DELETE /api-keys/<othersKey>', undefined, '204 204 404 404 404 404'],

  ['GET /organization', undefined, '200 200 200 200 200 200'],
  ['PATCH /organization', { name }, '200 200 403 403 403 403'],
]

for (const [request, body, statuses] of table) {
  test(`${request}${body ? ` ${JSON.stringify(body)}` : ''} is ${statuses} for ${roles.join(', ')}`, async () => {
    const world = await newWorld()
    const others = await Promise.all(roles.slice(2).map((role) => world.join(role, 'member')))
    const answers = [world.owner, world.admin, ...others].map(async (caller, i) => {
      const role = roles[i] ?? ''
      const { id: projectId } = await world.project()
      if (['lead', 'contributor', 'viewer'].includes(role)) await world.addToProject(projectId, caller, role)
      const fill = (text: string) =>
        filledIn(text, (thing) => (makers[thing] ?? assert.fail(thing))(world, projectId, caller))
      const [method = '', path = ''] = request.split(' ')
      const sent = body && (await fill(JSON.stringify(body)))
      return (await caller.call(method, await fill(path), sent)).status
    })
    assert.equal((await Promise.all(answers)).join(' '), statuses)
  })
}

/** The text, with the id of a new thing wherever one is named in angle brackets. */
async function filledIn(text: string, make: (thing: string) => Promise<{ id: string }>): Promise<string> {
  let filled = text
  for (const [named, thing = ''] of text.matchAll(/<(\w+)>/g)) filled = filled.replace(named, (await make(thing)).id)
  return filled
}
