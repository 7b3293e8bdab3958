import { z } from 'zod'
import { Id } from '../../contract/fields.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { eventColumns } from '../../events/log.ts'
import { includable } from '../../lists/include.ts'
import { serverItself } from '../../operations/changes.ts'
import { PastEvent } from '../events/event.ts'
import { actingMember } from '../events/include.ts'

const { actor, resource } = PastEvent.shape

/** An administrative act. */
const AuditEntry = PastEvent.omit({ resourceId: true })
  .extend({
    actor: actor.extend({
      kind: z.enum(['member', 'operator', 'server']).meta({
        description:
          'operator: who runs the instance, by its token or on the command line. server: what runs by itself.',
      }),
      apiKeyId: Id.nullable(),
    }),
    resource: resource
      .extend({
        name: z
          .string()
          .max(255)
          .meta({ pattern: '^[^\\u0000]*$', examples: ['Robot'] })
          .nullable()
          .meta({ description: 'What it was called then. Null: it has no name, or its event is no longer kept.' }),
      })
      .meta({ description: 'What it was done to. A member of a project has the id of the member.' }),
    changes: z
      .record(
        z.string().max(64).meta({ pattern: '^[A-Za-z]+$' }),
        z.strictObject({
          from: z.unknown().optional(),
          to: z.unknown().optional(),
          shortened: z.literal(true).optional(),
        }),
      )
      .meta({
        description:
          'The fields that an update changed. Once its event is no longer kept, of most of them without their values: {}.',
      }),
  })
  .meta({ id: 'AuditEntry', description: 'An administrative act: what was done, to what, by whom, with which key.' })
type AuditEntry = z.output<typeof AuditEntry>

/** What may be included beside an entry. */
export const besideEntry = includable<AuditEntry>(AuditEntry, 'An administrative act', { member: actingMember() })

/** The columns of an entry, of a row of `events` or of one of `audit_entries` under that name. @param name what it is called */
export const entryColumns = (name: Sql): Sql => sql`${eventColumns(sql`true`)}, ${name} as name,
  case when events.actor_id is not null then 'member'
    when events.request_id = any(${serverItself}::text[]) then 'server' else 'operator' end as kind`

/** A row of these columns. */
export type EntryRow = Omit<AuditEntry, 'actor' | 'resource'> & {
  actor: Omit<AuditEntry['actor'], 'kind'>
  resource: Omit<AuditEntry['resource'], 'name'>
  kind: AuditEntry['actor']['kind']
  name: string | null
}

/** A row as it is shown. */
export const entryOf = ({ kind, name, actor, resource, ...row }: EntryRow): AuditEntry => ({
  ...row,
  actor: { kind, ...actor },
  resource: { ...resource, name },
})
