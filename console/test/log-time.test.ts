import assert from 'node:assert/strict'
import { awayFromMidnight, until } from '../../server/test/support/until.ts'
import type { Api } from '../../server/test/support/world.ts'
import { intercept } from './support/intercept.ts'
import { startConsole, type Visit } from './support/visits.ts'

const { visit, newScene } = await startConsole()

const timezoneId = 'America/Los_Angeles'

/** A reader whose clock is far from that of the organization, which is UTC. */
async function atTask({ another }: Visit, key: string, path = '/console/keys?task=WEB-1') {
  const visit = await another({ timezoneId, locale: 'en-US' })
  await visit.signedIn(key, path)
  const panel = visit.page.getByRole('dialog', { name: /^WEB-1 / })
  const line = panel.getByRole('textbox', { name: 'Log time' })
  await line.waitFor()
  return { ...visit, panel, line, day: panel.getByLabel('Day of the time') }
}

const logged = async (api: Api, taskId: string) =>
  (await api.get(`/time-entries?taskId=${taskId}&sort=startedAt`)).body.data.map(
    ({ startedAt, endedAt }: { startedAt: string; endedAt: string }) =>
      `${startedAt.slice(0, 16)} ${endedAt.slice(0, 16)}`,
  )

visit("time of another day is logged from a task with the keyboard alone, in the reader's time zone", async (visit) => {
  const { owner, tasks } = await newScene()
  await awayFromMidnight(timezoneId)
  const { page, panel, line, day, accessible } = await atTask(visit, owner.key)
  const today = await page.evaluate('new Date().toLocaleDateString("sv")')
  assert.equal(await day.inputValue(), today)
  for (const typed of ['1h30', '13-14:15', '2h']) {
    await line.focus()
    await page.keyboard.type(typed)
    await page.keyboard.press('Tab')
    await page.keyboard.type('03022026')
    assert.equal(await day.inputValue(), '2026-03-02')
    await page.keyboard.press('Enter')
    await panel.locator('input[aria-label="Log time"]:placeholder-shown').waitFor()
    // what is logged next is of today, unless somebody says otherwise again
    await until(async () => (await day.inputValue()) === today, 'The day stands there still')
  }
  await page.getByText('Logged: Mon, Mar 2, 2:15 PM–4:15 PM.').waitFor()
  await accessible()
  // how long alone begins at nine, or behind the last one
  assert.deepEqual(await logged(owner, tasks.logo.id), [
    '2026-03-02T17:00 2026-03-02T18:30',
    '2026-03-02T21:00 2026-03-02T22:15',
    '2026-03-02T22:15 2026-03-03T00:15',
  ])
})

visit('an incomplete day is asked for, and an empty day is today again', async (visit) => {
  const { owner, tasks } = await newScene()
  await awayFromMidnight(timezoneId)
  const { page, panel, line, day } = await atTask(visit, owner.key)
  await line.fill('1h30')
  const today = await day.inputValue()
  await day.focus()
  await page.keyboard.press('Delete')
  await page.keyboard.press('Enter')
  await panel.getByText('Enter a full date.').waitFor()
  assert.deepEqual(await logged(owner, tasks.logo.id), [])
  await line.focus()
  await until(async () => (await day.inputValue()) === today, 'It is not today again')
})

visit('time of another day with a lost response is logged once, also after a page reload', async (visit) => {
  const { owner, tasks } = await newScene()
  const { page, panel, line, day, expects } = await atTask(visit, owner.key)
  await intercept(page, /\/time-entries$/, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  expects(/ERR_CONNECTION_RESET/)
  await line.fill('1h30')
  await day.fill('2026-03-02')
  await line.press('Enter')
  await panel.getByText('The server did not respond').waitFor()
  await page.unrouteAll()
  await page.reload()
  await line.waitFor()
  assert.equal(await line.inputValue(), '1h30')
  assert.equal(await day.inputValue(), '2026-03-02')
  await line.press('Enter')
  await panel.locator('input[aria-label="Log time"]:placeholder-shown').waitFor()
  assert.deepEqual(await logged(owner, tasks.logo.id), ['2026-03-02T17:00 2026-03-02T18:30'])
})
