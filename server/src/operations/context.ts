import type { Caller, ProjectRole } from '../access/caller.ts'
import type { Subnet } from '../contract/addresses.ts'
import type { Db } from '../db/db.ts'
import type { Emit } from '../events/outbox.ts'
import type { Cursors } from '../lists/cursor.ts'
import type { Answer } from './answer.ts'
import type { Secrets } from './secrets.ts'

/** The input of a handler, after all checks: authenticated, found, allowed, valid. `db` is its transaction. */
export interface Context<
  Params = unknown,
  Query = unknown,
  Body = unknown,
  Item = unknown,
  References = unknown,
  Read = unknown,
  Emitted extends string = string,
> {
  db: Db
  caller: Caller
  params: Params
  query: Query
  body: Body
  target: Item
  role: ProjectRole
  references: References
  preloaded: Read
  /** accepts only the types that the route `emits` */
  emit: Emit<Emitted>
  /** the time of the request, the same for all its changes */
  now: string
  cursors: Cursors
  /** seals secrets for the database; absent: this server has no SECRET_KEY */
  secrets: Secrets | undefined
  links: LinkSettings
  /** subnets to which the server may send requests although they are not public */
  allowedSubnets: readonly Subnet[]
  /** runs another operation in the same transaction, with all its checks, as the same caller */
  runNested: (operation: NestedWrite) => Promise<Answer>
}

/** How the server brings links to people. */
export interface LinkSettings {
  /** the URL that people open, without a slash at the end */
  publicUrl(): string
  /** whether the server sends mail */
  mails: boolean
}

/** The context of writes that operations share with jobs and commands. */
export interface WriteContext<Emitted extends string> {
  db: Db
  orgId: string
  /** absent: the operator, or a job */
  caller?: Caller
  emit: Emit<Emitted>
  now: string
}

/** A write inside another one. */
export interface NestedWrite {
  method: Method
  /** below /api/v1, with its query */
  path: string
  body?: unknown
  /** the ETag that the resource must still have */
  ifMatch?: string | undefined
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
