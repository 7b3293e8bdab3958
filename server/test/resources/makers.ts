import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Api, created, type World } from '../support/world.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer by asserting it
export type Made = Record<string, any>

const url = 'https://example.com/hook'

type Maker = (world: World, projectId: string, caller: Api, made: Made) => Promise<{ id: string }>

/** What a request may name in angle brackets, made anew for each in a project where the caller has the role. */
export const makers: Record<string, Maker> = {
  project: async (_, id) => ({ id }),
  // what names it when it is deleted
  organizationName: async ({ owner }) => ({
    id: encodeURIComponent((await owner.get('/organization')).body.name),
  }),
  outsider: async ({ join }) => ({ id: (await join('Otto Outsider', 'member')).memberId }),
  invitee: async ({ join }) => ({ id: (await join('Ina Invited', 'member')).memberId }),
  invitation: async ({ owner, join }) => {
    const { memberId } = await join('Ina Invited', 'member')
    return created(owner.post(`/members/${memberId}/invite`))
  },
  colleague: async ({ join, addToProject }, projectId) => {
    const colleague = await join('Carl Colleague', 'member')
    await addToProject(projectId, colleague)
    return { id: colleague.memberId }
  },
  board: ({ workspace }, projectId) => workspace({ projectId }),
  sharedBoard: ({ workspace }) => workspace(),
  stage: stageOf,
  sharedStage: async ({ workspace, stages }) => (await stages((await workspace()).id))[0],
  nextStage: async ({ stages }, _, __, { stage, sharedStage }) => (await stages((stage ?? sharedStage).workspaceId))[1],
  task: ({ task }, projectId) => task({ projectId }),
  subtask: async ({ task, subtask }, projectId) => subtask((await task({ projectId })).id),
  nextSubtask: ({ subtask }, _, __, { subtask: { taskId } }) => subtask(taskId),
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
  ownComment: async ({ owner, task }, projectId, caller) => {
    const { id: taskId } = await task({ projectId })
    const withdraw = await letContribute(owner, projectId, caller.memberId)
    const comment = await created(caller.post(`/tasks/${taskId}/comments`, { body: 'Looks good' }))
    await withdraw()
    return comment
  },
  othersComment: async ({ owner, task, join, addToProject }, projectId) => {
    const other = await join('Olga Other', 'member')
    await addToProject(projectId, other)
    const comment = await created(
      other.post(`/tasks/${(await task({ projectId })).id}/comments`, { body: 'Looks good' }),
    )
    await owner.delete(`/projects/${projectId}/members/${other.memberId}`)
    return comment
  },
  archived: async ({ owner }, id) => {
    assert.equal((await owner.post(`/projects/${id}/archive`)).status, 200)
    return { id }
  },
  deletedMember: async ({ owner, join }) => {
    const { memberId } = await join('Doris Deleted', 'member')
    return deleted(owner, 'members', { id: memberId })
  },
  deletedProject: ({ owner }, id) => deleted(owner, 'projects', { id }),
  deletedBoard: async ({ owner, workspace }, projectId) => deleted(owner, 'workspaces', await workspace({ projectId })),
  deletedSharedBoard: async ({ owner, workspace }) => deleted(owner, 'workspaces', await workspace()),
  deletedStage: async (world, projectId, caller) =>
    deleted(world.owner, 'stages', await stageOf(world, projectId, caller)),
  deletedSharedStage: async ({ owner, workspace, stages }) =>
    deleted(owner, 'stages', (await stages((await workspace()).id))[0]),
  deletedTask: async ({ owner, task }, projectId) => deleted(owner, 'tasks', await task({ projectId })),
  deletedSubtask: async ({ owner, task, subtask }, projectId) =>
    deleted(owner, 'subtasks', await subtask((await task({ projectId })).id)),
  deletedComment: async (world, projectId) => {
    const { id } = await world.task({ projectId })
    return deleted(world.owner, 'comments', await created(world.owner.post(`/tasks/${id}/comments`, { body: 'Done' })))
  },
  deletedTime: async ({ owner, task, timeEntry }, projectId) =>
    deleted(owner, 'time-entries', await timeEntry({ taskId: (await task({ projectId })).id })),
  deletedTag: async ({ owner, tag }) => deleted(owner, 'tags', await tag()),
  deletedType: async ({ owner, taskType }) => deleted(owner, 'task-types', await taskType()),
  webhook: ({ owner }, projectId) => created(owner.post('/webhooks', { url, projectId })),
  pausedWebhook: async ({ owner }, projectId) => {
    const { id } = await created(owner.post('/webhooks', { url, projectId }))
    assert.equal((await owner.post(`/webhooks/${id}/pause`)).status, 200)
    return { id }
  },
  deletedWebhook: async ({ owner }, projectId) =>
    deleted(owner, 'webhooks', await created(owner.post('/webhooks', { url, projectId }))),
  delivery: async ({ owner, delivery }, projectId) =>
    delivery((await created(owner.post('/webhooks', { url, projectId }))).id),
  sharedDelivery: async ({ owner, delivery }) => delivery((await created(owner.post('/webhooks', { url }))).id),
  sharedWebhook: ({ owner }) => created(owner.post('/webhooks', { url })),
  pausedSharedWebhook: async ({ owner }) => {
    const { id } = await created(owner.post('/webhooks', { url }))
    assert.equal((await owner.post(`/webhooks/${id}/pause`)).status, 200)
    return { id }
  },
  deletedSharedWebhook: async ({ owner }) =>
    deleted(owner, 'webhooks', await created(owner.post('/webhooks', { url }))),
  random: async () => ({ id: randomUUID() }),
  ownKey: ({ owner }, _, { memberId }) => created(owner.post('/api-keys', { name: 'Spare', memberId })),
  othersKey: async ({ owner, join }) =>
    created(owner.post('/api-keys', { name: 'Spare', memberId: (await join('Olga Other', 'member')).memberId })),
}

async function stageOf({ workspace, stages }: World, projectId: string, _: Api): Promise<{ id: string }> {
  return (await stages((await workspace({ projectId })).id))[0]
}

async function deleted(owner: Api, noun: string, { id }: { id: string }) {
  assert.equal((await owner.delete(`/${noun}/${id}`)).status, 204)
  return { id }
}

/** Whatever role a member has in a project, a contributor for a while. @returns brings back what was */
async function letContribute(owner: Api, projectId: string, memberId: string): Promise<() => Promise<unknown>> {
  const path = `/projects/${projectId}/members`
  const { status, body } = await owner.get(`${path}/${memberId}`)
  if (status === 404) {
    await created(owner.post(path, { memberId, role: 'contributor' }))
    return () => owner.delete(`${path}/${memberId}`)
  }
  if (body.role !== 'viewer') return async () => {}
  await owner.patch(`${path}/${memberId}`, { role: 'contributor' })
  return () => owner.patch(`${path}/${memberId}`, { role: 'viewer' })
}
