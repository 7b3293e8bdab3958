import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OidcProvider } from '../../src/sign-in-config.ts'
import { file, type Scope } from './afterwards.ts'

type Claims = Record<string, unknown>

/** What a provider does wrong. Each changes what a correct provider would send; undefined leaves a claim out. */
export interface Faults {
  claims?: (claims: Claims) => Claims
  header?: Claims
  /** signs the ID token with a key that the provider does not publish */
  foreignKey?: boolean
  /** sends the ID token without a signature */
  unsigned?: boolean
  userInfo?: Claims
  discovery?: (document: Claims) => Claims
  /** changes the parameters of the callback */
  callback?: (parameters: URLSearchParams) => void
  /** answers a path by hand */
  answer?: (request: IncomingMessage, response: ServerResponse) => boolean
}

interface Grant {
  nonce: string | null
  challenge: string | null
  redirectUri: string
  claims: Claims
}

const newKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/** A provider of OpenID Connect that can break each rule. The person who signs in is `who`. */
export async function startFaultyProvider(scope: Scope = file) {
  const [keys, foreign] = [newKeys(), newKeys()]
  const grants = new Map<string, Grant>()
  const tokenRequests: URLSearchParams[] = []
  const state = { who: {} as Claims, faults: {} as Faults, discoveries: 0 }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    if (state.faults.answer?.(request, response)) return
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration') {
      state.discoveries += 1
      return json((state.faults.discovery ?? same)(documentOf(issuer)))
    }
    if (url.pathname === '/jwks') return json({ keys: [publicJwk(keys.publicKey)] })
    if (url.pathname === '/authorize') return authorize(url.searchParams, response)
    if (url.pathname === '/userinfo') return json(state.faults.userInfo ?? { sub: state.who.sub })
    if (url.pathname !== '/token') return json({}, 404)
    const form = new URLSearchParams(await textOf(request))
    tokenRequests.push(form)
    const grant = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    if (!grant || hashOf(form.get('code_verifier') ?? '') !== grant.challenge)
      return json({ error: 'invalid_grant' }, 400)
    return json({ access_token: randomUUID(), token_type: 'Bearer', expires_in: 60, id_token: idTokenFor(grant) })
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  scope.after(async () => {
    server.closeAllConnections()
    server.close()
  })

  function authorize(query: URLSearchParams, response: ServerResponse) {
    const code = randomUUID()
    const redirectUri = query.get('redirect_uri') ?? ''
    grants.set(code, {
      nonce: query.get('nonce'),
      challenge: query.get('code_challenge'),
      redirectUri,
      claims: state.who,
    })
    const parameters = new URLSearchParams({ code, state: query.get('state') ?? '', iss: issuer })
    state.faults.callback?.(parameters)
    response.writeHead(302, { location: `${redirectUri}?${parameters}` }).end()
  }

  function idTokenFor({ nonce, claims }: Grant): string {
    const seconds = Math.floor(Date.now() / 1_000)
    const correct = { iss: issuer, aud: 'taskwright', iat: seconds, exp: seconds + 300, nonce, ...claims }
    const header = { alg: state.faults.unsigned ? 'none' : 'RS256', kid: 'one', ...state.faults.header }
    const signed = `${encoded(header)}.${encoded((state.faults.claims ?? same)(correct))}`
    if (state.faults.unsigned) return `${signed}.`
    const key = state.faults.foreignKey ? foreign.privateKey : keys.privateKey
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
  }

  const settings: OidcProvider = {
    ...{ issuer, clientId: 'taskwright', clientSecret: 'a secret', name: 'Faulty' },
    ...{ scopes: 'openid email profile', signUp: 'invited' },
  }
  return Object.assign(state, { issuer, settings, tokenRequests })
}

export type FaultyProvider = Awaited<ReturnType<typeof startFaultyProvider>>

const documentOf = (issuer: string): Claims => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  userinfo_endpoint: `${issuer}/userinfo`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256', 'none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
})

const same = (claims: Claims) => claims
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const hashOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
const publicJwk = (key: KeyObject) => ({ ...key.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' })

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += part
  return text
}
