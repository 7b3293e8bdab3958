import type { Loaded } from '../../access/loader.ts'
import { badRequest, invalid, orNotFound, refused } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { expected } from '../../db/expected.ts'
import { sql } from '../../db/sql.ts'
import { type OrderPlace, positionBeside } from './order.ts'
import { lockStage, refuseIfFull, type Stage, type StageLimits, tasksOf } from './stage.ts'

/** The place of a task on a board. */
export interface Placement {
  workspaceId: string | null
  stageId: string | null
  position: number | null
  completedAt: string | null
}

/** The placement of a task that is on no board. */
export const offBoard: Placement = { workspaceId: null, stageId: null, position: null, completedAt: null }

interface PlacementRequest {
  workspaceId?: string | null | undefined
  stageId?: string | null | undefined
  beforeId?: string | undefined
  afterId?: string | undefined
}

/** The resources that `wanted` names, loaded. */
interface NamedPlaces {
  stageId: readonly Loaded<Stage>[]
  beforeId?: readonly Loaded<Placement>[]
  afterId?: readonly Loaded<Placement>[]
}

interface PlaceableTask extends Pick<Placement, 'workspaceId' | 'stageId'> {
  projectId: string
  /** absent while the task is created */
  id?: string
}

/** The old and the new place of a task, and the tasks that made room for it. */
interface PlacementResult extends Pick<OrderPlace, 'respaced'> {
  from: Placement
  to: Placement
}

/**
 * Finds the place of a task: the one rule for POST, PATCH and move. It locks the stage that the task enters, then the
 * task.
 * @param wanted as the client sent it. `workspaceId: null` takes the task off the board. A neighbour implies its stage
 * @returns the old and the new place; undefined when the task stays
 * @throws 400 for a stage or neighbour of another workspace, or a workspace of another project
 * @throws 404 for an unknown stage
 * @throws 412 when the workspace has no stages or the stage is full
 * @throws 422 for a stage that is null alone
 */
export async function placeTask(
  db: Db,
  orgId: string,
  task: PlaceableTask,
  wanted: PlacementRequest,
  named: NamedPlaces,
  now: string,
): Promise<PlacementResult | undefined> {
  const [neighbour] = [...(named.beforeId ?? []), ...(named.afterId ?? [])].map(({ item }) => item)
  const [stage = stageOf(neighbour)] = named.stageId.map(({ item }) => item)
  const workspaceId = wanted.workspaceId === undefined ? (task.workspaceId ?? stage?.workspaceId) : wanted.workspaceId
  if (!workspaceId) {
    if (stage) throw stageOfOtherWorkspace()
    return task.workspaceId === null
      ? undefined
      : { from: await lockPlacement(db, orgId, task), to: offBoard, respaced: [] }
  }
  const stays = workspaceId === task.workspaceId
  if (stays && wanted.stageId === null && wanted.workspaceId === undefined) {
    throw invalid({
      stageId: ['A task in a workspace must have a stage; set workspaceId to null to take the task off the board'],
    })
  }
  const keepsStage = stays && (stage === undefined || stage.id === task.stageId)
  if (keepsStage && neighbour === undefined) return undefined
  const target = await lockTargetStage(db, orgId, task, workspaceId, stage?.id)
  return enterStage(db, orgId, task, target, { ...wanted, anyStage: stage === undefined }, now)
}

/** The stage of a neighbour. @throws 400 when it is on no board */
function stageOf(neighbour: Placement | undefined): { id: string; workspaceId: string } | undefined {
  if (neighbour === undefined) return undefined
  const { workspaceId, stageId } = neighbour
  if (workspaceId === null || stageId === null)
    throw badRequest('beforeId or afterId must name a task that is in a stage', 'not_beside')
  return { id: stageId, workspaceId }
}

/**
 * Locks the stage that a task enters. If that stage is deleted while this waits for the lock, it looks for the stage
 * again.
 */
async function lockTargetStage(
  db: Db,
  orgId: string,
  task: PlaceableTask,
  workspaceId: string,
  wanted?: string,
): Promise<StageLimits> {
  for (;;) {
    const workspace = orNotFound(
      await db.row<{ projectId: string | null; stageIds: string[] }>(sql`
        select project_id as "projectId", array(
          select stages.id from stages where stages.org_id = ${orgId} and stages.workspace_id = workspaces.id
            and stages.deleted_at is null order by stages.position, stages.id) as "stageIds"
        from workspaces where org_id = ${orgId} and id = ${workspaceId} and deleted_at is null`),
    )
    if (workspace.projectId !== null && workspace.projectId !== task.projectId) {
      throw badRequest('The workspace belongs to a different project', 'workspace_of_other_project')
    }
    const stage = await lockStage(db, orgId, initialStage(workspace.stageIds, wanted))
    if (stage) return stage
  }
}

/**
 * The stage of a task that enters a workspace: the requested one, or the first.
 * @param stageIds the stages of the workspace, in board order
 * @throws 400 when `wanted` is of another workspace; 412 when the workspace has no stages
 */
function initialStage(stageIds: readonly string[], wanted: string | undefined): string {
  if (wanted !== undefined && !stageIds.includes(wanted)) throw stageOfOtherWorkspace()
  const [first] = stageIds
  if (first === undefined) throw refused('The workspace has no stages; create a stage first', 'workspace_has_no_stages')
  return wanted ?? first
}

const stageOfOtherWorkspace = () => badRequest('The stage belongs to a different workspace', 'stage_of_other_workspace')

async function enterStage(
  db: Db,
  orgId: string,
  task: PlaceableTask,
  stage: StageLimits,
  { anyStage, ...beside }: PlacementRequest & { anyStage: boolean },
  now: string,
) {
  // lock the stage before the task, as respacing does; the placement may have changed, so read it after the lock
  const from = await lockPlacement(db, orgId, task)
  const isThere = anyStage ? from.workspaceId === stage.workspaceId : from.stageId === stage.id
  if (isThere && beside.beforeId === undefined && beside.afterId === undefined) return undefined
  if (!isThere) await refuseIfFull(db, orgId, stage)
  const place = await positionBeside(db, tasksOf(orgId, stage.id), beside, task.id)
  if (place === undefined) return undefined
  const { position, respaced } = place
  const completedAt = stage.category === 'done' ? (from.completedAt ?? now) : null
  return { from, to: { workspaceId: stage.workspaceId, stageId: stage.id, position, completedAt }, respaced }
}

async function lockPlacement(db: Db, orgId: string, { id }: PlaceableTask): Promise<Placement> {
  if (id === undefined) return offBoard
  return expected(
    await db.row<Placement>(sql`
      select workspace_id as "workspaceId", stage_id as "stageId", position, completed_at as "completedAt" from tasks
      where org_id = ${orgId} and id = ${id} for no key update`),
    'A task that is held',
  )
}
