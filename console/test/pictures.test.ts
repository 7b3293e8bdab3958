import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { keyOf, seedingOf } from '../../server/test/commands/demo/seeding.ts'
import { until } from '../../server/test/support/until.ts'
import { startConsole } from './support/visits.ts'

const { db, api, visit } = await startConsole()
const owner = keyOf(await seedingOf(db).seeded({ tasks: 300, nowMs: Date.now() }), 'owner')

const views = ['Board', 'List', 'My work', 'Timesheet', 'Reports', 'People', 'Keys', 'Webhooks', 'Trash']
const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 800 }

// what is wider than what it stands in scrolls by itself, and takes the page along nowhere
const tooWide = `['html', '.top'].flatMap((name) => {
  const { scrollWidth, clientWidth } = document.querySelector(name)
  return scrollWidth > clientWidth + 1 ? [name + ' ' + scrollWidth + ' > ' + clientWidth] : []
})`

const isShown = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).and(page.locator(':visible')).first().waitFor()

visit('every view fits a phone and a desktop, with text at 80 and at 200 %', async (visit) => {
  const { page, signedIn, screenshots } = visit
  const problems: string[] = []
  await signedIn(owner, '/console/board')
  for (const name of views) {
    await page.setViewportSize(desk)
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
    await isShown(page, name)
    await until(async () => !/Loading…/.test(await page.getByRole('main').innerText()), `${name} goes on loading`)
    await screenshots(`all-${name.toLowerCase().replace(' ', '-')}`)
    for (const size of [phone, desk]) {
      await page.setViewportSize(size)
      await until(() => page.evaluate(`innerWidth === ${size.width}`), 'The window keeps its width')
      for (const percent of [80, 100, 200]) {
        await page.evaluate(`document.documentElement.style.fontSize = '${(percent / 100) * 15}px'`)
        const wider: string[] = await page.evaluate(tooWide)
        problems.push(...wider.map((what) => `${name}, ${size.width} px, text at ${percent} %: ${what}`))
      }
      await page.evaluate('document.documentElement.style.fontSize = null')
    }
  }
  assert.deepEqual(problems, [])
})

visit('README shows a board, light and dark', async ({ page, signedIn, screenshots }) => {
  const { body } = await api(owner).get('/reports/tasks?groupBy=workspace&completed=false')
  const groups: { group: { workspace: { id: string | null } }; open: number }[] = body.data
  const [busiest] = groups
    .filter(({ group }) => group.workspace.id !== null)
    .toSorted((one, two) => two.open - one.open)
  await signedIn(owner, `/console/board/${busiest?.group.workspace.id}`)
  await page
    .getByRole('link', { name: /^[A-Z]+-\d+ / })
    .first()
    .waitFor()
  await screenshots('console')
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  for (const theme of ['light', 'dark']) {
    const [, path] = new RegExp(`"(docs/console-desktop-${theme}\\.png)"`).exec(readme) ?? []
    const picture = await readFile(new URL(`../../${path}`, import.meta.url))
    // of a PNG the first chunk has width and height
    assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [desk.width, desk.height])
  }
})
