import assert from 'node:assert/strict'
import type { Dialog, Page } from 'playwright-core'
import { startConsole, type Visit } from './support/visits.ts'

const { visit, newScene } = await startConsole()

const notKept = 'Your browser cannot store anything for this page'

/** As a browser has it that keeps nothing of a site: to ask for its storage throws. */
const forbidden = `for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied', 'SecurityError') } })`

const fillUp = `for (const store of [sessionStorage, localStorage]) {
  for (let size = 4_000_000, count = 0; size > 0; ) {
    try { store.setItem('full ' + count++, 'x'.repeat(size)) } catch { size = Math.floor(size / 4) }
  }
}`

const composerIn = (page: Page) => page.getByRole('textbox', { name: 'Write a comment' })

/** Whether the browser asks before the page is loaded anew. */
async function asksBeforeLoss(page: Page): Promise<boolean> {
  const asked: string[] = []
  const note = (dialog: Dialog) => asked.push(dialog.type())
  page.on('dialog', note)
  await page.reload()
  page.off('dialog', note)
  return asked.includes('beforeunload')
}

/** Types, leaves what was typed, finds it again, and sends it. */
async function writeComment({ page, accessible }: Visit, said: string) {
  await composerIn(page).fill(said)
  await page.getByRole('alert').filter({ hasText: notKept }).waitFor()
  assert.equal(await page.getByText(notKept).count(), 1)
  await accessible()
  await page
    .getByRole('dialog', { name: /^WEB-1 / })
    .getByRole('button', { name: 'Close' })
    .click()
  await page.goBack()
  await composerIn(page).waitFor()
  assert.equal(await composerIn(page).inputValue(), said)
  await composerIn(page).press('Control+Enter')
  await page.locator('textarea[aria-label="Write a comment"]:placeholder-shown').waitFor()
}

visit('a browser without storage can sign in and write, with one message about it', async (first) => {
  const { owner, tasks } = await newScene()
  const visit = await first.another()
  const { page } = visit
  await page.addInitScript(forbidden)
  await visit.signedIn(owner.key, '/console/board?task=WEB-1')
  await writeComment(visit, 'Kept by the page')
  assert.equal((await owner.get(`/tasks/${tasks.logo.id}/comments`)).body.total, 1)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('dark')
  await page.keyboard.press('Enter')
  await page.locator('html[data-theme=dark]').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Draw a logo' }).waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('k')
  await page.getByText('You are signed in with this key').waitFor()
  // nothing is unsaved: nobody is asked
  assert.equal(await asksBeforeLoss(page), false)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

visit('if storage is full, typed text stays in the page, and the browser asks before leaving it', async (first) => {
  const { owner, tasks } = await newScene()
  const visit = await first.another()
  const { page, expects } = visit
  await visit.signedIn(owner.key, '/console/keys?task=WEB-1')
  await composerIn(page).fill('What was kept before')
  assert.equal(await page.getByText(notKept).count(), 0)
  await page.evaluate(fillUp)
  await composerIn(page).fill('What does not go in any more, as it is longer')
  expects(/Dialog: beforeunload/)
  assert.equal(await asksBeforeLoss(page), true)
  // who goes nevertheless finds what was kept
  await composerIn(page).waitFor()
  assert.equal(await composerIn(page).inputValue(), 'What was kept before')
  await writeComment(visit, 'What does not go in any more, and is sent')
  const { body } = await owner.get(`/tasks/${tasks.logo.id}/comments`)
  assert.deepEqual(
    body.data.map((comment: { body: string }) => comment.body),
    ['What does not go in any more, and is sent'],
  )
})
