import { type Sql, sql } from '../../db/sql.ts'

/** A setting of the organization. */
export const organizationSetting = (orgId: string, column: Sql): Sql =>
  sql`(select ${column} from organizations where org_id = ${orgId})`

/** What the clocks of the organization show at a moment. */
export const local = (orgId: string, moment: Sql): Sql =>
  sql`(${moment} at time zone ${organizationSetting(orgId, sql`timezone`)})`

/** The day that it is there, looked up once per statement. */
export const today = (orgId: string, now: string): Sql => sql`(select ${local(orgId, sql`${now}::timestamptz`)}::date)`

/**
 * When an entry began, as one of the `stretches` of time. To find it among some hundreds is fast; to change the time zone
 * of each of millions of entries is not. That the stretches are joined tells the planner how few groups there will be, so
 * that it lets several processes sum up; from the left, that no entry is lost by that.
 */
export const stretchOfEntry = sql`
  left join unnest((select starts from stretches)) with ordinality as stretch (starts, number)
    on stretch.number = width_bucket(time_entries.started_at, (select starts from stretches))`

/** From when to when entries began that are asked for. */
interface Span {
  startedAfter?: string | undefined
  startedBefore?: string | undefined
}

/**
 * Tables of a `with recursive`; the last one has one row, the moments at which what is shown of time changes, ascending, on
 * the days on which the organization has entries of that span: where months are shown they are few, and there is little to
 * sum up.
 * @param shown texts, of the moment `starts`; the same for a whole day on the organization's clocks
 */
export const stretches = (orgId: string, shown: readonly Sql[], span: Span): Sql => sql`
  ${days(orgId, span)},
  stretches as materialized (
    select array(
      select starts from (
        select starts, shown, lag(shown) over (order by starts) as before
        from (${newDates(orgId)}) dates cross join lateral (select array[${sql.join(shown, ', ')}] as shown) of_date
      ) changes where shown is distinct from before order by starts) as starts)`

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

/**
 * The moments at which the date of the organization's clocks may change on these days: the midnights by what the clocks were
 * before and after each day (UTC), and each change of the clocks. More of them do no harm. Since 1970 no clock in the world
 * was changed twice within a day (UTC), or but at a half or a whole minute.
 * @see IANA time zone database
 */
function newDates(orgId: string): Sql {
  const shift = (moment: Sql) => sql`${local(orgId, moment)} - (${moment} at time zone 'UTC')`
  return sql`
    select distinct starts
    from (
      select day, next, ${shift(sql`day`)} as before, ${shift(sql`next`)} as after
      from (select day, day + interval '1 day' as next from days where day is not null) days) days
    cross join lateral (values
      (day), (day - before), (next - before), (day - after), (next - after),
      (case when before <> after then (
        select min(moment) from generate_series(day, next, '30 seconds') moment where ${shift(sql`moment`)} <> before) end)
    ) stretch (starts)
    where starts is not null`
}
