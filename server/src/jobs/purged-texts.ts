import { changedWithoutEvent } from '../db/as-of.ts'
import type { Transaction } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { rewriteEvents, type StoredEvent } from '../events/rewriting.ts'

/**
 * Takes the texts of what was purged off the events that tell of it and came after its deletion, as where something came off
 * a task in a deleted project: those would outlive it. The older ones are forgotten by now, or are about to be.
 * @param ids of what was purged, in this transaction: who wrote to it before has committed
 * @param since what came before is forgotten
 */
export async function takeTextsOff(tx: Transaction, orgId: string, ids: readonly string[], since: string) {
  const told = await tx.rows<StoredEvent>(sql`
    select sequence, changes, snapshot from events
    where org_id = ${orgId} and resource_id = any(${ids}::uuid[]) and created_at >= ${since}`)
  if (told.length === 0) return
  const textless = told.map(({ sequence, changes, snapshot }) => ({
    sequence,
    changes: without(changes, (change) => (change ? { from: purgedText, to: purgedText } : change)),
    snapshot: without(snapshot, (value) => (typeof value === 'string' ? purgedText : value)),
  }))
  await rewriteEvents(tx, orgId, textless)
  tx.send(changedWithoutEvent(orgId))
}

const without = (fields: object, instead: (value: unknown) => unknown) =>
  Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, texts.includes(field) ? instead(value) : value]),
  )

/** Stands for what somebody wrote, which schemas ask for. */
const purgedText = 'Purged'
/** The fields of what can be purged that take any text. */
const texts = ['name', 'description', 'body', 'icon']
