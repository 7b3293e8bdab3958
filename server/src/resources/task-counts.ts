import type { Caller } from '../access/caller.ts'
import { leadsAll, seesShared, visibilityOf } from '../access/visibility.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'

/**
 * The number of tasks that the caller sees in each of these stages, in one statement.
 * @returns the numbers by the id of the stage; 0 for a stage that the caller does not see
 */
export async function taskCounts(db: Db, caller: Caller, stageIds: readonly string[]): Promise<Map<string, number>> {
  const { before, count } = countTasksIn(caller, sql`stage`)
  const rows = await db.rows<{ id: string; count: number }>(sql`
    with stage as materialized (
      select stages.id, stages.project_id from stages
      where stages.id = any(${stageIds}) and ${seesShared(caller, sql`stages`)}),
    ${before}
    select stage.id, ${count} as count from stage`)
  const counts = new Map(rows.map(({ id, count }) => [id, count]))
  return new Map(stageIds.map((id) => [id, counts.get(id) ?? 0]))
}

/**
 * SQL that counts the tasks that the caller sees in visible stages, from indexes alone. A stage of a project has only
 * tasks of that project. On a board of the whole organization, owners and admins see all tasks except those of deleted
 * projects. These are few: the statement counts them project by project, and subtracts them. Others see the tasks of
 * their own projects: the statement counts only those.
 * @param stage a table of a `with` that has the `id` and the `project_id` of each stage
 * @returns `before`: the next table of that `with`; `count`: an expression over a row of `stage`
 */
export function countTasksIn(caller: Caller, stage: Sql): { before: Sql; count: Sql } {
  const { orgId } = caller
  const { projects = deletedProjects(orgId) } = visibilityOf(caller, sql`tasks`)
  const shared = sql`select shared.id from ${stage} shared where shared.project_id is null`
  const all = sql`(select count(*) from tasks
    where tasks.org_id = ${orgId} and tasks.stage_id = ${stage}.id and tasks.deleted_at is null)`
  const ofProjects = sql`coalesce((
    select by_project.count from by_project where by_project.stage_id = ${stage}.id), 0)`
  return {
    // `is true` hides the stages from the planner, so that it walks the index of the project
    before: sql`by_project as materialized (
      select standing.stage_id, sum(standing.count) as count from (${projects}) counted
      cross join lateral (
        select tasks.stage_id, count(*) as count from tasks
        where tasks.org_id = ${orgId} and tasks.project_id = counted.project_id and tasks.deleted_at is null
          and (tasks.stage_id = any(array(${shared}))) is true
        group by tasks.stage_id) standing
      where exists (${shared}) group by standing.stage_id)`,
    count: leadsAll(caller)
      ? sql`(${all} - case when ${stage}.project_id is null then ${ofProjects} else 0 end)::integer`
      : sql`(case when ${stage}.project_id is null then ${ofProjects} else ${all} end)::integer`,
  }
}

const deletedProjects = (orgId: string) => sql`
  select projects.id as project_id from projects where projects.org_id = ${orgId} and projects.deleted_at is not null`
