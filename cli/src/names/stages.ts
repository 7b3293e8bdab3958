import { WrongUse } from '../problems.ts'
import type { NameReader } from './name-reader.ts'
import type { IdOf, NameScope } from './name-scope.ts'
import type { NamedItem } from './pick.ts'

const mostWorkspaces = 10

/** The stages for a lookup: those of the given workspace, task or stage, else of the project's workspaces. */
export async function stagesWithin(reading: NameReader, within: NameScope, idOf: IdOf): Promise<NamedItem[]> {
  const workspaces = await workspacesWithin(reading, within, idOf)
  if (workspaces.length > mostWorkspaces)
    throw new WrongUse(
      `There are stages in ${workspaces.length} workspaces. Choose one with --workspace, or add --project.`,
    )
  const stages = await Promise.all(
    workspaces.map(async ({ id, name }) => {
      const there = await reading.all(`/workspaces/${id}/stages`, { fields: 'id,name' })
      return there.map((stage) => ({ ...stage, within: name }))
    }),
  )
  return stages.flat()
}

async function workspacesWithin(reading: NameReader, within: NameScope, idOf: IdOf): Promise<NamedItem[]> {
  const { project, workspace, task, stage } = within
  if (workspace !== undefined)
    return [{ id: await idOf('workspace', workspace, { ...(project ? { project } : {}) }), name: workspace }]
  const fields = 'workspaceId,projectId'
  const beside = stage ? await reading.one(`/stages/${stage}`, { fields }) : undefined
  const home =
    beside ?? (task ? await reading.one(`/tasks/${encodeURIComponent(task.toUpperCase())}`, { fields }) : undefined)
  if (home?.workspaceId) return [{ id: home.workspaceId, name: 'its workspace' }]
  const projectId = home?.projectId ?? (project ? await idOf('project', project, {}) : undefined)
  return [...(await reading.all('/workspaces', { projectId: projectId && `${projectId},none`, fields: 'id,name' }))]
}
