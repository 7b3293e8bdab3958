import { type Sql, sql } from '../../db/sql.ts'

/** A setting of the organization. */
const organizationSetting = (orgId: string, column: Sql): Sql =>
  sql`(select ${column} from organizations where org_id = ${orgId})`

/** The day that a moment belongs to where the organization is. */
export const dateOf = (orgId: string, moment: Sql): Sql =>
  sql`(${moment} at time zone ${organizationSetting(orgId, sql`timezone`)})::date`

/** Today where the organization is, looked up once per statement. */
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
