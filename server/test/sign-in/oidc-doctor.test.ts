import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openBrowser } from '../support/browser.ts'
import { startFaultyProvider } from '../support/oidc-faulty.ts'
import { problemIn, signInAt } from '../support/oidc-sign-in.ts'
import { told } from '../support/told.ts'
import { databaseUrl, startServer } from '../support/world.ts'

const provider = await startFaultyProvider()
const environment = {
  ...{ DATABASE_URL: databaseUrl, SECRET_KEY: 'k'.repeat(32), PUBLIC_URL: 'https://tasks.example.com' },
  ...{
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: 'taskwright',
    OIDC_CLIENT_SECRET: 'very secret',
    OIDC_NAME: 'Ours',
  },
}

async function doctor(more: Record<string, string> = {}) {
  const { code, out } = await told(['doctor', '--oidc'], { ...environment, ...more })
  return { code, said: out.join('\n') }
}

test('the doctor checks a provider, and says what to register there', async () => {
  const { code, said } = await doctor()
  assert.equal(code, 0, said)
  assert.match(said, /^ok {6}redirect URI +register .*https:\/\/tasks\.example\.com\/api\/v1\/auth\/oidc\/callback$/m)
  assert.match(said, /^ok {6}discovery +Ours: http:\/\/127\.0\.0\.1:\d+ answers/m)
  assert.match(said, /^ok {6}request +Ours: .*openid email profile, with PKCE \(S256\)/m)
  assert.match(said, /^ok {6}keys +Ours: 1 key/m)
  assert.match(said, /^ok {6}clock +Ours: .* differ by \d+ s$/m)
  assert.match(said, /^ok {6}last sign-in +Ours: none within 24 hours/m)
  assert.ok(!said.includes('very secret'))
})

test('after a sign-in the doctor shows the claims, masked, and what is wrong', async () => {
  const providers = [provider.settings]
  const server = await startServer({ signIn: { ways: ['oidc', 'key'], force: false, providers, mail: undefined } })
  provider.who = { sub: randomUUID(), email: 'somebody@example.com', name: 'Very Private' }
  const problem = problemIn(await signInAt(openBrowser(server.base), { issuer: provider.issuer }))
  assert.equal(problem, 'email_verified_missing')
  const { code, said } = await doctor()
  assert.equal(code, 0, said)
  assert.match(
    said,
    /^warning last sign-in +Ours: at .* it failed with email_verified_missing\. The provider did not send/m,
  )
  assert.match(said, /email="s…@example\.com"/)
  assert.match(said, /email_verified is absent/)
  for (const secret of ['somebody@', 'Very Private', String(provider.who.sub)]) assert.ok(!said.includes(secret), said)
})

for (const [name, change, answer] of [
  ['another issuer', { issuer: 'https://other.example.com/' }, /set that as the issuer|does not match|another issuer/],
  ['no page to sign in', { authorization_endpoint: undefined }, /there is no authorization_endpoint/],
  ['a page that is no web page', { authorization_endpoint: 'javascript:alert(1)' }, /does not begin with https/],
  ['no keys', { jwks_uri: undefined }, /no jwks_uri/],
  ['HS256 only', { id_token_signing_alg_values_supported: ['HS256'] }, /choose a signing key/],
] as const)
  test(`the doctor says that the provider announces ${name}`, async () => {
    provider.faults = { discovery: (document) => ({ ...document, ...change }) }
    const { code, said } = await doctor()
    provider.faults = {}
    assert.equal(code, 1, said)
    assert.match(said, answer)
  })

test('the doctor says that a provider does not answer, is not one, or is not set', async () => {
  const gone = await doctor({ OIDC_ISSUER: 'http://127.0.0.1:1' })
  assert.match(gone.said, /^wrong {3}discovery .*did not answer/m)
  provider.faults = { answer: (_request, response) => Boolean(response.writeHead(404).end('<html>')) }
  assert.match((await doctor()).said, /^wrong {3}discovery .*status 404/m)
  provider.faults = { answer: (_request, response) => Boolean(response.end('<html>')) }
  assert.match((await doctor()).said, /^wrong {3}discovery /m)
  provider.faults = {}
  const { code, out } = await told(['doctor', '--oidc'], { DATABASE_URL: databaseUrl, SECRET_KEY: 'k'.repeat(32) })
  assert.equal(code, 1)
  assert.match(out.join('\n'), /OIDC_ISSUER is not set/)
})

test('the doctor says that the clocks differ', async () => {
  provider.faults = {
    answer(_request, response) {
      response.setHeader('date', new Date(Date.now() - 600_000).toUTCString())
      return false
    },
  }
  const { said } = await doctor()
  provider.faults = {}
  assert.match(said, /^wrong {3}clock +Ours: .* differ by (599|600|601) s/m)
})
