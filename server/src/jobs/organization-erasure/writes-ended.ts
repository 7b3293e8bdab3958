import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/**
 * Resolves once every write has ended that was under way when it was called, or after so long as none takes. What begins
 * later finds the organization deleted.
 */
export async function writesEnded(db: Db): Promise<void> {
  const begunMs = performance.now()
  const now = await db.row<{ next: string; onCitus: boolean }>(sql`
    select pg_snapshot_xmax(pg_current_snapshot())::text as next,
      exists (select from pg_extension where extname = 'citus') as "onCitus"`)
  // who is let in by what was cached of a key is told that it opens nothing any more
  await wait(cachedMs)
  while (performance.now() - begunMs < longestWriteMs) {
    // the nodes of a cluster count their transactions each for itself
    const ended = await db.row<{ all: boolean }>(sql`
      select pg_snapshot_xmin(pg_current_snapshot()) >= ${now?.next}::text::xid8 as "all"`)
    if (ended?.all && !now?.onCitus) return
    await wait(pauseMs)
  }
}

const cachedMs = 1_000
const pauseMs = 100
// 15 s, and their COMMIT
const longestWriteMs = 20_000
