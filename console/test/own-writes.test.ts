import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { intercept } from './support/intercept.ts'
import { startConsole, type Visit } from './support/visits.ts'

const { visit, newScene } = await startConsole()

/** Opens a page that hears of no event. It learns what changed only from the answers to its own writes. */
async function openedDeaf({ page, signedIn }: Visit, key: string, path: string): Promise<void> {
  await page.goto('about:blank')
  await signedIn(key, '/console/keys')
  await page.locator('.connection.live').waitFor()
  await intercept(page, '**/api/v1/events**', () => new Promise(() => {}))
  await page.goto(new URL(path, page.url()).href)
  await page.locator('main#content').waitFor()
}

const undo = async (page: Page) => {
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
  await page.getByText('Undone.').waitFor()
}

const choose = async (page: Page, menu: string | RegExp, item: string) => {
  await page.getByRole('button', { name: menu }).first().click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

visit('a role can be changed again after an undone role change', async (visit) => {
  const { page } = visit
  const { owner, member, project } = await newScene()
  await openedDeaf(visit, owner.key, `/console/people/projects/${project.id}`)
  const role = page.getByLabel('Role of Mia Member')
  await role.selectOption('Viewer')
  await page.getByText('Mia Member: Viewer.').waitFor()
  await undo(page)
  await role.selectOption('Lead')
  await page.getByText('Mia Member: Lead.').waitFor()
  assert.equal((await owner.get(`/projects/${project.id}/members/${member.memberId}`)).body.role, 'lead')
})

visit('a member can be deactivated again after an undone deactivation', async (visit) => {
  const { page } = visit
  const { owner, member } = await newScene()
  await openedDeaf(visit, owner.key, '/console/people')
  for (const isFirst of [true, false]) {
    await choose(page, /Mia Member/, 'Deactivate')
    await page.getByText(/^Mia Member is deactivated/).waitFor()
    if (isFirst) await undo(page)
  }
  assert.equal((await owner.get(`/members/${member.memberId}`)).body.status, 'deactivated')
})

visit('a card whose move was undone gets a due date', async (visit) => {
  const { page } = visit
  const { owner, board, tasks } = await newScene()
  await openedDeaf(visit, owner.key, `/console/board/${board.id}`)
  await choose(page, /WEB-1/, 'Move down')
  await page.getByText(/WEB-1 moved to/).waitFor()
  await undo(page)
  await setDue(page)
  assert.equal((await owner.get(`/tasks/${tasks.logo.id}`)).body.dueDate, '2027-01-31')
})

visit('a card that was changed in its panel gets a due date on the board', async (visit) => {
  const { page } = visit
  const { owner, board, tasks } = await newScene()
  await openedDeaf(visit, owner.key, `/console/board/${board.id}?task=WEB-1`)
  const panel = page.getByRole('dialog', { name: /^WEB-1 / })
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await panel.getByRole('combobox', { name: 'Priority' }).selectOption('Urgent')
  await saved
  await panel.getByText('Saving').waitFor({ state: 'detached' })
  await panel.getByRole('button', { name: 'Close' }).click()
  await panel.waitFor({ state: 'detached' })
  await setDue(page)
  const { dueDate, priority } = (await owner.get(`/tasks/${tasks.logo.id}`)).body
  assert.deepEqual([dueDate, priority], ['2027-01-31', 'urgent'])
})

visit('an undo is still refused when the same person changed the item again', async (visit) => {
  const { page, expects } = visit
  const { owner, member, project } = await newScene()
  await openedDeaf(visit, owner.key, `/console/people/projects/${project.id}`)
  const role = page.getByLabel('Role of Mia Member')
  await role.selectOption('Viewer')
  await page.getByText('Mia Member: Viewer.').waitFor()
  await role.selectOption('Lead')
  await page.getByText('Mia Member: Lead.').waitFor()
  expects(/412/)
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
  await page
    .getByRole('alert')
    .getByText(/^Not undone/)
    .waitFor()
  assert.equal((await owner.get(`/projects/${project.id}/members/${member.memberId}`)).body.role, 'lead')
})

async function setDue(page: Page): Promise<void> {
  await choose(page, /WEB-1/, 'Set the due date…')
  const dialog = page.getByRole('dialog', { name: 'Due date of WEB-1' })
  await dialog.getByLabel('Due date').fill('2027-01-31')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Due date of WEB-1 saved.').waitFor()
}
