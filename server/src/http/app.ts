import { ActiveTenants, Admission, type Patience, processors } from '../access/admission.ts'
import { type Caller, operator } from '../access/caller.ts'
import { refuseCrossSite } from '../access/sessions.ts'
import { ApiError, notFound } from '../contract/errors.ts'
import { type Headers, variesByCaller } from '../contract/headers.ts'
import { expected } from '../db/expected.ts'
import { createMcp, refuseForeignOrigin } from '../mcp/mcp.ts'
import { errorMessage } from '../mcp/protocol.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import { type Answer, prefix } from '../operations/answer.ts'
import { answerRequest, type Services } from '../operations/answer-request.ts'
import { hasSecret, type Route } from '../operations/route.ts'
import { createRouter } from '../operations/router.ts'
import { canonicalIds } from '../operations/run-operation.ts'
import type { Streams } from '../operations/streaming.ts'
import type { Endpoint } from '../sign-in/endpoint.ts'
import type { SignInSettings } from '../sign-in-config.ts'
import { announcedLength, BytesInFlight, isJson, longestBodyBytes, onceSentOrClosed } from './body.ts'
import { type Compress, createCompression } from './compression.ts'
import { type DrainLimits, drain } from './draining.ts'
import { toApiError } from './errors.ts'
import { openPaths } from './open-paths.ts'
import { createRateLimiter, type RateLimit } from './rate-limit.ts'
import { createServer, type Reply, type Request, type ServerOptions, send } from './server.ts'
import { addSignInPaths, signInServices, urlOf } from './sign-in-paths.ts'

export interface AppOptions
  extends Omit<Services, 'admit' | 'router' | 'watch' | 'publicPath' | 'links'>,
    ServerOptions {
  streams: Streams & { end(): void }
  routes: readonly Route[]
  /** the requests about signing in */
  endpoints: readonly Endpoint[]
  signIn: SignInSettings
  /** the host that the server listens on */
  host?: string
  /** the port that browsers use, if this process does not listen itself */
  port?: number
  /** the base URL that clients use, without a slash at the end */
  publicUrl?: string | undefined
  /** the limit of each member */
  rateLimit?: RateLimit | undefined
  /** the limit of each organization; default: ten times that of a member */
  organizationRateLimit?: RateLimit | undefined
  /** how many requests can wait for a place, and how long */
  patience?: Patience
  /** default: true */
  compression?: boolean
  /** whether the server offers MCP at /mcp; default: true */
  mcp?: boolean
  /** the access that the database must allow before /readyz reports ready */
  readyWhen?: 'reads' | 'writes'
  metrics: Metrics
}

// per organization; a parsed body takes several times its size in memory
const mostBodyBytes = 16_777_216
const mostUnreadBytes = 67_108_864

const mcpPaths = [
  { url: '/mcp', readOnly: false },
  { url: '/mcp/readonly', readOnly: true },
]

/** Creates the server with the routes of the API, the MCP endpoints and the paths that need no API key. */
export async function createApp(options: AppOptions) {
  const { routes, logger, authenticator, metrics, compression = true } = options
  let ending = false
  const open = openPaths({ ...options, compression, isEnding: () => ending })
  const agentPaths = options.mcp === false ? [] : mcpPaths
  const read = [...open.keys()].map((path) => [path, 'GET'] as const)
  const router = createRouter(routes, [
    ...read,
    ...agentPaths.map(({ url }) => [url, 'POST'] as const),
    ...options.endpoints.map(({ method, path }) => [prefix + path, method] as const),
  ])
  const watch: Services['watch'] = ({ name }) => metrics.statements.of(name)
  const publicPath = new URL(options.publicUrl ?? 'http://localhost').pathname.replace(/\/$/, '')
  const { app, connections, log, sendRefusal, sendStream } = await createServer(options)
  const signIn = signInServices(app, options)
  const links = { publicUrl: signIn.publicUrl, mails: options.signIn.mail !== undefined }
  const services = { ...options, router, watch, publicPath, links }

  const { rateLimit: member, organizationRateLimit: organization } = options
  const limiter = createRateLimiter({ member, organization })
  const bodies = new BytesInFlight(mostBodyBytes, 'Too many large requests at once; try again')
  const unread = new BytesInFlight(mostUnreadBytes, 'Too many responses are still being sent; try again')
  const compress: Compress = compression ? createCompression(metrics.compression) : (answer) => answer
  const { reads, writes } = options.db.connectionsFor
  // shared: an organization that only reads still counts as active for the writes of others
  const shared = { active: new ActiveTenants(), besideOthers: processors, ...options.patience }
  const admission = {
    reads: new Admission({ places: reads, ...shared }),
    writes: new Admission({ places: writes, ...shared }),
  }
  /** Counts an authenticated request against the limits, and its body until the response is sent. */
  const admit = (request: Request, reply: Reply, caller: Caller) => {
    request.caller = caller
    if (limiter) reply.headers(limiter.count(caller, performance.now()))
    unread.refuseIfTooMany(caller.orgId)
    const bytes = announcedLength(request.raw, longestBodyBytes)
    if (bytes > 0) {
      bodies.refuseIfTooMany(caller.orgId, bytes)
      request.releaseBody = bodies.add(caller.orgId, bytes)
      onceSentOrClosed(request.raw, reply.raw, request.releaseBody)
    }
    const { headers } = request
    // delete it, so that fastify does not refuse an empty body for its content type
    if (headers['content-type'] !== undefined && !isJson(headers as Headers)) delete headers['content-type']
  }
  /** Sends a response to a caller. @param isUndone whether nothing was saved, so the server can still refuse */
  const sendTo = ({ caller, raw }: Request, reply: Reply, answer: Answer, isUndone: boolean) => {
    const { orgId } = expected(caller, 'The caller of a route')
    const bytes = Buffer.byteLength(answer.body ?? '')
    if (isUndone) unread.refuseIfTooMany(orgId, bytes)
    if (bytes > 0) onceSentOrClosed(raw, reply.raw, unread.add(orgId, bytes))
    return send(reply, answer)
  }
  /**
   * Runs operations that arrive on this socket. A read holds a place for its whole run, a write only while it uses the database.
   * A write that waits for another one with the same Idempotency-Key therefore blocks nobody else.
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
    const url = urlOf(route)
    app.route({
      method: route.method,
      url,
      onRequest: async (request, reply) => {
        reply.header('vary', variesByCaller)
        if (route.method !== 'GET' && (request.query as Query).dryRun === 'true') reply.header('dry-run', 'true')
        const headers = request.headers as Headers
        if (route.method !== 'GET' && authenticator.presentsSession(headers))
          refuseCrossSite(headers, new URL(signIn.publicUrl()).origin, true)
        const caller =
          route.roles === operator
            ? await authenticator.operator(headers)
            : await authenticator.member(headers, request.address)
        admit(request, reply, caller)
        // a stream can last for hours: release the bytes of its request once it is read
        if (route.stream) request.raw.once('end', () => request.releaseBody?.())
      },
      handler: async (request, reply) => {
        const { stream, ...answer } = await answerOn(request.raw.socket)(route, requestOf(request), services)
        if (stream) return sendStream(request, reply, answer, stream)
        // never compress a secret beside text of the caller: the compressed length reveals it (BREACH)
        const sent = hasSecret(route, request.body) ? answer : await compress(answer, request.headers as Headers)
        return sendTo(request, reply, sent, route.method === 'GET' || reply.hasHeader('dry-run'))
      },
    })
  }
  addSignInPaths(app, options.endpoints, signIn)
  const answerMcp = createMcp(services, (error) =>
    logger.warn({ err: error }, 'a message of an agent was not answered'),
  )
  for (const { url, readOnly } of agentPaths) {
    app.route({
      method: 'POST',
      url,
      errorHandler: (error, request, reply) => sendRefusal(reply, errorMessage(toApiError(error, request))),
      onRequest: async (request, reply) => {
        const headers = request.headers as Headers
        refuseForeignOrigin(request.headers.origin, options.corsOrigins)
        // agents have keys: a page must not act through the session of its reader
        delete headers.cookie
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
  // answer before the body is read, because the body could cause another status
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    answerUnknownPath(services.router.methodsAt(pathOf(request)), request, reply).catch(done)
  })
  return {
    app,
    /** Makes /readyz report that the server is shutting down. The server still answers requests. */
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

/** Sends a 404 for an unknown path, a 405 with Allow for a known path, or the response to OPTIONS. @see RFC 9110 §15.5.6 */
async function answerUnknownPath(methods: readonly string[], request: Request, reply: Reply) {
  // a route has this method and path, but an id in the path is too long
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
