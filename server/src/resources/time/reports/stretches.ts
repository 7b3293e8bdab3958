import { type Sql, sql } from '../../../db/sql.ts'
import { stretchesOn } from '../../reports/calendar.ts'

/** From when to when entries began that are asked for. */
interface Span {
  startedAfter?: string | undefined
  startedBefore?: string | undefined
}

/** Tables of a `with recursive`: the days on which entries of a span began, and the stretches of these. */
export const stretchesOfTime = (orgId: string, shown: readonly Sql[], span: Span): Sql =>
  sql`${days(orgId, span)}, ${stretchesOn(orgId, shown)}`

/** The days (UTC) on which entries began, found from one to the next: a single entry of 1970 adds one day, not decades. */
function days(orgId: string, { startedAfter, startedBefore }: Span): Sql {
  const first = (after: Sql | undefined) => sql`
    select date_trunc('day', started_at, 'UTC') as day from time_entries
    where ${sql.all(
      sql`org_id = ${orgId} and deleted_at is null`,
      after && sql`started_at >= ${after}`,
      startedBefore && sql`started_at < ${startedBefore}`,
    )}
    order by started_at limit 1`
  return sql`
    days as (
      (${first(startedAfter === undefined ? undefined : sql`${startedAfter}::timestamptz`)})
      union all
      select (${first(sql`days.day + interval '1 day'`)}) from days where days.day is not null)`
}
