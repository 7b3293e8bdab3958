import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { chooseKey, startConsole } from '../support/visits.ts'

const { base, visit, newWorld } = await startConsole()

const stored = (page: Page) =>
  page.evaluate('[sessionStorage.getItem("taskwright.key"), localStorage.getItem("taskwright.key")]')
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const link = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })

visit(
  'a person with an API key signs in with it, and the key stays only in the tab, until they sign out',
  async (visit) => {
    const { page, expects, accessible, screenshots } = visit
    const { owner } = await newWorld()
    await page.goto(`${base}/console`)
    await heading(page, 'Sign in').waitFor()
    await chooseKey(page)
    assert.equal(await page.evaluate('document.activeElement.name'), 'key')
    await accessible()
    await screenshots('sign-in')
    await page.keyboard.type('no key at all')
    await page.keyboard.press('Enter')
    await page.getByText('This is not an API key').waitFor()
    expects(/401 \(Unauthorized\)/)
    await page.getByLabel('API key').fill(`tw_${'0'.repeat(58)}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This key does not work').waitFor()
    assert.deepEqual(await stored(page), [null, null])
    await page.getByLabel('API key').fill(owner.key)
    await page.keyboard.press('Enter')
    await link(page, 'Board').waitFor()
    assert.deepEqual(await stored(page), [owner.key, null])
    await page.reload()
    await link(page, 'Board').waitFor()
    assert.doesNotMatch(await page.content(), new RegExp(owner.key))
    await page.getByRole('button', { name: 'Olivia Owner' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await heading(page, 'Sign in').waitFor()
    assert.deepEqual(await stored(page), [null, null])
  },
)
