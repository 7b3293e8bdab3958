import { refused } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { WriteContext } from '../../operations/context.ts'
import { countReferrers, type DetachableKind, type DetachEvents, type DetachedItem, detachRows } from './referrers.ts'

/** The maximum number of rows that the deleting transaction detaches itself. */
export const mostAtOnce = 250

type DetachContext<Of extends DetachableKind = DetachableKind> = Omit<WriteContext<DetachEvents[Of]>, 'orgId'>

/**
 * Detaches a resource that is being deleted from all rows that refer to it. If there are more than `most`, this only
 * stores a note: reads hide the resource from now on, and `detachSome` detaches it later. The caller has locked the
 * resource, so no new row can refer to it.
 * @param most the maximum number of rows to detach at once
 */
export async function detach<Of extends DetachableKind>(
  context: DetachContext<Of>,
  detached: DetachedItem<Of>,
  most = mostAtOnce,
): Promise<void> {
  const { db, now } = context
  if ((await countReferrers(db, detached, most)) <= most) {
    await detachRows(context, detached, most)
    return
  }
  const { orgId, id, kind } = detached
  await db.rows(sql`
    insert into detachments ${sql.values({ orgId, id, kind, createdAt: now })} on conflict do nothing`)
}

/**
 * Detaches a noted resource from some of the rows that still refer to it. It deletes the note once no row is left. So
 * it can stop anywhere, and two processes can run it at the same time.
 * @param most rows
 * @returns whether the organization may have more to detach
 */
export async function detachSome(context: DetachContext, orgId: string, most: number): Promise<boolean> {
  const { db } = context
  const next = await db.row<{ id: string; kind: DetachableKind }>(sql`
    select id, kind from detachments where org_id = ${orgId} order by created_at, id limit 1`)
  if (next === undefined) return false
  const detached = { orgId, ...next }
  // count again: rows may have been purged while this waited for their locks
  if ((await detachRows(context, detached, most)) < most && (await countReferrers(db, detached, 0)) === 0) {
    await db.rows(sql`delete from detachments where org_id = ${orgId} and id = ${next.id}`)
  }
  return true
}

/** @throws 412 while the server still detaches a deleted resource: a restore would not bring it back whole */
export async function refuseIfDetaching(db: Db, orgId: string, id: string): Promise<void> {
  const noted = await db.row(sql`select id from detachments where org_id = ${orgId} and id = ${id}`)
  if (noted)
    throw refused('The server is still removing it from other resources; try again in a few minutes', 'still_detaching')
}
