import type { Caller } from '../../access/caller.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { directionOf, namesDoNotFit, type Order, ordersOf, refusedSort } from '../../lists/order.ts'
import { day, moment, momentOfId, rank } from '../../lists/order-keys.ts'
import { packedByPositions } from '../../lists/packing.ts'
import type { Search } from '../../search/query.ts'
import { priorities } from '../task.ts'
import { byRelevance, mostRanked } from './relevance.ts'

/**
 * SQL: the rank of a task's priority. Its index repeats this word for word, so that it serves the order and the filter.
 */
export const priorityRank = sql`(case tasks.priority when 'none' then 0 when 'low' then 1 when 'medium' then 2
  when 'high' then 3 when 'urgent' then 4 end)`

/** The orders of GET /tasks. */
export const taskOrders = ordersOf('tasks', sql`tasks`, {
  by: {
    createdAt: momentOfId,
    updatedAt: moment(sql`tasks.updated_at`),
    dueDate: day(sql`tasks.due_date`, { empty: true }),
    priority: rank(priorityRank, priorities.length),
    completedAt: moment(sql`tasks.completed_at`, { empty: true, apart: true }),
  },
  further: ['position', 'relevance'],
  unsorted: '-createdAt',
  refused: { name: namesDoNotFit, key: namesDoNotFit },
  says:
    'Sorting by position needs exactly one `stageId` or one `workspaceId`. Priorities ascend from none to urgent. Sorting by ' +
    `relevance needs \`q\`, and puts the best match first. If you sort by relevance and more than ${mostRanked} tasks match, the list ` +
    `has only the newest ${mostRanked}. They were created at or after \`pagination.rankedSince\`.`,
})

interface TaskQuery {
  sort?: string | undefined
  stageId?: readonly string[] | undefined
  workspaceId?: readonly string[] | undefined
  q?: Search | undefined
  projectId?: readonly string[] | undefined
}

/**
 * The order of a list of tasks.
 * @throws 422 for position without exactly one stage or one workspace; for relevance without a required word
 */
export function orderOfTasks(caller: Caller, query: TaskQuery): Order {
  const { sort } = query
  const [name, descending] = [sort?.replace(/^-/, ''), sort?.startsWith('-') === true]
  if (name === 'position') return orderOfCards(caller.orgId, query, descending)
  if (name === 'relevance') return orderOfFound(caller, query, descending)
  return taskOrders.of(sort)
}

function orderOfFound(caller: Caller, { q, projectId }: TaskQuery, reversed: boolean): Order {
  const order = q && byRelevance(caller, q, projectId, reversed)
  if (order === undefined) throw refusedSort('Sorting by relevance needs q with at least one word that is not excluded')
  return order
}

function orderOfCards(orgId: string, { stageId = [], workspaceId = [] }: TaskQuery, descending: boolean): Order {
  const [stage, ...stages] = stageId
  if (stage !== undefined && stage !== 'none' && stages.length === 0) return inStage(stage, descending)
  const [workspace, ...workspaces] = workspaceId
  if (workspace !== undefined && workspace !== 'none' && workspaces.length === 0)
    return inWorkspace(orgId, workspace, descending)
  throw refusedSort('Sorting by position needs exactly one stageId, or one workspaceId for all of its stages')
}

/** The tasks of a stage, from top to bottom. */
export const inStage = (stageId: string, descending = false): Order => ({
  name: `tasks ${descending ? '-' : ''}position in a stage`,
  descending,
  byProject: false,
  packing: packedByPositions,
  walk: ({ columns, source = sql`tasks`, matching, limit }, from) => sql`
    select ${columns}, 0 as sort_run, tasks.position as sort_key from ${source}
    where ${sql.all(matching, sql`tasks.stage_id = ${stageId}`, from && beyond(descending, sql`${from.key}::bigint`))}
    order by tasks.position ${directionOf(descending)} limit ${limit}`,
})

/** The tasks of a workspace, stage by stage; descending, from the end of its last stage. */
const inWorkspace = (orgId: string, workspaceId: string, descending: boolean): Order => ({
  name: `tasks ${descending ? '-' : ''}position in a workspace`,
  descending,
  byProject: false,
  packing: packedByPositions,
  walk({ columns, source = sql`tasks`, matching, limit }, from) {
    const run = sql`(stages.position * ${descending ? -1 : 1}::integer)`
    const start = descending ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER
    // in stages after that of the bound, all positions are after the bound
    const bound =
      from && sql`(case when stages.run = ${from.run}::bigint then ${from.key}::bigint else ${start}::bigint end)`
    const cards = sql.all(matching, sql`tasks.stage_id = stages.id`, bound && beyond(descending, bound))
    const behind = from && sql`${run} >= ${from.run}::bigint`
    const ofWorkspace = sql.all(sql`stages.org_id = ${orgId} and stages.workspace_id = ${workspaceId}`, behind)
    // no sort here: the stages come in order, and the limit stops before the next stage is read
    return sql`
      select tasks.* from (select stages.id, ${run} as run from stages where ${ofWorkspace} order by run) stages
      cross join lateral (
        select ${columns}, stages.run as sort_run, tasks.position as sort_key from ${source} where ${cards}
        order by tasks.position ${directionOf(descending)} limit ${limit}) tasks
      limit ${limit}`
  },
})

const beyond = (descending: boolean, bound: Sql): Sql =>
  descending ? sql`tasks.position < ${bound}` : sql`tasks.position > ${bound}`
