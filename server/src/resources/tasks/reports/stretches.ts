import { firstIdAtMs, firstIdOf } from '../../../db/ids.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { stretchesOn } from '../../reports/calendar.ts'

/** From when to when tasks were created that are asked for. */
interface Span {
  createdAfter?: string | undefined
  createdBefore?: string | undefined
}

/** A moment of tasks, by whose days they are counted. */
export interface MomentOfTasks {
  moment: Sql
  /** the table of its days */
  days: Sql
  /** what an index has tasks in the order of this moment by */
  order: Sql
  /** the first place in that order of what is at a moment or after it */
  placeOf: (moment: Sql) => Sql
  /** conditions: the task may be among those of a span */
  within: (span: Span) => (Sql | undefined | '')[]
}

/** Ordered by the id: createdAt is the time in it. */
export const creation: MomentOfTasks = {
  moment: sql`tasks.created_at`,
  days: sql`days_of_creation`,
  order: sql`tasks.id`,
  placeOf: (moment) => firstIdAtMs(sql`(extract(epoch from ${moment}) * 1000)::bigint`),
  within: ({ createdAfter, createdBefore }) => [
    createdAfter && sql`tasks.id >= ${firstIdOf(createdAfter)}`,
    createdBefore && sql`tasks.id < ${firstIdOf(createdBefore)}`,
  ],
}

/** No filter bounds it: a task may have been completed before it was created, by the clock of another server. */
export const completion: MomentOfTasks = {
  moment: sql`tasks.completed_at`,
  days: sql`days_of_completion`,
  order: sql`tasks.completed_at`,
  placeOf: (moment) => moment,
  within: () => [],
}

/** Tables of a `with recursive`: the days of these moments of tasks, and the stretches of them. */
export function stretchesOfTasks(orgId: string, shown: readonly Sql[], all: readonly MomentOfTasks[], span: Span): Sql {
  const moments = [...new Set(all)]
  const days = moments.map((one) => daysOf(orgId, one, span))
  const each = moments.map((one) => sql`select day from ${one.days}`)
  return sql`${sql.join(days, ', ')}, days as (${sql.join(each, ' union ')}), ${stretchesOn(orgId, shown)}`
}

/**
 * The days (UTC) that a moment of tasks is on, found from one to the next: a single task of 1970 adds one day, not decades.
 * `union` ends the walk where a day comes again, as of a row whose createdAt is not the time in its id.
 */
function daysOf(orgId: string, { moment, days, order, placeOf, within }: MomentOfTasks, span: Span): Sql {
  const first = (from?: Sql) => sql`
    select date_trunc('day', ${moment}, 'UTC') as day from tasks
    where ${sql.all(
      sql`tasks.org_id = ${orgId} and tasks.deleted_at is null and ${moment} is not null`,
      ...within(span),
      from && sql`${order} >= ${from}`,
    )}
    order by ${order} limit 1`
  return sql`
    ${days} as (
      (${first()})
      union
      select (${first(placeOf(sql`(${days}.day + interval '1 day')`))}) from ${days} where ${days}.day is not null)`
}
