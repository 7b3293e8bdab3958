import { randomUUID } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import cors from '@fastify/cors'
import fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { type Caller, operator } from '../access/caller.ts'
import { ApiError, notFound } from '../contract/errors.ts'
import type { Headers } from '../contract/headers.ts'
import { ActiveTenants } from '../db/work-budget.ts'
import { createMcp, refuseForeignOrigin } from '../mcp/mcp.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { type Answer, answerForError, prefix } from '../operations/answer.ts'
import { answerRequest, type Services } from '../operations/answer-request.ts'
import { KeptPages } from '../operations/kept-pages.ts'
import { LastWrites } from '../operations/last-writes.ts'
import type { Route } from '../operations/route.ts'
import { createRouter } from '../operations/router.ts'
import type { StreamedAnswer, Streams } from '../operations/streaming.ts'
import type { RequestTrace, Telemetry } from '../telemetry/telemetry.ts'
import { isJson, longestBodyBytes, readBody } from './body.ts'
import { BodyBudget } from './body-budget.ts'
import { BulkPlaces } from './bulks.ts'
import { clientAddress, type TrustedProxies } from './client-address.ts'
import { type Compress, createCompression } from './compression.ts'
import type { CompressionShares } from './compression-time.ts'
import { corsOptions } from './cors.ts'
import { type DrainLimits, drain } from './draining.ts'
import { pipelinedStream, toApiError, urlTooLong } from './errors.ts'
import { headerProblem } from './headers.ts'
import { openPaths } from './open-paths.ts'
import { limitPipelines } from './pipelining.ts'
import { createRateLimiter, type RateLimit } from './rate-limit.ts'
import { RequestLog } from './request-log.ts'
import { type ArrivalLimits, answerSocket, awaitRest, serverTimeouts, trackConnections } from './sockets.ts'
import { Turns } from './turns.ts'

export interface AppOptions extends Omit<Services, 'router' | 'lastWrites' | 'keptPages' | 'watch'> {
  streams: Streams & { end(): void }
  routes: readonly Route[]
  corsOrigins: readonly string[]
  /** the host that the server listens on */
  host?: string
  /** which proxies are believed; default: none */
  trustedProxies?: TrustedProxies | undefined
  /** of each member */
  rateLimit?: RateLimit | undefined
  /** of each organization; default: ten times that of a member */
  organizationRateLimit?: RateLimit | undefined
  arrival?: ArrivalLimits
  /** whether bodies are compressed; default: yes */
  compression?: boolean
  compressionShares?: CompressionShares
  /** whether agents are answered at /mcp; default: yes */
  mcp?: boolean
  /** how many bytes the pages that are kept may take; default: none is kept */
  keptBytes?: number
  /** what the database must take for the server to be ready */
  readyWhen?: 'reads' | 'writes'
  metrics: Metrics
  /** who is told of each request; default: nobody */
  telemetry?: Pick<Telemetry, 'request'> | undefined
  logger: FastifyBaseLogger
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    /** where it came from */
    address: string
    trace: RequestTrace | undefined
  }
}

const ordinaryArrival = { requestMs: 30_000, restMs: 5_000 }
const longestUrl = 8_192
// requests of one connection that are answered at a time
const mostPipelined = 32
const mcpDoors = [
  { url: '/mcp', readOnly: false },
  { url: '/mcp/readonly', readOnly: true },
]

/** The server in front of the routes: sockets, paths, JSON and the envelope. The only file that knows fastify. */
export async function createApp(options: AppOptions) {
  const { routes, logger, authenticator, metrics, arrival = ordinaryArrival, compression = true } = options
  let ending = false
  const open = openPaths({ ...options, compression, isEnding: () => ending })
  const doors = options.mcp === false ? [] : mcpDoors
  const read = [...open.keys()].map((path) => [path, 'GET'] as const)
  const router = createRouter(routes, new Map([...read, ...doors.map(({ url }) => [url, 'POST'] as const)]))
  const keptPages = new KeptPages(options.keptBytes ?? 0, metrics.keptPages)
  // an organization may be deleted
  authenticator.onInvalidation((orgId) => keptPages.forget(orgId))
  const watch: Services['watch'] = ({ name }, { trace }) => {
    const counted = metrics.statements.of(name)
    return trace?.statements(name, counted) ?? counted
  }
  const services = { ...options, router, lastWrites: new LastWrites(options.db), keptPages, watch }
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
      send(withCommonHeaders(reply, request), answerForError(toApiError(error, request)))
    },
    routerOptions: { maxParamLength: longestUrl },
    schemaController: { compilersFactory: noSchemas },
  })
  // none is dropped; refused below
  app.server.maxHeadersCount = 0
  limitPipelines(app.server, mostPipelined)
  const connections = trackConnections(app.server)
  // an unknown Expect header may be ignored
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.decorateRequest('caller', undefined)
  app.decorateRequest('address', '')
  app.decorateRequest('trace', undefined)

  const addressOf = clientAddress(options.trustedProxies)
  const log = new RequestLog(logger, metrics.requests)
  const begin = (request: FastifyRequest, reply: FastifyReply) => {
    request.address = addressOf(request.raw.socket.remoteAddress, request.headers as Headers)
    request.trace = options.telemetry?.request(request.method, request.headers)
    log.begin(reply)
  }

  app.removeAllContentTypeParsers()
  const parsed = async ({ headers }: FastifyRequest, body: Buffer) => readBody(headers as Headers, body)
  for (const type of ['application/json', '*']) app.addContentTypeParser(type, { parseAs: 'buffer' }, parsed)
  app.setErrorHandler((error, request, reply) => send(reply, answerForError(toApiError(error, request))))
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
  const sendStream = (request: FastifyRequest, reply: FastifyReply, answer: Answer, stream: StreamedAnswer) => {
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

  const { rateLimit: member, organizationRateLimit: organization } = options
  const limiter = createRateLimiter({ member, organization })
  const bodies = new BodyBudget(longestBodyBytes)
  const compress: Compress = compression
    ? createCompression(metrics.compression, options.compressionShares)
    : (answer) => answer
  const active = new ActiveTenants()
  const turns = new Turns(active)
  const bulkPlaces = new BulkPlaces(active)
  /** Counts a request of a caller that was authenticated, and once it has its turn its body until the answer is sent. */
  const admit = async (request: FastifyRequest, reply: FastifyReply, caller: Caller) => {
    request.caller = caller
    if (limiter) reply.headers(limiter.count(caller, performance.now()))
    const turn = turns.begin(caller.orgId, request.raw.socket)
    if (turn) await turn
    const arrived = bodies.begin(caller.orgId, request.raw)
    reply.raw.once('close', arrived)
    const { headers } = request
    // the content type of an empty body does not matter
    if (headers['content-type'] !== undefined && !isJson(headers as Headers)) delete headers['content-type']
    return arrived
  }
  for (const route of routes) {
    const url = prefix + route.path.replace(/\{(\w+)\}/g, ':$1')
    app.route({
      method: route.method,
      url,
      onRequest: async (request, reply) => {
        if (route.method !== 'GET' && (request.query as Query).dryRun === 'true') reply.header('dry-run', 'true')
        const headers = request.headers as Headers
        const caller =
          route.roles === operator
            ? await authenticator.operator(headers)
            : await authenticator.member(headers, request.address)
        const arrived = await admit(request, reply, caller)
        // a stream is not over soon
        if (route.stream) request.raw.once('end', arrived)
      },
      handler: async (request, reply) => {
        const asked = requestOf(request)
        const answering = () => answerRequest(route, asked, services)
        const { stream, ...answer } =
          route.name === 'bulk'
            ? await bulkPlaces.run(asked.caller.orgId, request.raw.socket, answering)
            : await answering()
        if (stream) return sendStream(request, reply, answer, stream)
        // beside what a caller chose a secret would show in how short the body gets (BREACH)
        return send(reply, route.secret ? answer : await compress(answer, readerOf(request)))
      },
    })
  }
  const answerMcp = createMcp(services, (error) =>
    logger.warn({ err: error }, 'a message of an agent was not answered'),
  )
  for (const { url, readOnly } of doors) {
    app.route({
      method: 'POST',
      url,
      onRequest: async (request, reply) => {
        const headers = request.headers as Headers
        refuseForeignOrigin(request.headers.origin, options.corsOrigins)
        await admit(request, reply, await authenticator.member(headers, request.address))
      },
      handler: async (request, reply) => {
        const gone = new AbortController()
        reply.raw.once('close', () => gone.abort())
        const answer = await answerMcp({
          ...requestOf(request),
          ...{ readOnly, signal: gone.signal },
          failure: (error) => toApiError(error, request),
          note: (said) => log.note(request, said),
        })
        return send(reply, await compress(answer, readerOf(request)))
      },
    })
  }
  for (const [path, answer] of open) {
    app.get(path, async (request, reply) => {
      const compressed = async (plain: Answer) => compress(plain, readerOf(request))
      return send(reply, await answer(request.headers as Headers, compressed, pathOf(request)))
    })
  }
  // before the body is read, for which the request could be refused with another status
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    answerUnknownPath(services.router.methodsAt(pathOf(request)), request, reply).catch(done)
  })
  return {
    app,
    /** makes /readyz say that the server is shutting down; requests are still answered */
    announceShutdown() {
      ending = true
    },
    async drain(limits: DrainLimits) {
      ending = true
      await drain(app.server, connections, { ...limits, endStreams: () => options.streams.end() })
      await app.close()
    },
  }
}

// bodies are read and answers written without fastify's schemas: what would compile them is not loaded at each start
const neverCalled = () => {
  throw new Error('No route has a schema of fastify')
}
const noSchemas = { buildValidator: () => neverCalled, buildSerializer: () => neverCalled }

interface Query {
  dryRun?: unknown
}

function requestOf(request: FastifyRequest) {
  const { caller, params, query, body, url, id, trace } = request
  if (caller === undefined) throw new Error('A route was reached without authentication')
  return {
    caller,
    id,
    trace,
    url,
    query,
    body,
    headers: request.headers as Headers,
    params: params as Record<string, string>,
  }
}

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? ''

const readerOf = ({ caller, headers, raw }: FastifyRequest) => ({
  orgId: caller?.orgId ?? '',
  headers: headers as Headers,
  socket: raw.socket,
})

/** What every answer carries. */
const withCommonHeaders = (reply: FastifyReply, { id }: FastifyRequest) =>
  reply.headers({ 'x-request-id': id, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })

function send(reply: FastifyReply, { status, headers, body }: Answer) {
  return reply.code(status).headers(headers).send(body)
}

/** 404 of an unknown path; 405 with Allow of a known one; what OPTIONS asks for. @see RFC 9110 §15.5.6 */
async function answerUnknownPath(methods: readonly string[], request: FastifyRequest, reply: FastifyReply) {
  // the path is known for this method, and came here because its id is too long
  if (methods.length === 0 || methods.includes(request.method)) throw notFound()
  const allow = [...methods, 'OPTIONS'].join(', ')
  if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send()
  throw new ApiError(405, `${request.method} is not allowed here`, 'method_not_allowed', { headers: { allow } })
}

const requestIdIn = (header: string | string[] | undefined) =>
  typeof header === 'string' && /^[\w.-]{1,128}$/.test(header) ? header : undefined
