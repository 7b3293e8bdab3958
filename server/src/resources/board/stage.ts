import { z } from 'zod'
import { refused } from '../../contract/errors.ts'
import { Color, Id, Name, resource } from '../../contract/fields.ts'
import type { Db } from '../../db/db.ts'
import { expected } from '../../db/expected.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import type { OrderedRows } from './order.ts'

/** The categories of stages. */
export const stageCategories = ['todo', 'doing', 'done'] as const

/** A column of a workspace. */
export const Stage = resource('Stage', 'A column of a workspace.', {
  workspaceId: Id,
  projectId: Id.nullable().meta({
    description: 'The project of the workspace. Null if the workspace belongs to the whole organization.',
  }),
  name: Name.meta({ description: 'Unique in the workspace. Case and accents do not matter.', examples: ['Doing'] }),
  category: z.enum(stageCategories).meta({ description: 'Tasks in a stage of the category `done` are completed.' }),
  color: Color.nullable(),
  wipLimit: z
    .int()
    .min(1)
    .max(100_000)
    .nullable()
    .meta({ description: 'The maximum number of tasks in the stage. Null: no limit.' }),
  position: z.int().meta({
    description:
      'The place of the stage in its workspace, in ascending order. It can change without a new version, when ' +
      'the server makes room for another one.',
  }),
})
export type Stage = z.output<typeof Stage>

/** The table of stages. */
export const storedStages = table('stages', Stage, {
  noun: 'stage',
  nameKey: true,
  tells: {
    moved: 'A stage was moved to another place in its workspace.',
  },
  refersTo: { workspaceId: 'workspaces', projectId: 'projects' },
})

/** Adds a stage to a workspace. */
export function insertStage(
  db: Db,
  orgId: string,
  workspace: { id: string; projectId: string | null },
  fields: { name: string; position: number },
  now: string,
): Promise<Stage> {
  const { id: workspaceId, projectId } = workspace
  return storedStages.insert(db, orgId, { workspaceId, projectId, ...fields }, now)
}

/** The stages of a workspace, in board order. */
export const stagesOf = (orgId: string, workspaceId: string): OrderedRows => ({
  table: sql`stages`,
  orgId,
  among: sql`workspace_id = ${workspaceId}`,
})

/** The tasks of a stage, from top to bottom. */
export const tasksOf = (orgId: string, stageId: string): OrderedRows => ({
  table: sql`tasks`,
  orgId,
  among: sql`stage_id = ${stageId}`,
})

/** The fields that decide whether a task may enter a stage. */
export type StageLimits = Pick<Stage, 'id' | 'workspaceId' | 'category' | 'wipLimit'>

/**
 * Locks a stage until the transaction ends. So its limit holds, and its positions stay distinct, when several tasks
 * enter at the same time. Undefined when the stage is deleted.
 */
export const lockStage = (db: Db, orgId: string, stageId: string): Promise<StageLimits | undefined> =>
  db.row<StageLimits>(sql`
    select id, workspace_id as "workspaceId", category, wip_limit as "wipLimit" from stages
    where org_id = ${orgId} and id = ${stageId} and deleted_at is null for no key update`)

/** @throws 412 when the entering tasks exceed the limit of the stage */
export async function refuseIfFull(db: Db, orgId: string, { id, wipLimit }: StageLimits, entering = 1): Promise<void> {
  if (wipLimit === null || entering === 0 || (await tasksIn(db, orgId, id)) + entering <= wipLimit) return
  throw refused(
    `The stage is full: its wipLimit is ${wipLimit}; move a task out of it or raise the limit`,
    'stage_full',
  )
}

/** The number of tasks in a stage, without deleted tasks and tasks of deleted projects. */
export async function tasksIn(db: Db, orgId: string, stageId: string): Promise<number> {
  const { count } = expected(
    await db.row<{ count: number }>(sql`
      select count(*)::int as count from tasks
      join projects on projects.org_id = tasks.org_id and projects.id = tasks.project_id
      where tasks.org_id = ${orgId} and tasks.stage_id = ${stageId} and tasks.deleted_at is null
        and projects.deleted_at is null`),
    'A count',
  )
  return count
}
