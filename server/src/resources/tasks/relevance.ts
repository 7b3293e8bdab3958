import type { Caller } from '../../access/caller.ts'
import { firstIdAt } from '../../db/ids.ts'
import { normalizeText, withoutSymbols, wordsIn } from '../../db/normalize-text.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { directionOf, type Order } from '../../lists/order.ts'
import { packedByRank, rankLayout } from '../../lists/packing.ts'
import { newestFound } from '../../search/newest.ts'
import { hasOnlyExclusions, type Search } from '../../search/query.ts'
import { rankOf } from '../../search/rank.ts'
import { foundTasks } from '../task.ts'

/** How many of the newest matching tasks are ranked by relevance. */
export const mostRanked = 2_000

// on further pages, newer tasks may match, too
const mostWithNewer = 2 * mostRanked

/** How many tasks to walk past: enough to find a word that is in one of ten tasks. */
const walk = 10 * mostRanked

const { epochMs, perRank } = rankLayout

/**
 * The matching tasks, best rank first, then newest first. The key of a row contains its rank and the time of the oldest
 * ranked task, or zero if all were ranked. So further pages rank the same tasks. Undefined if the query requires no
 * word.
 */
export function byRelevance(
  caller: Caller,
  { text, query }: Search,
  within: readonly string[] | undefined,
  reversed: boolean,
): Order | undefined {
  const { orgId } = caller
  if (hasOnlyExclusions(query) || query.length === 0) return undefined
  const direction = directionOf(!reversed)
  const rank = rankOf(foundTasks, orgId, query, wordsIn(normalizeText(withoutSymbols(text))))
  return {
    name: `tasks ${reversed ? '-' : ''}relevance`,
    descending: !reversed,
    byProject: false,
    packing: packedByRank(!reversed),
    rankedSince(key) {
      const sinceMs = key % perRank
      return sinceMs === 0 ? undefined : new Date(epochMs + sinceMs).toISOString()
    },
    walk({ columns, matching, limit }, from) {
      const sinceMs = from && from.key % perRank
      const newer = sinceMs ? sql`tasks.id >= ${firstIdAt(BigInt(epochMs + sinceMs) << 30n)}` : undefined
      const most = from ? mostWithNewer : mostRanked
      const oldest = sql`${msOf(sql`(array_agg(found.id order by found.id))[1]`)} - ${epochMs}::bigint`
      // the clock of a server may have been wrong by years
      const bounded = sql`least(greatest(${oldest}, 1), ${perRank - 1}::bigint)`
      const since = from
        ? sql`${sinceMs}::bigint`
        : sql`(select case when count(*) < ${most} then 0 else ${bounded} end from found)`
      const place = sql`(ranked.sort_key, ranked.id)`
      const bound = from && sql`(${from.key}::bigint, ${from.idBound}::uuid)`
      const behind = bound && (reversed ? sql`${place} >= ${bound}` : sql`${place} < ${bound}`)
      const by = sql`ranked.sort_key ${direction}, ranked.id ${direction}`
      return sql`
        with found as materialized (
          select tasks.id, ${rank} as rank from tasks where tasks.org_id = ${orgId} and tasks.id = any(array(
            ${newestFound(foundTasks, caller, { matching, within, limit: most, behind: newer, walk })}))),
        since as materialized (select ${since} as ms),
        ranked as materialized (
          select ranked.* from (
            select found.id, found.rank::bigint * ${perRank}::bigint + since.ms as sort_key
            from found cross join since) ranked
          where ${behind ?? sql`true`} order by ${by} limit ${limit})
        select ${columns}, 0 as sort_run, ranked.sort_key from ranked
        join tasks on tasks.org_id = ${orgId} and tasks.id = ranked.id order by ${by}`
    },
  }
}

/** SQL: the time in an id, in ms since 1970. */
const msOf = (id: Sql): Sql => sql`('x' || translate(left(${id}::text, 13), '-', ''))::bit(48)::bigint`
