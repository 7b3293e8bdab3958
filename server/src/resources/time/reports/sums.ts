import { type Sql, sql } from '../../../db/sql.ts'

/** Time entries summed up, as `ms`, `billable_ms` and `entries`. What runs has taken as long as it ran until now. */
export function sums(now: string): Sql {
  const ms = sql`coalesce(time_entries.duration_ms,
    greatest((extract(epoch from ${now}::timestamptz - time_entries.started_at) * 1000)::bigint, 0))`
  return sql`coalesce(sum(${ms}), 0)::bigint as ms,
    coalesce(sum(${ms}) filter (where time_entries.billable), 0)::bigint as billable_ms, count(*)::int as entries`
}
