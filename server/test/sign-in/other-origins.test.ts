import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startSessionOf } from '../support/founding.ts'
import { openChromium } from '../support/slow/chromium.ts'
import { type Api, sharedServer, type World } from '../support/world.ts'

const server = await sharedServer()
const { db, port, base, newWorld } = server
const home = `http://localhost:${port}`
const api = `${home}/api/v1`

// the pages of an attacker: on another port of the same host, which browsers call same-site, and on another host
const pages = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<body>Hello</body>'))
let browser: Browser | string
before(async () => {
  browser = await openChromium()
  pages.listen(0, '127.0.0.1')
  await once(pages, 'listening')
})
after(async () => {
  pages.close()
  if (typeof browser !== 'string') await browser.close()
})
const origins = {
  'another port of the same host': () => `http://localhost:${(pages.address() as AddressInfo).port}`,
  'another host': () => `http://127.0.0.1:${(pages.address() as AddressInfo).port}`,
}

/** A browser in which an owner is signed in, at a page of an attacker. */
async function victimAt(origin: string, world: World, member: Api) {
  const context = await (browser as Browser).newContext()
  const value = await startSessionOf(db, world.orgId, member.memberId)
  await context.addCookies([{ name: 'tw_session', value, url: home, httpOnly: true, sameSite: 'Lax' }])
  const page = await context.newPage()
  await page.goto(`${home}/docs`)
  assert.equal(await page.evaluate(`fetch('/api/v1/me').then(({ status }) => status)`), 200)
  await page.goto(origin)
  return { context, page }
}

/** Submits a form of the page, and waits until the server has answered it. */
async function submit(page: Page, url: string, enctype: string, name: string) {
  const answered = page.waitForResponse((response) => response.url() === url && response.request().method() === 'POST')
  await page.evaluate(`{
    const form = Object.assign(document.createElement('form'), {
      method: 'post', action: ${JSON.stringify(url)}, enctype: ${JSON.stringify(enctype)} })
    const field = Object.assign(document.createElement('input'), { name: ${JSON.stringify(name)}, value: '"}' })
    form.append(field)
    document.body.append(form)
    form.submit()
  }`)
  return (await answered).status()
}

for (const [where, origin] of Object.entries(origins)) {
  test(`a form on ${where} changes nothing with the session of its reader`, async (t) => {
    if (typeof browser === 'string') return t.skip(browser)
    const world = await newWorld()
    for (const enctype of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'])
      for (const path of ['/tags', '/auth/sign-out', '/auth/device/BBBB-CCCC/approve']) {
        const { context, page } = await victimAt(origin(), world, world.owner)
        const status = await submit(page, api + path, enctype, '{"name": "Forged", "x": "')
        assert.ok([401, 403].includes(status), `${path} ${enctype} ${status}`)
        await context.close()
      }
    assert.equal((await world.owner.get('/tags')).body.total, 0)
  })

  test(`a script on ${where} reads and changes nothing with the session of its reader`, async (t) => {
    if (typeof browser === 'string') return t.skip(browser)
    const world = await newWorld()
    const { context, page } = await victimAt(origin(), world, world.owner)
    const attempt = (path: string, options: object) =>
      page.evaluate<string>(`
        fetch(${JSON.stringify(api + path)}, ${JSON.stringify({ credentials: 'include', ...options })})
          .then(async (answer) => answer.type + ' ' + await answer.text(), () => 'refused')`)
    assert.equal(await attempt('/me', {}), 'refused')
    assert.equal(await attempt('/me', { mode: 'no-cors' }), 'opaque ')
    const body = '{"name": "Forged"}'
    const json = { 'content-type': 'application/json' }
    assert.equal(await attempt('/tags', { method: 'POST', headers: json, body }), 'refused')
    assert.equal(await attempt('/tags', { method: 'POST', mode: 'no-cors', body }), 'opaque ')
    assert.equal(await attempt('/auth/sign-out', { method: 'POST', mode: 'no-cors', body: '{}' }), 'opaque ')
    assert.equal(
      await page.evaluate(`navigator.sendBeacon(${JSON.stringify(`${api}/tags`)}, ${JSON.stringify(body)})`),
      true,
    )
    const events = await page.evaluate(`new Promise((resolve) => {
      const source = new EventSource(${JSON.stringify(`${api}/events`)}, { withCredentials: true })
      source.onmessage = source.onopen = () => resolve('open')
      source.onerror = () => resolve('refused')
    })`)
    assert.equal(events, 'refused')
    assert.equal((await world.owner.get('/tags')).body.total, 0)
    await page.goto(`${home}/docs`)
    assert.equal(await page.evaluate(`fetch('/api/v1/me').then(({ status }) => status)`), 200)
    await context.close()
  })

  test(`an image, a frame and a link on ${where} change nothing and show nothing`, async (t) => {
    if (typeof browser === 'string') return t.skip(browser)
    const world = await newWorld()
    const { context, page } = await victimAt(origin(), world, world.owner)
    const before = (await world.owner.get('/events')).body
    const load = (element: string, path: string) =>
      page.evaluate(`new Promise((resolve) => {
        const made = document.createElement(${JSON.stringify(element)})
        made.onload = () => resolve('loaded')
        made.onerror = () => resolve('refused')
        made.src = ${JSON.stringify(home)} + ${JSON.stringify(path)}
        document.body.append(made)
      })`)
    for (const path of ['/api/v1/me', '/api/v1/auth/sign-out', '/api/v1/tags?dryRun=false'])
      assert.equal(await load('img', path), 'refused', path)
    for (const path of ['/api/v1/me', '/api/v1/members?limit=1']) assert.equal(await load('script', path), 'refused')
    for (const path of ['/console/', '/docs', '/console/device']) {
      await load('iframe', path)
      const frame = page.frames().at(-1)
      assert.equal(await frame?.evaluate('document.body?.innerText.length ?? 0').catch(() => 0), 0, path)
      await page.reload()
    }
    assert.deepEqual((await world.owner.get('/events')).body, before)
    await context.close()
  })

  test(`a page on ${where} signs nobody in to the account of somebody else`, async (t) => {
    if (typeof browser === 'string') return t.skip(browser)
    const context = await (browser as Browser).newContext()
    for (const path of [
      '/auth/password',
      '/auth/link',
      '/auth/invitation/accept',
      '/auth/passkey',
      '/auth/oidc/start',
    ]) {
      const page = await context.newPage()
      await page.goto(origin())
      const body = '{"token": "x", "email": "a@example.com", "password": "'
      assert.equal(await submit(page, api + path, 'text/plain', body), 403, path)
    }
    assert.deepEqual(await context.cookies(home), [])
    await context.close()
  })
}

test('the page of the console, by every address, says that no other page may frame it, and sends no referrer', async () => {
  for (const path of ['/console/', '/console/tasks', '/console/device', '/docs']) {
    const { headers } = await fetch(base + path)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
  }
})
