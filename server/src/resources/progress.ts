import { z } from 'zod'
import type { Caller } from '../access/caller.ts'
import { seesProject } from '../access/visibility.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { today } from './reports/calendar.ts'

const count = z.int().min(0).max(2_147_483_647)
const seconds = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

/** The progress of a project. */
export const Progress = z
  .strictObject({
    todo: count.meta({
      description: 'Tasks in stages of this category. `todo`, `doing`, `done` and `offBoard` together are all tasks.',
    }),
    doing: count,
    done: count,
    offBoard: count.meta({ description: 'Open tasks that are on no board.' }),
    overdue: count.meta({
      description: 'Open tasks whose due date is before today, in the time zone of the organization.',
    }),
    estimatedSeconds: seconds.meta({ description: 'The sum of all estimates.' }),
    trackedSeconds: seconds.meta({ description: 'The time on all tasks. Running time entries count up to now.' }),
  })
  .meta({ id: 'Progress', description: 'Tasks by the category of their stage, overdue tasks, and time.' })
export type Progress = z.output<typeof Progress>

/**
 * The progress of the given projects that the caller sees, in one statement. It sums up each project separately, from
 * covering indexes.
 */
export async function progressOf(
  db: Db,
  caller: Caller,
  projectIds: readonly string[],
  now: string,
): Promise<Map<string, Progress>> {
  const { orgId } = caller
  const rows = await db.rows<Progress & { projectId: string }>(sql`
    with running as materialized (
      select project_id, sum(greatest((extract(epoch from ${now}::timestamptz - started_at) * 1000)::bigint, 0) / 1000) as seconds
      from time_entries where org_id = ${orgId} and ended_at is null and deleted_at is null group by project_id)
    select asked.id as "projectId", counted.*,
      (ended.seconds + coalesce(running.seconds, 0))::bigint as "trackedSeconds"
    from unnest(${projectIds}::uuid[]) asked (id)
    cross join lateral (
      select coalesce(sum(tasks) filter (where category = 'todo'), 0)::int as todo,
        coalesce(sum(tasks) filter (where category = 'doing'), 0)::int as doing,
        coalesce(sum(tasks) filter (where category = 'done'), 0)::int as done,
        coalesce(sum(tasks) filter (where category is null), 0)::int as "offBoard",
        coalesce(sum(due) filter (where category is distinct from 'done'), 0)::int as overdue,
        coalesce(sum(estimated), 0)::bigint as "estimatedSeconds"
      from (
        select count(*) as tasks, count(*) filter (where due_date < ${today(orgId, now)}) as due,
          sum(estimate_seconds) as estimated, (
            select category from stages where stages.org_id = ${orgId} and stages.id = tasks.stage_id) as category
        from tasks where tasks.org_id = ${orgId} and tasks.project_id = asked.id and tasks.deleted_at is null
        group by stage_id) by_stage) counted
    cross join lateral (
      select coalesce(sum(duration_ms / 1000), 0) as seconds from time_entries
      where time_entries.org_id = ${orgId} and time_entries.project_id = asked.id and time_entries.deleted_at is null) ended
    left join running on running.project_id = asked.id
    where ${seesProject(caller, sql`asked.id`)}`)
  return new Map(rows.map(({ projectId, ...progress }) => [projectId, progress]))
}
