import { z } from 'zod'
import type { Transaction } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'
import { rewriteEvents, type StoredEvent } from '../events/rewriting.ts'
import { tables } from '../resources/index.ts'

/**
 * Takes what somebody wrote off the events that tell of what was purged and came after its deletion, as where something came off
 * a task in a deleted project: that would outlive it. The older ones are forgotten by now, or are about to be.
 * @param ids of what was purged, in this transaction: who wrote to it before has committed
 * @param since what came before is forgotten
 */
export async function takeTextsOff(tx: Transaction, orgId: string, ids: readonly string[], since: string) {
  const told = await tx.rows<StoredEvent & { noun: string }>(sql`
    select sequence, split_part(type, '.', 1) as noun, changes, snapshot from events
    where org_id = ${orgId} and resource_id = any(${ids}::uuid[]) and created_at >= ${since}`)
  if (told.length === 0) return
  const textless = told.map(({ noun, sequence, changes, snapshot }) => ({
    sequence,
    changes: without(noun, changes, (change, purged) => (change ? { from: purged, to: purged } : change)),
    snapshot: without(noun, snapshot, (value, purged) => (typeof value === 'string' ? purged : value)),
  }))
  await rewriteEvents(tx, orgId, textless)
}

const without = (noun: string, fields: object, instead: (value: unknown, purged: string) => unknown) =>
  Object.fromEntries(
    Object.entries(fields).map(([field, value]) => {
      const purged = written[noun]?.[field]
      return [field, purged === undefined ? value : instead(value, purged)]
    }),
  )

/** Stand for what somebody wrote, in the forms that schemas ask for: a text, a key of a project, one of a task, an address. */
const standIns = ['Purged', 'PURGED', 'PURGED-1', 'https://purged.invalid/']

/** By noun and field of what can be purged, what stands for what somebody wrote there: what its schema takes. */
const written: Record<string, Record<string, string>> = Object.fromEntries(
  tables
    .filter(({ goneSince }) => goneSince !== 'never')
    .map(({ noun, schema }) => [noun, schema instanceof z.ZodObject ? standInsOf(schema.shape) : {}]),
)

function standInsOf(shape: Readonly<Record<string, z.ZodType>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(shape).flatMap(([field, schema]) => {
      const taken = standIns.find((text) => schema.safeParse(text).success)
      return taken === undefined ? [] : [[field, taken]]
    }),
  )
}
