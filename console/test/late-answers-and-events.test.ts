import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { awayFromMidnight, until } from '../../server/test/support/until.ts'
import type { Api } from '../../server/test/support/world.ts'
import { card } from './support/board.ts'
import { intercept } from './support/intercept.ts'
import { startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

/** Keeps answers of the server back until the page has heard of something later. */
async function hold(page: Page, url: string | RegExp) {
  let [letThrough, answered] = [() => {}, () => {}]
  const isLetThrough = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  const isAnswered = new Promise<void>((resolve) => {
    answered = resolve
  })
  await intercept(page, url, async (route) => {
    const response = await route.fetch()
    answered()
    await isLetThrough
    await route.fulfill({ response })
  })
  return {
    isAnswered,
    async arrives() {
      const answer = page.waitForResponse(url)
      letThrough()
      await (await answer).finished()
    },
  }
}

/** Once a page that shows a task has heard of all that happened before. */
async function caughtUp(page: Page, api: Api, taskId: string, name: string): Promise<void> {
  await api.patch(`/tasks/${taskId}`, { name })
  await page.getByText(name).first().waitFor()
}

const isLive = (page: Page) => page.locator('.connection.live').waitFor()

visit('a timer that is stopped before the response to its start is shown as stopped', async ({ page, signedIn }) => {
  const { owner, tasks } = await newScene()
  await awayFromMidnight()
  const entry = { startedAt: new Date().toISOString(), durationSeconds: 60 }
  for (const { id } of [tasks.logo, tasks.copy]) await owner.post('/time-entries', { taskId: id, ...entry })
  await signedIn(owner.key, '/console/timesheet')
  await isLive(page)
  const answer = await hold(page, '**/api/v1/timer?*')
  await page.getByRole('button', { name: 'Start the timer: WEB-1' }).click()
  await page.getByRole('button', { name: 'Stop the timer: WEB-1' }).waitFor()
  await owner.post('/timer/stop')
  await page.getByRole('button', { name: 'Start the timer: WEB-1' }).waitFor()
  await answer.arrives()
  await caughtUp(page, owner, tasks.copy.id, 'Write less')
  await page.getByRole('button', { name: 'Start the timer: WEB-1' }).waitFor({ timeout: 5_000 })
  assert.equal(await page.getByRole('region', { name: 'Timer' }).count(), 0)
})

const week = '/console/timesheet?week=2026-03-02'

const cell = (page: Page, work: string, day: string) =>
  page.getByRole('gridcell', { name: new RegExp(`^${work}.*, ${day}`) })

/** A week in which an hour was logged on WEB-1 and on WEB-2, as the owner sees it. */
async function loggedWeek(page: Page, signedIn: (key: string, path: string) => Promise<void>) {
  const scene = await newScene()
  const { owner, tasks } = scene
  const hour = { startedAt: '2026-03-02T09:00:00Z', durationSeconds: 3_600 }
  const { body } = await owner.post('/time-entries', { taskId: tasks.logo.id, ...hour })
  await owner.post('/time-entries', { taskId: tasks.copy.id, ...hour })
  await signedIn(owner.key, week)
  await cell(page, 'WEB-1', 'Monday, March 2: 1h').waitFor()
  await isLive(page)
  return { ...scene, path: `/time-entries/${body.id}` }
}

visit('time that is changed again before the response to a change is shown as it is', async ({ page, signedIn }) => {
  const { owner, tasks, path } = await loggedWeek(page, signedIn)
  const answer = await hold(page, '**/api/v1/time-entries/*')
  await cell(page, 'WEB-1', 'Monday').focus()
  await page.keyboard.type('2h')
  await page.keyboard.press('Enter')
  await until(async () => (await owner.get(path)).body.version === 2, 'It is not saved')
  await owner.patch(path, { durationSeconds: 10_800 })
  await caughtUp(page, owner, tasks.copy.id, 'Write less')
  await answer.arrives()
  await caughtUp(page, owner, tasks.copy.id, 'Write more')
  await cell(page, 'WEB-1', 'Monday, March 2: 3h').waitFor({ timeout: 5_000 })
})

visit('time that is deleted before its response arrives does not come back with it', async ({ page, signedIn }) => {
  const { owner, tasks } = await loggedWeek(page, signedIn)
  for (const [day, on] of [
    ['Tuesday', '2026-03-03'],
    ['Wednesday', '2026-03-04'],
  ] as const) {
    const answer = await hold(page, '**/api/v1/time-entries')
    await cell(page, 'WEB-1', day).focus()
    await page.keyboard.type('4h')
    await page.keyboard.press('Enter')
    const query = `startedAfter=${on}T00:00:00Z&startedBefore=${on}T23:00:00Z`
    const path = await until(async () => {
      const [entry] = (await owner.get(`/time-entries?memberId=me&${query}`)).body.data
      return entry && `/time-entries/${entry.id}`
    }, 'It is not saved')
    if (day === 'Tuesday') await owner.delete(path)
    else await owner.patch(path, { startedAt: '2026-04-01T09:00:00Z', durationSeconds: 60 })
    await caughtUp(page, owner, tasks.copy.id, `Write before ${day}`)
    await answer.arrives()
    await caughtUp(page, owner, tasks.copy.id, `Write behind ${day}`)
    await cell(page, 'WEB-1', `${day}, March \\d$`).waitFor({ timeout: 5_000 })
  }
})

visit('time that is restored before the response to its deletion stays', async ({ page, signedIn }) => {
  const { owner, tasks, path } = await loggedWeek(page, signedIn)
  const answer = await hold(page, '**/api/v1/time-entries/*')
  await cell(page, 'WEB-1', 'Monday').focus()
  await page.keyboard.press('Delete')
  await cell(page, 'WEB-1', 'Monday, March 2$').waitFor()
  await owner.post(`${path}/restore`)
  await cell(page, 'WEB-1', 'Monday, March 2: 1h').waitFor()
  await answer.arrives()
  await caughtUp(page, owner, tasks.copy.id, 'Write less')
  await cell(page, 'WEB-1', 'Monday, March 2: 1h').waitFor({ timeout: 5_000 })
})

visit('a card that is restored before the response to its deletion stays', async ({ page, signedIn }) => {
  const { owner, board, tasks } = await newScene()
  await signedIn(owner.key, `/console/board/${board.id}`)
  await card(page, 'WEB-1').waitFor()
  await isLive(page)
  const path = `/tasks/${tasks.logo.id}`
  const answer = await hold(page, `**/api/v1${path}`)
  await page.getByRole('button', { name: /WEB-1/ }).first().click()
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
  await card(page, 'WEB-1').waitFor({ state: 'detached' })
  await owner.post(`${path}/restore`)
  await card(page, 'WEB-1').waitFor()
  await answer.arrives()
  await caughtUp(page, owner, tasks.copy.id, 'Write less')
  assert.equal(await card(page, 'WEB-1').count(), 1)
})

visit('a subtask that is reopened before the response to its end stays in my work', async ({ page, signedIn }) => {
  const { owner, member, step } = await newScene()
  await signedIn(member.key, '/console/my-work')
  const tick = page.getByRole('checkbox', { name: 'Check the address' })
  await tick.waitFor()
  await isLive(page)
  const answer = await hold(page, '**/finalize')
  await tick.focus()
  await page.keyboard.press('Space')
  await tick.waitFor({ state: 'detached' })
  await owner.post(`/subtasks/${step.id}/reopen`)
  await tick.waitFor()
  await answer.arrives()
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
  assert.equal(await tick.count(), 1)
})

visit('a task that is deleted while a list is loading is gone from the list', async ({ page, signedIn }) => {
  const { owner, tasks } = await newScene()
  await signedIn(owner.key, '/console/list')
  const row = page.getByRole('link', { name: /^WEB-2/ })
  await row.waitFor()
  await isLive(page)
  const answer = await hold(page, /\/tasks\?.*\bid=/)
  await owner.patch(`/tasks/${tasks.copy.id}`, { name: 'Write less' })
  await answer.isAnswered
  await owner.delete(`/tasks/${tasks.copy.id}`)
  await row.waitFor({ state: 'detached' })
  await answer.arrives()
  await caughtUp(page, owner, tasks.logo.id, 'Draw another logo')
  await row.waitFor({ state: 'detached', timeout: 5_000 })
})

visit('tasks that change while a page of a list is loading are shown as they are', async ({ page, signedIn }) => {
  const { owner, project, tasks } = await newScene()
  const operations = Array.from({ length: 100 }, (_, n) => ({
    ...{ method: 'POST', path: '/tasks', body: { projectId: project.id, name: `Errand ${n}` } },
  }))
  const { status, text } = await owner.post('/bulk', { operations })
  assert.equal(status, 200, text)
  const [first] = (await owner.get('/tasks?limit=1')).body.data
  await signedIn(owner.key, '/console/list')
  await page.getByText('The first 100 tasks').waitFor()
  await isLive(page)
  const answer = await hold(page, /\/tasks\?.*cursor=/)
  const toTheEnd = () =>
    page.getByRole('table').evaluate((list: { scrollTop: number; scrollHeight: number }) => {
      list.scrollTop = list.scrollHeight
    })
  await toTheEnd()
  await answer.isAnswered
  await owner.patch(`/tasks/${tasks.logo.id}`, { name: 'Draw another logo' })
  await owner.delete(`/tasks/${tasks.copy.id}`)
  await owner.delete(`/tasks/${first.id}`)
  await page.getByText('The first 99 tasks').waitFor()
  await answer.arrives()
  await page.getByText('102 tasks').waitFor({ timeout: 5_000 })
  await until(async () => {
    await toTheEnd()
    return page.getByText('Draw another logo').isVisible()
  }, 'The list shows a task as it was')
})
