import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/**
 * Resolves when all writes that are running now have ended, or after the longest time that a write can take. Writes that begin
 * later find the organization deleted.
 */
export async function writesEnded(db: Db): Promise<void> {
  const begunMs = performance.now()
  const now = await db.row<{ next: string; onCitus: boolean }>(sql`
    select pg_snapshot_xmax(pg_current_snapshot())::text as next,
      exists (select from pg_extension where extname = 'citus') as "onCitus"`)
  // for a second a cached key still admits callers of the deleted organization
  await wait(cachedMs)
  while (performance.now() - begunMs < longestWriteMs) {
    // on Citus this cannot prove it: each node counts its own transactions
    const ended = await db.row<{ all: boolean }>(sql`
      select pg_snapshot_xmin(pg_current_snapshot()) >= ${now?.next}::text::xid8 as "all"`)
    if (ended?.all && !now?.onCitus) return
    await wait(pauseMs)
  }
}

const cachedMs = 1_000
const pauseMs = 100
// 15 s, and the COMMIT
const longestWriteMs = 20_000
