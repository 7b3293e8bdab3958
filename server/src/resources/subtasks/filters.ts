import type { z } from 'zod'
import { type Caller, withoutMe } from '../../access/caller.ts'
import { inProjects, namesSeen } from '../../access/visibility.ts'
import { flag, severalIds, theseIds } from '../../contract/fields.ts'
import { isAnyOf, isAnyOfOrNone } from '../../db/any-of.ts'
import { isDetaching, isLeft } from '../../db/detachments.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { apartFromNone, planForFilters } from '../../lists/plan-for-filters.ts'

/** The filters of GET /subtasks; all that are given must match. */
export const filters = {
  id: theseIds.optional(),
  taskId: severalIds().optional(),
  projectId: severalIds().optional(),
  assigneeId: severalIds(['me', 'none'], {
    description:
      'A member, `me`, or `none` for subtasks that are assigned to nobody; those of a member of very many who was just removed follow within minutes.',
  }).optional(),
  finalized: flag.optional(),
}

type Filters = { [name in keyof typeof filters]?: z.output<(typeof filters)[name]> }

/** Condition: the filters match a subtask of the organization, whether the caller sees it or not; none without filters. Several projects are a matter of `visibilityOf`. */
export function matching(caller: Caller, wanted: Filters): Sql | undefined {
  const assigneeId = withoutMe(caller, wanted.assigneeId)
  const ids = assigneeId.filter((id) => id !== 'none')
  const condition = sql.all(
    wanted.id && isAnyOf(sql`subtasks.id`, wanted.id),
    wanted.taskId && namesSeen(caller, sql`subtasks.task_id`, sql`tasks`, wanted.taskId),
    wanted.projectId && inProjects(sql`subtasks`, wanted.projectId),
    wanted.assigneeId && isAnyOfOrNone(sql`subtasks.assignee_id`, assigneeId),
    ids.length > 0 &&
      (assigneeId.length === 1
        ? sql`not ${isDetaching(caller.orgId, ids)}`
        : isLeft(caller.orgId, sql`subtasks.assignee_id`, ids)),
    wanted.finalized !== undefined &&
      (wanted.finalized ? sql`subtasks.finalized_at is not null` : sql`subtasks.finalized_at is null`),
  )
  return planForFilters(condition, wanted, filters, [])
}

/** The same in parts, each of which an index finds; undefined where it is one. */
export const matchingEither = (caller: Caller, wanted: Filters) =>
  apartFromNone(wanted, ['assigneeId'])?.map((part) => matching(caller, part))
