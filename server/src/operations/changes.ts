import { type Authenticator, accessChannel } from '../access/auth.ts'
import { operator } from '../access/caller.ts'
import { assertCallerUnchanged } from '../access/usable-keys.ts'
import type { Db } from '../db/db.ts'
import type { Database, Transaction } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'
import { type Actor, append, type Change, collectChanges, type Emit, lockCounter } from '../events/outbox.ts'
import type { Request } from './run-operation.ts'

/** Sends the events of a write with the COMMIT that follows. */
export function sendChanges(tx: Transaction, changes: readonly Change[], actor: Actor, now: string): void {
  const access = changes.find(changesAccess)
  if (access) tx.send(sql`select pg_notify(${accessChannel}, ${access.orgId})`)
  if (changes.length > 0) tx.last(() => append(changes, actor, now))
}

/** Whether a change makes cached keys of its organization invalid. */
export const changesAccess = ({ type }: Pick<Change, 'type'>) =>
  /^(member|api_key)\.|^organization\.(deleted|restored)$/.test(type)

type ChangeWork<T> = (tx: Transaction, emit: Emit<string>, now: string) => Promise<T>

/** Runs a write without a request: at the first start, or by the command line. */
export const changeFromOutside = <T>(db: Database, work: ChangeWork<T>): Promise<T> =>
  changed(db, '', 'command-line', work)

/** The jobs that write events, by name. */
export const serverItself = ['detaching', 'deliveries'] as const

type SystemActor = (typeof serverItself)[number] | 'command-line'

/** Runs a write of a job in an organization. Its events have the job's name in place of a request id. */
export const changeByJob = <T>(db: Database, orgId: string, job: SystemActor, work: ChangeWork<T>): Promise<T> =>
  changed(db, orgId, job, work)

function changed<T>(db: Database, orgId: string, requestId: string, work: ChangeWork<T>): Promise<T> {
  const now = new Date().toISOString()
  return db.transaction(async (tx) => {
    const { emit, changes } = collectChanges(orgId)
    const result = await work(tx, emit, now)
    sendChanges(tx, changes, { memberId: null, keyId: null, requestId }, now)
    return result
  })
}

/** Checks the caller outside of the transaction. */
interface Confirming {
  db: { own: Db }
  authenticator: Pick<Authenticator, 'operatorAgain'>
}

/**
 * Makes a write fail if the caller's role, scopes or key changed since authentication.
 * @param commits whether a COMMIT follows, with which the check travels; a dry run has none and checks now
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
    if (commits) tx.last(() => [assertCallerUnchanged(caller, Date.now())])
    else await tx.rows(assertCallerUnchanged(caller, Date.now()))
    return
  }
  // a caller that changes its own member, key or organization had the right to do so at authentication. Check that outside of
  // the transaction, where this write is not visible yet. The counter's lock keeps other writes from committing before this one
  for (const orgId of new Set(changes.map(({ orgId }) => orgId))) await tx.rows(lockCounter(orgId))
  await confirmNow(request, confirming)
}

/** Fails if the caller has changed, for example during a wait. @throws 401, or an error of a division by zero */
export async function confirmNow(
  { caller, headers }: Pick<Request, 'caller' | 'headers'>,
  { db, authenticator }: Confirming,
): Promise<void> {
  if (caller.role === operator) await authenticator.operatorAgain(headers)
  else await db.own.rows(assertCallerUnchanged(caller, Date.now()))
}
