import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { startConsole } from './support/visits.ts'

const { base, visit, newScene } = await startConsole()

const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')
const copyOfReport = (page: Page) => page.getByRole('button', { name: 'Copy link' }).click()
const report = '/console/reports?by=member&from=2026-03-01'

visit('the copied text is an address that opens the same view', async ({ another }) => {
  const { owner } = await newScene()
  const { page, signedIn } = await another({ permissions: ['clipboard-read', 'clipboard-write'] })
  await signedIn(owner.key, '/console/keys?task=WEB-3')
  const panel = page.getByRole('dialog', { name: /^WEB-3 / })
  await panel.getByText('Check the address').waitFor()
  await page.keyboard.press('l')
  await page.getByText('Link copied.').waitFor()
  const task = await copied(page)
  assert.ok(task.startsWith(`${base}/console/`), task)
  await page.goto(base + report)
  await copyOfReport(page)
  await page.getByText('Link copied.').waitFor()
  const ofReport = await copied(page)
  assert.ok(ofReport.startsWith(`${base}/console/reports?by=member&`), ofReport)
  await page.goto(ofReport)
  await page.getByRole('button', { name: 'Copy link' }).waitFor()
  await page.goto(task)
  await panel.getByText('Check the address').waitFor()
})

visit('if the page has no clipboard, as without https, a message says to copy the address by hand', async (visit) => {
  const { owner } = await newScene()
  const { page, signedIn } = await visit.another()
  await page.addInitScript("Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })")
  await signedIn(owner.key, '/console/keys?task=WEB-3')
  await page
    .getByRole('dialog', { name: /^WEB-3 / })
    .getByText('Check the address')
    .waitFor()
  await page.keyboard.press('l')
  await page.getByText(new RegExp(`Copy it by hand: ${base}/console/.*WEB-3`)).waitFor()
  await page.goto(base + report)
  await copyOfReport(page)
  await page.getByText(`Copy it by hand: ${base}/console/reports?by=member&`).waitFor()
})
