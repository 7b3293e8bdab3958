import type { Caller } from '../../access/caller.ts'
import { Sql, sql } from '../../db/sql.ts'
import type { CursorList } from '../../lists/cursor-list.ts'
import { isSorted, type Order } from '../../lists/order.ts'
import { type Filters, isFiltered, matching } from './filters.ts'

/** Whether what is wanted is a range of due dates, within moments of creation maybe, and nothing else. */
const isDueRange = ({ dueBefore, dueAfter, createdBefore, createdAfter, ...others }: Filters): boolean =>
  (dueBefore ?? dueAfter) !== undefined && !isFiltered(others)

/** What a list of what is due in a range is made of: the newest of each slice. Undefined with other filters or in another order. */
export function dueInRange(
  caller: Caller,
  wanted: Filters,
  order: Order,
): Pick<CursorList, 'where' | 'slices'> | undefined {
  if (isSorted(order) || !isDueRange(wanted)) return undefined
  const { dueBefore, dueAfter, ...others } = wanted
  const { each, isIn } = slicesDue(caller, wanted)
  const where = sql.all(matching(caller, others), isDue(sql`tasks`, wanted))
  return {
    // of slices that are in order the values do not decide how
    where: new Sql(where.strings, where.values),
    slices: { each, within: isIn(sql`tasks`) },
  }
}

/** Condition: a task, by this name, is due in the range. Hidden from the planner, which could read all that is due then and sort it. */
const isDue = (tasks: Sql, { dueBefore, dueAfter }: Filters): Sql =>
  sql`(${sql.all(
    dueBefore && sql`${tasks}.due_date < ${dueBefore}`,
    dueAfter && sql`${tasks}.due_date >= ${dueAfter}`,
  )}) is true`

/** Slices of what is due in a range, of which indexes have each newest first: days of a short one, else thirty days each. */
interface SlicesDue {
  /** a row for each slice, under the name of `due` */
  each: Sql
  /** condition: a task, by this name, is due then, or on another day of these thirty */
  isIn: (tasks: Sql) => Sql
}

const mostDays = 60
const dayMs = 86_400_000

function slicesDue({ orgId }: Caller, { dueBefore, dueAfter }: Filters): SlicesDue {
  const there = sql`tasks.org_id = ${orgId} and tasks.deleted_at is null and tasks.due_date is not null`
  if (dueBefore && dueAfter && Date.parse(dueBefore) - Date.parse(dueAfter) <= mostDays * dayMs)
    return {
      each: sql`(select ${dueAfter}::date + further as day
        from generate_series(0, ${dueBefore}::date - ${dueAfter}::date - 1) further) due`,
      isIn: (tasks) => sql`${tasks}.due_date = due.day and ${tasks}.deleted_at is null`,
    }
  const end = (direction: Sql) =>
    blockOf(sql`(select tasks.due_date from tasks where ${there} order by tasks.due_date ${direction} limit 1)`)
  const [earliest, latest] = [end(sql`asc`), end(sql`desc`)]
  const first = dueAfter ? sql`greatest(${earliest}, ${blockOf(sql`${dueAfter}::date`)})` : earliest
  const last = dueBefore ? sql`least(${latest}, ${blockOf(sql`${dueBefore}::date`)})` : latest
  return {
    each: sql`(select generate_series(${first}, ${last}) as block) due`,
    isIn: (tasks) => sql`${blockOf(sql`${tasks}.due_date`)} = due.block
      and ${tasks}.due_date is not null and ${tasks}.deleted_at is null`,
  }
}

/** Which thirty days since 1970 a day lies in: word for word as in the index `tasks_by_month_due` (migration 0066), which is found by that. */
const blockOf = (day: Sql): Sql => sql`((${day} - date '1970-01-01') / 30)`
