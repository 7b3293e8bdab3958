import type { Authenticator } from '../access/auth.ts'
import { operator } from '../access/caller.ts'
import { callerUnchanged } from '../access/current-caller.ts'
import type { Db } from '../db/db.ts'
import type { Transaction } from '../db/pool/database.ts'
import { type Change, lockedCounter } from '../events/outbox.ts'
import { changesAccess } from './changes.ts'
import type { Request } from './run-operation.ts'

/** Where the caller is looked up outside of the transaction. */
interface Confirming {
  db: { own: Db }
  authenticator: Pick<Authenticator, 'operatorAgain'>
}

/**
 * Makes a write fail when the caller's role, scopes or key changed since the request came.
 * @param commits whether a COMMIT will be sent, with which the check travels; a dry run has none, and is checked now
 */
export async function confirmCaller(
  tx: Transaction,
  request: Pick<Request, 'caller' | 'headers'>,
  changes: readonly Change[],
  confirming: Confirming,
  commits = true,
): Promise<void> {
  const { caller } = request
  const changesItself = changes.some(
    (change) => changesAccess(change) && [caller.memberId, caller.keyId, caller.orgId].includes(change.resourceId),
  )
  if (caller.role !== operator && !changesItself) {
    if (commits) tx.last(() => [callerUnchanged(caller, Date.now())])
    else await tx.rows(callerUnchanged(caller, Date.now()))
    return
  }
  // who changes its own member, key or organization had the right to do so: that is checked outside, where this write is not
  // visible yet, and once no other write can come before it
  for (const orgId of new Set(changes.map(({ orgId }) => orgId))) await tx.rows(lockedCounter(orgId))
  await confirmNow(request, confirming)
}

/** Fails, by a division by zero or with 401, when the caller is no longer who it was, as after a wait. */
export async function confirmNow(
  { caller, headers }: Pick<Request, 'caller' | 'headers'>,
  { db, authenticator }: Confirming,
): Promise<void> {
  if (caller.role === operator) await authenticator.operatorAgain(headers)
  else await db.own.rows(callerUnchanged(caller, Date.now()))
}
