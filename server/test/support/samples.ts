import { randomUUID } from 'node:crypto'
import type { Route } from '../../src/operations/route.ts'
import { routes } from '../../src/resources/index.ts'
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
  const [stage, next] = await stages(workspaces)
  const { id: tasks } = await task({ projectId: projects, workspaceId: workspaces })
  const { id: subtasks } = await subtask(tasks)
  const { id: nextSubtask } = await subtask(tasks)
  const comment = await created(owner.post(`/tasks/${tasks}/comments`, { body: 'Looks good' }))
  const { id: entries } = await timeEntry({ taskId: tasks })
  return {
    ...{ projects, tags, 'task-types': types, members: colleague.memberId, 'api-keys': key.id },
    ...{ workspaces, stages: stage.id, tasks, subtasks, 'time-entries': entries },
    ...{ comments: comment.id, nextStage: next.id, nextSubtask },
  }
}

/** Lets what `oneOfEach` made refer to all that it may: to what no thing needs, too. */
export async function referToEach({ owner, timeEntry }: World, things: Things): Promise<void> {
  const { tasks, subtasks, nextSubtask, tags, members, 'task-types': typeId, 'time-entries': entries } = things
  const edits: [path: string, body: object][] = [
    [`/tasks/${tasks}`, { typeId, tagIds: [tags], assigneeIds: [members] }],
    [`/subtasks/${subtasks}`, { assigneeId: members }],
    [`/time-entries/${entries}`, { tagIds: [tags] }],
  ]
  for (const [path, body] of edits) {
    const { status, text } = await owner.patch(path, body)
    if (status !== 200) throw new Error(`Expected 200, got ${status}: ${text}`)
  }
  await timeEntry({ subtaskId: nextSubtask })
}

/** One of each thing that can be restored, each deleted by itself. */
export async function oneDeletedOfEach(world: World): Promise<Things> {
  const [kept, gone] = [await oneOfEach(world), await oneOfEach(world)]
  const empty = await world.workspace({ projectId: kept.projects })
  const [stage] = await world.stages(kept.workspaces ?? '')
  const bare = await created(world.owner.post(`/workspaces/${stage.workspaceId}/stages`, { name: 'Unused' }))
  const own = { projectId: kept.projects ?? '' }
  const trash: Things = {
    ...{ projects: gone.projects ?? '', tags: gone.tags ?? '', 'task-types': gone['task-types'] ?? '' },
    ...{ workspaces: empty.id, stages: bare.id, tasks: (await world.task(own)).id },
    ...{ subtasks: kept.nextSubtask ?? '', comments: kept.comments ?? '' },
    ...{ 'time-entries': kept['time-entries'] ?? '', members: gone.members ?? '' },
  }
  for (const [noun, id] of Object.entries(trash)) {
    const { status, text } = await world.owner.delete(`/${noun}/${id}`)
    if (status !== 204) throw new Error(`Expected 204, got ${status}: ${text}`)
  }
  return trash
}

/** What a read does not answer without. */
export const neededQueries: Record<string, string> = { 'GET /reports/time': 'groupBy=project' }

/** What only the members of its project see; of the keys, only those of others are hidden from a plain member. */
export const hiddenNouns = routes
  .filter(({ ids, target }) => ids.length === 1 && target !== undefined && target.belongsTo !== 'organization')
  .map(({ path }) => path.split('/')[1] ?? '')

const nouns: Record<string, string> = {
  projectId: 'projects',
  workspaceId: 'workspaces',
  stageId: 'stages',
  moveTasksTo: 'stages',
  taskId: 'tasks',
  subtaskId: 'subtasks',
  typeId: 'task-types',
  tagId: 'tags',
  tagIds: 'tags',
  memberId: 'members',
  assigneeId: 'members',
  assigneeIds: 'members',
}

/** What an id in a body or in a filter names: a neighbour is of the kind of what is moved. */
export const nounOf = ({ path }: Route, field: string): string | undefined =>
  field === 'beforeId' || field === 'afterId' ? path.split('/')[1] : nouns[field]

/** Bodies that each operation accepts, given what there is; more than one where one cannot hold every field. */
export const sampleBodies: Record<string, (things: Things, stranger: Api) => [object, ...object[]]> = {
  'POST /organizations': () => [{ name: 'Acme', owner: { name: 'Ann', email: 'ann@example.com' } }],
  'PATCH /organization': () => [{ name: 'Acme', settings: { timerPolicy: 'stop_previous' } }],
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
  'PATCH /stages/{id}': () => [{ name: 'Doing', category: 'done' }],
  'POST /task-types': () => [{ name: 'Bug' }],
  'PATCH /task-types/{id}': () => [{ name: 'Chore' }],
  'POST /tags': () => [{ name: 'Urgent' }],
  'PATCH /tags/{id}': () => [{ name: 'Later' }],
  'POST /tasks': ({ projects }) => [{ name: 'Paint it', projectId: projects }],
  'PATCH /tasks/{id}': () => [{ name: 'Paint it' }],
  'POST /tasks/{id}/move': ({ nextStage }) => [{ stageId: nextStage }],
  'POST /tasks/{id}/subtasks': () => [{ name: 'Buy paint' }],
  'PATCH /subtasks/{id}': () => [{ name: 'Buy paint' }],
  'POST /subtasks/{id}/finalize': () => [{}],
  'POST /subtasks/{id}/reopen': () => [{}],
  'POST /time-entries': ({ tasks, subtasks }) => [{ taskId: tasks }, { subtaskId: subtasks }],
  'PATCH /time-entries/{id}': () => [{ billable: true }],
  'POST /timer/start': ({ tasks, subtasks }) => [{ taskId: tasks }, { subtaskId: subtasks }],
  'POST /timer/stop': () => [{}],
  'POST /projects/{id}/archive': () => [{}],
  'POST /projects/{id}/unarchive': () => [{}],
  'POST /stages/{id}/move': ({ nextStage }) => [{ afterId: nextStage }, { beforeId: nextStage }],
  'POST /subtasks/{id}/move': ({ nextSubtask }) => [{ afterId: nextSubtask }, { beforeId: nextSubtask }],
  'POST /tasks/{id}/comments': () => [{ body: 'Looks good' }],
  'PATCH /comments/{id}': () => [{ body: 'Looks better' }],
  'POST /bulk': () => [{ operations: [{ method: 'POST', path: '/tags', body: { name: randomUUID() } }] }],
  'POST /members/{id}/restore': () => [{}],
  'POST /projects/{id}/restore': () => [{}],
  'POST /workspaces/{id}/restore': () => [{}],
  'POST /stages/{id}/restore': () => [{}],
  'POST /task-types/{id}/restore': () => [{}],
  'POST /tags/{id}/restore': () => [{}],
  'POST /tasks/{id}/restore': () => [{}],
  'POST /subtasks/{id}/restore': () => [{}],
  'POST /comments/{id}/restore': () => [{}],
  'POST /time-entries/{id}/restore': () => [{}],
}
