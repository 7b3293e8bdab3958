import type { Caller } from '../../access/caller.ts'
import { type Sql, sql } from '../../db/sql.ts'
import {
  directionOf,
  namesDoNotFit,
  newestFirst,
  type Order,
  onlyThose,
  ordersOf,
  refusedSort,
  type SortedOrder,
} from '../../lists/order.ts'
import { day, moment, momentOfId, rank } from '../../lists/order-keys.ts'
import { packedByPositions } from '../../lists/packing.ts'
import { priorities } from '../task.ts'
import { byRelevance, mostRanked } from './relevance.ts'

/** SQL: the rank of a task's priority. Its index has it in these words, and serves the order and the filter. */
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
  fixed: newestFirst('tasks', sql`tasks`),
  refused: { name: namesDoNotFit, key: namesDoNotFit },
  says:
    'By position takes one `stageId` or one `workspaceId`. Priorities ascend from none to urgent. By relevance takes `q`, and has ' +
    `the best first; of more than ${mostRanked} that match, the newest, and then \`pagination.rankedSince\` says since when.`,
})

interface Asked {
  sort?: string | undefined
  stageId?: string | readonly string[] | undefined
  workspaceId?: string | readonly string[] | undefined
  completed?: boolean | undefined
  dueBefore?: string | undefined
  dueAfter?: string | undefined
  q?: string | undefined
  projectId?: readonly string[] | undefined
}

/**
 * The order that tasks are asked for in.
 * @throws 422 by position, without one stage or one workspace to stand in; by relevance, without a word to look for
 */
export function orderOfTasks(caller: Caller, asked: Asked): Order {
  const { sort, completed, dueBefore, dueAfter } = asked
  const [name, descending] = [sort?.replace(/^-/, ''), sort?.startsWith('-') === true]
  if (name === 'position') return orderOfCards(caller.orgId, asked, descending)
  if (name === 'relevance') return orderOfFound(caller, asked, descending)
  const order = taskOrders.of(sort)
  if (name === 'completedAt' && completed !== undefined) return onlyThose(order, { withValue: completed })
  if (name === 'dueDate' && (dueBefore ?? dueAfter) !== undefined) return onlyThose(order, { withValue: true })
  return order
}

function orderOfFound(caller: Caller, { q, projectId }: Asked, reversed: boolean): SortedOrder {
  const order = q === undefined ? undefined : byRelevance(caller, q, projectId, reversed)
  if (order === undefined)
    throw refusedSort('Relevance is that to words which must be there: give q, with one at least')
  return order
}

function orderOfCards(orgId: string, { stageId, workspaceId }: Asked, descending: boolean): SortedOrder {
  const [stage, ...stages] = [stageId ?? []].flat()
  if (stage !== undefined && stage !== 'none' && stages.length === 0) return inStage(stage, descending)
  const [workspace, ...workspaces] = [workspaceId ?? []].flat()
  if (workspace !== undefined && workspace !== 'none' && workspaces.length === 0)
    return inWorkspace(orgId, workspace, descending)
  throw refusedSort('Tasks have positions within a stage: give one stageId, or one workspaceId for all of its stages')
}

/** The tasks of a stage, from top to bottom. */
export const inStage = (stageId: string, descending = false): SortedOrder => ({
  name: `tasks ${descending ? '-' : ''}position in a stage`,
  descending,
  byProject: false,
  packing: packedByPositions,
  walk: ({ source = sql`tasks`, matching, limit }, from) => sql`
    select tasks.id, tasks.project_id, 0 as run, tasks.position as key from ${source}
    where ${sql.all(matching, sql`tasks.stage_id = ${stageId}`, from && beyond(descending, sql`${from.key}::bigint`))}
    order by tasks.position ${directionOf(descending)} limit ${limit}`,
})

/** The tasks of a workspace, stage by stage; descending, from the end of its last stage. */
const inWorkspace = (orgId: string, workspaceId: string, descending: boolean): SortedOrder => ({
  name: `tasks ${descending ? '-' : ''}position in a workspace`,
  descending,
  byProject: false,
  packing: packedByPositions,
  walk({ source, matching, limit }, from) {
    const direction = directionOf(descending)
    const run = sql`(stages.position * ${descending ? -1 : 1}::integer)`
    const start = descending ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER
    // in stages behind that of the bound, all positions are behind it
    const bound =
      from && sql`(case when stages.run = ${from.run}::bigint then ${from.key}::bigint else ${start}::bigint end)`
    const cards = sql.all(matching, sql`tasks.stage_id = stages.id`, bound && beyond(descending, bound))
    const behind = from && sql`${run} >= ${from.run}::bigint`
    const ofWorkspace = sql.all(sql`stages.org_id = ${orgId} and stages.workspace_id = ${workspaceId}`, behind)
    const stages = sql`(
      select stages.id, ${run} as run from stages where ${ofWorkspace} order by run offset 0) stages`
    const columns = sql`tasks.id, tasks.project_id, stages.run, tasks.position as key`
    if (source !== undefined)
      return sql`
        select ${columns} from ${source} join ${stages} on ${cards}
          and (tasks.stage_id in (select stages.id from stages where ${ofWorkspace})) is true
        order by stages.run, tasks.position ${direction} limit ${limit}`
    // stage by stage, and nobody reads the next as long as one gives enough: so not put in order again
    return sql`
      select ${columns} from ${stages} cross join lateral (
        select tasks.id, tasks.project_id, tasks.position from tasks where ${cards}
        order by tasks.position ${direction} limit ${limit}) tasks
      limit ${limit}`
  },
})

const beyond = (descending: boolean, bound: Sql): Sql =>
  descending ? sql`tasks.position < ${bound}` : sql`tasks.position > ${bound}`
