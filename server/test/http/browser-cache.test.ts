import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openChromium } from '../support/slow/chromium.ts'
import { startServer } from '../support/world.ts'

const { base, newWorld, logged } = await startServer()

let browser: Browser | string
before(async () => {
  browser = await openChromium()
})
after(async () => {
  if (typeof browser !== 'string') await browser.close()
})

/** A GET by a page, which keeps answers and asks again as a browser does. */
const read = (page: Page, path: string, headers: Record<string, string>) =>
  page.evaluate<string, [string, Record<string, string>]>(
    async ([url, headers]) => (await fetch(url, { headers })).text(),
    [`/api/v1${path}`, headers],
  )

const unchanged = () => logged.filter((line) => JSON.parse(line).status === 304).length

for (const header of ['authorization', 'x-api-key']) {
  test(`a browser that asks with the keys of two organizations (${header}) shows neither of them a response of the other`, async (t) => {
    if (typeof browser === 'string') return t.skip(browser)
    const worlds = [await newWorld(), await newWorld()]
    for (const [n, { owner, project, task, keysUsed }] of worlds.entries()) {
      await task({ projectId: (await project({ key: 'WEB' })).id, name: `Task of ${n}` })
      await owner.patch('/organization', { name: `Organization ${n}` })
      await keysUsed()
    }
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${base}/docs`)
    const paths = ['/tasks/WEB-1', '/organization', '/tasks/WEB-1?fields=name', '/tasks', '/me']
    // twice, as each may be asked for while the answer to the other is kept
    for (const round of [1, 2]) {
      for (const { owner } of worlds) {
        for (const path of paths) {
          const direct = await owner.get(path)
          const key = { [header]: header === 'x-api-key' ? owner.key : `Bearer ${owner.key}` }
          assert.equal(await read(page, path, key), direct.text, `${path}, round ${round}`)
        }
      }
    }
    // it does keep answers, and asks whether they changed
    const before = unchanged()
    const key = { [header]: header === 'x-api-key' ? (worlds[1]?.owner.key ?? '') : `Bearer ${worlds[1]?.owner.key}` }
    await read(page, '/tasks/WEB-1', key)
    await read(page, '/tasks/WEB-1', key)
    assert.ok(unchanged() > before)
    await page.context().close()
  })
}
