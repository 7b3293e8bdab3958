import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../../server/test/support/until.ts'
import { intercept } from './support/intercept.ts'
import { startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

const isLive = (page: Page) => page.locator('.connection.live').waitFor()
const keysIn = (page: Page, stage: string) =>
  page.getByRole('region', { name: stage, exact: true }).locator('.board-key').allInnerTexts()

async function moveByKeys(page: Page) {
  await page.getByRole('link', { name: /^WEB-1 / }).focus()
  for (const key of ['Space', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
}

/** What is sent to be written, each held until it is let go. */
async function holdWrites(page: Page, path: string) {
  const sent: (() => void)[] = []
  await intercept(page, path, async (route) => {
    if (route.request().method() === 'GET') return route.continue()
    await new Promise<void>((resolve) => sent.push(resolve))
    await route.continue()
  })
  return sent
}

visit(
  'on a slow network the page shows that a request is in progress, and does nothing before it is done',
  async (visit) => {
    const { page, signedIn } = visit
    const { owner, board, tasks } = await newScene()
    await signedIn(owner.key, '/console/trash')
    const session = await page.context().newCDPSession(page)
    const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', slow)
    await page.goto(page.url().replace('/trash', `/board/${board.id}`), { waitUntil: 'commit' })
    await page
      .getByText(/Signing in…|Loading…|Loading the board…/)
      .first()
      .waitFor()
    assert.equal(await page.getByRole('link', { name: /^WEB-1 / }).count(), 0)
    await isLive(page)
    const sent = await holdWrites(page, '**/move')
    await moveByKeys(page)
    await page.getByText('Moving…').waitFor()
    await page.getByText('Saving…').waitFor()
    assert.equal(await page.getByText('WEB-1 moved to Doing.').count(), 0)
    await until(() => sent.length === 1, 'It is not sent')
    assert.notEqual((await owner.get(`/tasks/${tasks.logo.id}`)).body.stageId, tasks.form.stageId)
    for (const send of sent) send()
    await page.getByText('WEB-1 moved to Doing.').waitFor()
    await session.detach()
  },
)

visit('a late response does not move a person away from what they type by then', async ({ page, signedIn }) => {
  const { owner } = await newScene()
  await signedIn(owner.key, '/console/keys?task=WEB-3')
  const panel = page.getByRole('dialog', { name: /^WEB-3 / })
  await panel.getByText('Check the address').waitFor()
  const sent = await holdWrites(page, '**/api/v1/tasks/**')
  await panel.getByRole('textbox', { name: 'New subtask' }).fill('One more step')
  await page.keyboard.press('Enter')
  await panel.getByTitle('Rename').click()
  await page.keyboard.type('!')
  await page.keyboard.press('Enter')
  await until(() => sent.length === 2, 'Not both are sent')
  await panel.getByRole('textbox', { name: 'Write a comment' }).focus()
  await page.keyboard.type('Half ')
  for (const send of sent) send()
  await panel.getByText('One more step').waitFor()
  await panel.getByRole('heading', { name: /^Build the contact form!/ }).waitFor()
  await page.keyboard.type('a thought')
  assert.equal(await panel.getByRole('textbox', { name: 'Write a comment' }).inputValue(), 'Half a thought')
})

visit('without a network the page says so, queues nothing in secret, and continues later', async (visit) => {
  const { page, expects, signedIn } = visit
  const { owner, board, tasks } = await newScene()
  await signedIn(owner.key, `/console/board/${board.id}?task=WEB-3`)
  await isLive(page)
  const composer = page.getByRole('textbox', { name: 'Write a comment' })
  await composer.waitFor()
  await page.getByRole('link', { name: /^WEB-1 / }).waitFor()
  const writes: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(request.url())
  })
  expects(/ERR_INTERNET_DISCONNECTED/)
  await page.context().setOffline(true)
  await page.getByText('The server cannot be reached.').waitFor()
  await composer.fill('Said offline')
  await composer.press('Control+Enter')
  await page.getByText('The server did not respond').waitFor()
  const before = writes.length
  await owner.patch(`/tasks/${tasks.form.id}`, { name: 'Build it' })
  await page.context().setOffline(false)
  await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' })
  // what others did is there; what was typed is sent when somebody says so
  await page.getByRole('dialog', { name: /^WEB-3 Build it/ }).waitFor()
  assert.deepEqual([writes.length, await composer.inputValue()], [before, 'Said offline'])
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Said offline' }).waitFor()
  assert.equal((await owner.get(`/tasks/${tasks.form.id}/comments`)).body.total, 1)
  assert.deepEqual(await keysIn(page, 'Doing'), ['WEB-3'])
})
