import { formerMember, withoutNames } from '../../contract/former-member.ts'
import type { Db } from '../../db/db.ts'
import { nilId as nil } from '../../db/ids.ts'
import type { Transaction } from '../../db/pool/database.ts'
import { sql } from '../../db/sql.ts'
import { rewriteEvents, type StoredEvent } from '../../events/rewriting.ts'
import { isAudited } from '../audit/audited.ts'

/** An erased member with copies of the name outside the row. */
interface Erasure {
  orgId: string
  id: string
}

/**
 * Erases one kind of copies, in batches.
 * @param reached the end of the last batch; empty at first
 * @returns the end of this batch; undefined when nothing is left
 */
type Step = (db: Db, erasure: Erasure, reached: string[], most: number) => Promise<string[] | undefined>

const everywhere: readonly Step[] = [events, keys, purgedKeys, answers]
// a second round after a minute, for concurrent work: a write that had read the name, a receiver's response that
// repeats it
const steps: readonly Step[] = [...everywhere, ...everywhere, statistics]
const againAfterMs = 60_000

/**
 * Erases one batch of copies of the names of erased members. It stores its progress in the same transaction, so it can
 * stop anywhere.
 * @param most rows
 * @returns whether more may be left to do now
 */
export async function takeNamesOff(tx: Transaction, orgId: string, most: number, now: Date): Promise<boolean> {
  const before = new Date(now.getTime() - againAfterMs).toISOString()
  const noted = await tx.row<Erasure & { step: number; reached: string[] }>(sql`
    select org_id as "orgId", id, step, reached from erasures
    where org_id = ${orgId} and (step < ${everywhere.length} or created_at <= ${before})
    order by created_at, id limit 1 for no key update`)
  if (noted === undefined) return false
  const { step, reached, ...erasure } = noted
  const next = await steps[step]?.(tx, erasure, reached, most)
  const which = sql`org_id = ${orgId} and id = ${erasure.id}`
  if (next === undefined && step + 1 >= steps.length) await tx.rows(sql`delete from erasures where ${which}`)
  else
    await tx.rows(sql`
      update erasures set step = ${next ? step : step + 1}, reached = ${next ?? []}::text[] where ${which}`)
  return true
}

/** The events about the member, in the organization and in its projects. */
async function events(db: Db, { orgId, id }: Erasure, [reached = '0']: string[], most: number) {
  const rows = await db.rows<StoredEvent>(sql`
    select sequence, changes, snapshot from events
    where org_id = ${orgId} and resource_id = ${id} and sequence > ${reached}::bigint order by sequence limit ${most}`)
  await rewrite(db, orgId, rows, formerMember.name, (one) => one === id)
  return rows.length < most ? undefined : [String(rows.at(-1)?.sequence)]
}

/** The keys of the member, which often have the name of the member, and their events. */
async function keys(db: Db, { orgId, id }: Erasure, [reached = nil]: string[], most: number) {
  const some = Math.ceil(most / 10)
  const held = await db.rows<{ id: string }>(sql`
    select id from api_keys where org_id = ${orgId} and member_id = ${id} and id > ${reached} order by id limit ${some}
    for no key update`)
  const ids = held.map((key) => key.id)
  await db.rows(sql`
    update api_keys set name = ${formerMember.keyName}, version = version + 1
    where org_id = ${orgId} and id = any(${ids}::uuid[]) and name <> ${formerMember.keyName}`)
  // these rows have the addresses from which the member tried the keys
  await db.rows(sql`delete from refused_sign_ins where org_id = ${orgId} and key_id = any(${ids}::uuid[]) returning id`)
  const rows = await db.rows<StoredEvent>(sql`
    select sequence, changes, snapshot from events where org_id = ${orgId} and resource_id = any(${ids}::uuid[])`)
  await rewrite(db, orgId, rows, formerMember.keyName, (one) => one === id)
  return ids.length < some ? undefined : ids.slice(-1)
}

/** The events of purged keys: if a key was revoked after it had expired, that event outlives the key. */
async function purgedKeys(db: Db, { orgId, id }: Erasure, [reached = '0']: string[], most: number) {
  const rows = await db.rows<StoredEvent>(sql`
    select sequence, changes, snapshot from events
    where org_id = ${orgId} and sequence > ${reached}::bigint and ${isAudited} and type like 'api_key.%'
      and snapshot ->> 'memberId' = ${id} and snapshot ->> 'name' <> ${formerMember.keyName}
    order by sequence limit ${most}`)
  await rewrite(db, orgId, rows, formerMember.keyName, (one) => one === id)
  return rows.length < most ? undefined : [String(rows.at(-1)?.sequence)]
}

async function rewrite(
  db: Db,
  orgId: string,
  rows: readonly StoredEvent[],
  name: string,
  isErased: (id: unknown) => boolean,
): Promise<void> {
  const nameless = rows.map(({ sequence, changes, snapshot }) => ({
    sequence,
    changes: withoutValues(changes, name),
    snapshot: withoutNames(snapshot, isErased) as object,
  }))
  await rewriteEvents(db, orgId, nameless)
}

/** The changes without the old and new names of the member or key, the e-mail addresses and the time zones. */
const withoutValues = (changes: Record<string, unknown>, name: string) =>
  Object.fromEntries(
    Object.entries(changes).map(([field, change]) => {
      if (field === 'name') return [field, { from: name, to: name }]
      return [field, field === 'email' || field === 'timezone' ? { from: null, to: null } : change]
    }),
  )

/**
 * Stored responses. This cannot read sealed ones: a replay of those leaves out the name (operations/idempotency.ts).
 */
async function answers(db: Db, { orgId, id }: Erasure, reached: string[], most: number) {
  const [memberId = nil, key = ''] = reached
  const rows = await db.rows<{ memberId: string; key: string; body: string | null }>(sql`
    select member_id as "memberId", key, case when not sealed and position(convert_to(${id}, 'UTF8') in body) > 0
      then convert_from(body, 'UTF8') end as body
    from (
      select * from idempotency_keys where org_id = ${orgId} and (member_id, key) > (${memberId}, ${key})
      order by member_id, key limit ${most}) part
    order by member_id, key`)
  for (const { memberId, key, body } of rows) {
    if (body === null) continue
    const nameless = Buffer.from(JSON.stringify(withoutNames(JSON.parse(body), (one) => one === id)))
    await db.rows(sql`
      update idempotency_keys set body = ${nameless}
      where org_id = ${orgId} and member_id = ${memberId} and key = ${key} and not sealed`)
  }
  const last = rows.at(-1)
  return last === undefined || rows.length < most ? undefined : [last.memberId, last.key]
}

/** PostgreSQL's statistics contain frequent values and bounds, names among them, until the next ANALYZE. */
async function statistics(db: Db): Promise<undefined> {
  await db.rows(sql`analyze members (name, name_key, email), api_keys (name), idempotency_keys (body)`)
}
