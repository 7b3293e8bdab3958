import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import type { OidcProvider } from '../../src/sign-in-config.ts'
import { file, type Scope } from './afterwards.ts'
import { ask } from './asking.ts'

/** The settings of a provider that differ from one product to another. */
interface ProviderSettings {
  /** a function: it is known once the server listens, before the first request to the provider */
  redirectUri: string | (() => string)
  /** how the client proves itself; none: a public client */
  method?: 'client_secret_basic' | 'client_secret_post' | 'none'
  /** whether the ID token has the claims of the scopes, or only the UserInfo endpoint */
  claimsInIdToken?: boolean
  /** the algorithm of the signatures */
  algorithm?: 'RS256' | 'ES256' | 'PS256' | 'EdDSA'
  clientSecret?: string
}

type Claims = Record<string, unknown>

/** A real provider of OpenID Connect. Everybody signs in there by the name of their account. */
export async function startRealProvider(settings: ProviderSettings, scope: Scope = file) {
  const { redirectUri, method = 'client_secret_basic', claimsInIdToken = false, algorithm = 'RS256' } = settings
  const accounts = new Map<string, Claims>()
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clientSecret = method === 'none' ? undefined : (settings.clientSecret ?? 'a secret: with "signs" & 100 %')
  const newProvider = () =>
    new Provider(issuer, {
      clients: [
        {
          client_id: 'taskwright',
          ...(clientSecret !== undefined && { client_secret: clientSecret }),
          redirect_uris: [typeof redirectUri === 'string' ? redirectUri : redirectUri()],
          token_endpoint_auth_method: method,
          id_token_signed_response_alg: algorithm,
        },
      ],
      jwks: { keys: [newKey(algorithm)] },
      cookies: { keys: ['a key of the test'] },
      conformIdTokenClaims: !claimsInIdToken,
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      findAccount: (_context, accountId) => ({
        accountId,
        claims: () => ({ sub: accountId, ...accounts.get(accountId) }),
      }),
      ...(method === 'client_secret_post' && { clientAuthMethods: ['client_secret_post'] }),
    })
  let respond: ReturnType<Provider['callback']> | undefined
  server.on('request', (request, response) => {
    respond ??= newProvider().callback()
    return respond(request, response)
  })
  scope.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  const forServer: OidcProvider = {
    ...{ issuer, clientId: 'taskwright', clientSecret, name: 'Real' },
    ...{ scopes: 'openid email profile', signUp: 'invited' },
  }
  return { issuer, settings: forServer, accounts, signIn: (page: URL, account: string) => signInThere(page, account) }
}

/** Signs in on the pages of the provider and consents. @returns the path of the callback below /api/v1 */
async function signInThere(page: URL, account: string): Promise<string> {
  const cookies = new Map<string, string>()
  const send = async (url: string, form?: Record<string, string>) => {
    const headers = {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    }
    const answer = await ask(url, form ? 'POST' : 'GET', headers, form && new URLSearchParams(form).toString())
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s)
      cookies.set(name, value)
    }
    return answer
  }
  let url = page.href
  for (let steps = 0; steps < 12; steps += 1) {
    const answer = await send(url)
    const next = answer.headers.get('location')
    if (next === null) {
      const [, action = ''] = /action="([^"]+)"/.exec(answer.text) ?? []
      const prompt = /name="prompt" value="(\w+)"/.exec(answer.text)?.[1] ?? 'login'
      if (action === '') throw new Error(`The provider shows no form: ${answer.text.slice(0, 500)}`)
      const submitted = await send(new URL(action, url).href, { prompt, login: account, password: 'any' })
      url = new URL(submitted.headers.get('location') ?? '', url).href
    } else url = new URL(next, url).href
    const at = url.indexOf('/auth/oidc/callback?')
    if (at >= 0) return url.slice(at)
  }
  throw new Error('The provider does not send the browser back')
}

function newKey(algorithm: string) {
  const { privateKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : algorithm === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), alg: algorithm, use: 'sig', kid: 'one' }
}
