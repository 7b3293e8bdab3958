import assert from 'node:assert/strict'
import { intercept } from './support/intercept.ts'
import { startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

const page = '<html><body><h1>Sign in to example.com</h1></body></html>'
const refusals = {
  'basic authentication': {
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
    contentType: 'text/html',
    body: page,
  },
  'JSON of a gateway': { status: 401, contentType: 'application/json', body: '{"error":"unauthorized"}' },
  'JSON of a gateway that numbers its requests': {
    status: 401,
    contentType: 'application/json',
    headers: { 'x-request-id': 'gateway-1' },
    body: '{"error":"unauthorized"}',
  },
  'a firewall': { status: 403, contentType: 'text/html', body: page },
  'another site': { status: 404, contentType: 'application/json', body: '{"error":"Not Found"}' },
  'a page to sign in on': { status: 200, contentType: 'text/html', body: page },
  'a way to one': { status: 302, headers: { location: 'https://sign-in.example.com/' } },
}

for (const [name, answer] of Object.entries(refusals))
  visit(`a refusal by ${name} in front of the server keeps the key, and a message says so`, async (visit) => {
    const { page, signedIn } = visit
    const { owner } = await newScene()
    await signedIn(owner.key, '/console/keys')
    await page.getByText('You are signed in with this key').waitFor()
    if (answer.status >= 400) visit.expects(/Failed to load resource/)
    await intercept(page, /\/api\/v1\//, (route) => route.fulfill(answer))
    const alert = page.getByRole('alert').filter({ hasText: 'A proxy in front of Taskwright refused this request' })
    await page.getByRole('navigation').getByRole('link', { name: 'Webhooks', exact: true }).click()
    await alert.waitFor()
    assert.equal(await page.evaluate(`sessionStorage.getItem('taskwright.key')`), owner.key)
    await page.reload()
    await alert.waitFor()
    assert.equal(await page.evaluate(`sessionStorage.getItem('taskwright.key')`), owner.key)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
  })
