import type { Page } from 'playwright-core'
import { startConsole } from './support/visits.ts'

const { base, visit, newScene } = await startConsole()

/** As when another tab is chosen; Chromium without a screen takes all tabs for visible. */
const turn = (page: Page, hidden: boolean) =>
  page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)

const withKey = async (page: Page, key: string) => {
  await page.goto(`${base}/console/keys`)
  await page.getByLabel('API key').fill(key)
  await page.getByLabel('Stay signed in on this device').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('main#content').waitFor()
}

visit(
  'ten tabs of a browser go on beside each other, and one that was out of sight tells what it missed',
  async (visit) => {
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
  },
)
