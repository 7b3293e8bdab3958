import { randomUUID } from 'node:crypto'
import { type Api, created, type World } from './world.ts'

/** An id of each kind of thing, under the noun that stands before it in a path. */
export type Things = Record<string, string>

/** One of each thing: a project, and what belongs to it or to its organization. */
export async function oneOfEach(world: World): Promise<Things> {
  const { owner, project, workspace, stages, task, subtask, timeEntry, tag, taskType, join, addToProject } = world
  const [{ id: projects }, { id: tags }, { id: types }] = [await project(), await tag(), await taskType()]
  const colleague = await join('Carl Colleague', 'member')
  await addToProject(projects, colleague)
  const key = await created(owner.post('/api-keys', { name: 'Spare', memberId: colleague.memberId }))
  const { id: workspaces } = await workspace({ projectId: projects })
  const [stage] = await stages(workspaces)
  const { id: tasks } = await task({ projectId: projects, workspaceId: workspaces })
  const { id: subtasks } = await subtask(tasks)
  const { id: entries } = await timeEntry({ taskId: tasks })
  return {
    ...{ projects, tags, 'task-types': types, members: colleague.memberId, 'api-keys': key.id },
    ...{ workspaces, stages: stage.id, tasks, subtasks, 'time-entries': entries },
  }
}

/** What only the members of its project see; of the keys, only those of others are hidden from a plain member. */
export const hiddenNouns = ['projects', 'workspaces', 'stages', 'tasks', 'subtasks', 'time-entries', 'api-keys']

/** What an id in a body or in a filter names. */
export const nounOf: Record<string, string> = {
  projectId: 'projects',
  workspaceId: 'workspaces',
  stageId: 'stages',
  taskId: 'tasks',
  subtaskId: 'subtasks',
  typeId: 'task-types',
  tagId: 'tags',
  tagIds: 'tags',
  memberId: 'members',
  assigneeId: 'members',
  assigneeIds: 'members',
}

/** Bodies that each operation accepts, given what there is; more than one where one cannot hold every field. */
export const sampleBodies: Record<string, (things: Things, stranger: Api) => [object, ...object[]]> = {
  'POST /organizations': () => [{ name: 'Acme', owner: { name: 'Ann', email: 'ann@example.com' } }],
  'PATCH /organization': () => [{ name: 'Acme', settings: { timerPolicy: 'reject' } }],
  'POST /members': () => [{ name: 'Ann', email: `${randomUUID()}@example.com` }],
  'PATCH /members/{id}': () => [{ name: 'Ann' }],
  'POST /api-keys': () => [{ name: 'Robot' }],
  'POST /api-keys/{id}/rotate': () => [{}],
  'POST /projects': () => [{ name: 'Web site' }],
  'PATCH /projects/{id}': () => [{ name: 'Web site' }],
  'POST /projects/{id}/members': (_, { memberId }) => [{ memberId, role: 'viewer' }],
  'PATCH /projects/{id}/members/{memberId}': () => [{ role: 'viewer' }],
  'POST /workspaces': ({ projects }) => [{ name: 'Board', projectId: projects, stages: ['To do'] }],
  'PATCH /workspaces/{id}': () => [{ name: 'Board' }],
  'POST /workspaces/{id}/stages': () => [{ name: 'Review' }],
  'PATCH /stages/{id}': () => [{ name: 'Doing' }],
  'POST /task-types': () => [{ name: 'Bug' }],
  'PATCH /task-types/{id}': () => [{ name: 'Chore' }],
  'POST /tags': () => [{ name: 'Urgent' }],
  'PATCH /tags/{id}': () => [{ name: 'Later' }],
  'POST /tasks': ({ projects }) => [{ name: 'Paint it', projectId: projects }],
  'PATCH /tasks/{id}': () => [{ name: 'Paint it' }],
  'POST /tasks/{id}/move': ({ stages }) => [{ stageId: stages }],
  'POST /tasks/{id}/subtasks': () => [{ name: 'Buy paint' }],
  'PATCH /subtasks/{id}': () => [{ name: 'Buy paint' }],
  'POST /subtasks/{id}/finalize': () => [{}],
  'POST /subtasks/{id}/reopen': () => [{}],
  'POST /time-entries': ({ tasks, subtasks }) => [{ taskId: tasks }, { subtaskId: subtasks }],
  'PATCH /time-entries/{id}': () => [{ billable: true }],
}
