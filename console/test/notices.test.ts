import assert from 'node:assert/strict'
import { startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

visit('a message during an open task is above it, and its undo works there', async (visit) => {
  const { page, signedIn } = visit
  const { owner, step } = await newScene()
  await signedIn(owner.key, '/console/list?task=WEB-3')
  const panel = page.getByRole('dialog', { name: /^WEB-3 / })
  const told = page.getByRole('status').filter({ hasText: '“Check the address” was deleted.' })
  await panel.getByRole('button', { name: 'Actions for Check the address' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await told.waitFor()
  // it stays while somebody points at it
  await page.getByRole('button', { name: 'Dismiss' }).hover()
  assert.equal((await owner.get(`/subtasks/${step.id}`)).status, 404)
  await visit.accessible()
  // above the dialog that stands above the task, too
  await panel.getByRole('link', { name: 'WEB-3' }).focus()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).hover()
  await page.keyboard.press('Escape')
  await panel.getByRole('button', { name: 'Undo' }).click()
  await panel.getByText('Check the address').waitFor()
  assert.equal((await owner.get(`/subtasks/${step.id}`)).status, 200)
  await panel.getByRole('button', { name: 'Dismiss' }).last().click()
})

visit('a message from a dialog stays visible after the dialog closes', async ({ page, signedIn }) => {
  const { owner } = await newScene()
  await signedIn(owner.key, '/console/list?task=WEB-3')
  await page.getByRole('button', { name: 'Actions for this task' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: /WEB-3/ }).waitFor()
})
