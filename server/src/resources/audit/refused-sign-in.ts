import { z } from 'zod'
import { Id, Timestamp } from '../../contract/fields.ts'
import { nilId } from '../../db/ids.ts'
import { sql } from '../../db/sql.ts'

/** How often a key was refused in an hour, from one address. */
export const RefusedSignIn = z
  .strictObject({
    id: Id,
    hour: Timestamp.meta({ description: 'When the hour began.' }),
    keyId: Id.nullable().meta({
      description: 'Null: a key that the organization never had, or does not have any more.',
    }),
    address: z
      .string()
      .max(64)
      .meta({ pattern: '^[^\\u0000]*$', examples: ['203.0.113.7'] })
      .nullable()
      .meta({ description: 'Null: several, beyond those that are told apart.' }),
    count: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
    lastAt: Timestamp,
  })
  .meta({ id: 'RefusedSignIn', description: 'How often a key was refused in an hour, from one address.' })
export type RefusedSignIn = z.output<typeof RefusedSignIn>

/** What of a row is shown otherwise than it is stored. */
export const refusedColumns = {
  shows: {
    keyId: sql`nullif(refused_sign_ins.key_id, ${nilId}::uuid)`,
    address: sql`nullif(refused_sign_ins.address, '')`,
  },
}
