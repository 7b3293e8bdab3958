import assert from 'node:assert/strict'
import { goTo, startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

/** What of an open menu is not to be had: what is out of the window, or wider than the menu. */
const outOfSight = `(() => {
  const menu = document.querySelector(':popover-open')
  if (!menu) return 'It is not open'
  const { left, right, top, bottom } = menu.getBoundingClientRect()
  const isInWindow = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
  if (!isInWindow) return 'It is out of the window: ' + [left, top, right, bottom].map(Math.round)
  return menu.scrollWidth > menu.clientWidth ? 'It is wider than its frame' : undefined
})()`

visit('menus stay in the window on a phone, at twice the text size, and in a low window', async (visit) => {
  const { page } = visit
  const { owner } = await newScene()
  await visit.signedIn(owner.key, '/console/keys')
  const found: string[] = []
  for (const [width, height, size] of [
    [390, 844, 200],
    [640, 400, 100],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const path of ['list', 'list?task=WEB-3', 'reports']) {
      await goTo(page, `/${path}`)
      await page.evaluate(`document.documentElement.style.fontSize = '${size}%'`)
      const within = path.includes('task=') ? page.getByRole('dialog', { name: /^WEB-3 / }) : page.locator('.shell')
      const buttons = within.locator('button[popovertarget]:visible:enabled')
      await buttons.nth(1).waitFor()
      for (const button of await buttons.all()) {
        await button.click()
        // which is said as it is placed, just after it is open
        await button.and(page.locator('[aria-expanded=true]')).waitFor()
        const trouble: string | undefined = await page.evaluate(outOfSight)
        if (trouble !== undefined) found.push(`${path} ${width} ${await button.innerText()}: ${trouble}`)
        await page.keyboard.press('Escape')
        await page.locator(':popover-open').waitFor({ state: 'detached' })
      }
    }
  }
  assert.deepEqual(found, [])
})
