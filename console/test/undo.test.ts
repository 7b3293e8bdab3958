import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { startConsole, type Visit } from './support/visits.ts'

const { visit, newScene } = await startConsole()

const undo = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true }).last().click()
const choose = async (page: Page, name: string) => {
  await page
    .getByRole('button', { name: /^(Actions|More|What)/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}
const told = (page: Page, sentence: RegExp) => page.getByRole('alert').getByText(sentence).waitFor()

visit("another member's later change is not undone with an earlier one", async (visit) => {
  const { page, expects } = visit
  const { owner, admin, member, project } = await newScene()
  const path = `/projects/${project.id}/members/${member.memberId}`
  await visit.signedIn(owner.key, `/console/people/projects/${project.id}`)
  const role = page.getByLabel('Role of Mia Member')
  await role.selectOption('Viewer')
  await page.getByText('Mia Member: Viewer.').waitFor()
  await undo(page)
  await page.getByText('Undone.').waitFor()
  assert.equal((await owner.get(path)).body.role, 'contributor')
  await role.selectOption('Viewer')
  await page.getByText('Mia Member: Viewer.').waitFor()
  await admin.patch(path, { role: 'lead' })
  expects(/412/)
  await undo(page)
  await told(page, /^Not undone: somebody has changed this since/)
  assert.equal((await owner.get(path)).body.role, 'lead')
})

visit('a webhook that somebody changed since it was paused stays paused', async (visit) => {
  const { page, expects } = visit
  const { owner, admin, webhook } = await pausedWebhook(visit)
  expects(/412/)
  await admin.patch(`/webhooks/${webhook.id}`, { description: 'Stays paused until Monday' })
  await undo(page)
  await page.locator('.notice.failure').waitFor()
  assert.equal((await owner.get(`/webhooks/${webhook.id}`)).body.status, 'paused')
})

visit('an item that somebody changed since it was restored is not deleted again', async (visit) => {
  const { page, expects } = visit
  const { owner, admin, tag, stages } = await newScene()
  const review = stages.find(({ name }) => name === 'Review')
  const restored = async (path: string, name: string) => {
    await owner.delete(path)
    await page.getByRole('button', { name: `Restore ${name}` }).click()
    await page.getByText(`${name} was restored.`).waitFor()
  }
  await visit.signedIn(owner.key, '/console/trash')
  expects(/412/)
  await restored(`/tags/${tag.id}`, 'urgent')
  await admin.patch(`/tags/${tag.id}`, { color: '#000000' })
  await undo(page)
  await told(page, /^Not undone: somebody has changed this since/)
  assert.equal((await owner.get(`/tags/${tag.id}`)).status, 200)
  await restored(`/stages/${review?.id}`, 'Review')
  await undo(page)
  await page.getByText('Undone.').waitFor()
  assert.equal((await owner.get(`/stages/${review?.id}`)).status, 404)
})

visit('an item that is gone meanwhile is not undone, and a message says where it may be', async (visit) => {
  const { page, expects } = visit
  const { admin, webhook } = await pausedWebhook(visit)
  expects(/404/)
  await admin.delete(`/webhooks/${webhook.id}`)
  await undo(page)
  await told(page, /Deleted items are in the trash\.$/)
})

/** Somebody who just paused a webhook in the console, and it. */
async function pausedWebhook({ page, signedIn }: Visit) {
  const { owner, admin } = await newScene()
  const { body: webhook } = await owner.post('/webhooks', { url: 'https://hooks.example.com/' })
  await signedIn(owner.key, '/console/webhooks')
  await choose(page, 'Pause')
  await page.getByText('Paused', { exact: true }).first().waitFor()
  return { owner, admin, webhook }
}
