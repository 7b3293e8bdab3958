import { type Sql, sql } from '../../db/sql.ts'

/** A setting of the organization. */
const organizationSetting = (orgId: string, column: Sql): Sql =>
  sql`(select ${column} from organizations where org_id = ${orgId})`

/** SQL: the date of a date-time in the time zone of the organization. */
export const dateOf = (orgId: string, moment: Sql): Sql =>
  sql`(${moment} at time zone ${organizationSetting(orgId, sql`timezone`)})::date`

/** SQL: today in the time zone of the organization, read once per statement. */
export const today = (orgId: string, now: string): Sql => sql`(select ${dateOf(orgId, sql`${now}::timestamptz`)})`

/** SQL: a date as a report shows it. */
export type ShownDate = (orgId: string, date: Sql) => Sql

/** The ways to show a date: as itself, as the first day of its week, or as its month. */
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
