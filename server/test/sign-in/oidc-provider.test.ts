import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { OidcProvider } from '../../src/sign-in-config.ts'
import { openBrowser } from '../support/browser.ts'
import { startRealProvider } from '../support/oidc-real.ts'
import { arriveAt, problemIn, startAt } from '../support/oidc-sign-in.ts'
import { startServer } from '../support/world.ts'

const providers: OidcProvider[] = []
const server = await startServer({ signIn: { ways: ['oidc', 'key'], force: false, providers, mail: undefined } })
const world = await server.newWorld()
const domain = `${randomUUID()}.example.com`
const signUp = [{ domain, organization: world.orgId, role: 'member' as const }]
const redirectUri = `http://localhost:${server.port}/api/v1/auth/oidc/callback`

for (const settings of [
  { method: 'client_secret_basic', algorithm: 'RS256' },
  { method: 'client_secret_post', algorithm: 'ES256' },
  { method: 'none', algorithm: 'PS256' },
  { method: 'client_secret_basic', algorithm: 'EdDSA', claimsInIdToken: true },
] as const)
  test(`a person signs in with a real provider: ${Object.values(settings).join(', ')}`, async () => {
    const provider = await startRealProvider({ ...settings, redirectUri })
    providers.push({ ...provider.settings, signUp })
    const account = randomUUID()
    const email = `${account}@${domain}`
    provider.accounts.set(account, { email, email_verified: true, name: 'Ann Example' })
    const browser = openBrowser(server.base)
    for (const time of ['first', 'second']) {
      const page = await startAt(browser, { issuer: provider.issuer })
      const location = await arriveAt(browser, await provider.signIn(page, account))
      assert.equal(location, `http://localhost:${server.port}/console/`, time)
      const { body } = await browser.get('/auth/session')
      assert.deepEqual(body.person, { ...body.person, email, emailVerified: true, name: 'Ann Example', identities: 1 })
      assert.equal((await browser.get('/me')).body.member.email, email)
    }
  })

test('a wrong client secret is told apart from other failures', async () => {
  const provider = await startRealProvider({ redirectUri })
  providers.push({ ...provider.settings, clientSecret: 'wrong', signUp })
  const browser = openBrowser(server.base)
  const page = await startAt(browser, { issuer: provider.issuer })
  assert.equal(problemIn(await arriveAt(browser, await provider.signIn(page, randomUUID()))), 'client_refused')
})

test('a real provider that knows no address says so by the claim that is missing', async () => {
  const provider = await startRealProvider({ redirectUri })
  providers.push({ ...provider.settings, signUp })
  const browser = openBrowser(server.base)
  for (const [claims, problem] of [
    [{}, 'email_missing'],
    [{ email: `${randomUUID()}@${domain}` }, 'email_verified_missing'],
    [{ email: `${randomUUID()}@${domain}`, email_verified: 'true' }, 'email_verified_not_boolean'],
    [{ email: `${randomUUID()}@${domain}`, email_verified: false }, 'email_not_verified'],
    [{ email: `${randomUUID()}@another.example.com`, email_verified: true }, 'not_invited'],
  ] as const) {
    const account = randomUUID()
    provider.accounts.set(account, claims)
    const page = await startAt(browser, { issuer: provider.issuer })
    assert.equal(problemIn(await arriveAt(browser, await provider.signIn(page, account))), problem)
  }
})
