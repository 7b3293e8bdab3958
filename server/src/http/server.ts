import { randomUUID } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import cors from '@fastify/cors'
import fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Caller } from '../access/caller.ts'
import type { Headers } from '../contract/headers.ts'
import type { RequestMetrics } from '../monitoring/requests.ts'
import { type Answer, answerForError } from '../operations/answer.ts'
import type { StreamedAnswer } from '../operations/streaming.ts'
import { longestBodyBytes, readBody } from './body.ts'
import { corsOptions } from './cors.ts'
import { pipelinedStream, toApiError, urlTooLong } from './errors.ts'
import { clientAddress, headerProblem, type TrustedProxies } from './headers.ts'
import { lingering } from './lingering.ts'
import { RequestLog } from './request-log.ts'
import { type ArrivalLimits, answerSocket, awaitRest, serverTimeouts, trackConnections } from './sockets.ts'
import { closeUnread } from './unread.ts'

/** A request that has its headers. */
export type Request = FastifyRequest
/** What its answer is sent by. */
export type Reply = FastifyReply

export interface ServerOptions {
  corsOrigins: readonly string[]
  /** which proxies are believed; default: none */
  trustedProxies?: TrustedProxies | undefined
  arrival?: ArrivalLimits
  /** how long a client may take nothing of what waits for it, until its connection is closed */
  unreadMs?: number
  metrics: { requests: RequestMetrics }
  logger: FastifyBaseLogger
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    /** where it came from */
    address: string
    /** gives back what its body took of the budget of bodies */
    releaseBody: (() => void) | undefined
  }
}

const ordinaryArrival = { requestMs: 30_000, restMs: 5_000 }
const longestUrl = 8_192

/**
 * What requests come in by and answers leave by, whatever is asked: sockets, headers, bodies, errors and the log. The only file
 * that imports fastify.
 */
export async function createServer(options: ServerOptions) {
  const { logger, metrics, arrival = ordinaryArrival, unreadMs = 60_000 } = options
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // a logger per request would cost as much as writing its line
    childLoggerFactory: (logger) => logger,
    bodyLimit: longestBodyBytes,
    requestTimeout: arrival.requestMs,
    keepAliveTimeout: 65_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: ({ headers }) => requestIdIn(headers['x-request-id']) ?? randomUUID(),
    clientErrorHandler: (error, socket) => {
      const answered = answerSocket(error, socket, connections.get(socket))
      if (answered) log.unreadable(socket, answered)
    },
    // a request without a Host is refused below, in the envelope
    http: { requireHostHeader: false, ...serverTimeouts(arrival) },
    // hooks do not run for these errors
    frameworkErrors: (error, request, reply) => {
      begin(request, reply)
      reply.raw.once('finish', () => log.answered(reply))
      void refuse(withCommonHeaders(reply, request), error)
    },
    routerOptions: { maxParamLength: longestUrl },
    schemaController: { compilersFactory: noSchemas },
  })
  // none is dropped; refused below
  app.server.maxHeadersCount = 0
  const connections = trackConnections(app.server)
  closeUnread(app.server, connections, unreadMs)
  // an unknown Expect header may be ignored
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.decorateRequest('caller', undefined)
  app.decorateRequest('address', '')
  app.decorateRequest('releaseBody', undefined)

  const addressOf = clientAddress(options.trustedProxies)
  const log = new RequestLog(logger, metrics.requests)
  const begin = (request: Request, reply: Reply) => {
    request.address = addressOf(request.raw.socket.remoteAddress, request.headers as Headers)
    log.begin(reply)
  }

  const refuse = (reply: Reply, error: unknown) => {
    const { request } = reply
    const answer = answerForError(toApiError(error, request))
    if (request.raw.complete || request.method === 'HEAD' || !closesAfter(reply)) return send(reply, answer)
    const { status, headers, body = '' } = answer
    // what still comes is not kept
    request.releaseBody?.()
    reply.code(status).headers(headers).header('content-length', Buffer.byteLength(body))
    return reply.send(lingering(request.raw, body, arrival.restMs))
  }

  app.removeAllContentTypeParsers()
  const parsed = async ({ headers }: Request, body: Buffer) => readBody(headers as Headers, body)
  for (const type of ['application/json', '*']) app.addContentTypeParser(type, { parseAs: 'buffer' }, parsed)
  app.setErrorHandler((error, _, reply) => refuse(reply, error))
  app.addHook('onRequest', (request, reply, done) => {
    begin(request, reply)
    withCommonHeaders(reply, request)
    done(headerProblem(request.raw) ?? (request.url.length > longestUrl ? urlTooLong : undefined))
  })
  app.addHook('onResponse', (request, reply, done) => {
    awaitRest(request.raw, arrival)
    log.answered(reply)
    done()
  })
  if (options.corsOrigins.length > 0) await app.register(cors, corsOptions(options.corsOrigins))

  /** A stream is counted when it begins, and gets its line in the log when it is over, whoever ended it. */
  const sendStream = (request: Request, reply: Reply, answer: Answer, stream: StreamedAnswer) => {
    const { raw } = reply.code(answer.status).headers(answer.headers)
    // it waits behind another answer of its connection, which may have no end
    const waits = raw.socket === null
    if (waits || request.method === 'HEAD') stream.abandon()
    if (waits) throw pipelinedStream
    if (request.method === 'HEAD') return reply.send()
    reply.hijack()
    log.streamed(reply, answer.status)
    raw.once('close', () => log.streamEnded(reply, stream.summary()))
    raw.writeHead(answer.status, reply.getHeaders() as OutgoingHttpHeaders)
    raw.flushHeaders()
    stream.begin(raw)
    // nobody reads a body
    request.raw.resume()
    awaitRest(request.raw, arrival)
  }

  return { app, connections, log, sendStream }
}

/** Sends an answer that is finished. */
export function send(reply: Reply, { status, headers, body }: Answer) {
  reply.code(status).headers(headers)
  return body !== undefined && isLong(body) ? sendInPieces(reply, body) : reply.send(body)
}

async function sendInPieces(reply: Reply, body: string | Buffer) {
  const { bytes, stream } = await inPieces(body)
  return reply.header('content-length', bytes).send(stream)
}

/** Whether the connection ends with this answer: fastify, a drain or the client wants it so. */
const closesAfter = (reply: Reply) =>
  [reply.getHeader('connection'), reply.raw.getHeader('connection')].includes('close') || !reply.raw.shouldKeepAlive

/** What every answer carries. */
const withCommonHeaders = (reply: Reply, { id }: Request) =>
  reply.headers({ 'x-request-id': id, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })

const requestIdIn = (header: string | string[] | undefined) =>
  typeof header === 'string' && /^[\w.-]{1,128}$/.test(header) ? header : undefined

// bodies are read and answers written without fastify's schemas: what would compile them is not loaded at each start
const neverCalled = () => {
  throw new Error('No route has a schema of fastify')
}
const noSchemas = { buildValidator: () => neverCalled, buildSerializer: () => neverCalled }

// characters of a text, or bytes; the event loop takes about as long for them as for all that makes a page of usual tasks
const piece = 65_536

/** Whether others would wait while this body is written in one go. */
const isLong = (body: string | Buffer): boolean => body.length > 2 * piece

/** A long body as it is sent: a piece in each turn of the event loop, which others have in between. */
export async function inPieces(body: string | Buffer): Promise<{ bytes: number; stream: Readable }> {
  // all of them first, as their length stands before the first one
  const pieces: Buffer[] = []
  for (let start = 0; start < body.length; ) {
    const end = endOfPiece(body, start + piece)
    pieces.push(typeof body === 'string' ? Buffer.from(body.slice(start, end)) : body.subarray(start, end))
    start = end
    // a part of a buffer is no copy of it
    if (typeof body === 'string') await turn()
  }
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
  return { bytes, stream: Readable.from(oneATurn(pieces), { objectMode: false }) }
}

/** Ends between characters: some are two units of a text. */
function endOfPiece(body: string | Buffer, end: number): number {
  const unit = typeof body === 'string' ? body.charCodeAt(end - 1) : 0
  return unit >= 0xd800 && unit < 0xdc00 ? end + 1 : end
}

async function* oneATurn(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const bytes of pieces) {
    yield bytes
    await turn()
  }
}
