import { z } from 'zod'
import { sql } from '../../db/sql.ts'
import { found, refused } from '../../http/errors.ts'
import { fold } from '../../http/fields.ts'
import { offsetPage, offsetPageOf, offsetQuery } from '../../http/page.ts'
import { everyone, route } from '../../http/route.ts'
import { seesShared, sharedOrInProject } from '../access.ts'
import { workspace } from '../workspaces/workspaces.ts'
import { insertStage, Stage, stageColumns, storedStages } from './stage.ts'

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
    roles: everyone,
    at: workspace,
    needs: 'lead',
    body: NewStage,
    returns: Stage,
    created: ({ id }) => `/stages/${id}`,
    constraints,
    async handle({ db, caller: { orgId }, at, body, emit, now }) {
      // the workspace's row is locked, so nobody else takes the same position
      const { position } = found(
        await db.row<{ position: number }>(sql`
          select coalesce(max(position), 0) + 1 as position from stages
          where org_id = ${orgId} and workspace_id = ${at.id} and deleted_at is null`),
      )
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
    roles: everyone,
    at: stage,
    needs: 'lead',
    body: StageChanges,
    returns: Stage,
    constraints,
    async handle({ db, caller: { orgId }, at, body, emit, now }) {
      const changes = { ...body, nameKey: body.name && fold(body.name) }
      const changed = await storedStages.update(db, orgId, at.id, changes, now)
      if ((changed.category === 'done') !== (at.category === 'done')) {
        const completedAt = changed.category === 'done' ? now : null
        await db.rows(sql`
          update tasks set completed_at = ${completedAt}, version = version + 1, updated_at = ${now}
          where org_id = ${orgId} and stage_id = ${at.id} and deleted_at is null`)
      }
      emit('stage.updated', changed, { before: at })
      return changed
    },
  }),

  route('DELETE /stages/{id}', {
    summary: 'Delete a stage that holds no tasks',
    roles: everyone,
    at: stage,
    needs: 'lead',
    async handle({ db, caller: { orgId }, at, emit, now }) {
      const held = await db.row(sql`
        select tasks.id from tasks join projects on projects.org_id = tasks.org_id and projects.id = tasks.project_id
        where tasks.org_id = ${orgId} and tasks.stage_id = ${at.id} and tasks.deleted_at is null
          and projects.deleted_at is null limit 1`)
      if (held) throw refused('The stage still holds tasks; move them first', 'stage_holds_tasks')
      await storedStages.remove(db, orgId, at.id, now)
      emit('stage.deleted', at)
    },
  }),
]
