import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { awayFromMidnight, until } from '../../server/test/support/until.ts'
import type { Api } from '../../server/test/support/world.ts'
import { hostile } from './support/scene.ts'
import { startConsole } from './support/visits.ts'

const { app, port, visit, newScene } = await startConsole()

const week = '/console/timesheet?week=2026-03-02'

/** The cell of a day, by the beginning of its line's name. */
const cell = (page: Page, work: string, day: string) =>
  page.getByRole('gridcell', { name: new RegExp(`^${work}.*, ${day}`) })

/** What was logged, the first first: on what, from when to when. */
async function logged(api: Api, memberId = 'me') {
  const { body } = await api.get(`/time-entries?memberId=${memberId}&sort=startedAt&include=task`)
  type Logged = { task: { key: string }; startedAt: string; endedAt: string | null }
  return body.data.map(({ task, startedAt, endedAt }: Logged) => [
    task.key,
    startedAt.slice(5, 16),
    endedAt?.slice(5, 16) ?? null,
  ])
}

visit('a week can be logged with the keyboard alone', async ({ page, signedIn }) => {
  const { member, owner, timeEntry, tasks } = await newScene()
  await signedIn(member.key, week)
  await page.getByText('No time is logged in this week.').waitFor()
  // the second task is the member's own
  for (const key of ['WEB-2', 'WEB-1']) {
    await page.keyboard.press('n')
    await page
      .locator(':focus')
      .and(page.getByRole('combobox', { name: 'Add a task' }))
      .waitFor()
    await page.keyboard.type(key)
    await page
      .getByRole('option')
      .nth(0)
      .and(page.getByRole('option', { name: key }))
      .waitFor()
    await page.keyboard.press('Enter')
    await page
      .locator(':focus')
      .and(cell(page, key, 'Monday'))
      .waitFor()
  }
  for (const [typed, then] of [
    ['1h30', 'Tab'],
    ['9-10:15', 'Tab'],
    ['1.5', 'Enter'],
    ['90m', 'Tab'],
    ['0:45', 'Enter'],
  ] as const) {
    await page.keyboard.type(typed)
    await page.keyboard.press(then)
  }
  await page.getByRole('gridcell', { name: 'WEB-2 Write the copy, Thursday, March 5: 45m' }).waitFor()
  assert.deepEqual(await logged(member), [
    ['WEB-1', '03-02T09:00', '03-02T10:30'],
    ['WEB-1', '03-03T09:00', '03-03T10:15'],
    ['WEB-1', '03-04T09:00', '03-04T10:30'],
    ['WEB-2', '03-04T10:30', '03-04T12:00'],
    ['WEB-2', '03-05T09:00', '03-05T09:45'],
  ])
  const total = page.getByRole('row', { name: /^Total/ })
  assert.match(await total.innerText(), /1:30\s.*1:15\s.*3:00\s.*0:45\s.*6:30/s)

  // an entry is changed where it stands, added to, and deleted; that is taken back
  await page.keyboard.press('Control+Home')
  for (const key of ['ArrowRight', 'F2', 'Backspace', 'Backspace', '4', '5', 'Enter']) await page.keyboard.press(key)
  await cell(page, 'WEB-1', 'Monday, March 2: 1h 45m').waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.type('+15m')
  await page.keyboard.press('Tab')
  await cell(page, 'WEB-1', 'Monday, March 2: 2h').waitFor()
  await page.keyboard.press('Delete')
  await cell(page, 'WEB-1', 'Tuesday, March 3$').waitFor()
  // answered too: it can be taken back
  await page.locator('.connection.live').waitFor()
  await page.keyboard.press('z')
  await cell(page, 'WEB-1', 'Tuesday, March 3: 1h 15m').waitFor()
  assert.deepEqual((await logged(member)).slice(0, 3), [
    ['WEB-1', '03-02T09:00', '03-02T10:45'],
    ['WEB-1', '03-02T10:45', '03-02T11:00'],
    ['WEB-1', '03-03T09:00', '03-03T10:15'],
  ])
  // what others do comes at once, in a line of its own
  await timeEntry({
    taskId: tasks.form.id,
    memberId: member.memberId,
    startedAt: '2026-03-06T09:00:00Z',
    durationSeconds: 7_200,
  })
  await cell(page, 'WEB-3', 'Friday, March 6: 2h').waitFor()
  await owner.patch(`/tasks/${tasks.form.id}`, { name: 'Build another form' })
  await cell(page, 'WEB-3 Build another form', 'Friday').waitFor()
})

visit('overlapping time and locked days are explained, and nothing typed is lost', async (at) => {
  const { page, signedIn, expects } = at
  const { owner, tasks } = await newScene()
  const settings = { overlapPolicy: 'reject', timeLockedBefore: '2026-03-03' }
  await owner.patch('/organization', { timezone: 'Asia/Tokyo', settings })
  const log = (taskId: string, startedAt: string, endedAt: string) =>
    owner.post('/time-entries', { taskId, startedAt, endedAt, description: 'the *first* one' })
  await log(tasks.logo.id, '2026-03-04T09:00:00+09:00', '2026-03-04T11:00:00+09:00')
  await log(tasks.copy.id, '2026-03-05T09:00:00+09:00', '2026-03-05T10:00:00+09:00')
  await signedIn(owner.key, week)
  await page.getByText(/in the time zone of the organization \(Asia\/Tokyo\)/).waitFor()

  await cell(page, 'WEB-2', 'Wednesday').focus()
  await page.keyboard.type('10:30-12')
  await page.keyboard.press('Enter')
  await cell(page, 'WEB-2', 'Wednesday').focus()
  await page.getByText(/^The time entry overlaps the time entry/).waitFor()
  assert.match(await cell(page, 'WEB-2', 'Wednesday').innerText(), /:\s10:30-12$/)
  expects(/412/)
  // the way to the entry that is in the way, which is made shorter
  await page.getByRole('link', { name: 'Show 9:00 AM – 11:00 AM, WEB-1 Draw a logo' }).click()
  const dialog = page.getByRole('dialog', { name: 'WEB-1 Draw a logo, Wednesday, March 4' })
  await dialog.getByLabel('Time').first().fill('9:00-')
  await page.keyboard.press('Enter')
  await dialog.getByText('Enter a start and an end').waitFor()
  await dialog.getByLabel('Time').first().fill('9:00-10:30')
  await dialog.getByLabel('Description').first().fill('the *second* one')
  await dialog.getByLabel('Billable').check()
  await page.keyboard.press('Enter')
  await page.getByText('The entry was saved.').waitFor()
  await page.keyboard.press('Escape')
  await cell(page, 'WEB-1', 'Wednesday, March 4: 1h 30m').waitFor()
  await cell(page, 'WEB-2', 'Wednesday').focus()
  await page.getByRole('button', { name: 'Try again' }).click()
  await cell(page, 'WEB-2', 'Wednesday, March 4: 1h 30m').waitFor()
  assert.deepEqual(await logged(owner), [
    ['WEB-1', '03-04T00:00', '03-04T01:30'],
    ['WEB-2', '03-04T01:30', '03-04T03:00'],
    ['WEB-2', '03-05T00:00', '03-05T01:00'],
  ])

  const locked = cell(page, 'WEB-1', 'Monday')
  assert.equal(await locked.getAttribute('aria-readonly'), 'true')
  await locked.focus()
  await page.getByText('Time before Tuesday, March 3 is locked').waitFor()
  await page.keyboard.type('1')
  await page.getByRole('dialog').getByText('Nothing logged yet.').waitFor()
  assert.equal(await page.getByRole('dialog').getByRole('textbox').count(), 0)
  await page.keyboard.press('Escape')

  // several in one cell are listed; what another one made of one meanwhile is told before it is written over
  await cell(page, 'WEB-2', 'Thursday').focus()
  await page.keyboard.type('+1h')
  await page.keyboard.press('Enter')
  await cell(page, 'WEB-2', 'Thursday, March 5: 2h').press('Enter')
  const several = page.getByRole('dialog', { name: 'WEB-2 Write the copy, Thursday, March 5' })
  await several.getByLabel('Description').first().fill('mine')
  const { body } = await owner.get('/time-entries?sort=-startedAt')
  await owner.patch(`/time-entries/${body.data[1].id}`, { description: 'theirs' })
  await several.getByText('it is now 9:00 AM – 10:00 AM, “theirs”').waitFor()
  await several.getByRole('button', { name: 'Save' }).first().click()
  const nowThere = async () => (await owner.get(`/time-entries/${body.data[1].id}`)).body.description
  await until(async () => (await nowThere()) === 'mine', 'The entry is not saved')
  await several.getByRole('button', { name: 'Delete' }).last().click()
  await several.getByText('10:00').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await cell(page, 'WEB-2', 'Thursday, March 5: 1h').waitFor()
})

visit('typed time survives a missing server and a page reload, and is saved once', async (at) => {
  const { page, signedIn, expects } = at
  const { member, timeEntry, tasks } = await newScene()
  await timeEntry({
    taskId: tasks.copy.id,
    memberId: member.memberId,
    startedAt: '2026-03-02T09:00:00Z',
    durationSeconds: 60,
  })
  await signedIn(member.key, week)
  await cell(page, 'WEB-2', 'Tuesday').focus()
  await page.keyboard.type('2h1')
  app.server.close()
  app.server.closeAllConnections()
  expects(/ERR_CONNECTION|ERR_INCOMPLETE_CHUNKED/)
  await page.keyboard.type('5')
  await page.keyboard.press('Enter')
  await page.getByText('The server cannot be reached').waitFor()
  await cell(page, 'WEB-2', 'Tuesday').focus()
  await page.getByText(/^The server did not respond/).waitFor()
  assert.match(await cell(page, 'WEB-2', 'Tuesday').innerText(), /:\s2h15$/)
  await new Promise<void>((listening) => app.server.listen(port, '127.0.0.1', listening))
  await page.reload()
  await cell(page, 'WEB-2', 'Tuesday').focus()
  assert.match(await cell(page, 'WEB-2', 'Tuesday').innerText(), /:\s2h15$/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await cell(page, 'WEB-2', 'Tuesday, March 3: 2h 15m').waitFor()
  assert.equal((await logged(member)).length, 2)
})

visit('time is shown to the second, adds up, and a cell keeps its seconds', async ({ page, signedIn }) => {
  const { member, owner, tasks } = await newScene()
  for (const [hour, taskId] of [
    ['08', tasks.logo.id],
    ['09', tasks.copy.id],
    ['10', tasks.form.id],
  ])
    await member.post('/time-entries', { taskId, startedAt: `2026-03-02T${hour}:00:07Z`, durationSeconds: 1_240 })
  await signedIn(member.key, week)
  await cell(page, 'WEB-1', 'Monday, March 2: 20m 40s').waitFor()
  assert.match(await page.getByRole('row', { name: /^Total/ }).innerText(), /^Total\s1:02\s1h 2m\s1:02\s1h 2m$/)
  // it is opened and left as it is, then typed with its seconds
  await cell(page, 'WEB-1', 'Monday').press('F2')
  assert.equal(await page.getByRole('textbox', { name: /^WEB-1/ }).inputValue(), '0:20:40')
  await page.keyboard.press('Enter')
  await cell(page, 'WEB-2', 'Monday').press('F2')
  await page.getByRole('textbox', { name: /^WEB-2/ }).fill('1:00:07')
  await page.keyboard.press('Enter')
  await cell(page, 'WEB-2', 'Monday, March 2: 1h 7s').waitFor()
  const { data } = (await owner.get(`/time-entries?memberId=${member.memberId}&sort=startedAt`)).body
  assert.deepEqual(
    data.map(({ durationSeconds }: { durationSeconds: number }) => durationSeconds),
    [1_240, 3_607, 1_240],
  )
  // so does what is typed from when to when
  await cell(page, 'WEB-1', 'Monday').press('Control+Enter')
  const span = page.getByRole('dialog').getByLabel('Time').first()
  assert.equal(await span.inputValue(), '8:00:07-8:20:47')
  await span.fill('8:00:09-8:20:49')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).first().click()
  await page.getByText('The entry was saved').waitFor()
  const [first] = (await owner.get(`/time-entries?memberId=${member.memberId}&sort=startedAt`)).body.data
  assert.deepEqual([first.startedAt, first.durationSeconds], ['2026-03-02T08:00:09.000Z', 1_240])
  await page.goto(`${page.url().split('/console')[0]}/console/reports?by=task&period=all`)
  await page
    .getByRole('row', { name: /^Total/ })
    .getByText('1:41:27')
    .waitFor()
})

visit(
  'a timer is started on a line, continues and is stopped; hostile text stays text and blocks nothing',
  async (at) => {
    const { page, signedIn, accessible, screenshots } = at
    const { owner, member, task, subtask, tag, project } = await newScene()
    const other = await task({ projectId: project.id, name: hostile })
    const step = await subtask(other.id, { name: hostile })
    const { id: tagId } = (await owner.post('/tags', { name: hostile.slice(0, 60) })).body
    await owner.patch(`/projects/${project.id}`, { name: hostile })
    await awayFromMidnight()
    const now = new Date().toISOString()
    await owner.post('/time-entries', {
      ...{ subtaskId: step.id, memberId: member.memberId, startedAt: now, durationSeconds: 60 },
      ...{ description: hostile, tagIds: [tagId, tag.id] },
    })
    // an owner looks at the week of the member, and at their own
    await signedIn(owner.key, `/console/timesheet?member=${member.memberId}`)
    await page.getByRole('button', { name: 'Whose time: Mia Member' }).waitFor()
    await page.getByRole('gridcell', { name: '<img src=x' }).first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Start the timer' }).count(), 0)
    await page.getByRole('gridcell', { name: ': 1m' }).press('Control+Enter')
    await page.getByRole('button', { name: `Tags: urgent, ${hostile.slice(0, 60)}` }).waitFor()
    assert.equal(await page.getByRole('dialog').getByLabel('Description').first().inputValue(), hostile)
    await accessible()
    await screenshots('timesheet-entries')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Whose time' }).click()
    await page.getByRole('option', { name: 'Olivia Owner' }).click()
    await page.getByText('No time is logged').waitFor()
    await page.keyboard.press('n')
    await page.keyboard.type('WEB-3')
    await page
      .getByRole('option')
      .nth(0)
      .and(page.getByRole('option', { name: 'WEB-3' }))
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Start the timer: WEB-3' }).click()
    await page.getByRole('button', { name: 'Stop the timer: WEB-3' }).waitFor()
    const { body } = await owner.get('/timer')
    await owner.patch(`/time-entries/${body.timeEntry.id}`, { startedAt: new Date(Date.now() - 59_000).toISOString() })
    // it comes to a minute by itself
    await page
      .getByRole('row', { name: /^Total/ })
      .getByText(/^0:01(:\d\d)?$/)
      .first()
      .waitFor()
    await accessible()
    await screenshots('timesheet')
    // what it opens has no room below its button
    await page.setViewportSize({ width: 1280, height: 340 })
    await page.keyboard.press('n')
    const options = page.getByRole('listbox', { name: 'Add a task' }).getByRole('option')
    await options.first().waitFor()
    const bottoms = await options.evaluateAll((all) =>
      all.slice(0, 3).map((each) => each.getBoundingClientRect().bottom),
    )
    assert.ok(Math.max(...bottoms) < 340, `Options end at ${bottoms} of 340 px`)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Stop the timer: WEB-3' }).click()
    await page.getByRole('button', { name: 'Start the timer: WEB-3' }).waitFor()
    assert.equal((await owner.get('/timer')).body.timeEntry, null)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  },
)
