import { z } from 'zod'
import type { Caller } from '../../access/caller.ts'
import { Day, flag, Id, ids, Moment, searched } from '../../contract/fields.ts'
import { isDetaching } from '../../db/detachments.ts'
import { firstIdAt } from '../../db/ids.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { combinesFilters, planForFilters } from '../../lists/plan-for-filters.ts'
import { searchedFor } from './search.ts'

/** The filters of GET /tasks; all that are given must match. */
export const filters = {
  projectId: Id.optional(),
  workspaceId: Id.optional(),
  stageId: Id.optional(),
  stageCategory: z.enum(['todo', 'doing', 'done']).optional(),
  typeId: Id.optional(),
  assigneeId: z
    .union([Id, z.enum(['me', 'none'])], 'Must be a UUID, me or none')
    .optional()
    .meta({
      description:
        'A member, `me`, or `none` for tasks that are assigned to nobody; those of a member of very many who was just removed follow within minutes.',
    }),
  tagId: z
    .union([Id.transform((id) => [id]), ids(10)], 'Must be a UUID; for several of them, up to 10, repeat the parameter')
    .optional()
    .meta({ description: 'May be repeated: tasks that bear all of them.' }),
  priority: z.enum(['none', 'low', 'medium', 'high', 'urgent']).optional(),
  completed: flag.optional(),
  dueBefore: Day.optional().meta({ description: 'Due before this day.' }),
  dueAfter: Day.optional().meta({ description: 'Due on this day or after it.' }),
  createdBefore: Moment.optional(),
  createdAfter: Moment.optional().meta({ description: 'Created at this moment or after it.' }),
  updatedAfter: Moment.optional().meta({
    description:
      'Changed at this moment or after it, by the clock of the server that did it: who follows changes asks from some minutes before.',
  }),
  q: searched.optional().meta({
    description:
      'Words of the name or the description, in any case and accents; "…" for a phrase, - for not. Or the key of a task.',
  }),
}

type Filters = { [name in keyof typeof filters]?: z.output<(typeof filters)[name]> }

/** Condition: the filters match a task of the organization, whether the caller sees it or not; none without filters. */
export function matching(caller: Caller, wanted: Filters): Sql | undefined {
  const { orgId } = caller
  const assigneeId = wanted.assigneeId === 'me' ? caller.memberId : wanted.assigneeId
  const named = [wanted.typeId ?? [], wanted.assigneeId ?? [], wanted.tagId ?? []].flat()
  const labels = named.filter((id) => id !== 'me' && id !== 'none')
  const condition = sql.all(
    wanted.projectId && sql`tasks.project_id = ${wanted.projectId}`,
    wanted.workspaceId && sql`tasks.workspace_id = ${wanted.workspaceId}`,
    wanted.stageId && sql`tasks.stage_id = ${wanted.stageId}`,
    wanted.stageCategory && inStages(orgId, wanted.stageCategory, combinesFilters(wanted, filters)),
    wanted.typeId && sql`tasks.type_id = ${wanted.typeId}`,
    assigneeId === 'none' && sql`tasks.assignee_ids = '{}'`,
    assigneeId &&
      assigneeId !== 'none' &&
      sql`exists (select from task_assignees where task_assignees.org_id = ${orgId}
        and task_assignees.task_id = tasks.id and task_assignees.member_id = ${assigneeId})`,
    ...(wanted.tagId ?? []).map(
      (tagId) => sql`exists (select from task_tags
        where task_tags.org_id = ${orgId} and task_tags.task_id = tasks.id and task_tags.tag_id = ${tagId})`,
    ),
    labels.length > 0 && sql`not ${isDetaching(orgId, labels)}`,
    wanted.priority && sql`tasks.priority = ${wanted.priority}`,
    wanted.completed !== undefined &&
      (wanted.completed ? sql`tasks.completed_at is not null` : sql`tasks.completed_at is null`),
    wanted.dueBefore && sql`tasks.due_date < ${wanted.dueBefore}`,
    wanted.dueAfter && sql`tasks.due_date >= ${wanted.dueAfter}`,
    // createdAt is the time in the id
    wanted.createdBefore && sql`tasks.id < ${idAt(wanted.createdBefore)}`,
    wanted.createdAfter && sql`tasks.id >= ${idAt(wanted.createdAfter)}`,
    wanted.updatedAfter && sql`tasks.updated_at >= ${wanted.updatedAfter}`,
    wanted.q && searchedFor(wanted.q),
  )
  return planForFilters(condition, wanted, filters, ['dueBefore', 'dueAfter', 'updatedAfter', 'q'])
}

/**
 * Condition: the task is in a stage of the category. As the only filter it is checked row by row on a walk of the list;
 * otherwise the planner would sort all tasks of all those stages. Beside other filters it is an array, of which the planner
 * can estimate how many rows match.
 */
function inStages(orgId: string, category: string, besideOthers: boolean): Sql {
  const ids = sql`select stages.id from stages
    where stages.org_id = ${orgId} and stages.category = ${category} and stages.deleted_at is null`
  return besideOthers ? sql`tasks.stage_id = any(array(${ids}))` : sql`(tasks.stage_id in (${ids})) is true`
}

const idAt = (moment: string) => firstIdAt(BigInt(Date.parse(moment)) << 30n)
