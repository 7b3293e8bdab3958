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
import { longestBodyBytes, parseBody } from './body.ts'
import { corsOptions } from './cors.ts'
import { pipelinedStream, toApiError, urlTooLong } from './errors.ts'
import { clientAddress, headerProblem, type TrustedProxies } from './headers.ts'
import { lingering } from './lingering.ts'
import { RequestLog } from './request-log.ts'
import { type ArrivalLimits, answerSocket, closeAfterRest, serverTimeouts, trackConnections } from './sockets.ts'
import { closeStalledConnections } from './unread.ts'

/** A request of which the headers have arrived. */
export type Request = FastifyRequest
/** Sends the response to a request. */
export type Reply = FastifyReply

export interface ServerOptions {
  corsOrigins: readonly string[]
  /** default: none */
  trustedProxies?: TrustedProxies | undefined
  arrival?: ArrivalLimits
  /** how long a client can read nothing of a response before the server closes the connection */
  unreadMs?: number
  metrics: { requests: RequestMetrics }
  logger: FastifyBaseLogger
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    /** the address of the client */
    address: string
    /** releases the bytes that the body counts against the limit of bodies in memory */
    releaseBody: (() => void) | undefined
  }
}

const ordinaryArrival = { requestMs: 30_000, restMs: 5_000 }
const longestUrl = 8_192

/**
 * Creates the HTTP server without any route: sockets, headers, bodies, errors and the log. Only this file imports fastify.
 */
export async function createServer(options: ServerOptions) {
  const { logger, metrics, arrival = ordinaryArrival, unreadMs = 60_000 } = options
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // a logger per request would take as long as writing its line
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
    // `headerProblem` refuses a request without a Host, with the error envelope
    http: { requireHostHeader: false, ...serverTimeouts(arrival) },
    // fastify runs no hooks for these errors
    frameworkErrors: (error, request, reply) => {
      begin(request, reply)
      reply.raw.once('finish', () => log.answered(reply))
      void refuse(withCommonHeaders(reply, request), error)
    },
    routerOptions: { maxParamLength: longestUrl },
    schemaController: { compilersFactory: noSchemas },
  })
  // Node drops no header; `headerProblem` refuses too many
  app.server.maxHeadersCount = 0
  const connections = trackConnections(app.server)
  closeStalledConnections(app.server, connections, unreadMs)
  // ignore an unknown Expect header, as RFC 9110 §10.1.1 allows
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

  const refuse = (reply: Reply, error: unknown) => sendRefusal(reply, answerForError(toApiError(error, reply.request)))

  /** Sends a refusal, which can be ready before the body of the request has arrived. */
  const sendRefusal = (reply: Reply, answer: Answer) => {
    const { request } = reply
    if (request.raw.complete || request.method === 'HEAD' || !closesAfter(reply)) return send(reply, answer)
    const { status, headers, body = '' } = answer
    // the server discards the rest of the body
    request.releaseBody?.()
    reply.code(status).headers(headers).header('content-length', Buffer.byteLength(body))
    return reply.send(lingering(request.raw, body, arrival.restMs))
  }

  app.removeAllContentTypeParsers()
  const parsed = async ({ headers }: Request, body: Buffer) => parseBody(headers as Headers, body)
  for (const type of ['application/json', '*']) app.addContentTypeParser(type, { parseAs: 'buffer' }, parsed)
  app.setErrorHandler((error, _, reply) => refuse(reply, error))
  app.addHook('onRequest', (request, reply, done) => {
    begin(request, reply)
    withCommonHeaders(reply, request)
    done(headerProblem(request.raw) ?? (request.url.length > longestUrl ? urlTooLong : undefined))
  })
  app.addHook('onResponse', (request, reply, done) => {
    closeAfterRest(request.raw, arrival)
    log.answered(reply)
    done()
  })
  if (options.corsOrigins.length > 0) await app.register(cors, corsOptions(options.corsOrigins))

  /** Sends a stream. The log counts it when it begins, and has its line when it ends. */
  const sendStream = (request: Request, reply: Reply, answer: Answer, stream: StreamedAnswer) => {
    const { raw } = reply.code(answer.status).headers(answer.headers)
    // without a socket, it waits behind another response of its connection, which may never end
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
    // no code reads the body of a hijacked request: discard it
    request.raw.resume()
    closeAfterRest(request.raw, arrival)
  }

  return { app, connections, log, sendRefusal, sendStream }
}

/** The server, to add paths to. */
export type ServerApp = Awaited<ReturnType<typeof createServer>>['app']

/** Sends a complete response. */
export function send(reply: Reply, { status, headers, body }: Answer) {
  reply.code(status).headers(headers)
  return body !== undefined && isLong(body) ? sendInPieces(reply, body) : reply.send(body)
}

async function sendInPieces(reply: Reply, body: string | Buffer) {
  const { bytes, stream } = await inPieces(body)
  return reply.header('content-length', bytes).send(stream)
}

/** Whether the connection closes after this response, because fastify, a drain or the client wants that. */
const closesAfter = (reply: Reply) =>
  [reply.getHeader('connection'), reply.raw.getHeader('connection')].includes('close') || !reply.raw.shouldKeepAlive

/** Sets the headers of every response. */
const withCommonHeaders = (reply: Reply, { id }: Request) =>
  reply.headers({ 'x-request-id': id, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })

const requestIdIn = (header: string | string[] | undefined) =>
  typeof header === 'string' && /^[\w.-]{1,128}$/.test(header) ? header : undefined

// no route uses schemas of fastify: this keeps each start from loading the schema compilers
const neverCalled = () => {
  throw new Error('No route has a schema of fastify')
}
const noSchemas = { buildValidator: () => neverCalled, buildSerializer: () => neverCalled }

// characters or bytes; sending a piece blocks the event loop about as long as building a usual page of tasks
const piece = 65_536

/** Whether writing this body at once would block other requests. */
const isLong = (body: string | Buffer): boolean => body.length > 2 * piece

/** Splits a long body: the server sends one piece per turn of the event loop, so other requests run in between. */
export async function inPieces(body: string | Buffer): Promise<{ bytes: number; stream: Readable }> {
  // encode all pieces first: Content-Length needs the number of bytes
  const pieces: Buffer[] = []
  for (let start = 0; start < body.length; ) {
    const end = endOfPiece(body, start + piece)
    pieces.push(typeof body === 'string' ? Buffer.from(body.slice(start, end)) : body.subarray(start, end))
    start = end
    // only strings need a pause: subarray copies nothing
    if (typeof body === 'string') await turn()
  }
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
  return { bytes, stream: Readable.from(oneATurn(pieces), { objectMode: false }) }
}

/** Moves the end of a piece so that it does not split a surrogate pair. */
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
