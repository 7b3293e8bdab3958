import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { eventTypes, routes } from '../../src/resources/index.ts'
import { withPaths } from '../support/page-links.ts'
import { openChromium } from '../support/slow/chromium.ts'
import { sharedServer } from '../support/world.ts'

const { base, port, newWorld } = await sharedServer()

/** A path as it is written, dots and all, which fetch would tidy up. */
const statusOf = (path: string, method = 'GET') =>
  new Promise<number | undefined>((resolve, reject) => {
    request({ port, path, method }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })

test('the page and its parts come only from this server, with types, security headers and ETags', async () => {
  const start = await fetch(base, { redirect: 'manual' })
  assert.deepEqual([start.status, start.headers.get('location')], [302, 'docs'])
  const pageAt = async (path: string) => withPaths(await (await fetch(base + path)).text(), path)
  const page = await pageAt('/docs')
  assert.equal(await pageAt('/docs/'), page)
  const parts = [...page.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, path = '']) => path)
  assert.deepEqual(
    parts.filter((path) => !path.startsWith('/docs/') && !['/docs', '/console', '/api/v1/openapi.json'].includes(path)),
    [],
  )
  const asked = ['/docs/examples.json', '/docs/found.json', '/docs/search.js', '/docs/minisearch.js', '/docs/guide.css']
  for (const path of new Set(['/docs', ...parts.filter((part) => part.startsWith('/docs/')), ...asked])) {
    const { status, headers } = await fetch(base + path)
    assert.equal(status, 200, path)
    const type =
      { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml', json: 'application/json' }[
        path.split('.')[1] ?? ''
      ] ?? 'text/html'
    assert.ok(headers.get('content-type')?.startsWith(type), path)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /)
    assert.doesNotMatch(policy, /unsafe|\*|http|data:/)
    const etag = headers.get('etag') ?? ''
    const again = await fetch(base + path, { headers: { 'if-none-match': etag } })
    assert.deepEqual([again.status, again.headers.get('etag'), await again.text()], [304, etag, ''])
    const head = await fetch(base + path, { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, headers.get('content-length')])
  }
})

test('nothing else exists below /docs, with any spelling of the path', async () => {
  const outside = ['../package.json', '..%2fpackage.json', '%2e%2e/package.json', '..\\package.json', '//etc/passwd']
  for (const path of [
    'nothing.js',
    'index.html',
    'guide.html',
    'guides',
    'guides/nothing',
    'page.js/',
    '',
    ...outside,
  ]) {
    if (path !== '') assert.equal(await statusOf(`/docs/${path}`), 404, path)
  }
  const { status, headers, body } = await (await newWorld()).owner.call('GET', '/../../docs/nothing.js')
  assert.deepEqual([status, headers.get('x-error-code'), body], [404, 'not_found', { error: 'Not found' }])
  assert.equal(await statusOf('/docs', 'POST'), 405)
})

let browser: Browser | string
before(async () => {
  browser = await openChromium()
})
after(async () => {
  if (typeof browser !== 'string') await browser.close()
})

test('a person reads the API, enters a key once, and tries it', async (context) => {
  if (typeof browser === 'string') return context.skip(browser)
  const { owner, task, project } = await newWorld()
  const { page, outside, complaints } = await opened(browser)
  await page.goto(base)
  assert.equal(page.url(), `${base}/docs`)
  await page.getByText('one REST API').waitFor()
  await page.getByLabel('API key').fill(owner.key)
  await page.keyboard.press('Enter')
  await page.getByText('Olivia Owner, owner of Org').waitFor()

  await find(page, 'Create a project')
  await page.getByLabel('Body', { exact: true }).fill('{"name": "Try it"}')
  await send(page)
  assert.match(await answer(page), /^201 Created/)
  const id = /"id": "([^"]+)"/.exec(await answer(page))?.[1]
  assert.match(
    await answer(page),
    new RegExp(`ETag\\s*"${id}\\.1"\\s*Location\\s*/api/v1/projects/${id}\\s*X-Request-Id`),
  )
  await send(page)
  assert.match(await answer(page), /^201 Created.*Replayed.*Idempotent-Replayed\s*true/s)
  assert.ok((await answer(page)).includes(`"id": "${id}"`))
  assert.equal((await owner.get('/projects')).body.total, 1)
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Body', { exact: true }).fill('{"name": 5}')
  await page.keyboard.press('Control+Enter')
  await page.getByText('validation_failed').waitFor()
  assert.match(await answer(page), /^422 .*"Validation failed".*"name": \[\s*"Must be a string"/s)
  await page.getByText('The curl command').click()
  const curl = await page.locator('pre.curl').innerText()
  assert.match(curl, /^curl -i -X POST 'http.*-H "Authorization: Bearer \$KEY".*--data-raw '\{"name": 5\}'$/s)

  const { id: projectId } = await project()
  for (const name of ['first', 'second', 'third']) await task({ projectId, name })
  await find(page, 'List tasks')
  await page.getByLabel('limit').fill('2')
  await send(page)
  assert.match(await answer(page), /^200 .*"third".*"second".*"nextCursor": "/s)
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('"first"').waitFor()
  assert.match(await answer(page), /^200 .*"nextCursor": null/s)
  assert.equal(await page.getByRole('button', { name: 'Next page' }).count(), 0)

  assert.deepEqual(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]'), [0, 0, ''])
  assert.deepEqual(await page.context().storageState(), { cookies: [], origins: [] })
  assert.equal(page.url(), `${base}/docs#tasks.list`)
  assert.ok(!(await page.content()).includes(owner.key))
  assert.deepEqual(outside, [])
  assert.deepEqual(
    complaints.map((text) => /status of (\d+)/.exec(text)?.[1] ?? text),
    ['422'],
  )
})

test('Ctrl+Enter sends the visible operation with the focus anywhere except in the key or the filter', async (context) => {
  if (typeof browser === 'string') return context.skip(browser)
  const { owner } = await newWorld()
  const { page } = await opened(browser)
  await page.goto(`${base}/docs#me.get`)
  await apiRead(page)
  await page.getByLabel('API key').fill(owner.key)
  await page.keyboard.press('Control+Enter')
  await page.keyboard.press('Enter')
  await page.getByText('Olivia Owner, owner of Org').waitFor()
  await page.keyboard.press('/')
  await page.getByLabel('Search guides and operations').fill('me')
  await page.keyboard.press('Control+a')
  await page.getByText(/\d+ found/).waitFor()
  assert.equal(await page.locator('.answer .status').count(), 0)
  await page.keyboard.press('Escape')
  await page.goto(`${base}/docs#organization.get`)
  await page.locator('h1:focus').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.locator('.answer:not([aria-busy]) .status').waitFor()
  assert.match(await answer(page), /^200 OK/)
})

test('a key is stored for the tab if the person asks for it, and is gone with the tab or when it is forgotten', async (context) => {
  if (typeof browser === 'string') return context.skip(browser)
  const { owner } = await newWorld()
  const { page } = await opened(browser)
  await page.goto(`${base}/docs`)
  await page.getByLabel('API key').fill(owner.key)
  await page.getByLabel('Keep for this tab').check()
  await page.getByRole('button', { name: 'Use key' }).click()
  await page.getByText('Olivia Owner, owner of Org').waitFor()
  await page.goto(`${base}/docs/guides/errors`)
  await page.goto(`${base}/docs#me.get`)
  await page.getByText('Olivia Owner, owner of Org').waitFor()
  await send(page)
  assert.match(await answer(page), /^200 OK/)
  const other = await page.context().newPage()
  await other.goto(`${base}/docs`)
  assert.equal(await other.evaluate('sessionStorage.length'), 0)
  await page.getByRole('button', { name: 'Forget key' }).click()
  assert.equal(await page.evaluate('sessionStorage.length'), 0)
  await page.reload()
  await apiRead(page)
  assert.ok(await page.getByLabel('API key').isVisible())
})

test('after a key is accepted the focus is on the message about it, not lost', async (context) => {
  if (typeof browser === 'string') return context.skip(browser)
  const { owner } = await newWorld()
  const { page } = await opened(browser)
  await page.goto(`${base}/docs`)
  await page.getByLabel('API key').fill(owner.key)
  await page.getByRole('button', { name: 'Use key' }).click()
  await page.getByText('Olivia Owner, owner of Org').waitFor()
  assert.equal(await page.evaluate('document.activeElement.id'), 'caller')
  await page.keyboard.press('Tab')
  assert.equal(await page.locator(':focus').innerText(), 'Forget key')
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate('document.activeElement.id'), 'key-field')
})

test('a person who turns pages by keyboard keeps the focus: on the button of the next page, and at the end on the last results', async (context) => {
  if (typeof browser === 'string') return context.skip(browser)
  const { owner, tag } = await newWorld()
  for (const name of ['a', 'b', 'c']) await tag({ name })
  const { page } = await opened(browser)
  await page.goto(`${base}/docs#tags.list`)
  await apiRead(page)
  await page.getByLabel('API key').fill(owner.key)
  await page.keyboard.press('Enter')
  await page.getByText('Olivia Owner, owner of Org').waitFor()
  await page.getByLabel('limit').fill('1')
  await send(page)
  await page.getByRole('button', { name: 'Next page' }).focus()
  for (const [name, focused] of [
    ['b', 'next'],
    ['c', 'status'],
  ]) {
    await page.keyboard.press('Enter')
    await page.locator('.answer:not([aria-busy])', { hasText: `"name": "${name}"` }).waitFor()
    assert.equal(await page.evaluate('document.activeElement.className'), focused)
  }
})

test('Enter in the search opens the operation that is meant, not the first that contains the letters', async (context) => {
  if (typeof browser === 'string') return context.skip(browser)
  const { page } = await opened(browser)
  await page.goto(`${base}/docs`)
  const words = [
    ...routes.filter((_, n) => n % 10 === 0).map(({ summary }) => [summary, summary]),
    ...[
      ['create tag', 'Create a tag'],
      ['list tags', 'List tags'],
      ['tags.create', 'Create a tag'],
    ],
  ]
  for (const [typed = '', summary = ''] of words) {
    await find(page, typed, summary)
    assert.equal(await page.locator('h1').innerText(), summary, typed)
  }
})

test('a person can read every operation, with its parameters, fields and statuses', async (context) => {
  if (typeof browser === 'string') return context.skip(browser)
  const { page, complaints } = await opened(browser)
  await page.goto(`${base}/docs`)
  await apiRead(page)
  for (const group of await page.locator('#groups summary').all()) await group.click()
  const links = page.locator('#groups a:not([href="#eventTypes"])')
  assert.deepEqual(
    (await links.locator('.called').allInnerTexts()).toSorted(),
    routes.map(({ name }) => name).toSorted(),
  )
  for (const { name, summary } of routes) {
    await page.locator(`#groups a[href="#${name}"]`).click()
    await page.getByRole('heading', { name: summary, exact: true }).waitFor()
    assert.ok((await page.locator('.response').count()) >= 7, summary)
    assert.match(await page.locator('.example pre').first().innerText(), /^curl /)
    assert.match(await page.locator('.access').innerText(), /^Access\s*(An API key with the scope|The operator token)/)
  }
  await find(page, 'tasks.create', 'Create a task')
  await page.getByRole('button', { name: 'TypeScript' }).click()
  assert.match(await page.locator('.example pre').first().innerText(), /^const task = await tw\.tasks\.create\(/)
  const fields = page.locator('.reading > .fields').first()
  // what is needed comes first
  assert.match(
    await fields.innerText(),
    /^name\s*string\s*1 to 255 characters.*required.*projectId.*required.*workspaceId/s,
  )
  assert.match(await fields.innerText(), /priority\s*"none" \| "low"/)
  assert.deepEqual(complaints, [])
})

test('a person can read what a webhook gets: headers, the meaning of its response, every event type with its snapshot', async (context) => {
  if (typeof browser === 'string') return context.skip(browser)
  const { page, complaints } = await opened(browser)
  await page.goto(`${base}/docs`)
  await find(page, 'task.moved', 'Webhook events')
  assert.equal(page.url(), `${base}/docs#eventTypes`)
  const types = page.locator('.event-type')
  assert.deepEqual(
    await types.locator('summary').allInnerTexts(),
    eventTypes.map(({ type }) => type),
  )
  const moved = types.filter({ has: page.getByText('task.moved', { exact: true }) })
  await moved.locator('summary').click()
  assert.match(await moved.innerText(), /A task was moved to another stage.*name\s*string\s*1 to 255 characters/s)
  const reading = await page.locator('.reading').innerText()
  for (const told of ['webhook-id', 'webhook-timestamp', 'webhook-signature', '2XX', '410', 'default', 'sequence'])
    assert.ok(reading.includes(told), told)
  await page.goto(`${base}/docs#events.list`)
  await page.getByText('"organization.*" | "member.*" | "invitation.*" |').waitFor()
  assert.deepEqual(complaints, [])
})

test('the page is dark or light like the system, until a person switches it, and fits a phone', async (context) => {
  if (typeof browser === 'string') return context.skip(browser)
  const { page } = await opened(browser, { colorScheme: 'dark', viewport: { width: 360, height: 740 } })
  const paper = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
  await page.goto(`${base}/docs`)
  const dark = await paper()
  await page.getByRole('button', { name: 'Light' }).click()
  const light = await paper()
  assert.notEqual(light, dark)
  await page.getByRole('button', { name: 'Dark' }).click()
  assert.equal(await paper(), dark)
  await page.emulateMedia({ colorScheme: 'light' })
  assert.equal(await paper(), dark)
  // in this tab it stays so, and in no other
  await page.reload()
  assert.equal(await paper(), dark)
  await page.goto(`${base}/docs/guides/errors`)
  assert.equal(await paper(), dark)
  const { page: other } = await opened(browser)
  await other.goto(`${base}/docs`)
  assert.equal(await other.evaluate('getComputedStyle(document.documentElement).backgroundColor'), light)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
  await page.goto(`${base}/docs`)
  await apiRead(page)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.locator('#groups summary').first().waitFor()
  await find(page, 'Create a task type')
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
})

/** A page that notes what it asks of others, and what the browser complains about. */
async function opened(of: Browser, options: Parameters<Browser['newContext']>[0] = {}) {
  const page = await (await of.newContext(options)).newPage()
  const outside: string[] = []
  const complaints: string[] = []
  page.on('request', (asked) => void (asked.url().startsWith(`${base}/`) || outside.push(asked.url())))
  page.on('console', (said) => void (['error', 'warning'].includes(said.type()) && complaints.push(said.text())))
  page.on('pageerror', (error) => void complaints.push(String(error)))
  return { page, outside, complaints }
}

/** The page has read what it shows, and so listens. */
const apiRead = (page: Page) => page.locator('#groups a').first().waitFor({ state: 'attached' })

/** Searches for words of an operation, or its summary, and opens the first that is found, as a keyboard does. */
async function find(page: Page, words: string, summary = words) {
  await apiRead(page)
  // the slash is text within a field
  await page.locator('h1').focus()
  await page.keyboard.press('/')
  await page.getByLabel('Search guides and operations').fill(words)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: summary }).waitFor()
}

async function send(page: Page) {
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('.answer:not([aria-busy]) .status').waitFor()
}

const answer = (page: Page) => page.locator('.answer').innerText()
