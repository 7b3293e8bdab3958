import { type Sql, sql } from '../../db/sql.ts'

/** A setting of the organization. */
const organizationSetting = (orgId: string, column: Sql): Sql =>
  sql`(select ${column} from organizations where org_id = ${orgId})`

/** What the clocks of the organization show at a moment. */
const local = (orgId: string, moment: Sql): Sql =>
  sql`(${moment} at time zone ${organizationSetting(orgId, sql`timezone`)})`

/** The day that a moment belongs to where the organization is. */
export const dateOf = (orgId: string, moment: Sql): Sql => sql`${local(orgId, moment)}::date`

/** The day that it is there, looked up once per statement. */
export const today = (orgId: string, now: string): Sql => sql`(select ${dateOf(orgId, sql`${now}::timestamptz`)})`

/** SQL: what a date is shown as. */
export type ShownDate = (orgId: string, date: Sql) => Sql

/** What a date is shown as: itself, the first day of its week, its month. */
export const shownDate = {
  day: (_: string, date: Sql) => date,
  week: (orgId: string, date: Sql) => {
    // PostgreSQL's weeks begin on Monday
    const early = organizationSetting(
      orgId,
      sql`case week_start when 'sunday' then interval '1 day' when 'saturday' then interval '2 days' else interval '0' end`,
    )
    return sql`(date_trunc('week', ${date} + ${early}) - ${early})::date`
  },
  month: (_: string, date: Sql) => sql`to_char(${date}, 'YYYY-MM')`,
} satisfies Record<string, ShownDate>

/**
 * A table of a `with`, of one row: the moments at which what is shown of time changes, ascending, on the `days` (UTC) of a
 * table before it. Where months are shown they are few, and there is little to sum up.
 * @param shown what is shown of the moment `starts`; the same for a whole day on the organization's clocks
 */
export const stretchesOn = (orgId: string, shown: readonly Sql[]): Sql => sql`
  stretches as materialized (
    select array(
      select starts from (
        select starts, shown, lag(shown) over (order by starts) as before
        from (${newDates(orgId)}) dates
        cross join lateral (select array[${sql.join(
          shown.map((one) => sql`${one}::text`),
          ', ',
        )}] as shown) of_date
      ) changes where shown is distinct from before order by starts) as starts)`

/**
 * Joins the one of these stretches that a moment is in. To find it among some hundreds is fast; to change the time zone of
 * each of millions of moments is not. That the stretches are joined tells the planner how few groups there will be, so that
 * it lets several processes sum up; from the left, that no row is lost by that.
 * @param name what the stretch is called; its one column is `starts`
 */
export const stretchOf = (moment: Sql, name: Sql, starts: Sql): Sql => sql`
  left join unnest((select starts from stretches)) with ordinality as ${name} (${starts}, number)
    on ${name}.number = width_bucket(${moment}, (select starts from stretches))`

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
