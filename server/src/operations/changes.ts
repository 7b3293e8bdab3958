import { accessChannel } from '../access/auth.ts'
import type { Database, Transaction } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'
import { type Actor, append, type Change, collectChanges, type Emit } from '../events/outbox.ts'

/** Has the events of a write sent with the COMMIT that follows. */
export function sendChanges(tx: Transaction, changes: readonly Change[], actor: Actor, now: string): void {
  const access = changes.find(changesAccess)
  if (access) tx.send(sql`select pg_notify(${accessChannel}, ${access.orgId})`)
  if (changes.length > 0) tx.last(() => append(changes, actor, now))
}

/** Whether a change makes cached keys of its organization invalid. */
export const changesAccess = ({ type }: Pick<Change, 'type'>) =>
  /^(member|api_key)\.|^organization\.(deleted|restored)$/.test(type)

type Work<T> = (tx: Transaction, emit: Emit<string>, now: string) => Promise<T>

/** A write that no request asked for: by the first start, or by the command line. */
export const changeFromOutside = <T>(db: Database, work: Work<T>): Promise<T> => changed(db, '', 'command-line', work)

/** What runs by itself and changes something: jobs, by their names. */
export const serverItself = ['detaching', 'deliveries'] as const

type Outside = (typeof serverItself)[number] | 'command-line'

/** A write by a job in an organization. Its events have the job's name in place of a request id. */
export const changeByJob = <T>(db: Database, orgId: string, job: Outside, work: Work<T>): Promise<T> =>
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
