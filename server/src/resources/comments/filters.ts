import { z } from 'zod'
import type { Caller } from '../../access/caller.ts'
import { Id, Moment } from '../../contract/fields.ts'
import { firstIdOf } from '../../db/ids.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { planForFilters } from '../../lists/plan-for-filters.ts'

/** The filters of GET /comments; all that are given must match. */
export const filters = {
  taskId: Id.optional(),
  projectId: Id.optional(),
  authorId: z
    .union([Id, z.enum(['me'])], 'Must be a UUID or me')
    .optional()
    .meta({ description: 'A member, or `me`.' }),
  since: Moment.optional().meta({ description: 'Made at this moment or after it.' }),
}

type Filters = { [name in keyof typeof filters]?: z.output<(typeof filters)[name]> }

/** Condition: the filters match a comment of the organization, whether the caller sees it or not; none without filters. */
export function matching(caller: Caller, wanted: Filters): Sql | undefined {
  const authorId = wanted.authorId === 'me' ? caller.memberId : wanted.authorId
  const condition = sql.all(
    wanted.taskId && sql`comments.task_id = ${wanted.taskId}`,
    wanted.projectId && sql`comments.project_id = ${wanted.projectId}`,
    authorId && sql`comments.author_id = ${authorId}`,
    // an id is never older than its comment, and by ids the list is walked
    wanted.since && sql`comments.id >= ${firstIdOf(wanted.since)} and comments.created_at >= ${wanted.since}`,
  )
  return planForFilters(condition, wanted, filters, [])
}
