import type { Caller } from '../../access/caller.ts'
import { leadsAll, seesShared } from '../../access/visibility.ts'
import { detachingIds } from '../../db/detachments.ts'
import { shownAsJson } from '../../db/json.ts'
import { Sql, sql } from '../../db/sql.ts'
import { Stage } from '../board/stage.ts'
import { Workspace } from '../board/workspaces.ts'
import { countTasksIn } from '../task-counts.ts'

/** The request for a board. */
interface WantedBoard {
  workspaceId: string
  /** conditions: its stages; none: all */
  stages: readonly (Sql | undefined | '')[]
  /** condition: the filters match a task; undefined without filters */
  where: Sql | undefined
  /** whether filters choose the tasks to count and show; several projects also count as a filter */
  filtered: boolean
  /** condition: the caller sees a task */
  visible: Sql
  /** query of `project_id`: the projects that the caller sees; absent for owners and admins who name none */
  projects: Sql | undefined
  /** the maximum number of cards of a stage */
  perStage: number
  /**
   * the maximum number of cards in all, shared evenly by the stages; each stage may show one, however many there are
   */
  most: number
  /** fields of a card */
  fields: readonly string[]
}

/** The workspace, then each of its stages, in order. No row if the caller does not see the workspace. */
export interface BoardRow {
  /** as JSON */
  shown: string
  /** the number of tasks in the stage */
  count: number | null
  /** its first tasks as JSON, with a comma between two */
  cards: string | null
  /** the position after which its further tasks follow; null if there are none */
  last: number | null
  detaching: string[] | null
}

/**
 * The statement of a board. It reads all of the board at the same time. A member who sees the workspace of a project
 * sees all tasks on it. The statement counts the tasks of each stage in an index, and reads the first ones in their
 * order. On a workspace of the whole organization, it does the same for owners and admins, past the tasks of deleted
 * projects. Others see the tasks of their own projects there: the statement reads those project by project, and no
 * other task. With filters, it first finds the matches on the whole board, and then counts and sorts them.
 */
export function boardStatement(caller: Caller, wanted: WantedBoard): Sql {
  const { orgId } = caller
  const filtered = wanted.filtered
  const matched = matchedTasks(caller, wanted)
  const inStage = sql`tasks.org_id = ${orgId} and tasks.stage_id = stage.id and tasks.deleted_at is null`
  const seen = leadsAll(caller) ? wanted.visible : sql`false`
  const counted = countTasksIn(caller, sql`stage`)
  const count = filtered
    ? sql`coalesce((select max(matched.count) from matched where matched.stage_id = stage.id), 0)::integer`
    : counted.count
  const walk = sql`
    (select tasks.* from tasks where ${inStage} and (stage.project_id is not null or ${seen})
    order by tasks.position limit stage.share + 1)`
  const matches = sql`
    (select tasks.* from matched join tasks on tasks.org_id = ${orgId} and tasks.id = matched.id
    where matched.stage_id = stage.id)`
  const tasks = filtered ? matches : matched ? sql`${walk} union all ${matches}` : walk
  return sql`
    with board as materialized (
      select workspaces.id, workspaces.project_id, ${shownAsJson('workspaces', Object.keys(Workspace.shape))} as shown
      from workspaces where workspaces.id = ${wanted.workspaceId} and ${seesShared(caller, sql`workspaces`)}),
    stage as materialized (
      select stages.id, stages.project_id, ${shownAsJson('stages', Object.keys(Stage.shape))} as shown,
        row_number() over (order by stages.position, stages.id) as ordinal,
        least(${wanted.perStage}::bigint, greatest(${wanted.most}::bigint / count(*) over (), 1)) as share
      from board join stages on ${sql.all(
        sql`stages.org_id = ${orgId} and stages.workspace_id = board.id and stages.deleted_at is null`,
        ...wanted.stages,
      )})${filtered ? sql.empty : sql`, ${counted.before}`}${matched ? sql`, matched as materialized (${matched})` : sql.empty}
    select board.shown, null::integer as count, null as cards, null::bigint as last, 0 as ordinal,
      ${detachingIds(orgId)} as detaching from board
    union all
    select stage.shown, ${count}, page.cards, page.last, stage.ordinal, null
    from stage cross join lateral (
      select string_agg(${shownAsJson('tasks', wanted.fields)}, ',' order by tasks.place)
          filter (where tasks.place <= stage.share) as cards,
        case when count(*) > stage.share then coalesce(max(tasks.position) filter (where tasks.place <= stage.share),
          min(tasks.position) - 1) end as last
      from (select tasks.*, row_number() over (order by tasks.position) as place from (${tasks}) tasks) tasks) page
    order by ordinal`
}

/**
 * Query of `id`, `stage_id` and `count`: for each stage, the first of the tasks that a walk through it does not find,
 * and their number. Undefined if there are none.
 */
function matchedTasks(caller: Caller, wanted: WantedBoard): Sql | undefined {
  if (leadsAll(caller) && !wanted.filtered) return undefined
  const { workspaceId, visible, projects } = wanted
  const where = wanted.where && sql.customPlan(wanted.where)
  const { orgId } = caller
  const place = sql`tasks.id, tasks.stage_id, tasks.position`
  const onBoard = (stages: Sql) => sql`tasks.stage_id = any(array(select stage.id from ${stages}))`
  // decide visibility before any task is read
  const inWorkspace = (stages: Sql) =>
    wanted.filtered &&
    sql`select ${place} from tasks where ${sql.all(
      sql`exists (select from ${stages}) and tasks.org_id = ${orgId} and tasks.workspace_id = ${workspaceId}`,
      sql`tasks.deleted_at is null and ${onBoard(stages)} and ${visible}`,
      where,
    )}`
  const ofProjects = sql`stage where stage.project_id is not null`
  const shared = sql`stage where stage.project_id is null`
  // `is true` hides the filters from the planner, so that it walks the index of the project and not one of the filters
  const byProject = sql`
    select ${place} from (${projects}) mine cross join lateral (
      select ${place} from tasks where tasks.org_id = ${orgId} and tasks.project_id = mine.project_id
        and tasks.deleted_at is null and (${sql.all(onBoard(shared), where)}) is true offset 0) tasks
    where exists (select from ${shared})`
  const parts = leadsAll(caller) ? [inWorkspace(sql`stage`)] : [inWorkspace(ofProjects), byProject]
  return sql`
    select tasks.id, tasks.stage_id, tasks.count from (
      select tasks.id, tasks.stage_id, count(*) over (partition by tasks.stage_id) as count,
        row_number() over (partition by tasks.stage_id order by tasks.position) as place
      from (${sql.join(
        parts.filter((part) => part instanceof Sql),
        ' union all ',
      )}) tasks) tasks
    where tasks.place <= (select max(stage.share) from stage) + 1`
}
