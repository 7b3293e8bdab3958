import type { Caller } from '../../access/caller.ts'
import { firstIdAt } from '../../db/ids.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { directionOf, isSorted, type Order, type SortedOrder } from '../../lists/order.ts'
import { packedByRank, rankPlaces } from '../../lists/packing.ts'
import { isWalked } from '../../search/finding.ts'
import { parsed } from '../../search/query.ts'
import { rankOf } from '../../search/rank.ts'
import { foundTasks } from '../task.ts'
import { taskIdsFound } from './search.ts'

/** So many of the newest tasks that match are put in order of relevance. */
const mostRanked = 500

// on further pages there may be newer ones, too
const mostWithNewer = 1_000

const { epochMs, perRank } = rankPlaces

/**
 * The tasks that a search finds, the best first: by rank, and then the newest. The key of a row is its rank and the moment of
 * the oldest that was ranked, so that further pages rank the same ones. Undefined where no word is asked to be there.
 */
export function byRelevance(
  caller: Caller,
  q: string,
  within: readonly string[] | undefined,
  reversed: boolean,
): SortedOrder | undefined {
  const query = parsed(q)
  if (isWalked(query) || query.length === 0) return undefined
  const direction = directionOf(!reversed)
  return {
    name: `tasks ${reversed ? '-' : ''}relevance`,
    descending: !reversed,
    byProject: false,
    packing: packedByRank(!reversed),
    walk({ matching, limit }, from) {
      const sinceMs = from && from.key % perRank
      const idFrom = sinceMs ? firstIdAt(BigInt(epochMs + sinceMs) << 30n) : undefined
      const most = from ? mostWithNewer : mostRanked
      const found = taskIdsFound(caller, q, { limit: most, idFrom, within }) ?? sql.empty
      const oldest = sql`${msOf(sql`(array_agg(found.id order by found.id))[1]`)} - ${epochMs}::bigint`
      // a clock may have been wrong by years
      const bounded = sql`least(greatest(${oldest}, 0), ${perRank - 1}::bigint)`
      const since = from
        ? sql`${sinceMs}::bigint`
        : sql`(select case when count(*) < ${most} then 0 else ${bounded} end from found)`
      const place = sql`(ranked.key, ranked.id)`
      const bound = from && sql`(${from.key}::bigint, ${from.idBound}::uuid)`
      const behind = bound && (reversed ? sql`${place} >= ${bound}` : sql`${place} < ${bound}`)
      return sql`
        with found as materialized (${found}), since as materialized (select ${since} as ms)
        select ranked.id, ranked.project_id, 0 as run, ranked.key from (
          select tasks.id, tasks.project_id, ${rankOf(foundTasks, query)}::bigint * ${perRank}::bigint + since.ms as key
          from found cross join since cross join lateral (
            select * from tasks where tasks.org_id = ${caller.orgId} and tasks.id = found.id offset 0) tasks
          where ${matching}) ranked
        where ${behind ?? sql`true`} order by ranked.key ${direction}, ranked.id ${direction} limit ${limit}`
    },
  }
}

/** Whether an order is that of relevance, which has found what is in it. */
export const isByRelevance = (order: Order): boolean => isSorted(order) && order.name.endsWith('relevance')

/** SQL: the moment in an id, in ms since 1970. */
const msOf = (id: Sql): Sql => sql`('x' || translate(left(${id}::text, 13), '-', ''))::bit(48)::bigint`
