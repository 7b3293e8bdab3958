import { type Sql, sql } from '../../../db/sql.ts'

/** Time entries summed up, as `ms`, `billable_ms` and `entries`. */
export const sums = (now: string): Sql => sql`${trackedMs(now)} as ms,
  coalesce(sum(${msOf(now)}) filter (where time_entries.billable), 0)::bigint as billable_ms, count(*)::int as entries`

/** How long time entries took together. What runs has taken as long as it ran until now. */
export const trackedMs = (now: string): Sql => sql`coalesce(sum(${msOf(now)}), 0)::bigint`

const msOf = (now: string) => sql`coalesce(time_entries.duration_ms,
  greatest((extract(epoch from ${now}::timestamptz - time_entries.started_at) * 1000)::bigint, 0))`
