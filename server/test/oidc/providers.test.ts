import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { OidcProblem } from '../../src/oidc/problem.ts'
import { openProviders } from '../../src/oidc/providers.ts'
import { openBrowser } from '../support/browser.ts'
import { assertRefused } from '../support/envelope.ts'
import { startFaultyProvider } from '../support/oidc-faulty.ts'
import { arriveAt, callbackOf, problemIn, signInAt, startAt } from '../support/oidc-sign-in.ts'
import { startServer } from '../support/world.ts'

const code = (code: string) => (error: unknown) => {
  assert.ok(error instanceof OidcProblem, String(error))
  assert.equal(error.code, code, error.detail)
  return true
}

test('a discovery document is used for an hour, and a failed discovery only once', async () => {
  const provider = await startFaultyProvider()
  let nowMs = 0
  const discover = openProviders({ clock: () => nowMs })
  await Promise.all([discover(provider.settings), discover(provider.settings)])
  assert.equal(provider.discoveries, 1)
  nowMs = 3_599_999
  await discover(provider.settings)
  assert.equal(provider.discoveries, 1)
  nowMs = 3_600_000
  provider.faults = { answer: (_request, response) => Boolean(response.writeHead(503).end()) }
  await assert.rejects(discover(provider.settings), code('provider_unreachable'))
  provider.faults = {}
  await discover(provider.settings)
  assert.equal(provider.discoveries, 2)
})

test('a provider that answers too slowly, too much or elsewhere is given up', async () => {
  const provider = await startFaultyProvider()
  const discover = openProviders({ timeoutMs: 300 })
  provider.faults = { answer: () => true }
  await assert.rejects(discover(provider.settings), code('provider_unreachable'))
  provider.faults = {
    answer(_request, response) {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"issuer":')
      return true
    },
  }
  await assert.rejects(discover(provider.settings), code('provider_unreachable'))
  provider.faults = {
    answer(_request, response) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(600_000)}"`)
      return true
    },
  }
  await assert.rejects(openProviders()(provider.settings), code('provider_misconfigured'))
  provider.faults = {
    answer: (_request, response) => Boolean(response.writeHead(302, { location: 'http://169.254.169.254/' }).end()),
  }
  await assert.rejects(discover(provider.settings), code('provider_misconfigured'))
})

test('a provider that fails stops only its own sign-in, and says so', async () => {
  const [up, down] = [await startFaultyProvider(), await startFaultyProvider()]
  const providers = [up.settings, { ...down.settings, name: 'The one that is down' }]
  const server = await startServer({ signIn: { ways: ['oidc', 'key'], force: false, providers, mail: undefined } })
  down.faults = { answer: (_request, response) => Boolean(response.destroy()) }
  const browser = openBrowser(server.base)
  const refused = await browser.post('/auth/oidc/start', { issuer: down.issuer })
  assertRefused(refused, 503, 'unavailable')
  assert.match(refused.body.error, /^The one that is down: The provider did not answer in time\./)
  assert.equal((await browser.get('/auth/ways')).body.providers.length, 2)
  up.who = { sub: randomUUID(), email: 'a@example.com', email_verified: true }
  assert.equal(problemIn(await signInAt(browser, { issuer: up.issuer })), 'not_invited')
  // it fails between the start and the callback
  const callback = await callbackOf(await startAt(browser, { issuer: up.issuer }))
  up.faults = { answer: (request, response) => request.url === '/token' && Boolean(response.destroy()) }
  assert.equal(problemIn(await arriveAt(browser, callback)), 'provider_unreachable')
  up.faults = {
    answer: (request, response) => request.url === '/token' && Boolean(response.writeHead(500).end('<html>')),
  }
  assert.equal(problemIn(await signInAt(browser, { issuer: up.issuer })), 'provider_unreachable')
  up.faults = {}
})
