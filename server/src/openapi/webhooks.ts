import type { EventType } from '../events/event-type.ts'
import { exampleOf, type Json, schemaOf } from './schemas.ts'

/** The webhook requests: one for each type of event, by its name. */
export const webhooksOf = (eventTypes: readonly EventType[], named: Record<string, Json>): Json =>
  Object.fromEntries(eventTypes.map((eventType) => [eventType.type, { post: delivery(eventType, named) }]))

function delivery({ type, description, snapshot }: EventType, named: Record<string, Json>): Json {
  const [noun = '', verb = ''] = type.split('.')
  const { resource } = (named.Event?.properties ?? {}) as Record<string, Json>
  const shown = schemaOf(snapshot, 'output')
  const properties = {
    type: { const: type },
    resource: { ...resource, properties: { ...(resource?.properties as Json), type: { const: noun } } },
    snapshot: shown,
  }
  const example = {
    ...(exampleOf(event, named) as Json),
    type,
    resource: exampleOf(properties.resource, named),
    ...(verb === 'updated' ? {} : { changes: {} }),
    snapshot: exampleOf(shown, named),
  }
  return {
    operationId: `receive${type.replace(/(^|[._])(\w)/g, (_, __, letter: string) => letter.toUpperCase())}`,
    summary: type,
    description: `${description} Sent to the webhooks that subscribe to it.`,
    tags: ['Event'],
    // the signature authenticates the sender
    security: [],
    parameters: Object.keys(deliveryParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { allOf: [event, { type: 'object', properties }] }, example } },
    },
    responses: Object.fromEntries(
      Object.keys(deliveryResponses).map((name) => [statuses[name], { $ref: `#/components/responses/${name}` }]),
    ),
  }
}

const event = { $ref: '#/components/schemas/Event' }

const statuses: Record<string, string> = { Delivered: '2XX', Unwanted: '410', Undelivered: 'default' }

/** The responses of a receiver, and how the server reacts. */
export const deliveryResponses: Record<string, Json> = {
  Delivered: { description: 'The event arrived. It is not sent again.' },
  Unwanted: { description: 'The receiver wants no more events. The server disables the webhook.' },
  Undelivered: {
    description:
      'Any other response, including a redirect, or no complete response within 15 seconds. The server sends the ' +
      'event again with the same webhook-id, up to ten times in three days. It waits as long as Retry-After says.',
  },
}

/** The headers of a webhook request. @see Standard Webhooks 1.0.0 */
export const deliveryParameters: Record<string, Json> = {
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description:
      'The id of the event, the same for every attempt. Store it, so you can ignore an event that you already ' +
      'processed.',
    schema: { type: 'string', format: 'uuid', maxLength: 36, examples: ['0198c0de-7a5b-8c3d-8e4f-5a6b7c8d9e0f'] },
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description:
      'When the server made this attempt, in seconds since 1970. Refuse old timestamps, so nobody can send you a ' +
      'copy later.',
    schema: { type: 'string', maxLength: 20, pattern: '^[0-9]+$', examples: ['1767225600'] },
  },
  WebhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'HMAC-SHA256 of `webhook-id.webhook-timestamp.body` with the secret of the webhook: `v1,` and the Base64 ' +
      'value. During a rotation there are two signatures, separated by a space.',
    schema: {
      ...{ type: 'string', minLength: 47, maxLength: 95, pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$' },
      examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
    },
  },
}
