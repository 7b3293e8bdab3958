import type { Caller } from '../../access/caller.ts'
import { Sql, sql } from '../../db/sql.ts'
import type { CursorList } from '../../lists/cursor-list.ts'
import { isSorted, type Order } from '../../lists/order.ts'
import { type Filters, isFiltered, matching } from './filters.ts'

/** Whether what is wanted is a range of due dates, within moments of creation maybe, and nothing else. */
export const isDueRange = ({ dueBefore, dueAfter, createdBefore, createdAfter, ...others }: Filters): boolean =>
  (dueBefore ?? dueAfter) !== undefined && !isFiltered(others)

/** What a list of what is due in a range is made of: the newest of each part. Undefined with other filters or in another order. */
export function dueInRange(
  caller: Caller,
  wanted: Filters,
  order: Order,
): Pick<CursorList, 'where' | 'parts'> | undefined {
  if (isSorted(order) || !isDueRange(wanted)) return undefined
  const { dueBefore, dueAfter, ...others } = wanted
  const { each, isIn } = partsDue(caller, wanted)
  const where = sql.all(matching(caller, others), isDue(sql`tasks`, wanted))
  return {
    // of parts that are in order the values do not decide how
    where: new Sql(where.strings, where.values),
    parts: { each, within: isIn(sql`tasks`) },
  }
}

/** Condition: a task, by this name, is due in the range. Hidden from the planner, which could read all that is due then and sort it. */
export const isDue = (tasks: Sql, { dueBefore, dueAfter }: Filters): Sql =>
  sql`(${sql.all(
    dueBefore && sql`${tasks}.due_date < ${dueBefore}`,
    dueAfter && sql`${tasks}.due_date >= ${dueAfter}`,
  )}) is true`

/** Parts of what is due in a range, of which indexes have each newest first: days of a short one, else thirty days each. */
interface PartsDue {
  /** a row for each part, under the name of `due` */
  each: Sql
  /** condition: a task, by this name, is due then, or on another day of these thirty */
  isIn: (tasks: Sql) => Sql
}

const mostDays = 60
const dayMs = 86_400_000

export function partsDue({ orgId }: Caller, { dueBefore, dueAfter }: Filters): PartsDue {
  const there = sql`tasks.org_id = ${orgId} and tasks.deleted_at is null and tasks.due_date is not null`
  if (dueBefore && dueAfter && Date.parse(dueBefore) - Date.parse(dueAfter) <= mostDays * dayMs)
    return {
      each: sql`(select ${dueAfter}::date + further as day
        from generate_series(0, ${dueBefore}::date - ${dueAfter}::date - 1) further) due`,
      isIn: (tasks) => sql`${tasks}.due_date = due.day and ${tasks}.deleted_at is null`,
    }
  const end = (direction: Sql) =>
    monthOf(sql`(select tasks.due_date from tasks where ${there} order by tasks.due_date ${direction} limit 1)`)
  const [earliest, latest] = [end(sql`asc`), end(sql`desc`)]
  const first = dueAfter ? sql`greatest(${earliest}, ${monthOf(sql`${dueAfter}::date`)})` : earliest
  const last = dueBefore ? sql`least(${latest}, ${monthOf(sql`${dueBefore}::date`)})` : latest
  return {
    each: sql`(select generate_series(${first}, ${last}) as month) due`,
    isIn: (tasks) => sql`${monthOf(sql`${tasks}.due_date`)} = due.month
      and ${tasks}.due_date is not null and ${tasks}.deleted_at is null`,
  }
}

/** The thirty days since 1970 in which a day lies, as an index has them. */
const monthOf = (day: Sql): Sql => sql`((${day} - date '1970-01-01') / 30)`
