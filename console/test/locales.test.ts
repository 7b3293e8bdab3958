import assert from 'node:assert/strict'
import { startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

// how a browser and Node put spaces differs by their versions
const plain = (text: string) => text.replace(/[\s\u2066-\u2069]+/g, ' ')

for (const [locale, timezoneId, typed] of [
  ['de-DE', 'Europe/Berlin', '1,5'],
  ['en-US', 'America/St_Johns', '1.5'],
  ['ar-EG', 'Asia/Kolkata', '١٫٥'],
] as const)
  visit(`days, times and typed input follow the reader's locale: ${locale}, ${timezoneId}`, async ({ another }) => {
    const { page, signedIn, accessible } = await another({ locale, timezoneId })
    const { owner, board, tasks } = await newScene()
    const { body: comment } = await owner.post(`/tasks/${tasks.form.id}/comments`, { body: 'Which fields?' })
    await owner.patch(`/tasks/${tasks.logo.id}`, { dueDate: '2027-02-03' })
    const { body: entry } = await owner.post('/time-entries', {
      ...{ taskId: tasks.form.id, startedAt: '2026-01-05T20:15:00Z', durationSeconds: 3_600 },
    })
    const moment = new Intl.DateTimeFormat(locale, {
      ...({ dateStyle: 'medium', timeStyle: 'short', timeZone: timezoneId } as const),
    })
    await signedIn(owner.key, `/console/board/${board.id}?task=WEB-3`)
    const said = page.locator('.comment time')
    await said.waitFor()
    assert.equal(plain(await said.innerText()), plain(moment.format(new Date(comment.createdAt))))
    assert.equal(await page.locator('html').getAttribute('dir'), null)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
    const due = page.locator('time[datetime="2027-02-03"]')
    assert.equal(
      plain(await due.innerText()),
      plain(new Intl.DateTimeFormat(locale, day).format(new Date('2027-02-03T00:00Z'))),
    )
    // days of the timesheet are those of the organization, wherever its reader is
    await page.goto(page.url().replace(/\/console.*/, `/console/timesheet?week=2026-01-05&entry=${entry.id}`))
    await page.getByRole('dialog').getByText('Create entry').waitFor()
    assert.equal(await page.getByRole('dialog').getByLabel('Time').first().inputValue(), '20:15-21:15')
    await page.keyboard.press('Escape')
    const cells = page.getByRole('row').filter({ hasText: 'Build the contact form' }).getByRole('gridcell')
    await cells.nth(2).focus()
    await page.keyboard.press('F2')
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await cells.nth(2).getByText('1:30').waitFor()
    await accessible()
  })
