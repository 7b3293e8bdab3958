import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { until } from '../../server/test/support/until.ts'
import { daysOf } from '../src/views/reports/period.ts'
import { intercept } from './support/intercept.ts'
import { hostile } from './support/scene.ts'
import { startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

test('a period follows the calendar, on any day', () => {
  const days = (...asked: Parameters<typeof daysOf>) => Object.values(daysOf(...asked)).join(' ')
  assert.equal(days('this-week', '2026-03-01', 'monday'), '2026-02-23 2026-03-02')
  assert.equal(days('last-week', '2026-03-01', 'sunday'), '2026-02-22 2026-03-01')
  assert.equal(days('this-month', '2028-02-29', 'monday'), '2028-02-01 2028-03-01')
  assert.equal(days('last-month', '2026-01-31', 'monday'), '2025-12-01 2026-01-01')
  assert.equal(days('this-quarter', '2026-12-31', 'monday'), '2026-10-01 2027-01-01')
  assert.equal(days('last-quarter', '2026-02-01', 'monday'), '2025-10-01 2026-01-01')
  assert.equal(days('this-year', '2026-06-01', 'monday'), '2026-01-01 2027-01-01')
  assert.equal(days('last-year', '2026-06-01', 'monday'), '2025-01-01 2026-01-01')
  assert.equal(days('all', '2026-06-01', 'monday'), ' ')
})

const cells = `[...document.querySelectorAll('tbody tr, tfoot tr')].map(
  ({ cells }) => [...cells].map(({ textContent }) => textContent).filter((text) => text !== ''))`

visit('a copied link shows the days of today, whenever it is opened', async ({ page, signedIn }) => {
  const { owner } = await newScene()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signedIn(owner.key, '/console/reports?by=member&period=last-year')
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText('Link copied.').waitFor()
  const link = new URL(await page.evaluate('navigator.clipboard.readText()'))
  const year = new Date().getUTCFullYear() - 1
  assert.deepEqual(Object.fromEntries(link.searchParams), {
    ...{ by: 'member', period: 'custom' },
    ...{ from: `${year}-01-01`, to: `${year}-12-31` },
  })
  await page.context().clearPermissions()
})

visit(
  'time is summed up by the chosen groups, a link shows others the same, and the CSV is that of the API',
  async (at) => {
    const { page, signedIn, another } = at
    const { owner, member, timeEntry, tasks, tag, step } = await newScene()
    await owner.patch('/organization', { timezone: 'Asia/Tokyo' })
    const log = (fields: object) => timeEntry({ taskId: tasks.logo.id, durationSeconds: 3_600, ...fields })
    await log({ startedAt: '2026-03-02T09:00:00+09:00', billable: true, durationSeconds: 5_400 })
    await log({ startedAt: '2026-03-31T23:59:00+09:00', tagIds: [tag.id] })
    await log({ startedAt: '2026-04-01T00:00:00+09:00' })
    await log({
      taskId: undefined,
      subtaskId: step.id,
      memberId: member.memberId,
      startedAt: '2026-03-03T09:00:00+09:00',
    })
    await signedIn(owner.key, '/console/reports')
    await page.getByText('Nothing matches in this period').or(page.getByRole('table')).waitFor()

    await page.getByLabel('Group by').selectOption('Member')
    await page.getByLabel('then by').first().selectOption('Task')
    await page.getByLabel('Period', { exact: true }).selectOption('Custom…')
    await page.getByLabel('From').fill('2026-03-01')
    await page.getByLabel('To', { exact: true }).fill('2026-03-31')
    await page.getByText('From Mar 1, 2026 to Mar 31, 2026').waitFor()
    const rows = [
      ['Olivia Owner', 'Draw a logo', '2:30', '1:30', '2'],
      ['Mia Member', 'Build the contact form', '1:00', '0:00', '1'],
    ]
    const total = ['Total of 2 groups', '3:30', '1:30', '3']
    // of other days, which are shown before, some cells are the same
    const shows = (wanted: string[][], of = page) =>
      until(async () => isDeepStrictEqual(await of.evaluate(cells), wanted), `It does not show ${wanted.join(' | ')}`)
    await shows([...rows, total])
    await page.getByRole('link', { name: 'Time', exact: true }).and(page.locator('th a')).click()
    await shows([...rows.toReversed(), total])

    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const download = await waiting
    assert.equal(download.suggestedFilename(), 'time-by-member-task-from-2026-03-01-to-2026-03-31.csv')
    const period = 'startedAfter=2026-03-01T00:00:00%2B09:00&startedBefore=2026-04-01T00:00:00%2B09:00'
    const url = `${new URL(page.url()).origin}/api/v1/reports/time?groupBy=member,task&${period}`
    const same = await fetch(url, { headers: { authorization: `Bearer ${owner.key}`, accept: 'text/csv' } })
    // the mark tells Excel that it is UTF-8
    assert.equal(await readFile(await download.path(), 'utf8'), `\ufeff${await same.text()}`)

    const other = await another({ timezoneId: 'America/New_York', locale: 'de-DE' })
    await other.signedIn(owner.key, page.url().slice(page.url().indexOf('/console')))
    await shows([...rows.toReversed(), total], other.page)

    // a filter is in the address, and known by its name again
    await page.getByRole('button', { name: 'Tags: Any' }).click()
    await page.getByRole('option', { name: 'urgent' }).click()
    await page.getByRole('cell', { name: '1:00' }).first().waitFor()
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByRole('button', { name: 'Tags: urgent' }).waitFor()
    await page.getByLabel('Billable').selectOption('billable')
    await page.getByText('Nothing matches in this period').waitFor()
  },
)

visit('tasks are counted in the same way, too many groups get a message, and hostile names are text', async (at) => {
  const { page, signedIn, accessible, expects } = at
  const { owner, project, tasks, task } = await newScene()
  await owner.patch(`/projects/${project.id}`, { name: hostile })
  await owner.patch(`/tasks/${tasks.logo.id}`, { name: hostile, dueDate: '2026-01-01' })
  await task({ projectId: project.id, name: '=1+1' })
  const { body } = await owner.get('/reports/tasks?groupBy=project')
  await signedIn(owner.key, '/console/reports?by=task&period=all')
  await page.getByText('Nothing matches in this period').waitFor()
  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  await page.getByRole('rowheader', { name: hostile }).waitFor()
  const { open, completed, overdue } = body.totals
  assert.match(
    await page.locator('tbody').innerText(),
    new RegExp(`\\t${open}\\t${completed}\\t${overdue}\\t2:00\\t0:00\\t`),
  )
  await accessible()
  await page.getByLabel('Group by').selectOption('Month due')
  await page.getByRole('rowheader', { name: 'January 2026' }).waitFor()
  // what others do is told, and read when it is asked for
  await task({ projectId: project.id, name: 'One more', dueDate: '2026-02-01' })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('rowheader', { name: 'February 2026' }).waitFor()

  const tooMany = {
    error: 'Validation failed',
    details: { formErrors: ['There are more than 10000 groups; use narrower filters'], fieldErrors: {} },
  }
  await intercept(page, '**/reports/tasks?*', (route) =>
    route.fulfill({ status: 422, headers: { 'x-error-code': 'validation_failed' }, json: tooMany }),
  )
  expects(/422/)
  await page.getByLabel('then by').selectOption('Day due')
  await page.getByText('There are more than 10000 groups; use narrower filters.').waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
})
