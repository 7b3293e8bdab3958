import type { Db } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { badRequest, found, invalid, refused } from '../../http/errors.ts'
import type { Found } from '../../http/route.ts'
import type { Stage } from '../stages/stage.ts'
import { foreignStage, landingStage } from './rules.ts'

/** Where a task stands. */
export interface Place {
  workspaceId: string | null
  stageId: string | null
  position: number | null
  completedAt: string | null
}

interface Wanted {
  workspaceId?: string | null | undefined
  stageId?: string | null | undefined
}

// wide enough that tasks can be put between others many times before a stage must be numbered anew
const gap = 65_536

/**
 * Where a task goes, by the one rule of POST, PATCH and move. The stage it enters is locked until the move is
 * committed, so that its limit holds and positions differ whoever moves at the same time.
 * @param wanted as the client sent it: absent keeps, null takes off the board
 * @param named the stage that `wanted` names, found
 * @returns the new place, undefined when the task stays where it is
 * @throws 400 for a stage of another workspace or a workspace of another project; 412 when the workspace has no stages
 *   or the stage is full
 */
export async function land(
  db: Db,
  orgId: string,
  task: Place & { projectId: string },
  wanted: Wanted,
  named: readonly Found<Stage>[],
  now: string,
): Promise<Place | undefined> {
  const [stage] = named.map(({ item }) => item)
  const workspaceId = wanted.workspaceId === undefined ? (task.workspaceId ?? stage?.workspaceId) : wanted.workspaceId
  if (!workspaceId) {
    if (stage) throw foreignStage()
    return task.workspaceId ? { workspaceId: null, stageId: null, position: null, completedAt: null } : undefined
  }
  const stays = workspaceId === task.workspaceId
  if (stays && wanted.stageId === null && wanted.workspaceId === undefined) {
    throw invalid({ stageId: ['A task on a workspace stands in a stage; clear workspaceId to take it off'] })
  }
  const workspace = found(
    await db.row<{ projectId: string | null; stageIds: string[] }>(sql`
      select project_id as "projectId", array(
        select stages.id from stages where stages.org_id = workspaces.org_id and stages.workspace_id = workspaces.id
          and stages.deleted_at is null order by stages.position, stages.id) as "stageIds"
      from workspaces where org_id = ${orgId} and id = ${workspaceId} and deleted_at is null`),
  )
  if (workspace.projectId !== null && workspace.projectId !== task.projectId) {
    throw badRequest('The workspace belongs to a different project', 'workspace_of_other_project')
  }
  const stageId = landingStage(workspace.stageIds, stage?.id)
  if (stays && (stage === undefined || stageId === task.stageId)) return undefined
  return enter(db, orgId, workspaceId, stageId, task.completedAt, now)
}

async function enter(
  db: Db,
  orgId: string,
  workspaceId: string,
  stageId: string,
  completedAt: string | null,
  now: string,
): Promise<Place> {
  const stage = found(
    await db.row<Pick<Stage, 'category' | 'wipLimit'>>(sql`
      select category, wip_limit as "wipLimit" from stages
      where org_id = ${orgId} and id = ${stageId} and deleted_at is null for no key update`),
  )
  const { count, last } = found(
    await db.row<{ count: number; last: number }>(sql`
      select count(*) filter (where projects.deleted_at is null)::int as count, coalesce(max(tasks.position), 0) as last
      from tasks join projects on projects.org_id = tasks.org_id and projects.id = tasks.project_id
      where tasks.org_id = ${orgId} and tasks.stage_id = ${stageId} and tasks.deleted_at is null`),
  )
  if (stage.wipLimit !== null && count >= stage.wipLimit) {
    throw refused(`The stage holds ${stage.wipLimit} tasks at most`, 'stage_full')
  }
  const done = stage.category === 'done'
  return { workspaceId, stageId, position: last + gap, completedAt: done ? (completedAt ?? now) : null }
}
