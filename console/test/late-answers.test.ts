import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../../server/test/support/until.ts'
import { cutOff, holdAnswers } from './support/intercept.ts'
import { startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

const panelOf = (page: Page) => page.getByRole('dialog', { name: /^WEB-1 / })

visit('a person who moved on while something was saved stays where they are', async ({ page, signedIn }) => {
  const { owner } = await newScene()
  await signedIn(owner.key, '/console/keys?task=WEB-1')
  const panel = panelOf(page)
  await panel.getByRole('button', { name: 'Draw a logo' }).waitFor()
  await page.locator('.connection.live').waitFor()
  const letThrough = await holdAnswers(page, '**/api/v1/time-entries')
  await panel.getByLabel('Log time').focus()
  await page.keyboard.type('1h30')
  await page.keyboard.press('Enter')
  // the event of it comes before the answer
  await panel.getByText('1h 30m').first().waitFor()
  await panel.getByRole('button', { name: 'Actions for this task' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('[role=menuitem]:focus').waitFor()
  letThrough()
  await panel.locator('input[aria-label="Log time"]:placeholder-shown').waitFor()
  await page.locator('[role=menuitem]:focus').waitFor({ timeout: 5_000 })
})

visit('a menu shares the focus with its button, and gives it back', async ({ page, signedIn }) => {
  const { owner } = await newScene()
  await signedIn(owner.key, '/console/keys?task=WEB-1')
  const button = panelOf(page).getByRole('button', { name: 'Actions for this task' })
  await button.focus()
  await page.evaluate(`
    window.order = []
    for (const type of ['focusin', 'toggle'])
      addEventListener(type, ({ target }) => order.push(type + ' ' + target.role), { capture: true })`)
  await page.keyboard.press('Enter')
  await until(
    async () => (await page.evaluate('order.join()')) === 'focusin menuitem,toggle menu',
    'The focus comes behind the menu',
  )
  await page.keyboard.press('Escape')
  await page.locator('[aria-label="Actions for this task"][aria-haspopup]:focus').waitFor()
})

visit('a response from before the network was gone does not say that the server is there', async (visit) => {
  const { page } = visit
  const { owner } = await newScene()
  await visit.signedIn(owner.key, '/console/trash')
  await page.getByText('Live', { exact: true }).waitFor()
  const letThrough = await holdAnswers(page, '**/api/v1/members?*')
  // what draws the view has come by then
  const asked = page.waitForRequest('**/api/v1/members?*')
  await page.getByRole('link', { name: 'People' }).click()
  await asked
  await page.getByText('Loading').waitFor()
  await cutOff(visit)
  await page.getByText('The server cannot be reached').waitFor()
  letThrough()
  await page.getByText('Mia Member').waitFor()
  await page.getByText('The server cannot be reached').waitFor()
  await page.getByText('Live', { exact: true }).waitFor({ state: 'detached' })
})

visit('Enter chooses for the text typed before it, however late the results are', async ({ page, signedIn }) => {
  const { owner, tasks } = await newScene()
  await signedIn(owner.key, '/console/keys?task=WEB-1')
  const choose = panelOf(page).getByRole('button', { name: /^Assignees:/ })
  await choose.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Adam Admin' }).waitFor()
  const letThrough = await holdAnswers(page, '**/api/v1/members?*')
  await page.keyboard.type('olivia')
  await page.keyboard.press('Enter')
  letThrough()
  const assignees = async () => (await owner.get(`/tasks/${tasks.logo.id}`)).body.assigneeIds
  await until(async () => (await assignees()).length > 0, 'Nobody was chosen')
  assert.deepEqual(await assignees(), [owner.memberId])
  await page.getByRole('option', { name: 'Olivia Owner', selected: true }).waitFor()
})

visit('text typed while the previous line is saved stays, and is the next line', async ({ page, signedIn }) => {
  const { owner, tasks } = await newScene()
  await signedIn(owner.key, '/console/keys?task=WEB-1')
  const panel = panelOf(page)
  await panel.getByRole('button', { name: 'Draw a logo' }).waitFor()
  const letThrough = await holdAnswers(page, /subtasks$|comments$/)
  await panel.getByRole('textbox', { name: 'New subtask' }).focus()
  await page.keyboard.type('Find a pencil')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Sharpen it')
  const comment = panel.getByRole('textbox', { name: 'Write a comment' })
  await comment.focus()
  await page.keyboard.type('Which one?')
  await page.keyboard.press('Control+Enter')
  await page.keyboard.type('The blue one')
  letThrough()
  const line = page.locator('input[aria-label="New subtask"]')
  await until(async () => (await line.inputValue()) === 'Sharpen it', 'It does not stay')
  await until(async () => (await comment.inputValue()) === 'The blue one', 'It does not stay')
  await line.press('Enter')
  await panel.getByRole('checkbox', { name: 'Done: Sharpen it' }).waitFor()
  const { subtasks, comments } = (await owner.get(`/tasks/${tasks.logo.id}?include=subtasks,comments`)).body
  const namesOf = (all: { name?: string; body?: string }[]) => all.map(({ name, body }) => name ?? body)
  assert.deepEqual(namesOf(subtasks), ['Find a pencil', 'Sharpen it'])
  assert.deepEqual(namesOf(comments), ['Which one?'])
})
