import { refused } from '../../contract/errors.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { WriteContext } from '../../operations/context.ts'
import { countReferrers, type DetachableKind, type Detached, detachRows, type Telling } from './referrers.ts'

/** Up to so many rows something is detached from in the transaction that deletes it. */
export const mostAtOnce = 250

type DetachContext<Of extends DetachableKind = DetachableKind> = Omit<WriteContext<Telling[Of]>, 'orgId'>

/**
 * Detaches what is being deleted from all rows that refer to it. If there are many, it is only noted: from now on nothing
 * shows it, and `detachSome` detaches it later. The caller has locked it, so no row can begin to refer to it.
 * @param most up to so many rows it is detached at once
 */
export async function detach<Of extends DetachableKind>(
  context: DetachContext<Of>,
  detached: Detached<Of>,
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
 * Detaches something that is noted from some of the rows that still refer to it. The note is deleted once no row is left, so
 * this may be interrupted anywhere, and two processes may do it at the same time.
 * @param most rows
 * @returns whether more may be left to do in the organization
 */
export async function detachSome(context: DetachContext, orgId: string, most: number): Promise<boolean> {
  const { db } = context
  const next = await db.row<{ id: string; kind: DetachableKind }>(sql`
    select id, kind from detachments where org_id = ${orgId} order by created_at, id limit 1`)
  if (next === undefined) return false
  const detached = { orgId, ...next }
  // counted again: rows may have been purged during the wait for their locks
  if ((await detachRows(context, detached, most)) < most && (await countReferrers(db, detached, 0)) === 0) {
    await db.rows(sql`delete from detachments where org_id = ${orgId} and id = ${next.id}`)
  }
  return true
}

/** @throws 412 while something that was deleted is still being taken off what bore it: it would not come back whole */
export async function refuseIfDetaching(db: Db, orgId: string, id: string): Promise<void> {
  const noted = await db.row(sql`select id from detachments where org_id = ${orgId} and id = ${id}`)
  if (noted)
    throw refused('The server is still removing it from other resources; try again in a few minutes', 'still_detaching')
}
