import { startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

visit('a changed setting of the organization applies at once, without a new sign-in', async ({ page, signedIn }) => {
  const { owner, member, tasks } = await newScene()
  await member.post('/time-entries', {
    taskId: tasks.copy.id,
    startedAt: '2026-01-06T08:00:00Z',
    durationSeconds: 3_600,
  })
  await signedIn(member.key, '/console/timesheet?week=2026-01-05')
  const locked = page.locator('.ts-cell[aria-readonly=true]')
  await page.getByRole('rowheader', { name: /Write the copy/ }).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  await owner.patch('/organization', { settings: { timeLockedBefore: '2026-01-08' } })
  await locked.nth(2).waitFor()
  await owner.patch('/organization', { weekStart: 'sunday', timezone: 'Asia/Tokyo' })
  await page.getByText(/Asia\/Tokyo/).waitFor()
  await page
    .getByRole('columnheader', { name: /^Sunday/ })
    .first()
    .waitFor()
})

visit('a new right of a member is offered at once', async ({ page, signedIn }) => {
  const { owner, member, board, project, tasks } = await newScene()
  await owner.patch(`/projects/${project.id}/members/${member.memberId}`, { role: 'viewer' })
  await signedIn(member.key, `/console/board/${board.id}?task=${tasks.logo.key}`)
  await page.getByText('You are a viewer of this project').waitFor()
  await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
  await owner.patch(`/projects/${project.id}/members/${member.memberId}`, { role: 'contributor' })
  await page.getByRole('button', { name: 'Edit the description' }).waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'New task in To do' }).waitFor()
  await owner.patch(`/members/${member.memberId}`, { role: 'admin' })
  await page.getByRole('button', { name: 'Actions for the stage To do' }).waitFor()
})
