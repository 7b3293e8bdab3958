import { z } from 'zod'
import { type Caller, everyone } from '../../access/caller.ts'
import { leadsAll } from '../../access/visibility.ts'
import { Id, Timestamp } from '../../contract/fields.ts'
import { sql } from '../../db/sql.ts'
import { offsetPageOf, offsetQuery } from '../../lists/page.ts'
import { route } from '../../operations/route.ts'
import { prerenderedPageOnTask, taskKey } from '../tasks/lists-on-task.ts'

/** Something that changed. */
export const Event = z
  .strictObject({
    sequence: z
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .nullable()
      .meta({
        description:
          'Counts the events of the organization, without gaps. Null for who does not lead the organization: how much happens ' +
          'elsewhere in it is not theirs to see.',
      }),
    type: z
      .string()
      .max(64)
      .meta({
        description: 'The noun and what happened to it.',
        pattern: '^[a-z_]+\\.[a-z_]+$',
        examples: ['task.created'],
      }),
    actor: z.strictObject({
      memberId: Id.nullable().meta({ description: 'Null: the operator, or the command line.' }),
      apiKeyId: Id.nullable().meta({ description: 'Shown to owners, admins and the member itself.' }),
    }),
    requestId: z
      .string()
      .max(128)
      .meta({ pattern: '^[A-Za-z0-9_.-]+$', examples: ['5f3c7b1e-0d6a-4a53-9d0f-2f0c6c1f8f10'] }),
    resourceId: Id,
    projectId: Id.nullable(),
    changes: z
      .record(
        z.string().max(64).meta({ pattern: '^[A-Za-z]+$' }),
        z.strictObject({
          from: z.unknown().optional(),
          to: z.unknown(),
          shortened: z.literal(true).optional().meta({
            description: 'Of texts longer than 510 characters only the beginning stands here, and an ellipsis.',
          }),
        }),
      )
      .meta({
        description: 'The fields that an update changed.',
        examples: [{ priority: { from: 'none', to: 'high' } }],
      }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Event', description: 'Something that changed: what, by whom, and from what to what.' })
export type Event = z.output<typeof Event>

/** The order of events is everybody's; the organization's count of them, and the keys of others, are for who leads it. */
const columns = (caller: Caller) => {
  const leads = leadsAll(caller)
  const key = leads
    ? sql`events.actor_key_id`
    : sql`case when events.actor_id = ${caller.memberId} then events.actor_key_id end`
  return sql`${leads ? sql`events.sequence` : sql`null::bigint`} as sequence, events.type,
    json_build_object('memberId', events.actor_id, 'apiKeyId', ${key}) as actor,
    events.request_id as "requestId", events.resource_id as "resourceId", events.project_id as "projectId",
    events.changes, to_char(events.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt"`
}

export const events = [
  route('GET /tasks/{id}/history', {
    summary: 'List what happened to a task, newest first',
    description: 'In the last 30 days, or as long as the setting EVENT_RETENTION says.',
    roles: everyone,
    accepts: taskKey,
    query: z.strictObject({ ...offsetQuery }),
    returns: offsetPageOf(Event),
    handle: (asked) =>
      prerenderedPageOnTask<Event>(asked, {
        prerendered: sql`(select row_to_json(event)::text from (select ${columns(asked.caller)}) event)`,
        from: (taskId) => sql`events where events.org_id = ${asked.caller.orgId} and events.resource_id = ${taskId}`,
        order: sql`events.sequence desc`,
      }),
  }),
]
