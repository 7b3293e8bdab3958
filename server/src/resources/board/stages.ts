import { z } from 'zod'
import { type Caller, everyone } from '../../access/caller.ts'
import { seesShared, sharedOrInProject } from '../../access/visibility.ts'
import { badRequest, found, refused } from '../../contract/errors.ts'
import { Id } from '../../contract/fields.ts'
import type { Db } from '../../db/db.ts'
import { fold } from '../../db/folding.ts'
import { sql } from '../../db/sql.ts'
import { offsetPage, offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { route } from '../../operations/route.ts'
import { refuseIfNoRoom, rooms } from '../room.ts'
import { refuseIfOrphaned, restoring } from '../trash.ts'
import { keepPositionOrGoLast, positionBehind, positionBeside, Shift } from './order.ts'
import { insertStage, Stage, stageColumns, stagesOf, storedStages, tasksIn } from './stage.ts'
import { completeTasks, moveTasks } from './standing.ts'
import { workspace } from './workspaces.ts'

const { name, category, color, wipLimit } = Stage.shape
const StageChanges = z.strictObject({ name, category, color, wipLimit }).partial()
const NewStage = StageChanges.required({ name: true })

const constraints = { stages_name: 'name' }

/** A stage of a workspace that the caller sees. */
export const stage = sharedOrInProject<Stage>(sql`stages`, stageColumns)

export const stages = [
  route('GET /workspaces/{id}/stages', {
    summary: 'List the stages of a workspace, in board order',
    roles: everyone,
    query: z.strictObject({ ...offsetQuery }),
    returns: offsetPageOf(Stage),
    handle: ({ db, caller, params, query }) =>
      offsetPage<Stage>(
        db,
        {
          columns: stageColumns,
          from: sql`stages where stages.org_id = ${caller.orgId} and stages.workspace_id = ${params.id}
            and stages.deleted_at is null`,
          order: sql`stages.position, stages.id`,
          within: sql`exists (select from workspaces where workspaces.id = ${params.id}
            and ${seesShared(caller, sql`workspaces`)})`,
        },
        query,
      ),
  }),

  route('POST /workspaces/{id}/stages', {
    summary: 'Add a stage at the end of a workspace',
    description: `A workspace has ${rooms.stagesOfWorkspace.most} at most.`,
    roles: everyone,
    at: workspace,
    needs: 'lead',
    body: NewStage,
    returns: Stage,
    created: ({ id }) => `/stages/${id}`,
    constraints,
    async handle({ db, caller: { orgId }, at, body, emit, now }) {
      // the workspace's row is locked, so nobody else takes the same position
      await refuseIfNoRoom(db, rooms.stagesOfWorkspace, { orgId, id: at.id })
      const position = await positionBehind(db, stagesOf(orgId, at.id))
      const created = await insertStage(db, orgId, at, { ...body, position }, now)
      emit('stage.created', created)
      return created
    },
  }),

  route('GET /stages/{id}', {
    summary: 'Read a stage',
    roles: everyone,
    at: stage,
    returns: Stage,
    handle: ({ at }) => at,
  }),

  route('PATCH /stages/{id}', {
    summary: 'Edit a stage',
    description: 'Another category changes all tasks in it, of which there may be up to 9,999.',
    roles: everyone,
    at: stage,
    needs: 'lead',
    body: StageChanges,
    returns: Stage,
    constraints,
    async handle({ db, caller: { orgId }, at, body, emit, now }) {
      const changes = { ...body, nameKey: body.name && fold(body.name) }
      const changed = await storedStages.update(db, orgId, at.id, changes, now)
      emit('stage.updated', changed, { before: at })
      if ((changed.category === 'done') !== (at.category === 'done'))
        await completeTasks({ db, orgId, emit, now }, changed)
      return changed
    },
  }),

  route('POST /stages/{id}/move', {
    summary: 'Move a stage before or after another one of its workspace',
    roles: everyone,
    at: stage,
    needs: 'lead',
    // the workspace is locked before its stages
    lock: 'key share',
    body: Shift,
    references: { beforeId: { to: stage }, afterId: { to: stage } },
    returns: Stage,
    async handle({ db, caller, at, body, emit, now }) {
      const { orgId } = caller
      await db.rows(sql`
        select id from workspaces where org_id = ${orgId} and id = ${at.workspaceId} for no key update`)
      const [held] = await stage.find(db, caller, { ids: [at.id], lock: 'no key update' })
      const before = found(held).item
      const position = await positionBeside(db, stagesOf(orgId, at.workspaceId), body, at.id)
      if (position === undefined) return before
      const moved = await storedStages.update(db, orgId, at.id, { position }, now)
      emit('stage.moved', moved, { before })
      return moved
    },
  }),

  route('DELETE /stages/{id}', {
    summary: 'Delete a stage; the tasks that it holds must be moved to another one',
    roles: everyone,
    at: stage,
    needs: 'lead',
    query: z.strictObject({
      moveTasksTo: Id.optional().meta({
        description: 'A stage of the same workspace that takes its tasks, up to 9,999; more are moved in parts before.',
      }),
    }),
    async handle({ db, caller, at, query, emit, now }) {
      const { orgId } = caller
      if (query.moveTasksTo !== undefined) {
        await moveTasks({ db, orgId, emit, now }, at, await otherStage(db, caller, at, query.moveTasksTo))
      }
      if ((await tasksIn(db, orgId, at.id)) > 0)
        throw refused('The stage still holds tasks; move them first', 'stage_holds_tasks')
      await storedStages.remove(db, orgId, at.id, now)
      emit('stage.deleted', at)
    },
  }),

  restoring({
    path: '/stages',
    noun: 'stage',
    at: stage,
    returns: Stage,
    stored: storedStages,
    constraints,
    async before(db, { orgId }, { id, workspaceId }) {
      await refuseIfOrphaned(db, sql`workspaces`, orgId, workspaceId, 'workspace', 'no key update')
      await refuseIfNoRoom(db, rooms.stagesOfWorkspace, { orgId, id: workspaceId })
      await keepPositionOrGoLast(db, stagesOf(orgId, workspaceId), id)
    },
  }),
]

/**
 * The stage that takes the tasks of a deleted one, held.
 * @throws 404 when the caller does not see it; 400 when it is of another workspace or the same
 */
async function otherStage(db: Db, caller: Caller, from: Stage, id: string): Promise<Stage> {
  const [target] = await stage.find(db, caller, { ids: [id], lock: 'no key update' })
  const to = found(target).item
  if (to.workspaceId === from.workspaceId && to.id !== from.id) return to
  throw badRequest('moveTasksTo names another stage of the same workspace', 'stage_of_other_workspace')
}
