import type { Subnet } from '../contract/addresses.ts'
import type { Db } from '../db/db.ts'
import type { Database } from '../db/pool/database.ts'
import type { StatementWatch } from '../db/pool/statement-watch.ts'
import type { Cursors } from '../lists/cursor.ts'
import type { Answer } from './answer.ts'
import type { Context, LinkSettings } from './context.ts'
import { type RenderServices, renderAnswer } from './render-answer.ts'
import type { Route } from './route.ts'
import { type OperationScope, type Request, runOperation } from './run-operation.ts'
import type { Secrets } from './secrets.ts'
import { prefersStream, readLastEventId, type StreamedAnswer, type Streams, streamHeaders } from './streaming.ts'

/** The dependencies of reads. */
export interface ReadServices extends RenderServices {
  db: Database
  cursors: Cursors
  secrets?: Secrets | undefined
  links: LinkSettings
  allowedSubnets?: readonly Subnet[]
  streams: Streams
  version: string
  /** observes the statements of an operation */
  watch?: (route: Route) => StatementWatch
}

/** Serves a read: of a resource, a list or a report, or a stream. */
export async function answerRead(route: Route, request: Request, services: ReadServices, now: Date): Promise<Answer> {
  const db = services.db.watchedBy(services.watch?.(route))
  const scope = scopeOf(services, db, now)
  if (route.stream && prefersStream(request.headers)) {
    return answerStream(route, route.stream, request, services, scope)
  }
  const item = await runOperation(route, request, scope)
  return renderAnswer(route, request, item, services)
}

const scopeOf = (
  { cursors, secrets, links, allowedSubnets = [] }: ReadServices,
  db: Db,
  now: Date,
): OperationScope => ({
  ...{ db, now, cursors, secrets, links, allowedSubnets },
  emit: emitNothing,
  runNested: refuseNestedWrites,
})

const emitNothing = () => {}
const refuseNestedWrites = () => Promise.reject(new Error('A read runs no other operations'))

/** A stream begins after the same checks as any other read. */
async function answerStream(
  route: Route,
  wanted: NonNullable<Route['stream']>,
  request: Request,
  { streams }: ReadServices,
  scope: OperationScope,
): Promise<Answer> {
  const handle = (context: Context) => streams.open(wanted(context, readLastEventId(request.headers)))
  const stream = (await runOperation({ ...route, handle }, request, scope)) as StreamedAnswer
  return { status: 200, headers: streamHeaders, body: undefined, stream }
}
