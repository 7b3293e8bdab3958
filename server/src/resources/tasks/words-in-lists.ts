import type { Caller } from '../../access/caller.ts'
import { inDeletedProject, leadsAll } from '../../access/visibility.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { CursorList, IdList, Listed } from '../../lists/cursor-list.ts'
import { isSorted, type Order } from '../../lists/order.ts'
import { shortestWay } from '../../lists/shortest-list.ts'
import { matches } from '../../search/condition.ts'
import { Posted } from '../../search/posted.ts'
import { parsed, wordsOf } from '../../search/query.ts'
import { readingOf } from '../../search/reading.ts'
import { rowsOf, unposted } from '../../search/rows.ts'
import { foundTasks } from '../task.ts'
import { type Filters, isFiltered, onRow } from './filters.ts'
import { having, listsOf } from './listed.ts'
import { tasksOf, withKey } from './search.ts'
import { foundInListsOfMine, onBoards } from './words-in-lists-of-mine.ts'

/** Filters of which an index has the tasks with each value newest first. */
const listing = ['tagId', 'anyTagId', 'assigneeId', 'stageId', 'workspaceId', 'typeId', 'dueDate'] as const

/** Filters that the row tells, and that leave much. */
const told = ['stageCategory', 'priority', 'completed'] as const

/**
 * What finds tasks by their words in the lists that filters name: the postings of each word are one list more, so there is one plan
 * for all values. Undefined without such a list, and beside filters of which the values decide.
 */
export function foundInLists(
  caller: Caller,
  { q, ...wanted }: Filters,
  order: Order,
): Pick<CursorList, 'found' | 'where'> | undefined {
  const query = q === undefined ? [] : parsed(q)
  const words = query.flatMap((terms) => wordsOf(terms).whole)
  if (q === undefined || query.length !== 1 || words.length === 0 || isSorted(order)) return
  const filters = filtersListed(caller, wanted)
  if (filters === undefined || filters.lists.length === 0) return
  const { lists, rest } = filters
  // beside a further list, which is longer, that would be merged with these two
  const board = leadsAll(caller) && lists.length === 1 ? projectOfBoard(caller, wanted) : undefined
  const ofWords = words.map((word) => posted(caller, word, board && inBoard))
  if (!leadsAll(caller))
    return { where: undefined, found: foundInListsOfMine(caller, { q, query, words, wanted, lists, rest, ofWords }) }
  return {
    where: undefined,
    found({ columns, limit, idBound }) {
      const table = sql`tasks`
      const { chosen, rows } = shortestWay({
        ...{ table, orgId: caller.orgId, limit, bound: idBound === undefined ? undefined : sql`${idBound}::uuid` },
        lists: [...ofWords, ...lists],
        rest: sql.all(rest, matches(foundTasks, query)),
        visible: sql`${inDeletedProject(caller.orgId, table)} is not true`,
      })
      const also = withKey(caller, q)
      const reading = readingOf(foundTasks, caller, query, { limit, idBound, besides: onRow(caller, wanted) })
      const others = [unposted(reading), ...(also ? [rowsOf(reading, also, { matching: false })] : [])]
      const ids = sql`with ${board ? sql`board as materialized (${board}),` : sql.empty} ${chosen}
        select found.id from ((select listed.id from (${rows}) listed) union ${sql.join(
          others.map((found) => sql`(${found})`),
          ' union ',
        )}) found
        order by found.id desc limit ${limit}`
      return tasksOf(caller, ids, columns)
    },
  }
}

function filtersListed(caller: Caller, wanted: Filters): Pick<Listed, 'lists' | 'rest'> | undefined {
  const unlisted = Object.fromEntries([...listing, ...told].map((name) => [name, undefined]))
  if (isFiltered({ ...wanted, ...unlisted })) return
  const { workspaceId, typeId, dueDate } = wanted
  const listed = listsOf(caller, wanted)
  const columns = [
    ...(leadsAll(caller) ? [{ column: sql`tasks.workspace_id`, values: workspaceId }] : []),
    { column: sql`tasks.type_id`, values: typeId },
    { column: sql`tasks.due_date`, values: dueDate },
  ]
  const ofColumns = columns.flatMap(({ column, values = [] }) => ofOne(caller, column, values))
  return listed && { lists: [...listed.lists, ...ofColumns, ...onBoards(caller, wanted)], rest: listed.rest }
}

/** The list of the tasks with the one value. */
const ofOne = ({ orgId }: Caller, column: Sql, [value, ...others]: readonly string[]): IdList[] =>
  value === undefined || value === 'none' || others.length > 0
    ? []
    : [having(orgId, sql`${column} = ${value} and tasks.deleted_at is null`)]

/** Query of `project_id`: that of the one board or stage that is asked for, or null where it is of no project; undefined without one. */
function projectOfBoard({ orgId }: Caller, { workspaceId, stageId }: Filters): Sql | undefined {
  const [table, [id] = []] = stageId ? [sql`stages`, stageId] : [sql`workspaces`, workspaceId]
  if (id === undefined || id === 'none') return undefined
  return sql`select ${table}.project_id from ${table} where ${table}.org_id = ${orgId} and ${table}.id = ${id}`
}

const inBoard = sql`(select board.project_id from board)`

/**
 * The list of the tasks that have a word.
 * @param projectId SQL: that of the project which all of them are in, or null
 */
function posted({ orgId }: Caller, word: string, projectId?: Sql): IdList {
  const of = new Posted(foundTasks, orgId)
  const inOrder = (which: Sql | undefined, more: Sql | undefined, those: Sql) =>
    sql`select postings.id from postings where ${sql.all(those, more, which)} order by postings.id desc`
  const ofAll = of.newestOf(sql`${word}::text`)
  return {
    walk(which) {
      const bound = which?.(sql`postings.id`)
      if (projectId === undefined) return inOrder(bound, undefined, ofAll)
      // one of the two is empty
      const ofProject = inOrder(bound, sql`postings.project_id = ${projectId}`, of.of(sql`${word}::text`))
      return sql`select either.id from ((${ofProject}) union all (${inOrder(bound, sql`${projectId} is null`, ofAll)})) either
        order by either.id desc`
    },
    // between two ids that are the same: for one id the planner may read all the words of the task
    holds: (id) => sql`select from postings other where ${of.newestOf(sql`${word}::text`, sql`other`)}
      and other.id between ${id} and ${id} limit 1`,
  }
}
