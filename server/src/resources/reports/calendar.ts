import { type Sql, sql } from '../../db/sql.ts'

/** A setting of the organization. */
export const setting = (orgId: string, column: Sql): Sql =>
  sql`(select ${column} from organizations where org_id = ${orgId})`

/** What the clocks of the organization show at a moment. */
export const local = (orgId: string, moment: Sql): Sql => sql`(${moment} at time zone ${setting(orgId, sql`timezone`)})`

/**
 * When an entry began, as one of the `stretches` of time. To find it among some hundreds is fast; to change the time zone
 * of each of millions of entries is not. That the stretches are joined tells the planner how few groups there will be, so
 * that it lets several processes sum up; from the left, that no entry is lost by that.
 */
export const stretchOfEntry = sql`
  left join unnest((select starts from stretches)) with ordinality as stretch (starts, number)
    on stretch.number = width_bucket(time_entries.started_at, (select starts from stretches))`

/**
 * A table of one row, the moments at which what is shown of time changes, ascending, as long as the organization has
 * entries: where months are shown they are few, and there is little to sum up.
 * @param shown texts, of the moment `starts`; the same for a whole day on the organization's clocks
 */
export const stretches = (orgId: string, shown: readonly Sql[]): Sql => sql`
  stretches as materialized (
    select array(
      select starts from (
        select starts, shown, lag(shown) over (order by starts) as before
        from (${newDates(orgId)}) dates cross join lateral (select array[${sql.join(shown, ', ')}] as shown) of_date
      ) changes where shown is distinct from before order by starts) as starts)`

/**
 * The moments at which the date of the organization's clocks may change, as long as it has entries: the midnights by what
 * the clocks were before and after each day (UTC), and each change of the clocks. More of them do no harm. Since 1970 no
 * clock in the world was changed twice within a day (UTC), or but at a half or a whole minute.
 * @see IANA time zone database
 */
function newDates(orgId: string): Sql {
  const edge = (of: Sql) =>
    sql`(select ${of}(started_at) from time_entries where org_id = ${orgId} and deleted_at is null)`
  const shift = (moment: Sql) => sql`${local(orgId, moment)} - (${moment} at time zone 'UTC')`
  return sql`
    select distinct starts
    from (
      select day, day + interval '1 day' as next, shift as before, lead(shift) over (order by day) as after
      from generate_series(date_trunc('day', ${edge(sql`min`)}, 'UTC'), ${edge(sql`max`)} + interval '1 day', '1 day') day
      cross join lateral (select ${shift(sql`day`)} as shift) shifts) days
    cross join lateral (values
      (day), (day - before), (next - before), (day - after), (next - after),
      (case when before <> after then (
        select min(moment) from generate_series(day, next, '30 seconds') moment where ${shift(sql`moment`)} <> before) end)
    ) stretch (starts)
    where starts is not null`
}
