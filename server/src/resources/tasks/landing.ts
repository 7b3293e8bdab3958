import type { Db } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { badRequest, found, invalid, refused } from '../../http/errors.ts'
import type { Found } from '../../http/route.ts'
import { positionBeside } from '../order.ts'
import { type Stage, tasksIn } from '../stages/stage.ts'
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
  beforeId?: string | undefined
  afterId?: string | undefined
}

/** What `wanted` names, found. */
interface Named {
  stageId: readonly Found<Stage>[]
  beforeId?: readonly Found<Place>[]
  afterId?: readonly Found<Place>[]
}

/**
 * Where a task goes, by the one rule of POST, PATCH and move. The stage it enters is locked until the move is
 * committed, so that its limit holds and positions differ whoever moves at the same time.
 * @param wanted as the client sent it: absent keeps, null takes off the board; a neighbour names its stage too
 * @returns the new place, undefined when the task stays where it is
 * @throws 400 for a stage of another workspace or a workspace of another project; 412 when the workspace has no stages
 *   or the stage is full
 */
export async function land(
  db: Db,
  orgId: string,
  task: Omit<Place, 'position' | 'completedAt'> & { projectId: string; id?: string },
  wanted: Wanted,
  named: Named,
  now: string,
): Promise<Place | undefined> {
  const [neighbour] = [...(named.beforeId ?? []), ...(named.afterId ?? [])].map(({ item }) => item)
  const [stage = stageOf(neighbour)] = named.stageId.map(({ item }) => item)
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
  const keepsStage = stays && (stage === undefined || stageId === task.stageId)
  if (keepsStage && neighbour === undefined) return undefined
  return enter(db, orgId, { workspaceId, stageId }, task.id, wanted, now)
}

/** Where a neighbour stands. @throws 400 when it is on no board */
function stageOf(neighbour: Place | undefined): { id: string; workspaceId: string } | undefined {
  if (neighbour === undefined) return undefined
  const { workspaceId, stageId } = neighbour
  if (workspaceId === null || stageId === null) throw badRequest('The neighbour stands in no stage', 'not_beside')
  return { id: stageId, workspaceId }
}

async function enter(
  db: Db,
  orgId: string,
  { workspaceId, stageId }: { workspaceId: string; stageId: string },
  taskId: string | undefined,
  beside: Wanted,
  now: string,
): Promise<Place> {
  const stage = found(
    await db.row<Pick<Stage, 'category' | 'wipLimit'>>(sql`
      select category, wip_limit as "wipLimit" from stages
      where org_id = ${orgId} and id = ${stageId} and deleted_at is null for no key update`),
  )
  // the stage's row first, then the task's, as whoever numbers a stage anew locks them: where it stands is read again
  const standing = await db.row<Pick<Place, 'stageId' | 'completedAt'>>(sql`
    select stage_id as "stageId", completed_at as "completedAt" from tasks
    where org_id = ${orgId} and id = ${taskId ?? null} for no key update`)
  if (stage.wipLimit !== null && standing?.stageId !== stageId) await refuseIfFull(db, orgId, stageId, stage.wipLimit)
  const position = await positionBeside(
    db,
    { table: sql`tasks`, orgId, among: sql`stage_id = ${stageId}` },
    beside,
    now,
  )
  const done = stage.category === 'done'
  return { workspaceId, stageId, position, completedAt: done ? (standing?.completedAt ?? now) : null }
}

/** @throws 412 when a stage holds as many tasks as it may */
export async function refuseIfFull(db: Db, orgId: string, stageId: string, wipLimit: number): Promise<void> {
  if ((await tasksIn(db, orgId, stageId)) < wipLimit) return
  throw refused(`The stage holds ${wipLimit} tasks at most`, 'stage_full')
}
