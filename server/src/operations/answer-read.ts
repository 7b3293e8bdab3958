import type { Db } from '../db/db.ts'
import type { Database } from '../db/pool/database.ts'
import type { StatementWatch } from '../db/pool/statement-watch.ts'
import type { Cursors } from '../lists/cursor.ts'
import type { Subnet } from '../outgoing/addresses.ts'
import type { Answer } from './answer.ts'
import { type CacheKey, cacheKeyOf, isKnown, listTag } from './cache-key.ts'
import type { Context } from './context.ts'
import { DatedReads } from './dated-reads.ts'
import type { LastWrites } from './last-writes.ts'
import type { PageCache } from './page-cache.ts'
import { answerIfUnchanged, type RenderServices, renderAnswer } from './render-answer.ts'
import type { Route } from './route.ts'
import { type OperationScope, type Request, runOperation } from './run-operation.ts'
import type { Secrets } from './secrets.ts'
import { prefersStream, readLastEventId, type StreamedAnswer, type Streams, streamHeaders } from './streaming.ts'

/** What reads are answered with. */
export interface ReadServices extends RenderServices {
  db: Database
  cursors: Cursors
  secrets?: Secrets | undefined
  allowedSubnets?: readonly Subnet[]
  streams: Streams
  lastWrites: LastWrites
  pageCache: PageCache
  /** of this server */
  version: string
  /** who is told of the statements of an operation */
  watch?: (route: Route) => StatementWatch
}

/** A read: of a resource, or of a list or a report, which is not read where the client has it already. */
export async function answerRead(route: Route, request: Request, services: ReadServices, now: Date): Promise<Answer> {
  const db = services.db.watchedBy(services.watch?.(route))
  if (route.stream && prefersStream(request.headers)) {
    return answerStream(route, route.stream, request, services, scopeOf(services, db, now))
  }
  const cacheKey = cacheKeyOf(route, request, services.version, now)
  if (cacheKey) return answerCacheable(route, request, services, { cacheKey, db, now })
  const item = await runOperation(route, request, scopeOf(services, db, now))
  return renderAnswer(route, request, item, services)
}

interface Asked {
  cacheKey: CacheKey
  db: Db
  now: Date
}

async function answerCacheable(
  route: Route,
  request: Request,
  services: ReadServices,
  { cacheKey, db, now }: Asked,
): Promise<Answer> {
  const { lastWrites, pageCache } = services
  const mayHaveIt = isKnown(cacheKey, request.headers) || pageCache.has(cacheKey)
  let asOf = mayHaveIt ? await lastWrites.of(cacheKey) : undefined
  const had = asOf && (answerIfUnchanged(route, request, listTag(cacheKey, asOf)) ?? pageCache.find(cacheKey, asOf))
  if (had) return had
  // while a timer runs, a look-up cannot tell which page is current
  if (cacheKey.changesByTime) asOf = await lastWrites.ofUnlessTimerRuns(cacheKey)
  const reads = new DatedReads(db, cacheKey.orgId, () => lastWrites.of(cacheKey), asOf)
  const item = await runOperation(route, request, scopeOf(services, reads.db, now))
  const answer = renderAnswer(route, request, item, services, listTag(cacheKey, reads.asOf))
  pageCache.note(cacheKey, reads.asOf, answer)
  return answer
}

const scopeOf = ({ cursors, secrets, allowedSubnets = [] }: ReadServices, db: Db, now: Date): OperationScope => ({
  ...{ db, now, cursors, secrets, allowedSubnets },
  emit: emitNothing,
  runNested: refuseNestedWrites,
})

const emitNothing = () => {}
const refuseNestedWrites = () => Promise.reject(new Error('A read runs no other operations'))

/** A stream passes the checks of any other read, and begins once they are done. */
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
