import type { z } from 'zod'
import { type Caller, withoutMe } from '../../access/caller.ts'
import { inProjects, namesSeen } from '../../access/visibility.ts'
import { Moment, severalIds, theseIds } from '../../contract/fields.ts'
import { isAnyOf } from '../../db/any-of.ts'
import { firstIdOf } from '../../db/ids.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { planForFilters } from '../../lists/plan-for-filters.ts'

/** The filters of GET /comments; all that are given must match. */
export const filters = {
  id: theseIds.optional(),
  taskId: severalIds().optional(),
  projectId: severalIds().optional(),
  authorId: severalIds(['me'], { description: 'A member, or `me`.' }).optional(),
  since: Moment.optional().meta({ description: 'Made at this moment or after it.' }),
}

type Filters = { [name in keyof typeof filters]?: z.output<(typeof filters)[name]> }

/** Condition: the filters match a comment of the organization, whether the caller sees it or not; none without filters. Several projects are a matter of `visibilityOf`. */
export function matching(caller: Caller, wanted: Filters): Sql | undefined {
  const condition = sql.all(
    wanted.id && isAnyOf(sql`comments.id`, wanted.id),
    wanted.taskId && namesSeen(caller, sql`comments.task_id`, sql`tasks`, wanted.taskId),
    wanted.projectId && inProjects(sql`comments`, wanted.projectId),
    wanted.authorId && isAnyOf(sql`comments.author_id`, withoutMe(caller, wanted.authorId)),
    // an id is never older than its comment, and by ids the list is walked
    wanted.since && sql`comments.id >= ${firstIdOf(wanted.since)} and comments.created_at >= ${wanted.since}`,
  )
  return planForFilters(condition, wanted, filters, [])
}
