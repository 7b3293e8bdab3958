import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../../server/test/support/until.ts'
import { cutOff } from './support/intercept.ts'
import { chooseKey, startConsole } from './support/visits.ts'

const { base, visit, newScene, newWorld } = await startConsole()

const stored = (page: Page) =>
  page.evaluate('[sessionStorage.getItem("taskwright.key"), localStorage.getItem("taskwright.key")]')
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const link = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })
const reason = (page: Page) => page.getByRole('alert')

visit(
  'on request a key is stored on the device; a revoked one leads to the sign-in with a message',
  async ({ page, expects }) => {
    const { owner } = await newWorld()
    await page.goto(`${base}/console/trash`)
    await chooseKey(page)
    await page.getByLabel('API key').fill(owner.key)
    await page.getByLabel('Stay signed in on this device').check()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await heading(page, 'Trash').waitFor()
    assert.deepEqual(await stored(page), [null, owner.key])
    await page.getByText('Live', { exact: true }).waitFor()
    const { body } = await owner.get('/me')
    assert.equal((await owner.call('DELETE', `/api-keys/${body.apiKey.id}`)).status, 204)
    expects(/401 \(Unauthorized\)/)
    await heading(page, 'Sign in').waitFor()
    assert.match(await reason(page).innerText(), /^This key does not work/)
    assert.deepEqual(await stored(page), [null, null])
  },
)

const views = ['Board', 'List', 'My work', 'Timesheet', 'Reports', 'People', 'Keys', 'Webhooks', 'Trash']

visit(
  'every view is a link, an address, a command and two keys',
  async ({ page, signedIn, accessible, screenshots }) => {
    const { owner } = await newWorld()
    await signedIn(owner.key)
    assert.deepEqual(await page.getByRole('navigation').getByRole('link').allInnerTexts(), views)
    for (const name of views) {
      await link(page, name).click()
      await heading(page, name).waitFor()
      assert.equal(await page.title(), `${name} · Taskwright`)
      assert.equal(await link(page, name).getAttribute('aria-current'), 'page')
      assert.ok(page.url().startsWith(`${base}/console/${name.toLowerCase().replace(' ', '-')}`))
    }
    await page.goBack()
    await heading(page, 'Webhooks').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('l')
    await heading(page, 'List').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.type('go tim')
    await page.getByRole('option', { name: 'Go to Timesheet' }).waitFor()
    await accessible()
    await screenshots('commands')
    await page.keyboard.press('Enter')
    await heading(page, 'Timesheet').waitFor()
    await page.goto(`${base}/console/nowhere/at-all`)
    await heading(page, 'Page not found').waitFor()
  },
)

visit('Ctrl+K finds tasks by key and by words; ? lists every shortcut', async (visit) => {
  const { page, signedIn, accessible, screenshots } = visit
  const { owner } = await newScene()
  await signedIn(owner.key, '/console/keys')
  await heading(page, 'Keys').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  await page.keyboard.type('web-2')
  await page.getByRole('option', { name: 'Open WEB-2' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/console\/keys\?task=WEB-2$/)
  await page.goto(`${base}/console/keys`)
  await heading(page, 'Keys').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('contact fo')
  const found = page.getByRole('option', { name: 'Build the contact form' })
  await found.waitFor()
  await found.click()
  await page.waitForURL(/\/console\/keys\?task=WEB-3$/)
  await page.goto(`${base}/console/keys`)
  await heading(page, 'Keys').waitFor()
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const what of ['Search for anything', 'Go to Trash', 'Undo the last change']) {
    await dialog.getByText(what, { exact: true }).waitFor()
  }
  await accessible()
  await screenshots('shortcuts')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

visit('the message that the server cannot be reached is visible above an open task, also on a phone', async (visit) => {
  const { page } = visit
  const { owner } = await newScene()
  await page.setViewportSize({ width: 390, height: 844 })
  await visit.signedIn(owner.key, '/console/list?task=WEB-3')
  const panel = page.getByRole('dialog', { name: /^WEB-3 / })
  await panel.getByText('Check the address').waitFor()
  await panel.getByRole('button', { name: 'History' }).scrollIntoViewIfNeeded()
  await cutOff(visit)
  const said = page.getByText('The server cannot be reached.')
  // nothing covers it
  await said.click({ trial: true })
  await visit.accessible()
  await visit.screenshots('task-offline')
  // nor does it cover what has the focus
  const priority = panel.getByRole('combobox', { name: 'Priority' })
  await priority.focus()
  const [above, below] = [await said.boundingBox(), await priority.boundingBox()]
  assert.ok(above && below && below.y >= above.y + above.height, JSON.stringify([above, below]))
  await priority.blur()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await said.click({ trial: true })
  await page.context().setOffline(false)
  await said.waitFor({ state: 'detached' })
})

visit('a message says that the server cannot be reached, and disappears by itself', async (visit) => {
  const { page } = visit
  const { owner } = await newWorld()
  await visit.signedIn(owner.key, '/console/trash')
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByText('Nothing was deleted').waitFor()
  await cutOff(visit)
  await page.getByText('The server cannot be reached.').waitFor()
  await page.context().setOffline(false)
  await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' })
  await page.getByText('Live', { exact: true }).waitFor()
})

visit('on a phone the views are behind a button', async ({ page, signedIn, accessible, screenshots }) => {
  const { owner } = await newWorld()
  await page.setViewportSize({ width: 390, height: 844 })
  await signedIn(owner.key, '/console/trash')
  await heading(page, 'Trash').waitFor()
  await page.getByRole('button', { name: 'Open the menu' }).click()
  await accessible()
  await screenshots('menu')
  await page.getByRole('dialog').getByRole('link', { name: 'Keys' }).click()
  await heading(page, 'Keys').waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
})

visit('light or dark follows the system, unless the person chose', async ({ page, signedIn }) => {
  const { owner } = await newWorld()
  const colour = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
  const becomes = (theme: 'dark' | 'light') =>
    until(async () => ((await colour()) === 'rgb(22, 23, 25)') === (theme === 'dark'), `It is not ${theme}`)
  await signedIn(owner.key, '/console/trash')
  await page.emulateMedia({ colorScheme: 'dark' })
  await becomes('dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await becomes('light')
  await page.getByRole('button', { name: 'Olivia Owner' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark theme' }).click()
  await becomes('dark')
  await page.reload()
  await heading(page, 'Trash').waitFor()
  await becomes('dark')
})
