import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { withPaths } from '../support/page-links.ts'
import { openChromium } from '../support/slow/chromium.ts'
import { sharedServer } from '../support/world.ts'

const { base } = await sharedServer()

interface Found {
  url: string
  kind: string
  title: string
  within: string
  text: string
}

const found = (await (await fetch(`${base}/docs/found.json`)).json()) as Found[]
const pathOf = (url: string) => url.split('#')[0] ?? ''
const guides = [...new Set(found.filter(({ kind }) => kind === 'guide').map(({ url }) => pathOf(url)))]

test('every link of every guide leads to an existing page, operation or section', async () => {
  const operations = new Set(found.filter(({ kind }) => kind !== 'guide').map(({ url }) => url))
  const pages = new Map<string, string>()
  const waiting = [...guides]
  const wrong: string[] = []
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue
    const response = await fetch(base + path)
    if (response.status !== 200) wrong.push(`${path} is ${response.status}`)
    const html = withPaths(await response.text(), path)
    pages.set(path, html)
    for (const [, href = ''] of html.matchAll(/<a [^>]*?href="([^"]*)"/g))
      if (href.startsWith('/docs/guides/')) waiting.push(pathOf(href))
  }
  for (const [path, html] of pages) {
    for (const [, href = ''] of html.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
      if (
        /^https?:/.test(href) ||
        ['/docs', '/docs#reference', '/console', '/api/v1/openapi.json', '#main'].includes(href)
      )
        continue
      const to = href.startsWith('#') ? path + href : href
      const [page = '', id] = to.split('#')
      const isThere =
        page === '/docs' ? operations.has(to) : id === undefined || pages.get(page)?.includes(` id="${id}"`)
      if (!isThere) wrong.push(`${path} links to ${href}`)
    }
  }
  assert.deepEqual(wrong, [])
  assert.ok(pages.size > guides.length)
})

test('guides cover errors, authentication, pagination, idempotency, limits and operating, and link operations', async () => {
  for (const name of ['errors', 'authentication', 'pagination', 'idempotency', 'limits', 'operating'])
    assert.ok(guides.includes(`/docs/guides/${name}`), name)
  const writing = await (await fetch(`${base}/docs/guides/writing-safely`)).text()
  assert.ok(writing.includes('<a href="../../docs#bulk"><code>POST /bulk</code></a>'))
  const errors = await (await fetch(`${base}/docs/guides/errors`)).text()
  assert.ok(errors.includes('<tr id="stage_full">'))
})

let browser: Browser | string
before(async () => {
  browser = await openChromium()
})
after(async () => {
  if (typeof browser !== 'string') await browser.close()
})

/** A page that notes what it asks of others, and what the browser complains about: a breach of its policy, too. */
async function opened(of: Browser, options: Parameters<Browser['newContext']>[0] = {}) {
  const page = await (await of.newContext(options)).newPage()
  const complaints: string[] = []
  page.on('request', (asked) => void (asked.url().startsWith(`${base}/`) || complaints.push(asked.url())))
  page.on('console', (said) => void (['error', 'warning'].includes(said.type()) && complaints.push(said.text())))
  page.on('pageerror', (error) => void complaints.push(String(error)))
  return { page, complaints }
}

async function search(page: Page, words: string) {
  await page.keyboard.press('/')
  await page.getByLabel('Search guides and operations').fill(words)
  await page.getByText(/\d+ found|No page has/).waitFor()
}

test('one search finds guides, operations, error codes and event types, shows the piece, and works by keyboard alone', async (context) => {
  if (typeof browser === 'string') return context.skip(browser)
  const { page, complaints } = await opened(browser)
  await page.goto(`${base}/docs/guides/errors`)
  const first = page.locator('.found a').first()
  const wanted: [words: string, address: RegExp, piece: RegExp][] = [
    ['stage_full', /guides\/errors#stage_full/, /wipLimit/],
    ['tasks.move', /docs#tasks\.move$/, /Move a task/],
    ['Rate limits', /guides\/limits#rate-limits/, /rate limit/i],
    ['task.moved', /docs#eventTypes/, /moved to another stage/],
    ['idempotensy', /idempotency/, /idempoten/i],
  ]
  for (const [words, address, piece] of wanted) {
    await search(page, words)
    assert.match((await first.getAttribute('href')) ?? '', address, words)
    assert.match(await first.innerText(), piece, words)
    assert.ok((await first.locator('mark').count()) > 0, words)
    await page.keyboard.press('Escape')
  }
  await search(page, 'zzzz')
  assert.equal(await page.locator('.found a').count(), 0)
  await page.getByLabel('Search guides and operations').fill('cursor')
  await first.waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  const address = await page.evaluate('document.activeElement.href')
  assert.equal(address, await first.getAttribute('href'))
  await page.keyboard.press('Enter')
  await page.waitForURL(String(address))
  assert.deepEqual(complaints, [])
})

test('a guide has anchors at its headings, copies its code, and fits a phone', async (context) => {
  if (typeof browser === 'string') return context.skip(browser)
  const { page, complaints } = await opened(browser, { viewport: { width: 390, height: 844 } })
  for (const path of guides) {
    await page.goto(base + path)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, path)
  }
  await page.goto(`${base}/docs/guides/idempotency`)
  await page.getByRole('link', { name: 'Link to Which key' }).focus()
  await page.keyboard.press('Enter')
  assert.equal(page.url(), `${base}/docs/guides/idempotency#which-key`)
  const copy = page.getByRole('button', { name: 'Copy' }).first()
  await copy.focus()
  await page.keyboard.press('Enter')
  await page.getByText(/^Copied|^Selected/).waitFor()
  assert.deepEqual(complaints, [])
})

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every kind of page works without sight or a mouse, ${colorScheme}`, async (context) => {
    if (typeof browser === 'string') return context.skip(browser)
    // to put the checker into the page takes what the policy forbids
    const { page } = await opened(browser, { colorScheme, bypassCSP: true })
    // what stands on a page is the same in the dark, but for its colours
    const rules =
      colorScheme === 'light' ? {} : { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }
    const kinds = [
      '#start',
      '#tasks.create',
      '#tasks.list',
      '#reports.time',
      '#eventTypes',
      '/guides/errors',
      '/guides/roles',
    ]
    for (const kind of kinds) {
      await page.goto(`${base}/docs${kind}`)
      if (kind.startsWith('#')) await page.locator('#groups a').first().waitFor({ state: 'attached' })
      assert.deepEqual(await violations(page, rules), [], kind)
    }
    await search(page, 'stage')
    await page.locator('.found a').first().waitFor()
    assert.deepEqual(await violations(page, rules), [], 'search')
  })
}

async function violations(page: Page, rules: object): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(rules)})`)) as {
    violations: { id: string; nodes: { html: string }[] }[]
  }
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}
