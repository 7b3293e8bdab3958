import { z } from 'zod'
import type { Transaction } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'
import { rewriteEvents, type StoredEvent } from '../events/rewriting.ts'
import { tables } from '../resources/index.ts'

/**
 * Removes people's texts from the later events of purged resources. Such an event can follow a deletion, for example when a tag
 * came off a task in a deleted project, and would keep the texts. Earlier events have expired or are about to.
 * @param ids resources purged in this transaction: all earlier writers of them have committed
 * @param since start of the later events
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

/** Placeholders in the forms that schemas accept: a text, a key of a project, one of a task, a URL. */
const standIns = ['Purged', 'PURGED', 'PURGED-1', 'https://purged.invalid/']

/** By noun and field of resources that can be purged: the first placeholder that the field's schema accepts. */
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
