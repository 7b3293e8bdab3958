import assert from 'node:assert/strict'
import { test } from 'node:test'
import { typingTo } from '../../../cli/test/support/typing.ts'
import { Taskwright } from '../../../client/src/index.ts'
import { file } from '../support/afterwards.ts'
import { connectAgent } from '../support/agent.ts'
import { openChromium } from '../support/slow/chromium.ts'
import { onMigratedDatabase, serving } from '../support/slow/processes.ts'
import { openSite, proxies } from '../support/slow/proxies.ts'

const settings = await onMigratedDatabase(file)
const server = await serving(file, { ...settings, PUBLIC_URL: 'https://work.example.com/tasks/' })
const headers = { authorization: `Bearer ${server.ownersKey}`, 'content-type': 'application/json' }

for (const name of Object.keys(proxies) as (keyof typeof proxies)[]) {
  const base = await openSite(file, name, server.port)
  const skip = base === undefined && `${proxies[name].program} is missing`
  const below = base ?? ''

  test(`below a path, behind ${name}, a client finds a created resource at its Location`, { skip }, async () => {
    const { origin } = new URL(below)
    const create = () =>
      fetch(`${below}/api/v1/tags`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': `${name}-location` },
        body: JSON.stringify({ name: `At a place behind ${name}` }),
      })
    const made = await create()
    const again = await create()
    const location = made.headers.get('location') ?? ''
    assert.match(location, /^\/tasks\/api\/v1\/tags\/[0-9a-f-]{36}$/)
    assert.equal(again.headers.get('location'), location)
    const found = await fetch(origin + location, { headers })
    assert.deepEqual(await found.json(), await made.json())
    const operations = [{ method: 'POST', path: '/tags', body: { name: `In a bulk behind ${name}` } }]
    const bulk = await fetch(`${below}/api/v1/bulk`, { method: 'POST', headers, body: JSON.stringify({ operations }) })
    const [result] = ((await bulk.json()) as { results: { location: string }[] }).results
    assert.equal((await fetch(origin + result?.location, { headers })).status, 200)
  })

  test(`below a path, behind ${name}, every page and every link on it is below that path`, { skip }, async () => {
    const start = await fetch(below)
    assert.deepEqual([start.status, start.url], [200, `${below}/docs`])
    for (const path of ['/docs', '/docs/', '/docs/guides/errors', '/console', '/console/', '/console/board/1/2']) {
      const page = await (await fetch(below + path)).text()
      const links = [...page.matchAll(/ (?:href|src)="([^"#]+)/g)].map(([, link = '']) => link)
      const here = new Set(
        links
          .map((link) => new URL(link, below + path))
          .filter(({ host }) => host === new URL(below).host)
          .map(({ href }) => href),
      )
      assert.ok(here.size > 5, path)
      for (const url of here) {
        assert.ok(url.startsWith(`${below}/`), `${path} links ${url}`)
        assert.equal((await fetch(url, { method: 'HEAD' })).status, 200, `${path} links ${url}`)
      }
    }
    assert.equal((await fetch(`${below}/metrics`)).status, 404)
  })

  test(`below a path, behind ${name}, clients and agents work with its URL`, { skip }, async () => {
    const document = (await (await fetch(`${below}/api/v1/openapi.json`)).json()) as { servers: { url: string }[] }
    assert.equal(document.servers[0]?.url, 'https://work.example.com/tasks')
    const sdk = new Taskwright({ baseUrl: `${below}/`, apiKey: server.ownersKey })
    const { member } = await sdk.me.get()
    const { latest } = (await sdk.me.get({ include: ['eventsHead'] })).eventsHead
    const tag = await sdk.tags.create({ name: `Followed behind ${name}` })
    for await (const { snapshot } of sdk.events.stream({ after: latest })) {
      assert.equal((snapshot as { id: string }).id, tag.id)
      break
    }
    const { code, out, err } = await typingTo(`${below}/`, server.ownersKey)('whoami --json')
    assert.equal(code, 0, err)
    assert.equal(JSON.parse(out).member.id, member.id)
    const agent = await connectAgent(below, server.ownersKey)
    const { text, refused } = await agent.call('list_projects')
    assert.equal(refused, false, text)
  })

  test(`below a path, behind ${name}, people read and try the API`, { skip }, async (t) => {
    const browser = await openChromium()
    if (typeof browser === 'string') return t.skip(browser)
    try {
      const page = await browser.newPage()
      const elsewhere: string[] = []
      page.on('request', (request) => void (request.url().startsWith(`${below}/`) || elsewhere.push(request.url())))
      await page.goto(`${below}/docs#me.get`)
      await page.getByLabel('API key').fill(server.ownersKey)
      await page.getByRole('button', { name: 'Use key' }).click()
      await page.getByText(/, owner of /).waitFor()
      await page.keyboard.press('/')
      await page.getByLabel('Search guides and operations').fill('stage_full')
      await page.locator('.found a').first().click()
      await page.waitForURL(`${below}/docs/guides/errors#stage_full`)
      await page.getByRole('link', { name: 'Reference', exact: true }).click()
      await page.waitForURL(`${below}/docs#reference`)
      assert.deepEqual(elsewhere, [])
    } finally {
      await browser.close()
    }
  })
}
