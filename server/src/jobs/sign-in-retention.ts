import { sessionIdleMs } from '../access/sessions.ts'
import type { Db } from '../db/db.ts'
import { nilId } from '../db/ids.ts'
import type { Database } from '../db/pool/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Job, JobContext } from './job.ts'

const dayMs = 86_400_000
const keptDays = 30

/**
 * Deletes what signing in leaves behind: ended sessions, tokens, failures and logins, mail after 30 days, and people who have
 * been in no organization and without a session for 30 days.
 */
export const signInRetention: Job = {
  name: 'sign-in',
  everyMs: 600_000,
  run: (run) => deleteOldSignIns(run),
}

/** @param batch rows per statement */
export async function deleteOldSignIns({ db, now, signal }: JobContext, batch = 1_000): Promise<void> {
  const at = now.toISOString()
  const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()
  const old: [Sql, Sql][] = [
    [sql`sessions`, sql`expires_at <= ${at}`],
    [sql`sessions`, sql`last_used_at <= ${ago(sessionIdleMs)}`],
    [sql`sign_in_tokens`, sql`expires_at <= ${at}`],
    [sql`sign_in_failures`, sql`updated_at <= ${ago(dayMs)}`],
    [sql`device_logins`, sql`expires_at <= ${at}`],
    [sql`outgoing_mail`, sql`created_at <= ${ago(keptDays * dayMs)}`],
  ]
  for (const [table, which] of old) await untilFew(signal, batch, () => deleteRows(db, table, which, batch))
  await deleteStrangers(db, signal, ago(keptDays * dayMs), batch)
}

/** Repeats a step until it finds fewer rows than it may take. */
async function untilFew(signal: AbortSignal, batch: number, step: () => Promise<number>): Promise<void> {
  while (!signal.aborted) if ((await step()) < batch) return
}

async function deleteRows(db: Db, table: Sql, which: Sql, batch: number): Promise<number> {
  // a row that a request holds at this moment goes in the next run
  const rows = await db.rows(sql`
    delete from ${table} where ctid = any(array(
      select ctid from ${table} where ${which} limit ${batch} for update skip locked)) returning 1`)
  return rows.length
}

/**
 * Deletes people whom no member row names, with their ways to sign in. Each statement reads the tables of the instance or those
 * of organizations, because on Citus they are on different nodes.
 */
async function deleteStrangers(db: Database, signal: AbortSignal, before: string, batch: number): Promise<void> {
  for (let last: string | undefined = nilId; last !== undefined && !signal.aborted; ) {
    const after: string = last
    last = await db.transaction(async (tx) => {
      // skip a person who signs in at this moment
      const found = await tx.rows<{ id: string }>(sql`
        select id from persons where id > ${after} and created_at <= ${before} and ${hasNoSession}
        order by id limit ${batch} for update skip locked`)
      const ids = found.map(({ id }) => id)
      const members = await tx.rows<{ personId: string }>(sql`
        select person_id as "personId" from members where person_id = any(${ids}::uuid[])`)
      const inUse = new Set(members.map(({ personId }) => personId))
      await deletePersons(
        tx,
        ids.filter((id) => !inUse.has(id)),
      )
      return found.length < batch ? undefined : found.at(-1)?.id
    })
  }
}

async function deletePersons(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const gone = await tx.rows<{ id: string }>(sql`
    delete from persons where id = any(${ids}::uuid[]) and ${hasNoSession} returning id`)
  const goneIds = gone.map(({ id }) => id)
  for (const table of [sql`passkeys`, sql`identities`, sql`sign_in_tokens`])
    await tx.rows(sql`delete from ${table} where person_id = any(${goneIds}::uuid[])`)
}

const hasNoSession = sql`not exists (select from sessions where sessions.person_id = persons.id)`
