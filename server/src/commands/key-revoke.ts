import { readKey } from '../access/keys.ts'
import { sql } from '../db/sql.ts'
import { changeFromOutside } from '../operations/changes.ts'
import { revokeKey } from '../resources/api-keys/api-key.ts'
import { revokeDescendants } from '../resources/api-keys/lineage.ts'
import { type CommandContext, UsageProblem } from './command.ts'
import { withDatabase } from './with-database.ts'

/** Revokes a leaked API key. */
export const runKeyRevoke = ({
  config,
  values: { alone = false },
  operands: [given],
  output,
}: CommandContext<{ alone: boolean; descendants: boolean }>): Promise<void> =>
  withDatabase(config, output, async (db) => {
    if (given === undefined)
      throw new UsageProblem('Name a key by its id, or give the key itself: taskwright key revoke <id or key>.')
    const read = readKey(given)
    const which = read
      ? sql`org_id = ${read.orgId} and secret_hash = ${read.hash}`
      : sql`id::text = ${given.toLowerCase()}`
    const key = await db.row<{ orgId: string; id: string; revokedAt: string | null }>(sql`
      select org_id as "orgId", id, revoked_at as "revokedAt" from api_keys where ${which}`)
    if (key === undefined) throw new UsageProblem('There is no such key.')
    const { orgId, id, revokedAt } = key
    const revoked = await changeFromOutside(db, async (tx, emit, now) => {
      if (revokedAt === null) emit('api_key.revoked', await revokeKey(tx, orgId, id, now), { orgId })
      return alone ? 0 : revokeDescendants({ db: tx, orgId, emit, now }, id)
    })
    output.print(revoked > 0 ? `Revoked ${id}, and ${revoked} more keys that were created with it.` : `Revoked ${id}.`)
  })
