import type { Authenticator } from '../access/auth.ts'
import { refuseCrossSite, refuseUnlessRecent, sessionTokenIn } from '../access/sessions.ts'
import { unauthorized } from '../contract/errors.ts'
import type { Headers } from '../contract/headers.ts'
import { openProviders } from '../oidc/providers.ts'
import { prefix } from '../operations/answer.ts'
import { canonicalIds } from '../operations/run-operation.ts'
import { validate } from '../operations/validation.ts'
import { openedUrl } from '../persons/links.ts'
import { liveSession } from '../persons/sessions.ts'
import { type Endpoint, isSecure, type SignInAnswer, type SignInServices } from '../sign-in/endpoint.ts'
import type { Reply, Request, ServerApp } from './server.ts'

/** The path of a route or endpoint, as the router of fastify takes it. */
export const urlOf = ({ path }: Pick<Endpoint, 'path'>) => prefix + path.replace(/\{(\w+)\}/g, ':$1')

// signing in needs little
const longestBodyBytes = 65_536

interface SignInOptions extends Pick<SignInServices, 'db' | 'logger'> {
  signIn: SignInServices['settings']
  publicUrl?: string | undefined
  port?: number
  authenticator: Pick<Authenticator, 'invalidate'>
  notices: { note(orgId: string): void }
}

/** The dependencies of signing in. */
export const signInServices = (app: ServerApp, options: SignInOptions): SignInServices => ({
  ...{ db: options.db, settings: options.signIn, logger: options.logger },
  providers: openProviders(),
  publicUrl() {
    const address = app.server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    return openedUrl(options.publicUrl, port ?? options.port ?? 80)
  },
  changed(orgId) {
    options.authenticator.invalidate(orgId)
    options.notices.note(orgId)
  },
})

/** Adds the requests about signing in to the server. */
export function addSignInPaths(app: ServerApp, endpoints: readonly Endpoint[], services: SignInServices): void {
  for (const one of endpoints) {
    app.route({
      method: one.method,
      url: urlOf(one),
      bodyLimit: longestBodyBytes,
      onRequest: async (request, reply) => {
        reply.header('vary', 'cookie, origin')
        if (one.method === 'GET') return
        refuseCrossSite(
          request.headers as Headers,
          new URL(services.publicUrl()).origin,
          tokenOf(request) !== undefined,
        )
      },
      handler: async (request, reply) => send(reply, await answer(one, request)),
    })
  }

  const tokenOf = ({ headers }: Request) => sessionTokenIn(headers as Headers, isSecure(services))

  async function answer(one: Endpoint, request: Request): Promise<SignInAnswer> {
    const { db } = services
    const token = tokenOf(request)
    const now = new Date()
    const session = token === undefined ? undefined : await liveSession(db.own, token, now.getTime())
    if (session === undefined && one.session !== 'optional') throw unauthorized()
    if (session && one.session === 'recent') refuseUnlessRecent({ session })
    const { query, body } = validate(one, { query: request.query, body: request.body })
    const headers = request.headers as Headers
    return one.handle({
      ...{ services, db, query, body, headers, session, now: now.toISOString() },
      params: canonicalIds(request.params as Record<string, string>),
      address: request.address,
      userAgent: String(headers['user-agent'] ?? ''),
      requestId: request.id,
    })
  }
}

function send(reply: Reply, { status, body, cookies = [], location }: SignInAnswer) {
  for (const one of cookies.flat()) reply.header('set-cookie', one)
  if (location !== undefined) return reply.code(303).header('location', location).send()
  if (body === undefined) return reply.code(status ?? 204).send()
  return reply
    .code(status ?? 200)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(body))
}
