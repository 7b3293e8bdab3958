import type { Database, Transaction } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { type Actor, append, type Change, collectChanges, type Emit } from '../events/outbox.ts'
import { accessChannel } from './auth.ts'

/** Sends the events of a transaction; the COMMIT that follows takes them along. */
export function sendChanges(tx: Transaction, changes: readonly Change[], actor: Actor, now: string): void {
  const [first, ...others] = changes
  if (first === undefined) return
  if (changes.some(changesAccess)) tx.send(sql`select pg_notify(${accessChannel}, ${first.orgId})`)
  tx.send(append([first, ...others], actor, now))
}

/** Whether what is believed of the organization's keys must be forgotten. */
export const changesAccess = ({ type }: Change) => /^(member|api_key)\./.test(type)

type Work<T> = (tx: Transaction, emit: Emit, now: string) => Promise<T>

/** A change that no request asked for: of the first start, or of the command line. */
export const changeFromOutside = <T>(db: Database, work: Work<T>): Promise<T> => changed(db, '', 'command-line', work)

/** A change that a job makes in an organization; its name stands for a request's id. */
export const changeByJob = <T>(db: Database, orgId: string, job: string, work: Work<T>): Promise<T> =>
  changed(db, orgId, job, work)

function changed<T>(db: Database, orgId: string, requestId: string, work: Work<T>): Promise<T> {
  const now = new Date().toISOString()
  return db.transaction(async (tx) => {
    const { emit, changes } = collectChanges(orgId)
    const result = await work(tx, emit, now)
    sendChanges(tx, changes, { memberId: null, keyId: null, requestId }, now)
    return result
  })
}
