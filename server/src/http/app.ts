import { ActiveTenants, Admission, type Patience, processors } from '../access/admission.ts'
import { type Caller, operator } from '../access/caller.ts'
import { ApiError, notFound } from '../contract/errors.ts'
import { type Headers, variesByCaller } from '../contract/headers.ts'
import { expected } from '../db/expected.ts'
import { createMcp, refuseForeignOrigin } from '../mcp/mcp.ts'
import { errorMessage } from '../mcp/protocol.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import { type Answer, prefix } from '../operations/answer.ts'
import { answerRequest, type Services } from '../operations/answer-request.ts'
import type { Route } from '../operations/route.ts'
import { createRouter } from '../operations/router.ts'
import { canonicalIds } from '../operations/run-operation.ts'
import type { Streams } from '../operations/streaming.ts'
import { BytesInFlight, bodyLength, isJson, longestBodyBytes, onceSent } from './body.ts'
import { type Compress, createCompression } from './compression.ts'
import { type DrainLimits, drain } from './draining.ts'
import { toApiError } from './errors.ts'
import { openPaths } from './open-paths.ts'
import { createRateLimiter, type RateLimit } from './rate-limit.ts'
import { createServer, type Reply, type Request, type ServerOptions, send } from './server.ts'

export interface AppOptions extends Omit<Services, 'admit' | 'router' | 'watch' | 'publicPath'>, ServerOptions {
  streams: Streams & { end(): void }
  routes: readonly Route[]
  /** the host that the server listens on */
  host?: string
  /** where clients reach the server, without a slash at the end */
  publicUrl?: string | undefined
  /** of each member */
  rateLimit?: RateLimit | undefined
  /** of each organization; default: ten times that of a member */
  organizationRateLimit?: RateLimit | undefined
  /** of requests that wait for others */
  patience?: Patience
  /** whether bodies are compressed; default: yes */
  compression?: boolean
  /** whether agents are answered at /mcp; default: yes */
  mcp?: boolean
  /** what the database must take for the server to be ready */
  readyWhen?: 'reads' | 'writes'
  metrics: Metrics
}

// of each organization; parsed, a body takes a multiple
const mostBodyBytes = 16_777_216
const mostUnreadBytes = 67_108_864

const mcpPaths = [
  { url: '/mcp', readOnly: false },
  { url: '/mcp/readonly', readOnly: true },
]

/** The server with what it answers: the routes, agents, and what is open to everybody. */
export async function createApp(options: AppOptions) {
  const { routes, logger, authenticator, metrics, compression = true } = options
  let ending = false
  const open = openPaths({ ...options, compression, isEnding: () => ending })
  const agentPaths = options.mcp === false ? [] : mcpPaths
  const read = [...open.keys()].map((path) => [path, 'GET'] as const)
  const router = createRouter(routes, new Map([...read, ...agentPaths.map(({ url }) => [url, 'POST'] as const)]))
  const watch: Services['watch'] = ({ name }) => metrics.statements.of(name)
  // that of a URL without one is a slash
  const publicPath = new URL(options.publicUrl ?? 'http://localhost').pathname.replace(/\/$/, '')
  const services = { ...options, router, watch, publicPath }
  const { app, connections, log, sendStream } = await createServer(options)

  const { rateLimit: member, organizationRateLimit: organization } = options
  const limiter = createRateLimiter({ member, organization })
  const bodies = new BytesInFlight(mostBodyBytes, 'Too many large requests at once; try again')
  const unread = new BytesInFlight(mostUnreadBytes, 'Too many responses are still being sent; try again')
  const compress: Compress = compression ? createCompression(metrics.compression) : (answer) => answer
  const { reads, writes } = options.db.connectionsFor
  // one who reads is another one to those who write
  const shared = { active: new ActiveTenants(), besideOthers: processors, ...options.patience }
  const admission = {
    reads: new Admission({ places: reads, ...shared }),
    writes: new Admission({ places: writes, ...shared }),
  }
  /** Counts a request of a caller that was authenticated, and its body until the answer is sent. */
  const admit = (request: Request, reply: Reply, caller: Caller) => {
    request.caller = caller
    if (limiter) reply.headers(limiter.count(caller, performance.now()))
    unread.refuseIfTooMany(caller.orgId)
    const bytes = bodyLength(request.raw, longestBodyBytes)
    if (bytes > 0) {
      bodies.refuseIfTooMany(caller.orgId, bytes)
      request.releaseBody = bodies.add(caller.orgId, bytes)
      onceSent(request.raw, reply.raw, request.releaseBody)
    }
    const { headers } = request
    // the content type of an empty body does not matter
    if (headers['content-type'] !== undefined && !isJson(headers as Headers)) delete headers['content-type']
  }
  /** Sends what a caller is answered. @param isUndone nothing has changed, so that it may be refused yet */
  const sendTo = ({ caller, raw }: Request, reply: Reply, answer: Answer, isUndone: boolean) => {
    const { orgId } = expected(caller, 'The caller of a route')
    const bytes = Buffer.byteLength(answer.body ?? '')
    if (isUndone) unread.refuseIfTooMany(orgId, bytes)
    if (bytes > 0) onceSent(raw, reply.raw, unread.add(orgId, bytes))
    return send(reply, answer)
  }
  /**
   * Answers what a request or an agent asks for on a socket. A read has a place while it runs. A write has one while it is in the
   * database, so that writes that wait for another one with their Idempotency-Key keep nobody waiting.
   */
  const answerOn = (socket: Request['raw']['socket']): typeof answerRequest => {
    return (route, asked, services) => {
      const places = route.method === 'GET' ? admission.reads : admission.writes
      const entry = { isGone: () => socket.destroyed, isHeavy: route.name === 'bulk' }
      const admit = <T>(work: () => Promise<T>) => places.run(asked.caller.orgId, work, entry)
      return route.method === 'GET'
        ? admit(() => answerRequest(route, asked, services))
        : answerRequest(route, asked, { ...services, admit })
    }
  }
  for (const route of routes) {
    const url = prefix + route.path.replace(/\{(\w+)\}/g, ':$1')
    app.route({
      method: route.method,
      url,
      onRequest: async (request, reply) => {
        reply.header('vary', variesByCaller)
        if (route.method !== 'GET' && (request.query as Query).dryRun === 'true') reply.header('dry-run', 'true')
        const headers = request.headers as Headers
        const caller =
          route.roles === operator
            ? await authenticator.operator(headers)
            : await authenticator.member(headers, request.address)
        admit(request, reply, caller)
        // a stream is not over soon
        if (route.stream) request.raw.once('end', () => request.releaseBody?.())
      },
      handler: async (request, reply) => {
        const { stream, ...answer } = await answerOn(request.raw.socket)(route, requestOf(request), services)
        if (stream) return sendStream(request, reply, answer, stream)
        // beside what a caller chose a secret would show in how short the body gets (BREACH)
        const sent = route.secret ? answer : await compress(answer, request.headers as Headers)
        return sendTo(request, reply, sent, route.method === 'GET' || reply.hasHeader('dry-run'))
      },
    })
  }
  const answerMcp = createMcp(services, (error) =>
    logger.warn({ err: error }, 'a message of an agent was not answered'),
  )
  for (const { url, readOnly } of agentPaths) {
    app.route({
      method: 'POST',
      url,
      errorHandler: (error, request, reply) => send(reply, errorMessage(toApiError(error, request))),
      onRequest: async (request, reply) => {
        const headers = request.headers as Headers
        refuseForeignOrigin(request.headers.origin, options.corsOrigins)
        admit(request, reply, await authenticator.member(headers, request.address))
      },
      handler: async (request, reply) => {
        const gone = new AbortController()
        reply.raw.once('close', () => gone.abort())
        const answer = await answerMcp({
          ...requestOf(request),
          ...{ readOnly, signal: gone.signal, answer: answerOn(request.raw.socket) },
          failure: (error) => toApiError(error, request),
          note: (said) => log.note(request, said),
        })
        return sendTo(request, reply, await compress(answer, request.headers as Headers), false)
      },
    })
  }
  for (const [path, answer] of open) {
    app.get(path, async (request, reply) => {
      const compressed = async (plain: Answer) => compress(plain, request.headers as Headers)
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

interface Query {
  dryRun?: unknown
}

function requestOf(request: Request) {
  const { caller, params, query, body, url, id } = request
  if (caller === undefined) throw new Error('A route was reached without authentication')
  return {
    caller,
    id,
    url,
    query,
    body,
    headers: request.headers as Headers,
    params: canonicalIds(params as Record<string, string>),
  }
}

const pathOf = ({ url }: Request) => url.split('?', 1)[0] ?? ''

/** 404 of an unknown path; 405 with Allow of a known one; what OPTIONS asks for. @see RFC 9110 §15.5.6 */
async function answerUnknownPath(methods: readonly string[], request: Request, reply: Reply) {
  // the path is known for this method, and came here because its id is too long
  if (methods.length === 0 || methods.includes(request.method)) throw notFound()
  const allow = [...methods, 'OPTIONS'].join(', ')
  if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send()
  throw new ApiError(
    405,
    `This path does not support ${request.method}; use a method in the Allow header`,
    'method_not_allowed',
    { headers: { allow } },
  )
}
