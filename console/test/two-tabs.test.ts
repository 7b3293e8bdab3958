import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../../server/test/support/until.ts'
import { intercept } from './support/intercept.ts'
import { chooseKey, startConsole, type Visit } from './support/visits.ts'

const { base, visit, newScene } = await startConsole()

const isLive = (page: Page) => page.locator('.connection.live').waitFor()
const keysIn = (page: Page, stage: string) =>
  page.getByRole('region', { name: stage, exact: true }).locator('.board-key').allInnerTexts()
const panel = (page: Page) => page.getByRole('dialog', { name: /^WEB-3 / })
const description = (page: Page) => panel(page).getByRole('textbox', { name: 'Description' })

/** Two tabs of one browser, of which the second one finds the key of the first. */
async function twoTabs({ page }: Visit, key: string, path: string): Promise<[Page, Page]> {
  await page.goto(base + path)
  await chooseKey(page)
  await page.getByLabel('API key').fill(key)
  await page.getByLabel('Stay signed in').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await isLive(page)
  const other = await page.context().newPage()
  await other.goto(base + path)
  await isLive(other)
  return [page, other]
}

visit('a card that two tabs move at once ends in one place, the same in both', async (visit) => {
  const { owner, board, tasks, stages } = await newScene()
  const tabs = await twoTabs(visit, owner.key, `/console/board/${board.id}`)
  const sent: (() => void)[] = []
  for (const [at, page] of tabs.entries()) {
    await page.bringToFront()
    await intercept(page, '**/move', async (route) => {
      await new Promise<void>((resolve) => sent.push(resolve))
      await route.continue()
    })
    await page.getByRole('link', { name: /^WEB-1 / }).focus()
    for (const key of ['Space', ...Array(at + 1).fill('ArrowRight'), 'Enter']) await page.keyboard.press(key)
    await page.getByText('Moving…').waitFor()
  }
  await until(() => sent.length === 2, 'Not both are sent')
  for (const send of sent) send()
  for (const page of tabs) await page.getByText(/WEB-1 moved to/).waitFor()
  const { stageId } = (await owner.get(`/tasks/${tasks.logo.id}`)).body
  const stage = stages.find(({ id }) => id === stageId)?.name ?? ''
  for (const page of tabs) {
    await until(async () => (await keysIn(page, stage)).includes('WEB-1'), 'The tabs do not agree')
    assert.equal(await page.getByRole('link', { name: /^WEB-1 / }).count(), 1)
  }
  await tabs[1].close()
})

visit('two tabs that write the same show both versions, and neither loses its own', async (visit) => {
  const { owner, tasks } = await newScene()
  const tabs = await twoTabs(visit, owner.key, '/console/keys?task=WEB-3')
  for (const [at, page] of tabs.entries()) {
    await page.bringToFront()
    await panel(page).getByText('Check the address').waitFor()
    await page.keyboard.press('e')
    await description(page).fill(`Of tab ${at}`)
  }
  const [one, other] = tabs
  await description(one).press('Control+Enter')
  await description(one).waitFor({ state: 'detached' })
  await panel(other).getByText('Somebody else changed this while you were typing.').waitFor()
  await description(other).press('Control+Enter')
  const conflict = panel(other).getByRole('alert', { name: 'Description: two versions' })
  await conflict.waitFor()
  assert.match(await conflict.innerText(), /Of tab 1[\s\S]*Of tab 0/)
  assert.equal(await description(other).inputValue(), 'Of tab 1')
  assert.equal((await owner.get(`/tasks/${tasks.form.id}`)).body.description, 'Of tab 0')
  await other.close()
})

visit('signing out in one tab signs out the other, and its typed text is found again', async (visit) => {
  const { owner } = await newScene()
  const [one, other] = await twoTabs(visit, owner.key, '/console/keys?task=WEB-3')
  await panel(other).getByRole('textbox', { name: 'Write a comment' }).fill('Half a comment')
  await one.goto(`${base}/console/trash`)
  await isLive(one)
  await one.getByRole('button', { name: 'Olivia Owner' }).click()
  await one.getByRole('menuitem', { name: 'Sign out' }).click()
  await other.getByLabel('API key').fill(owner.key)
  await other.keyboard.press('Enter')
  assert.equal(await panel(other).getByRole('textbox', { name: 'Write a comment' }).inputValue(), 'Half a comment')
  await other.close()
})
