export { Answer } from './answer.ts'
export type { Fetch } from './attempt.ts'
export type { CallContent, CallOptions } from './call.ts'
export type { Answered, ConnectionOptions } from './connection.ts'
export * from './errors.ts'
export type { EventStreamQuery, EventsWithStream, StreamOptions } from './events/follow.ts'
export { foldName } from './fold-name.ts'
export { eventTypes } from './generated/event-types.ts'
export type * from './generated/operations.ts'
export type * from './generated/requests.ts'
export type * from './generated/schemas.ts'
export { type CursorPage, type OffsetPage, type Page, Pages } from './pages.ts'
export type { Chosen, CursorPages, OffsetPages, Options, With } from './signatures.ts'
export { Taskwright } from './taskwright.ts'
export {
  type ReceivedHeaders,
  type VerificationOptions,
  verifyWebhook,
  WebhookVerificationError,
} from './webhooks.ts'
