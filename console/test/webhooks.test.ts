import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventTypes } from '../../server/src/resources/index.ts'
import { until } from '../../server/test/support/until.ts'
import { leftovers } from './support/leftovers.ts'
import { hostile } from './support/scene.ts'
import { startConsole } from './support/visits.ts'

const { visit, newWorld } = await startConsole()

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const choose = async (page: Page, name: string) => {
  await page.getByRole('button', { name: /^Actions for / }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

visit('a webhook is created, paused, resumed, deleted and restored; its secret is shown once', async (visit) => {
  const { page } = visit
  const { owner } = await newWorld()
  await visit.signedIn(owner.key, '/console/webhooks')
  await page.getByText('There are no webhooks.').waitFor()
  await button(page, 'New webhook').click()
  await page.getByLabel('URL').fill('https://hooks.example.com/taskwright')
  await page.getByLabel('Description').fill(hostile)
  await visit.accessible()
  await button(page, 'Create').click()
  const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue()
  assert.match(secret, /^whsec_/)
  await button(page, 'I have saved it').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.deepEqual(await leftovers(page, secret), [])
  await page.getByText('https://hooks.example.com/taskwright').first().waitFor()
  await visit.accessible()
  await visit.screenshots('webhooks')
  const statuses = async () =>
    (await owner.get('/webhooks')).body.data.map(({ status }: { status: string }) => status).join()
  await choose(page, 'Pause')
  await page.getByText('Paused', { exact: true }).first().waitFor()
  assert.equal(await statuses(), 'paused')
  await choose(page, 'Resume')
  await page.getByText('Active', { exact: true }).first().waitFor()
  assert.equal(await statuses(), 'active')
  await choose(page, 'Delete')
  await until(async () => (await statuses()) === '', 'The webhook is not deleted')
  // the page has heard of it too, and offers to take that back
  await page.locator('.connection.live').waitFor()
  await button(page, 'Undo').last().click()
  await until(async () => (await statuses()) === 'active', 'The webhook is not brought back')
})

visit('a refused URL gets a message beside it, and stays; members are told who can manage webhooks', async (visit) => {
  const { page, expects } = visit
  const { owner, member } = await newWorld()
  await visit.signedIn(owner.key, '/console/webhooks')
  await button(page, 'New webhook').click()
  await page.getByLabel('URL').fill('javascript:alert(1)')
  expects(/422/)
  await button(page, 'Create').click()
  await page.locator('[aria-invalid=true]').waitFor()
  assert.equal(await page.getByLabel('URL').inputValue(), 'javascript:alert(1)')
  const other = await visit.another()
  await other.signedIn(member.key, '/console/webhooks')
  await other.page.getByText('Only owners and admins can manage webhooks.').waitFor()
})

visit('every event type that exists can be chosen, and no other', async ({ page, signedIn }) => {
  const { owner } = await newWorld()
  await signedIn(owner.key, '/console/webhooks')
  await button(page, 'New webhook').click()
  const offered = await page.locator('.webhook-types code').allTextContents()
  const wanted = eventTypes.flatMap(({ type }) => [type, type.replace(/\..*/, '.*')])
  assert.deepEqual(offered.sort(), [...new Set(wanted)].sort())
})
