import { z } from 'zod'
import { Id, Timestamp } from '../../contract/fields.ts'

/** Counts the events of an organization, in the order of their commits. */
export const Sequence = z
  .int()
  .min(1)
  .max(Number.MAX_SAFE_INTEGER)
  .meta({
    description: 'Counts the events of the organization, without gaps, in the order in which they took effect.',
    examples: [1204],
  })

/** Something that changed: the one shape of an event, in the feed, in streams and in what webhooks are sent. */
export const Event = z
  .strictObject({
    id: Id.meta({ description: 'Stays the same wherever and however often the event is shown.' }),
    sequence: Sequence,
    type: z
      .string()
      .max(64)
      .meta({
        description: 'The noun and what happened to it.',
        pattern: '^[a-z_]+\\.[a-z_]+$',
        examples: ['task.created'],
      }),
    actor: z.strictObject({
      memberId: Id.nullable().meta({ description: 'Null: the operator, the command line, or the server itself.' }),
      apiKeyId: Id.nullable().meta({ description: 'Shown to owners, admins and the member itself.' }),
    }),
    requestId: z
      .string()
      .max(128)
      .meta({ pattern: '^[A-Za-z0-9_.-]+$', examples: ['5f3c7b1e-0d6a-4a53-9d0f-2f0c6c1f8f10'] }),
    resource: z
      .strictObject({
        type: z
          .string()
          .max(64)
          .meta({ pattern: '^[a-z_]+$', examples: ['task'] }),
        id: Id,
      })
      .meta({ description: 'What it happened to. A member of a project has the id of the member.' }),
    projectId: Id.nullable().meta({ description: 'Null: it belongs to the whole organization.' }),
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
    snapshot: z.record(z.string().max(64).meta({ pattern: '^[A-Za-z]+$' }), z.unknown()).meta({
      description:
        'The resource after the change; when it was deleted, before it. A long text is left out where the change did not touch it.',
      examples: [{ id: '0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f', name: 'Paint it blue', priority: 'high' }],
    }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Event', description: 'Something that changed: what, by whom, and from what to what.' })
export type Event = z.output<typeof Event>

/** An event in the history of a resource: the same without the resource as it was. */
export const PastEvent = Event.omit({ snapshot: true }).extend({ resourceId: Id }).meta({
  id: 'PastEvent',
  description: 'Something that happened to a resource: what, by whom, and from what to what.',
})
export type PastEvent = z.output<typeof PastEvent>

/** What of the log can be read. */
export const Head = z
  .strictObject({
    oldest: Sequence.meta({
      description: 'The oldest event that is kept. Where none is, the one to come: latest + 1.',
    }),
    latest: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .meta({
        description:
          'The latest event of the organization, kept or not, whether you see it or not; 0 before the first.',
        examples: [1204],
      }),
  })
  .meta({ id: 'EventsHead', description: 'Which events there are.' })
