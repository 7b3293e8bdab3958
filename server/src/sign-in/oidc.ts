import { z } from 'zod'
import { refuseUnlessRecent, tokenHash } from '../access/sessions.ts'
import { ApiError, forbidden, invalid, unauthorized, unavailable } from '../contract/errors.ts'
import type { RawClaims } from '../oidc/claims.ts'
import { authorizationUrl, exchangeCode } from '../oidc/exchange.ts'
import { maskClaims } from '../oidc/mask.ts'
import { OidcProblem, oidcProblems } from '../oidc/problem.ts'
import type { DiscoveredProvider } from '../oidc/providers.ts'
import { prefix } from '../operations/answer.ts'
import { findInvitation } from '../persons/invitations.ts'
import { storeReport } from '../persons/sign-in-reports.ts'
import type { OidcProvider } from '../sign-in-config.ts'
import { endpoint, type SignInAnswer, type SignInContext, type SignInServices, signIn } from './endpoint.ts'
import { makeState, useState } from './oidc-state.ts'
import { linkClaims, personOfClaims } from './person-of-claims.ts'

const callbackPath = '/auth/oidc/callback'

/** The URL that the operator registers at the provider. */
export const redirectUri = (publicUrl: string) => `${publicUrl}${prefix}${callbackPath}`

const Start = z.strictObject({
  issuer: z.string().max(2_000),
  returnTo: z.string().max(2_000).optional(),
  link: z.literal(true).optional(),
  invitation: z.string().max(100).optional(),
})

export const oidc = [
  endpoint('POST /auth/oidc/start', {
    body: Start,
    async handle(context) {
      const { db, services, body, session, now } = context
      const settings = providerOf(services, body.issuer)
      if (settings === undefined) throw forbidden('Sign-in with this provider is off on this server', 'way_off')
      const returnTo = consolePath(services.publicUrl(), body.returnTo ?? '/console/')
      if (returnTo === undefined) throw invalid({ returnTo: ['Must be a path of the console, such as /console/tasks'] })
      if (body.link && !session) throw unauthorized()
      if (body.link && session) refuseUnlessRecent({ session })
      if (body.invitation) await findInvitation(db.own, { token: body.invitation }, now)
      const provider = await discovered(services, settings)
      const linkTo = body.link ? (session?.person.id ?? null) : null
      const invitation = body.invitation ? tokenHash(body.invitation).toString('hex') : null
      const start = { issuer: settings.issuer, returnTo, linkTo, invitation }
      const { state, flow, cookie } = await makeState(context, start)
      const url = await authorizationUrl(provider, flow, { state, redirectUri: redirectUri(services.publicUrl()) })
      return { body: { url }, cookies: [cookie] }
    },
  }),

  endpoint(`GET ${callbackPath}`, {
    query: z.record(z.string(), z.unknown()),
    async handle(context) {
      const trace: Trace = { issuer: undefined, claims: undefined }
      try {
        const answer = await finish(context, trace)
        await report(context, trace, null, '')
        return answer
      } catch (error) {
        return refusal(context, trace, error)
      }
    },
  }),
]

/** The provider and the claims of a callback, as far as it came. */
interface Trace {
  issuer: string | undefined
  claims: RawClaims | undefined
}

const providerOf = ({ settings }: SignInServices, issuer: string): OidcProvider | undefined =>
  settings.ways.includes('oidc') ? settings.providers.find((one) => one.issuer === issuer) : undefined

/** @throws 503 with the reason; other ways to sign in keep working */
async function discovered({ providers, logger }: SignInServices, settings: OidcProvider): Promise<DiscoveredProvider> {
  try {
    return await providers(settings)
  } catch (error) {
    if (!(error instanceof OidcProblem)) throw error
    logger.warn({ code: error.code, reason: error.detail, issuer: settings.issuer }, 'a provider cannot be used')
    throw unavailable(`${settings.name}: ${error.message}`, 10)
  }
}

async function finish(context: SignInContext<unknown, Record<string, unknown>>, trace: Trace): Promise<SignInAnswer> {
  const { db, services, session, query } = context
  const publicUrl = services.publicUrl()
  const start = await useState(context, typeof query.state === 'string' ? query.state : '')
  const settings = providerOf(services, start.issuer)
  if (settings === undefined) throw new OidcProblem('way_off')
  trace.issuer = settings.issuer
  const provider = await services.providers(settings)
  const callback = new URL(redirectUri(publicUrl))
  // a parameter that came twice stays so: the library refuses it
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) callback.searchParams.append(name, String(one))
  const { claims, raw } = await exchangeCode(provider, start, String(query.state), callback)
  trace.claims = raw
  const { cookies, organizations } = await db.transaction(async (tx) => {
    if (start.linkTo !== null) {
      if (session?.person.id !== start.linkTo) throw new OidcProblem('sign_in_again')
      return { cookies: [], organizations: await linkClaims(tx, context, settings, claims, start.linkTo) }
    }
    const { personId, organizations } = await personOfClaims(tx, context, settings, claims, start.invitation)
    return { cookies: await signIn(tx, context, personId, 'oidc'), organizations }
  })
  organizations.forEach(services.changed)
  return { location: publicUrl + start.returnTo, cookies }
}

/** Sends the browser back to the console with the code of the problem. */
async function refusal(context: SignInContext, trace: Trace, error: unknown): Promise<SignInAnswer> {
  const { services, requestId } = context
  const code = codeOf(error)
  const reason = error instanceof OidcProblem ? error.detail || error.message : String(error)
  const claims = trace.claims && maskClaims(trace.claims)
  if (code === 'internal') services.logger.warn({ requestId, err: error }, 'a sign-in with a provider failed')
  else
    services.logger.info(
      { requestId, issuer: trace.issuer, code, reason, claims },
      'a sign-in with a provider was refused',
    )
  await report(context, trace, code, code === 'internal' ? 'see the log of the server' : reason)
  return { location: `${services.publicUrl()}/console/#sign-in-error=${code}` }
}

function codeOf(error: unknown): string {
  if (error instanceof OidcProblem) return error.code
  return error instanceof ApiError && error.code in oidcProblems ? error.code : 'internal'
}

/** Keeps the outcome for `taskwright doctor --oidc`. A failure to do so does not fail the sign-in. */
async function report(
  { db, services, requestId, now }: SignInContext,
  { issuer, claims }: Trace,
  code: string | null,
  reason: string,
): Promise<void> {
  if (issuer === undefined) return
  const stored = { at: now, code, reason, claims: claims ? maskClaims(claims) : null }
  await db
    .transaction((tx) => storeReport(tx, issuer, stored))
    .catch((error: unknown) =>
      services.logger.warn({ requestId, err: error }, 'the outcome of a sign-in was not stored'),
    )
}

/**
 * The path of a page of the console, below the public URL.
 * @returns undefined for any other page, such as one of another site
 */
function consolePath(publicUrl: string, returnTo: string): string | undefined {
  if (!returnTo.startsWith('/') || /[\\\p{Cc}]/u.test(returnTo)) return undefined
  const base = new URL(publicUrl)
  if (!URL.canParse(returnTo, base.origin)) return undefined
  const url = new URL(returnTo, base.origin)
  if (url.origin !== base.origin) return undefined
  const root = base.pathname.replace(/\/$/, '')
  const path = root !== '' && url.pathname.startsWith(`${root}/`) ? url.pathname.slice(root.length) : url.pathname
  if (path !== '/console' && !path.startsWith('/console/')) return undefined
  return path + url.search + url.hash
}
