import { stringifySetCookie } from 'cookie'
import { z } from 'zod'
import { cookieIn, sessionCookie, sessionLongestMs } from '../access/sessions.ts'
import type { Headers } from '../contract/headers.ts'
import type { Db } from '../db/db.ts'
import type { Database } from '../db/pool/database.ts'
import { sql } from '../db/sql.ts'
import type { Providers } from '../oidc/providers.ts'
import { knownBrowserCookie, knownBrowserSeconds, markBrowser } from '../persons/known-browsers.ts'
import { endSessions, type LiveSession, type SignedInBy, startSession } from '../persons/sessions.ts'
import type { SignInSettings } from '../sign-in-config.ts'

/** The dependencies of signing in. */
export interface SignInServices {
  db: Database
  settings: SignInSettings
  /** the OpenID Connect providers, after their discovery */
  providers: Providers
  /** the URL that people open, without a slash at the end: `https://example.com/tasks` */
  publicUrl(): string
  /** after a commit that changed members: drops the cached callers of an organization, and wakes its streams */
  changed(orgId: string): void
  logger: Record<'info' | 'warn', (said: object, sentence: string) => void>
}

/** A request, as an endpoint gets it. */
export interface SignInContext<Body = unknown, Query = unknown> {
  services: SignInServices
  db: Database
  body: Body
  query: Query
  headers: Headers
  /** ids in the path, by name */
  params: Record<string, string>
  /** the address of the client */
  address: string
  userAgent: string
  /** undefined: the browser is not signed in */
  session: LiveSession | undefined
  requestId: string
  /** ISO 8601 */
  now: string
}

/** The response of an endpoint. */
export interface SignInAnswer {
  /** default: 200 with a body, 204 without */
  status?: number
  body?: object
  /** values of Set-Cookie, or lists of them */
  cookies?: readonly (string | readonly string[])[]
  /** sends the browser to another page, with 303 */
  location?: string
}

/** A request about signing in. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** below /api/v1, ids in braces */
  path: string
  query: z.ZodType
  body: z.ZodType
  /** `required`: 401 without a session; `recent`: also 403 `sign_in_again` if the last sign-in is older than 15 minutes */
  session: 'optional' | 'required' | 'recent'
  handle(context: SignInContext): Promise<SignInAnswer>
}

interface EndpointDefinition<Body, Query, Needed> {
  body?: z.ZodType<Body>
  query?: z.ZodType<Query>
  session?: Needed
  handle(
    context: SignInContext<NoInfer<Body>, NoInfer<Query>> &
      (Needed extends 'required' | 'recent' ? { session: LiveSession } : unknown),
  ): Promise<SignInAnswer>
}

const nothing = z.strictObject({})

/** Defines an endpoint. @param line method and path below /api/v1: `POST /auth/sign-out` */
export function endpoint<
  Body = Record<string, never>,
  Query = Record<string, never>,
  const Needed extends Endpoint['session'] = 'optional',
>(line: `${Endpoint['method']} /${string}`, definition: EndpointDefinition<Body, Query, Needed>): Endpoint {
  const [method, path] = line.split(' ') as [Endpoint['method'], string]
  const { body = nothing, query = nothing, session = 'optional', handle } = definition
  // the compiler has checked the handler against these types
  return { method, path, body, query, session, handle } as unknown as Endpoint
}

/**
 * Signs a person in: starts a new session in the transaction. The session that the browser had before ends.
 * @returns the cookies of the session and of the known browser, for `cookies` of the answer after the commit
 */
export async function signIn(
  db: Db,
  context: Pick<SignInContext, 'services' | 'headers' | 'address' | 'userAgent' | 'session' | 'now'>,
  personId: string,
  by: SignedInBy,
): Promise<readonly string[]> {
  const { services, session, now } = context
  if (session !== undefined) await endSessions(db, sql`id = ${session.id}`)
  const token = await startSession(db, personId, context, by, now)
  return [
    cookie(services, sessionCookie(isSecure(services)), token, sessionLongestMs / 1_000),
    await rememberBrowser(db, context, personId),
  ]
}

/** The cookie by which the server knows this browser again, so that failed attempts of others do not slow the person. */
async function rememberBrowser(
  db: Db,
  { services, headers }: Pick<SignInContext, 'services' | 'headers'>,
  personId: string,
): Promise<string> {
  const name = knownBrowserCookie(isSecure(services))
  return cookie(services, name, await markBrowser(db, cookieIn(headers, name), personId), knownBrowserSeconds)
}

/** Whether browsers reach the server over https. */
export const isSecure = ({ publicUrl }: Pick<SignInServices, 'publicUrl'>) => publicUrl().startsWith('https:')

/** A cookie of this server, which scripts cannot read. @param maxAge seconds; 0 deletes it */
export const cookie = (services: SignInServices, name: string, value: string, maxAge: number): string =>
  stringifySetCookie({ name, value, path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(services), maxAge })

/** The cookie that ends the session in the browser. */
export const endingCookie = (services: SignInServices): string =>
  cookie(services, sessionCookie(isSecure(services)), '', 0)
