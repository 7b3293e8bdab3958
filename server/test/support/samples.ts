import { randomUUID } from 'node:crypto'
import { operator } from '../../src/access/caller.ts'
import { routes } from '../../src/resources/index.ts'
import { bodiesOf, pathOf, type Things } from './sample-bodies.ts'
import { created, type World } from './world.ts'

/** What can be made, each behind what it refers to. */
const making = routes.filter(({ method, path, roles }) => {
  const made = `/${path.split('/').at(-1)}/{id}`
  return method === 'POST' && roles !== operator && routes.some((route) => route.path === made)
})

/** One of each thing: a project, and what belongs to it or to its organization. */
export async function oneOfEach(world: World): Promise<Things> {
  const { owner, project, workspace, stages, task, subtask, join, addToProject } = world
  const { id: projects } = await project()
  const colleague = await join('Carl Colleague', 'member')
  await addToProject(projects, colleague)
  const key = await created(owner.post('/api-keys', { name: 'Spare', memberId: colleague.memberId }))
  const guest = { name: 'Gina Guest', email: `${randomUUID()}@example.com`, invite: true }
  const { invitation } = await created(owner.post('/members', guest))
  const { id: workspaces } = await workspace({ projectId: projects })
  const [stage, next] = await stages(workspaces)
  const { id: tasks } = await task({ projectId: projects, workspaceId: workspaces })
  const { id: subtasks } = await subtask(tasks)
  const { id: nextSubtask } = await subtask(tasks)
  const things: Things = {
    ...{ projects, members: colleague.memberId, 'api-keys': key.id, workspaces, tasks, subtasks },
    ...{ invitations: invitation.id, stages: stage.id, nextStage: next.id, nextSubtask },
  }
  for (const route of making) {
    const noun = route.path.split('/').at(-1) ?? ''
    const [body] = bodiesOf(route, things, colleague)
    things[noun] ??= (await created(owner.post(pathOf(route, things), body))).id
  }
  await world.refusedSignIn(things['api-keys'] ?? '')
  things.deliveries = (await world.delivery(things.webhooks ?? '')).id
  return things
}

/** Lets what `oneOfEach` made refer to all that it may: to what no thing needs, too. */
export async function referToEach({ owner, timeEntry }: World, things: Things): Promise<void> {
  const { tasks, subtasks, nextSubtask, tags, members, 'task-types': typeId, 'time-entries': entries } = things
  const edits: [path: string, body: object][] = [
    [`/tasks/${tasks}`, { typeId, tagIds: [tags], assigneeIds: [members] }],
    [`/subtasks/${subtasks}`, { assigneeId: members }],
    [`/time-entries/${entries}`, { tagIds: [tags], description: 'A few words' }],
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
    ...{ subtasks: kept.nextSubtask ?? '', members: gone.members ?? '' },
  }
  for (const { path, deleted } of routes) {
    const noun = path.split('/')[1] ?? ''
    if (deleted) trash[noun] ??= kept[noun] ?? ''
  }
  for (const [noun, id] of Object.entries(trash)) {
    const { status, text } = await world.owner.delete(`/${noun}/${id}`)
    if (status !== 204) throw new Error(`Expected 204, got ${status}: ${text}`)
  }
  return trash
}

/** What a read does not answer without. */
export const neededQueries: Record<string, string> = {
  'GET /reports/time': 'groupBy=project',
  'GET /reports/tasks': 'groupBy=project',
  'GET /search': 'q=a',
}

/** What only the members of its project see; of the keys, only those of others are hidden from a plain member. */
export const hiddenNouns = routes
  .filter(({ ids, target }) => ids.length === 1 && target !== undefined && target.belongsTo !== 'organization')
  .map(({ path }) => path.split('/')[1] ?? '')
