import type { Caller } from '../access/caller.ts'
import { seesProject } from '../access/visibility.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/**
 * How many tasks that the caller sees stand in each of these stages, by one statement. Who sees a stage of a project sees all
 * tasks in it. On a board of the whole organization they are counted project by project, of those that the caller sees: no
 * other task is looked at.
 * @returns by the id of the stage; a stage that the caller does not see has no tasks
 */
export async function taskCounts(db: Db, caller: Caller, stageIds: readonly string[]): Promise<Map<string, number>> {
  const { orgId } = caller
  const shared = sql`select asked.id from asked where asked.project_id is null`
  const rows = await db.rows<{ id: string; count: number }>(sql`
    with asked as materialized (
      select stages.id, stages.project_id from stages where stages.org_id = ${orgId} and stages.id = any(${stageIds}))
    select asked.id, counted.count from asked
    cross join lateral (
      select count(*)::int as count from tasks
      where tasks.org_id = ${orgId} and tasks.stage_id = asked.id and tasks.deleted_at is null) counted
    where asked.project_id is not null and ${seesProject(caller, sql`asked.project_id`)}
    union all
    select standing.stage_id, sum(standing.count)::int from projects
    cross join lateral (
      select tasks.stage_id, count(*) as count from tasks
      where tasks.org_id = ${orgId} and tasks.project_id = projects.id and tasks.deleted_at is null
        and tasks.stage_id = any(array(${shared}))
      group by tasks.stage_id) standing
    where projects.org_id = ${orgId} and exists (${shared}) and ${seesProject(caller, sql`projects.id`)}
    group by standing.stage_id`)
  const counts = new Map(rows.map(({ id, count }) => [id, count]))
  return new Map(stageIds.map((id) => [id, counts.get(id) ?? 0]))
}
