import { z } from 'zod'
import { Id, Timestamp } from '../../contract/fields.ts'

/** The number of an event in its organization, in the order of the commits. */
export const Sequence = z
  .int()
  .min(1)
  .max(Number.MAX_SAFE_INTEGER)
  .meta({
    description:
      'The position in the event log of the organization. Sequences have no gaps. They follow the order in which ' +
      'the changes took effect.',
    examples: [1204],
  })

/** A change. The feed, streams and webhooks share this one shape. */
export const Event = z
  .strictObject({
    id: Id.meta({ description: 'The same every time you receive the event.' }),
    sequence: Sequence,
    type: z
      .string()
      .max(64)
      .meta({
        description: 'The type of the resource and what happened to it.',
        pattern: '^[a-z_]+\\.[a-z_]+$',
        examples: ['task.created'],
      }),
    actor: z.strictObject({
      memberId: Id.nullable().meta({
        description: 'The member who made the change. Null: the operator, the command line or the server itself.',
      }),
      apiKeyId: Id.nullable().meta({
        description: 'The API key that was used. Only owners, admins and the member itself see it.',
      }),
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
      .meta({ description: 'The resource that changed. For a project member, this is the id of the member.' }),
    projectId: Id.nullable().meta({ description: 'Null if the resource belongs to the whole organization.' }),
    changes: z
      .record(
        z.string().max(64).meta({ pattern: '^[A-Za-z]+$' }),
        z.strictObject({
          from: z.unknown().optional(),
          to: z.unknown(),
          shortened: z.literal(true).optional().meta({
            description: 'True if a text was longer than 510 characters: it is cut and ends with an ellipsis.',
          }),
        }),
      )
      .meta({
        description: 'The fields that the update changed.',
        examples: [{ priority: { from: 'none', to: 'high' } }],
      }),
    snapshot: z.record(z.string().max(64).meta({ pattern: '^[A-Za-z]+$' }), z.unknown()).meta({
      description:
        'The resource after the change, or before it if the resource was deleted. A long text is left out if it did ' +
        'not change.',
      examples: [{ id: '0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f', name: 'Paint it blue', priority: 'high' }],
    }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Event', description: 'A change: what changed, who changed it, and the old and new values.' })
export type Event = z.output<typeof Event>

/** An event in the history of a resource: without the snapshot. */
export const PastEvent = Event.omit({ snapshot: true }).extend({ resourceId: Id }).meta({
  id: 'PastEvent',
  description: 'A change of a resource: what changed, who changed it, and the old and new values.',
})
export type PastEvent = z.output<typeof PastEvent>

/** The range of events that can be read. */
export const Head = z
  .strictObject({
    oldest: Sequence.meta({
      description: 'The oldest event that is stored. If there is none, the next event: `latest` + 1.',
    }),
    latest: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .meta({
        description:
          'The latest event of the organization, even if it is no longer stored or you cannot see it. 0 before the ' +
          'first event.',
        examples: [1204],
      }),
  })
  .meta({ id: 'EventsHead', description: 'The range of events that you can read.' })
