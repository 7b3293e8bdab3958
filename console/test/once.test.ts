import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../../server/test/support/until.ts'
import { intercept } from './support/intercept.ts'
import { startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

const openLogo = async (page: Page) => {
  const panel = page.getByRole('dialog', { name: /^WEB-1 / })
  await panel.getByRole('button', { name: 'Start timer' }).waitFor()
  return panel
}

visit(
  'time with a lost response is logged once, also when it is sent again later',
  async ({ page, signedIn, expects }) => {
    const { owner, tasks } = await newScene()
    await signedIn(owner.key, '/console/keys?task=WEB-1')
    const panel = await openLogo(page)
    let isLost = true
    await intercept(page, /\/time-entries$/, async (route) => {
      if (route.request().method() !== 'POST' || !isLost) return route.continue()
      await route.fetch()
      await route.abort()
    })
    expects(/ERR_FAILED/)
    const line = panel.getByRole('textbox', { name: 'Log time' })
    await line.fill('0:30')
    await line.press('Enter')
    const again = panel.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    isLost = false
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await again.click()
    assert.equal((await answered).status(), 201)
    await until(async () => (await line.inputValue()) === '', 'What was logged stands there still')
    assert.equal((await owner.get(`/time-entries?taskId=${tasks.logo.id}`)).body.data.length, 1)
  },
)

visit('a timer that is clicked twice starts once', async ({ page, signedIn }) => {
  const { owner, tasks } = await newScene()
  await signedIn(owner.key, '/console/keys?task=WEB-1')
  const panel = await openLogo(page)
  await panel.getByRole('button', { name: 'Start timer' }).dblclick()
  await panel.getByRole('button', { name: 'Stop timer' }).waitFor()
  assert.equal((await owner.get(`/time-entries?taskId=${tasks.logo.id}`)).body.data.length, 1)
})

visit('a move is not undone after another member moved the card', async ({ page, signedIn, expects }) => {
  const { owner, board, stages, tasks } = await newScene()
  const stageId = (name: string) => stages.find((stage) => stage.name === name)?.id
  await signedIn(owner.key, `/console/board/${board.id}`)
  const card = page.getByRole('link', { name: /^WEB-1 / })
  await card.focus()
  await page.keyboard.press('m')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Stage').selectOption('Doing')
  await dialog.getByRole('button', { name: 'Move' }).click()
  await page.getByText('WEB-1 moved to Doing.').waitFor()
  await owner.post(`/tasks/${tasks.logo.id}/move`, { stageId: stageId('Done') })
  await page
    .getByRole('region', { name: 'Done' })
    .getByRole('link', { name: /^WEB-1 / })
    .waitFor()
  expects(/412/)
  const refused = page.waitForResponse((response) => response.url().endsWith('/move'))
  await page.keyboard.press('z')
  await refused
  assert.equal((await owner.get(`/tasks/${tasks.logo.id}`)).body.stageId, stageId('Done'))
})

visit('data that many members change all the time is shown meanwhile', async ({ page, signedIn }) => {
  const { owner, member } = await newScene()
  await signedIn(owner.key, '/console/people')
  await page.getByText('Mia Member').first().waitFor()
  let changes = 0
  await intercept(page, /\/members\?/, async (route) => {
    const response = await route.fetch()
    // slower than changes come
    const enough = changes + 12
    await until(async () => changes >= enough || isShown, 'Nothing changes any more')
    await route.fulfill({ response }).catch(() => {})
  })
  let isShown = false
  await until(async () => {
    await owner.patch(`/members/${member.memberId}`, { name: `Mia ${changes++}` })
    isShown = (await page.getByText(/^Mia \d+$/).count()) > 0
    return isShown
  }, 'It was read anew each time, and never to its end')
})

visit('a page that cannot write to the clipboard says so', async ({ page, signedIn }) => {
  const { owner } = await newScene()
  await signedIn(owner.key, '/console/keys?task=WEB-1')
  const panel = await openLogo(page)
  // as over http
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
  await panel.getByRole('button', { name: 'Actions for this task' }).click()
  await panel.getByRole('menuitem', { name: 'Copy link' }).click()
  await page.getByRole('alert').filter({ hasText: /cop/i }).waitFor()
})

visit('a form with a lost response is sent once, also after a page reload', async (visit) => {
  const { page, signedIn, expects } = visit
  const { owner } = await newScene()
  await signedIn(owner.key, '/console/people')
  let isLost = true
  await intercept(page, /\/members$/, async (route) => {
    if (!isLost) return route.continue()
    await route.fetch()
    await route.abort()
  })
  expects(/ERR_FAILED/)
  await page.getByRole('button', { name: 'New member' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Nora New')
  await page.getByLabel('E-mail address', { exact: true }).fill('nora@example.com')
  await page.getByLabel('Invite them to sign in').uncheck()
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('dialog').getByRole('alert').getByText('did not respond').waitFor()
  isLost = false
  await page.reload()
  await page.getByRole('button', { name: 'New member' }).click()
  assert.equal(await page.getByLabel('E-mail address', { exact: true }).inputValue(), 'nora@example.com')
  const answered = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
  // another key would be refused, as the address is taken
  assert.equal((await answered).status(), 201)
})
