import { z } from 'zod'
import { type Caller, everyone } from '../../access/caller.ts'
import { seesShared, sharedOrInProject } from '../../access/visibility.ts'
import { badRequest, orNotFound, refused } from '../../contract/errors.ts'
import { Id } from '../../contract/fields.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { includable } from '../../lists/include.ts'
import { offsetPage, offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { valuePerItem } from '../../lists/parts.ts'
import { route } from '../../operations/route.ts'
import { limits, refuseIfOverLimit } from '../limits.ts'
import { taskCounts } from '../task-counts.ts'
import { refuseIfOrphaned, restoreRoute } from '../trash.ts'
import { emitRespaced, keepPositionOrGoLast, positionBehind, positionBeside, Reorder } from './order.ts'
import { insertStage, Stage, stagesOf, storedStages, tasksIn } from './stage.ts'
import { completeTasks, moveTasks } from './stage-tasks.ts'
import { workspace } from './workspaces.ts'

const besideStage = includable<Stage>(Stage, 'A stage', {
  taskCount: valuePerItem(
    z.int().min(0).max(2_147_483_647).meta({ description: 'The number of tasks in the stage that you can see.' }),
    0,
    ({ db, caller }, ids) => taskCounts(db, caller, ids),
  ),
})

const { name, category, color, wipLimit } = Stage.shape
const StageChanges = z.strictObject({ name, category, color, wipLimit }).partial()
const NewStage = StageChanges.required({ name: true })

const constraints = { stages_name: 'name' }

/** A stage of a workspace that the caller sees. */
export const stage = sharedOrInProject(storedStages)

export const stages = [
  route('GET /workspaces/{id}/stages', {
    name: 'stages.list',
    summary: 'List the stages of a workspace',
    description: 'In the same order as on the board.',
    roles: everyone,
    query: z.strictObject({ ...offsetQuery, include: besideStage.include }),
    returns: offsetPageOf(besideStage.Full),
    async handle(asked) {
      const { db, caller, params, query } = asked
      const page = await offsetPage<Stage>(
        db,
        {
          columns: storedStages.columns,
          from: sql`stages where stages.org_id = ${caller.orgId} and stages.workspace_id = ${params.id}
            and stages.deleted_at is null`,
          order: sql`stages.position, stages.id`,
          within: sql`exists (select from workspaces where workspaces.id = ${params.id}
            and ${seesShared(caller, sql`workspaces`)})`,
        },
        query,
      )
      return besideStage.inPage(asked, page)
    },
  }),

  route('POST /workspaces/{id}/stages', {
    name: 'stages.create',
    summary: 'Create a stage',
    description:
      `The stage goes to the end of the workspace. A workspace can have at most ${limits.stagesOfWorkspace.most} ` +
      'stages.',
    roles: everyone,
    target: workspace,
    needs: 'lead',
    body: NewStage,
    returns: Stage,
    created: ({ id }) => `/stages/${id}`,
    constraints,
    emits: ['stage.created'],
    async handle({ db, caller: { orgId }, target, body, emit, now }) {
      // the workspace is locked, so no other request takes the same position
      await refuseIfOverLimit(db, limits.stagesOfWorkspace, { orgId, id: target.id })
      const position = await positionBehind(db, stagesOf(orgId, target.id))
      const created = await insertStage(db, orgId, target, { ...body, position }, now)
      emit('stage.created', created)
      return created
    },
  }),

  route('GET /stages/{id}', {
    name: 'stages.get',
    summary: 'Get a stage',
    roles: everyone,
    target: stage,
    query: z.strictObject({ include: besideStage.includeInItem }),
    returns: besideStage.Full,
    handle: (asked) => besideStage.inItem(asked, asked.target),
  }),

  route('PATCH /stages/{id}', {
    name: 'stages.update',
    summary: 'Update a stage',
    description:
      'If you change the category to or from `done`, the server updates all tasks in the stage. The server ' +
      'refuses this if the stage has 10,000 or more tasks.',
    roles: everyone,
    target: stage,
    needs: 'lead',
    body: StageChanges,
    returns: Stage,
    constraints,
    emits: ['stage.updated', 'task.updated'],
    async handle({ db, caller: { orgId }, target, body, emit, now }) {
      const changed = await storedStages.update(db, orgId, target.id, body, now)
      emit('stage.updated', changed, { before: target })
      if ((changed.category === 'done') !== (target.category === 'done'))
        await completeTasks({ db, orgId, emit, now }, changed)
      return changed
    },
  }),

  route('POST /stages/{id}/move', {
    name: 'stages.move',
    summary: 'Move a stage',
    description: 'Moves the stage before or after another stage of the same workspace.',
    roles: everyone,
    target: stage,
    needs: 'lead',
    // lock the workspace before its stages
    lock: 'key share',
    body: Reorder,
    references: { beforeId: { to: stage }, afterId: { to: stage } },
    returns: Stage,
    emits: ['order.respaced', 'stage.moved'],
    async handle({ db, caller, target, body, emit, now }) {
      const { orgId } = caller
      await db.rows(sql`
        select id from workspaces where org_id = ${orgId} and id = ${target.workspaceId} for no key update`)
      const [held] = await stage.load(db, caller, { ids: [target.id], lock: 'no key update' })
      const before = orNotFound(held).item
      const place = await positionBeside(db, stagesOf(orgId, target.workspaceId), body, target.id)
      if (place === undefined) return before
      emitRespaced(emit, 'stage', target.workspaceId, place)
      const { position } = place
      const moved = await storedStages.update(db, orgId, target.id, { position }, now)
      emit('stage.moved', moved, { before })
      return moved
    },
  }),

  route('DELETE /stages/{id}', {
    name: 'stages.delete',
    summary: 'Delete a stage',
    description: 'If the stage contains tasks, send `moveTasksTo` to move them to another stage.',
    roles: everyone,
    target: stage,
    needs: 'lead',
    query: z.strictObject({
      moveTasksTo: Id.optional().meta({
        description:
          'Another stage of the same workspace, which takes the tasks. This works for up to 9,999 tasks. If there are ' +
          'more, move some of them first.',
      }),
    }),
    emits: ['task.moved', 'stage.deleted'],
    async handle({ db, caller, target, query, emit, now }) {
      const { orgId } = caller
      if (query.moveTasksTo !== undefined) {
        await moveTasks({ db, orgId, emit, now }, target, await otherStage(db, caller, target, query.moveTasksTo))
      }
      if ((await tasksIn(db, orgId, target.id)) > 0)
        throw refused('The stage still contains tasks; name a stage for them in moveTasksTo', 'stage_holds_tasks')
      await storedStages.remove(db, orgId, target.id, now)
      emit('stage.deleted', target)
    },
  }),

  restoreRoute(storedStages, {
    name: 'stages.restore',
    target: stage,
    constraints,
    async before({ db, caller: { orgId }, target: { id, workspaceId } }) {
      await refuseIfOrphaned(db, sql`workspaces`, orgId, workspaceId, 'workspace', 'no key update')
      await refuseIfOverLimit(db, limits.stagesOfWorkspace, { orgId, id: workspaceId })
      await keepPositionOrGoLast(db, stagesOf(orgId, workspaceId), id)
    },
  }),
]

/**
 * Locks the stage that takes the tasks of a deleted one.
 * @throws 404 when the caller does not see it; 400 when it is of another workspace or the same
 */
async function otherStage(db: Db, caller: Caller, from: Stage, id: string): Promise<Stage> {
  const [target] = await stage.load(db, caller, { ids: [id], lock: 'no key update' })
  const to = orNotFound(target).item
  if (to.workspaceId === from.workspaceId && to.id !== from.id) return to
  throw badRequest('moveTasksTo must be another stage of the same workspace', 'stage_of_other_workspace')
}
