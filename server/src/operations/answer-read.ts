import type { Database, TenantDatabase } from '../db/database.ts'
import type { StatementWatch } from '../db/statement-watch.ts'
import type { Cursors } from '../lists/cursor.ts'
import type { Subnet } from '../outgoing/addresses.ts'
import type { Answer } from './answer.ts'
import { DatedReads } from './dated-reads.ts'
import type { KeptPages } from './kept-pages.ts'
import type { LastWrites } from './last-writes.ts'
import { isKnown, listTag, type Question, questionOf } from './question.ts'
import { answerIfUnchanged, renderAnswer } from './render-answer.ts'
import type { Context, Route } from './route.ts'
import { type OperationScope, type Request, runOperation } from './run-operation.ts'
import type { Secrets } from './secrets.ts'
import { prefersStream, readLastEventId, type StreamedAnswer, type Streams, streamHeaders } from './streaming.ts'

/** What reads are answered with. */
export interface ReadServices {
  db: Database
  cursors: Cursors
  secrets?: Secrets | undefined
  allowedSubnets?: readonly Subnet[]
  streams: Streams
  lastWrites: LastWrites
  keptPages: KeptPages
  /** of this server */
  version: string
  /** who is told of the statements of an operation */
  watch?: (route: Route, request: Request) => StatementWatch
  /** whether each answer is checked against the schema that is published for it; for tests */
  checkAnswers: boolean
}

/** A read: of a resource, or of a list or a report, which is not read where the client has it already. */
export async function answerRead(route: Route, request: Request, services: ReadServices, now: Date): Promise<Answer> {
  const db = services.db.forTenant(request.caller.orgId, services.watch?.(route, request))
  if (route.stream && prefersStream(request.headers)) {
    return answerStream(route, route.stream, request, services, scopeOf(services, { db, lookUps: db.lookUps }, now))
  }
  const question = questionOf(route, request, services.version, now)
  if (question) return answerQuestion(route, request, services, { question, db, now })
  const item = await runOperation(route, request, scopeOf(services, { db, lookUps: db.lookUps }, now))
  return renderAnswer(route, request, item, services.checkAnswers)
}

interface Asked {
  question: Question
  db: TenantDatabase
  now: Date
}

async function answerQuestion(
  route: Route,
  request: Request,
  services: ReadServices,
  { question, db, now }: Asked,
): Promise<Answer> {
  const { lastWrites, keptPages } = services
  const mayHaveIt = isKnown(question, request.headers) || keptPages.has(question)
  let asOf = mayHaveIt ? await lastWrites.of(question) : undefined
  const had = asOf && (answerIfUnchanged(route, request, listTag(question, asOf)) ?? keptPages.find(question, asOf))
  if (had) return had
  // of what runs a look-up says nothing that a page could be read by
  if (question.changesByTime) asOf = await lastWrites.before(question)
  const reads = new DatedReads(db, db.lookUps, question.orgId, () => lastWrites.of(question), asOf)
  const item = await runOperation(route, request, scopeOf(services, reads, now))
  const answer = renderAnswer(route, request, item, services.checkAnswers, listTag(question, reads.asOf))
  keptPages.note(question, reads.asOf, answer)
  return answer
}

const scopeOf = (
  { cursors, secrets, allowedSubnets = [] }: ReadServices,
  { db, lookUps }: Pick<OperationScope, 'db' | 'lookUps'>,
  now: Date,
): OperationScope => ({
  ...{ db, lookUps, now, cursors, secrets, allowedSubnets },
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
