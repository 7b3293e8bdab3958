import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { chooseKey, startConsole } from './support/visits.ts'

const { base, visit, newScene } = await startConsole()

/** As when another tab is chosen; Chromium without a screen takes all tabs for visible. */
const turn = (page: Page, hidden: boolean) =>
  page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)

const withKey = async (page: Page, key: string) => {
  await page.goto(`${base}/console/keys`)
  await chooseKey(page)
  await page.getByLabel('API key').fill(key)
  await page.getByLabel('Stay signed in on this device').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('main#content').waitFor()
}

visit('ten tabs of a browser work side by side, and a hidden one shows what it missed', async (visit) => {
  const { page } = visit
  const { owner } = await newScene()
  await withKey(page, owner.key)
  await page.goto(`${base}/console/people`)
  await page.getByText('Live', { exact: true }).waitFor()
  await turn(page, true)
  const others: Page[] = []
  for (let n = 0; n < 9; n++) {
    const other = await page.context().newPage()
    others.push(other)
    await other.goto(`${base}/console/keys`)
    await other.getByText('Live', { exact: true }).waitFor()
    await turn(other, true)
  }
  await owner.post('/members', { name: 'Nora New', email: 'nora@example.com' })
  await turn(page, false)
  await page.getByText('Nora New').first().waitFor()
  await Promise.all(others.map((other) => other.close()))
})

visit('signing out in one tab signs out the tabs that signed in with the same key', async ({ page }) => {
  const { owner } = await newScene()
  await withKey(page, owner.key)
  const other = await page.context().newPage()
  await other.goto(`${base}/console/people`)
  await other.getByRole('heading', { name: 'People' }).waitFor()
  await page.getByRole('button', { name: /^Olivia Owner/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  await other.close()
})

visit('a key that stopped working takes from no other tab the key that it has stored', async ({ page, expects }) => {
  const { owner, admin } = await newScene()
  const made = (await owner.post('/api-keys', { name: 'Soon gone', scopes: ['read', 'write'] })).body
  await page.goto(`${base}/console/keys`)
  await chooseKey(page)
  await page.getByLabel('API key').fill(made.secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('main#content').waitFor()
  const other = await page.context().newPage()
  await withKey(other, admin.key)
  expects(/401/)
  await owner.delete(`/api-keys/${made.id}`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await other.reload()
  await other.getByRole('heading', { name: 'Keys' }).waitFor()
  await other.close()
})

visit("one person's actions cannot be undone by another person who signs in after them", async ({ page, signedIn }) => {
  const { owner, admin, tasks } = await newScene()
  await signedIn(owner.key, '/console/people?task=WEB-1')
  const panel = page.getByRole('dialog', { name: /^WEB-1 / })
  await panel.getByRole('button', { name: 'Actions for this task' }).click()
  await panel.getByRole('menuitem', { name: 'Delete' }).click()
  await panel.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Olivia Owner/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('API key').fill(admin.key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /^Adam Admin/ }).waitFor()
  const asked: string[] = []
  page.on('request', (request) => request.method() === 'POST' && asked.push(request.url()))
  await page.keyboard.press('z')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  assert.deepEqual(asked, [])
  assert.equal((await admin.get(`/tasks/${tasks.logo.id}`)).status, 404)
})

visit('nothing that was read for one member is there when another one signs in', async ({ page, signedIn }) => {
  const { owner, member } = await newScene()
  await signedIn(owner.key, '/console/people')
  await page.evaluate('window.isOfBefore = true')
  await page.getByRole('button', { name: /^Olivia Owner/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  const signIn = async (key: string) => {
    await page.getByLabel('API key').fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await signIn(member.key)
  await page.getByRole('button', { name: /^Mia Member/ }).waitFor()
  assert.equal(await page.evaluate('window.isOfBefore'), undefined)
})
