import assert from 'node:assert/strict'
import { awayFromMidnight, until } from '../../server/test/support/until.ts'
import { intercept } from './support/intercept.ts'
import { hostile } from './support/scene.ts'
import { startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

/** A day so many days from today, by the clocks of UTC, which are those of a new organization. */
const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

visit('my tasks are grouped by due date, with my subtasks in them, and follow changes by others', async (visit) => {
  const { page } = visit
  const { owner, member, task, subtask, project, tasks } = await newScene()
  await awayFromMidnight()
  const mine = { projectId: project.id, assigneeIds: [member.memberId] }
  const late = await task({ ...mine, name: 'Pay the host', dueDate: dayFromNow(-3) })
  await task({ ...mine, name: 'Call the printer', dueDate: dayFromNow(0), priority: 'urgent' })
  await task({ ...mine, name: 'Renew the domain', dueDate: dayFromNow(40) })
  await owner.patch(`/tasks/${tasks.form.id}`, { dueDate: dayFromNow(30) })
  await subtask(tasks.logo.id, { name: 'Choose a green', assigneeId: member.memberId })
  await visit.signedIn(member.key, '/console/my-work')
  const lines = (when: string) => page.getByRole('region', { name: when }).getByRole('link')
  await page.getByRole('heading', { level: 2, name: 'Overdue' }).waitFor()
  assert.deepEqual(await lines('Overdue').allInnerTexts(), [`${late.key} Pay the host`])
  assert.match((await lines('Today').allInnerTexts()).join(), /^WEB-\d Call the printer$/)
  assert.match((await lines('Later').allInnerTexts()).join(), /Build the contact form.*Renew|Renew.*Build/s)
  assert.match((await lines('No date').allInnerTexts()).join(), /Write the copy.*Draw a logo|Draw a logo.*Write/s)
  await page.getByRole('checkbox', { name: 'Choose a green' }).waitFor()
  await visit.accessible()
  await visit.screenshots('my-work')

  await page.getByText('Live', { exact: true }).waitFor()
  await owner.patch(`/tasks/${late.id}`, { dueDate: dayFromNow(0) })
  await page.getByRole('heading', { name: 'Overdue' }).waitFor({ state: 'detached' })
  assert.equal(await lines('Today').count(), 2)
  await owner.patch(`/tasks/${tasks.logo.id}`, { assigneeIds: [member.memberId], dueDate: dayFromNow(-1) })
  await page.getByRole('region', { name: 'Overdue' }).getByRole('link', { name: 'Draw a logo' }).waitFor()
  await owner.patch(`/tasks/${late.id}`, { assigneeIds: [] })
  await lines('Today').filter({ hasText: 'Pay the host' }).waitFor({ state: 'detached' })
  await member.post('/timer/start', { taskId: tasks.copy.id })
  await page.getByRole('listitem').filter({ hasText: 'Write the copy' }).getByText('Timer running').waitFor()
})

visit('a subtask is ticked with the keyboard, undone, and the focus moves to its successor', async (visit) => {
  const { page } = visit
  const { owner, member, subtask, tasks, step } = await newScene()
  await subtask(tasks.form.id, { name: 'Test it', assigneeId: member.memberId })
  await visit.signedIn(member.key, '/console/my-work')
  const tick = page.getByRole('checkbox', { name: 'Check the address' })
  await tick.focus()
  await page.keyboard.press('Space')
  await tick.waitFor({ state: 'detached' })
  await page
    .locator(':focus')
    .and(page.getByRole('checkbox', { name: 'Test it' }))
    .waitFor()
  assert.notEqual((await owner.get(`/subtasks/${step.id}`)).body.finalizedAt, null)
  // answered too: it can be taken back
  await page.locator('.connection.live').waitFor()
  await page.keyboard.press('z')
  await tick.waitFor()
  assert.equal((await owner.get(`/subtasks/${step.id}`)).body.finalizedAt, null)
  await page.getByRole('link', { name: /Build the contact form/ }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/task=WEB-3/)
})

visit('a refused write is reported, and its text stays; text is only text on a phone', async (visit) => {
  const { page } = visit
  const { owner, member, task, subtask, project } = await newScene()
  const own = await task({ projectId: project.id, name: hostile, assigneeIds: [member.memberId] })
  await subtask(own.id, { name: hostile, assigneeId: member.memberId })
  await owner.patch(`/projects/${project.id}`, { name: hostile })
  await page.setViewportSize({ width: 390, height: 844 })
  await visit.signedIn(member.key, '/console/my-work')
  const tick = page.getByRole('checkbox', { name: /^<img src=x/ })
  await tick.waitFor()
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
  await visit.accessible()
  await intercept(page, /\/finalize$/, (route) => route.abort())
  visit.expects(/ERR_FAILED/)
  await tick.click()
  await page.getByText('The server did not respond').waitFor()
  await tick.waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await tick.waitFor({ state: 'detached' })
})

visit('a person without tasks is told what to do', async (visit) => {
  const { join } = await newScene()
  const newcomer = await join('Nora New', 'member')
  await visit.signedIn(newcomer.key, '/console/my-work')
  await visit.page.getByText('Nothing is assigned to you').waitFor()
  await visit.accessible()
})

visit(
  'tasks further down are read when the person scrolls near them, and stay when something changes',
  async (visit) => {
    const { page } = visit
    const { owner, member, project } = await newScene()
    const operations = Array.from({ length: 100 }, (_, place) => ({
      method: 'POST',
      path: '/tasks',
      body: {
        ...{ projectId: project.id, assigneeIds: [member.memberId] },
        ...{ name: `Errand ${place}`, dueDate: dayFromNow(20 + place) },
      },
    }))
    for (const times of [1, 2, 3]) {
      const { status, text } = await owner.post('/bulk', { operations })
      assert.equal(status, 200, `${times}: ${text}`)
    }
    await visit.signedIn(member.key, '/console/my-work')
    const lines = page.getByRole('link', { name: /Errand/ })
    await lines.nth(90).waitFor()
    const before = await lines.count()
    assert.ok(before < 302, `${before}`)
    await page.mouse.move(600, 400)
    await until(async () => {
      await page.mouse.wheel(0, 4_000)
      return (await lines.count()) >= 300
    }, 'It is not read on')
    await page.getByText(/Showing the first/).waitFor({ state: 'detached' })
    await page.getByText('Live', { exact: true }).waitFor()
    await owner.post('/tasks', { projectId: project.id, name: 'Errand anew', assigneeIds: [member.memberId] })
    await page.getByRole('link', { name: /Errand anew/ }).waitFor()
    assert.equal(await lines.count(), 301)
  },
)
