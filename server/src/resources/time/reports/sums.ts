import { type Sql, sql } from '../../../db/sql.ts'

/** SQL: the sums of time entries, as `seconds`, `billable_seconds` and `entries`. */
export const sums = (now: string): Sql => sql`${trackedSeconds(now)} as seconds,
  coalesce(sum(${secondsOf(now)}) filter (where time_entries.billable), 0)::bigint as billable_seconds, count(*)::int as entries`

/** SQL: the total duration of time entries. Running ones count up to now. */
export const trackedSeconds = (now: string): Sql => sql`coalesce(sum(${secondsOf(now)}), 0)::bigint`

// each entry in whole seconds, like its `durationSeconds`: so the groups of a report add up to its total
const secondsOf = (now: string) => sql`coalesce(time_entries.duration_ms / 1000,
  greatest((extract(epoch from ${now}::timestamptz - time_entries.started_at) * 1000)::bigint, 0) / 1000)`
