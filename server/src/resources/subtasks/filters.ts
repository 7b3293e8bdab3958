import { z } from 'zod'
import type { Caller } from '../../access/caller.ts'
import { flag, Id } from '../../contract/fields.ts'
import { isDetaching } from '../../db/detachments.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { planForFilters } from '../../lists/plan-for-filters.ts'

/** The filters of GET /subtasks; all that are given must match. */
export const filters = {
  taskId: Id.optional(),
  projectId: Id.optional(),
  assigneeId: z
    .union([Id, z.enum(['me', 'none'])], 'Must be a UUID, me or none')
    .optional()
    .meta({
      description:
        'A member, `me`, or `none` for subtasks that are assigned to nobody; those of a member of very many who was just removed follow within minutes.',
    }),
  finalized: flag.optional(),
}

type Filters = { [name in keyof typeof filters]?: z.output<(typeof filters)[name]> }

/** Condition: the filters match a subtask of the organization, whether the caller sees it or not; none without filters. */
export function matching(caller: Caller, wanted: Filters): Sql | undefined {
  const assigneeId = wanted.assigneeId === 'me' ? caller.memberId : wanted.assigneeId
  const condition = sql.all(
    wanted.taskId && sql`subtasks.task_id = ${wanted.taskId}`,
    wanted.projectId && sql`subtasks.project_id = ${wanted.projectId}`,
    assigneeId === 'none' && sql`subtasks.assignee_id is null`,
    assigneeId &&
      assigneeId !== 'none' &&
      sql`subtasks.assignee_id = ${assigneeId} and not ${isDetaching(caller.orgId, [assigneeId])}`,
    wanted.finalized !== undefined &&
      (wanted.finalized ? sql`subtasks.finalized_at is not null` : sql`subtasks.finalized_at is null`),
  )
  return planForFilters(condition, wanted, filters, [])
}
