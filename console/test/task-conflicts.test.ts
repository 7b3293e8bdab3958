import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { until } from '../../server/test/support/until.ts'
import { intercept } from './support/intercept.ts'
import { startConsole, type Visit } from './support/visits.ts'

const { visit, newScene } = await startConsole()

type Scene = Awaited<ReturnType<typeof newScene>>

const panelOf = (page: Page) => page.getByRole('dialog', { name: /^WEB-3 / })
const conflictIn = (page: Page) => panelOf(page).getByRole('alert', { name: 'Description: two versions' })
const editorIn = (page: Page) => panelOf(page).getByRole('textbox', { name: 'Description' })

async function opened({ page, signedIn }: Visit, key: string): Promise<void> {
  await signedIn(key, '/console/keys?task=WEB-3')
  await panelOf(page).getByText('Check the address').waitFor()
  await page.locator('.connection.live').waitFor()
}

/** Both write another description: one is saved, the other learns of it. */
async function disagree(visit: Visit, { owner, member, tasks }: Scene) {
  const other = await visit.another()
  await Promise.all([opened(visit, owner.key), opened(other, member.key)])
  for (const [{ page }, text] of [
    [visit, 'Mine alone'],
    [other, 'Theirs alone'],
  ] as const) {
    await page.keyboard.press('e')
    await editorIn(page).fill(text)
  }
  await other.page.keyboard.press('Control+Enter')
  await editorIn(other.page).waitFor({ state: 'detached' })
  // it is said before anything is sent, and what was typed stays
  await panelOf(visit.page).getByText('Somebody else changed this while you were typing.').waitFor()
  assert.equal(await editorIn(visit.page).inputValue(), 'Mine alone')
  visit.expects(/status of 412/)
  await editorIn(visit.page).press('Control+Enter')
  await conflictIn(visit.page).waitFor()
  const described = async () => (await owner.get(`/tasks/${tasks.form.id}`)).body.description
  assert.equal(await described(), 'Theirs alone')
  return { other, described }
}

/** Somebody else is faster than the next edit of the page, which has read what was before. */
async function outrun(page: Page, write: () => Promise<unknown>): Promise<void> {
  let isFirst = true
  await intercept(page, '**/api/v1/tasks/**', async (route: Route) => {
    if (isFirst && route.request().method() === 'PATCH') {
      isFirst = false
      await write()
    }
    await route.continue()
  })
}

visit('when two members write the same field, the later one sees both texts, and can keep their own', async (visit) => {
  const { page } = visit
  const { other, described } = await disagree(visit, await newScene())
  const [mine, theirs] = ['Yours', 'Theirs'].map((name) => conflictIn(page).getByRole('region', { name, exact: true }))
  assert.match((await mine?.innerText()) ?? '', /Mine alone/)
  assert.match((await theirs?.innerText()) ?? '', /Theirs alone/)
  await visit.accessible()
  await visit.screenshots('task-conflict')
  await page.getByRole('button', { name: 'Keep mine' }).focus()
  await page.keyboard.press('Enter')
  await editorIn(page).waitFor({ state: 'detached' })
  assert.equal(await described(), 'Mine alone')
  await panelOf(other.page).getByText('Mine alone').waitFor()
})

visit('the later one can also take the other text, or continue to write', async (visit) => {
  const { page } = visit
  const { described } = await disagree(visit, await newScene())
  await editorIn(page).fill('Both')
  assert.equal(await conflictIn(page).count(), 1)
  await page.getByRole('button', { name: 'Keep theirs' }).click()
  await editorIn(page).waitFor({ state: 'detached' })
  await panelOf(page).getByText('Theirs alone').waitFor()
  assert.equal(await described(), 'Theirs alone')
})

visit("another member's change of a different field causes no question: both stay", async (visit) => {
  const { page } = visit
  const { owner, member, tasks } = await newScene()
  await opened(visit, owner.key)
  // the event of it never comes
  await intercept(page, '**/api/v1/events**', (route: Route) => route.abort())
  await page.keyboard.press('e')
  await editorIn(page).fill('Said')
  await outrun(page, () => member.patch(`/tasks/${tasks.form.id}`, { priority: 'urgent' }))
  visit.expects(/status of 412/)
  await editorIn(page).press('Control+Enter')
  await editorIn(page).waitFor({ state: 'detached' })
  const { description, priority } = (await owner.get(`/tasks/${tasks.form.id}`)).body
  assert.deepEqual([description, priority], ['Said', 'urgent'])
})

visit('assigning oneself on a board while another member is assigned loses nobody', async (visit) => {
  const { page } = visit
  const { owner, member, board, tasks } = await newScene()
  await visit.signedIn(owner.key, `/console/board/${board.id}`)
  await page.getByText('Live', { exact: true }).waitFor()
  await outrun(page, () => owner.patch(`/tasks/${tasks.logo.id}`, { assigneeIds: [member.memberId] }))
  visit.expects(/status of 412/)
  await page.getByRole('button', { name: /WEB-1/ }).first().click()
  await page.getByRole('menuitem', { name: 'Assign to me' }).click()
  await page.getByText('Unassign me').waitFor({ state: 'detached' })
  await until(
    async () => (await owner.get(`/tasks/${tasks.logo.id}`)).body.assigneeIds.length === 2,
    'One of the two is not assigned',
  )
})

visit('a list that another member changed is asked about too', async (visit) => {
  const { page } = visit
  const { owner, member, tasks } = await newScene()
  await opened(visit, owner.key)
  await outrun(page, () => member.patch(`/tasks/${tasks.form.id}`, { assigneeIds: [] }))
  visit.expects(/status of 412/)
  await panelOf(page)
    .getByRole('button', { name: /^Assignees:/ })
    .click()
  await page.getByRole('option', { name: 'Mia Member' }).click()
  await page.keyboard.press('Escape')
  const asked = panelOf(page).getByRole('alert', { name: 'Assignees: two versions' })
  await asked.waitFor()
  assert.match(await asked.innerText(), /Olivia Owner[\s\S]*Nobody/)
  await asked.getByRole('button', { name: 'Keep mine' }).click()
  await asked.waitFor({ state: 'detached' })
  await until(
    async () => (await owner.get(`/tasks/${tasks.form.id}`)).body.assigneeIds.join() === owner.memberId,
    'What was kept is not saved',
  )
})

visit('a key that is revoked during typing loses none of the text', async (visit) => {
  const { page, expects } = visit
  const { owner, tasks } = await newScene()
  const { secret, id } = (await owner.post('/api-keys', { name: 'Short' })).body
  await opened(visit, secret)
  await page.keyboard.press('e')
  await editorIn(page).fill('Half a thought')
  await panelOf(page).getByRole('textbox', { name: 'Write a comment' }).fill('Half a comment')
  await panelOf(page).getByRole('textbox', { name: 'New subtask' }).fill('Half a step')
  expects(/status of 401/)
  assert.equal((await owner.delete(`/api-keys/${id}`)).status, 204)
  await page.getByText('This key does not work').waitFor()
  await page.getByLabel('API key').fill(owner.key)
  await page.keyboard.press('Enter')
  await panelOf(page).waitFor()
  assert.equal(await editorIn(page).inputValue(), 'Half a thought')
  assert.equal(await panelOf(page).getByRole('textbox', { name: 'Write a comment' }).inputValue(), 'Half a comment')
  assert.equal(await panelOf(page).getByRole('textbox', { name: 'New subtask' }).inputValue(), 'Half a step')
  await editorIn(page).press('Control+Enter')
  await editorIn(page).waitFor({ state: 'detached' })
  assert.equal((await owner.get(`/tasks/${tasks.form.id}`)).body.description, 'Half a thought')
})

visit('a comment with a lost response is kept, and created once when it is sent again', async (visit) => {
  const { page, expects } = visit
  const { owner, tasks } = await newScene()
  await opened(visit, owner.key)
  const composer = panelOf(page).getByRole('textbox', { name: 'Write a comment' })
  await composer.fill('Once only')
  // the server does it, and is gone before it says so
  await intercept(page, '**/api/v1/tasks/*/comments', async (route: Route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  expects(/Failed: POST .*comments/)
  expects(/ERR_CONNECTION_RESET/)
  await composer.press('Control+Enter')
  await panelOf(page).getByText('The server did not respond').waitFor()
  assert.equal(await composer.inputValue(), 'Once only')
  // also when the page is loaded anew
  await page.unroute('**/api/v1/tasks/*/comments')
  await page.reload()
  await panelOf(page).getByText('Check the address').waitFor()
  assert.equal(await composer.inputValue(), 'Once only')
  await composer.press('Control+Enter')
  await panelOf(page).locator('textarea[aria-label="Write a comment"]:placeholder-shown').waitFor()
  assert.equal((await owner.get(`/tasks/${tasks.form.id}/comments`)).body.total, 1)
})

visit('time with a lost response is logged once, and ends when it was first sent', async (visit) => {
  const { page, expects } = visit
  const { owner, tasks } = await newScene()
  await opened(visit, owner.key)
  const line = panelOf(page).getByRole('textbox', { name: 'Log time' })
  await line.fill('1h30')
  await intercept(page, '**/api/v1/time-entries', async (route: Route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  expects(/Failed: POST .*time-entries/)
  expects(/ERR_CONNECTION_RESET/)
  await line.press('Enter')
  await panelOf(page).getByText('The server did not respond').waitFor()
  await page.unroute('**/api/v1/time-entries')
  await page.reload()
  await panelOf(page).getByText('Check the address').waitFor()
  assert.equal(await line.inputValue(), '1h30')
  await line.press('Enter')
  await panelOf(page).locator('input[aria-label="Log time"]:placeholder-shown').waitFor()
  assert.equal((await owner.get(`/time-entries?taskId=${tasks.form.id}`)).body.data.length, 1)
})

visit('an unsaved text stays, and is saved on the next try', async (visit) => {
  const { page, expects } = visit
  const { owner, tasks } = await newScene()
  await opened(visit, owner.key)
  await page.keyboard.press('e')
  await editorIn(page).fill('Without a net')
  expects(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/)
  await intercept(page, '**/api/v1/tasks/**', (route: Route) => route.abort())
  await editorIn(page).press('Control+Enter')
  await panelOf(page).getByText('The server did not respond').waitFor()
  assert.equal(await editorIn(page).inputValue(), 'Without a net')
  await page.unroute('**/api/v1/tasks/**')
  await panelOf(page).getByRole('button', { name: 'Try again' }).click()
  await editorIn(page).waitFor({ state: 'detached' })
  assert.equal((await owner.get(`/tasks/${tasks.form.id}`)).body.description, 'Without a net')
})

visit('Escape asks before it discards typed text; a closed panel keeps it', async (visit) => {
  const { page } = visit
  const { owner } = await newScene()
  await opened(visit, owner.key)
  await page.keyboard.press('e')
  await editorIn(page).fill('Not yet')
  await editorIn(page).press('Escape')
  await panelOf(page).getByText('Your changes are not saved.').waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await editorIn(page).inputValue(), 'Not yet')
  await panelOf(page).getByRole('button', { name: 'Close' }).click()
  await panelOf(page).waitFor({ state: 'detached' })
  await page.goBack()
  await panelOf(page).waitFor()
  assert.equal(await editorIn(page).inputValue(), 'Not yet')
  await editorIn(page).press('Escape')
  await panelOf(page).getByRole('button', { name: 'Discard' }).click()
  await editorIn(page).waitFor({ state: 'detached' })
  assert.equal(await page.evaluate('Object.keys(sessionStorage).some((name) => name.includes("draft"))'), false)
})
