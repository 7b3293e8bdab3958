import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { intercept } from './support/intercept.ts'
import { startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

const openStage = async (page: Page, name: string) => {
  await page.getByRole('button', { name: `Actions for the stage ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Edit the stage' }).click()
  return page.getByRole('dialog')
}

visit(
  "another member's change of a different field stays, and causes no question",
  async ({ page, signedIn, expects }) => {
    const { owner, board, stages } = await newScene()
    const [first, second] = stages
    assert.ok(first && second)
    await signedIn(owner.key, `/console/board/${board.id}`)
    const dialog = await openStage(page, first.name)
    await dialog.getByLabel('Name').fill('Soon')
    // of the one it is no field, of the other it is
    await owner.post(`/stages/${first.id}/move`, { afterId: second.id })
    await owner.patch(`/stages/${first.id}`, { wipLimit: 5 })
    expects(/412/)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { name, wipLimit } = (await owner.get(`/stages/${first.id}`)).body
    assert.deepEqual([name, wipLimit], ['Soon', 5])
  },
)

visit('saving in spite of a conflict overwrites only what the person typed', async ({ page, signedIn, expects }) => {
  const { owner, board, stages } = await newScene()
  const [first] = stages
  assert.ok(first)
  await signedIn(owner.key, `/console/board/${board.id}`)
  const dialog = await openStage(page, first.name)
  await dialog.getByLabel('Name').fill('Mine')
  await owner.patch(`/stages/${first.id}`, { name: 'Theirs', wipLimit: 7 })
  expects(/412/)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByText('Theirs', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Save mine anyway' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { name, wipLimit } = (await owner.get(`/stages/${first.id}`)).body
  assert.deepEqual([name, wipLimit], ['Mine', 7])
})

visit('a text that was begun before a page reload does not silently overwrite a newer one', async (visit) => {
  const { page, signedIn, expects } = visit
  const { owner, board, stages } = await newScene()
  const [first] = stages
  assert.ok(first)
  await signedIn(owner.key, `/console/board/${board.id}`)
  await (await openStage(page, first.name)).getByLabel('Name').fill('Mine')
  await owner.patch(`/stages/${first.id}`, { name: 'Theirs' })
  await page.reload()
  const dialog = await openStage(page, 'Theirs')
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Mine')
  expects(/412/)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByText('Theirs', { exact: true }).waitFor()
  assert.equal((await owner.get(`/stages/${first.id}`)).body.name, 'Theirs')
})

visit("a timesheet cell does not silently overwrite another member's change", async (visit) => {
  const { page, signedIn } = visit
  const { owner, tasks, timeEntry } = await newScene()
  const { id } = await timeEntry({ taskId: tasks.logo.id, startedAt: '2026-03-02T09:00:00Z', durationSeconds: 3_600 })
  await signedIn(owner.key, '/console/timesheet?week=2026-03-02')
  const cell = page.getByRole('gridcell', { name: /^WEB-1.*, Monday/ })
  await cell.filter({ hasText: '1:00' }).press('F2')
  await page.getByRole('textbox', { name: /^WEB-1/ }).fill('1:30')
  await owner.patch(`/time-entries/${id}`, { durationSeconds: 7_200 })
  await page
    .getByRole('row', { name: /^Total/ })
    .getByText('2:00')
    .first()
    .waitFor()
  await page.getByRole('textbox', { name: /^WEB-1/ }).press('Enter')
  await page.getByText('Somebody else changed this while you were typing').waitFor()
  const length = async () => (await owner.get(`/time-entries/${id}`)).body.durationSeconds
  assert.equal(await length(), 7_200)
  await page.getByRole('textbox', { name: /^WEB-1/ }).press('Enter')
  await page.getByRole('gridcell', { name: 'WEB-1 Draw a logo, Monday, March 2: 1h 30m' }).waitFor()
  assert.equal(await length(), 5_400)
})

visit('an estimate that is typed while another member sets a different one asks which to keep', async (visit) => {
  const { page, signedIn, expects } = visit
  const { owner, tasks } = await newScene()
  await signedIn(owner.key, '/console/keys?task=WEB-3')
  const estimate = page.getByRole('dialog', { name: /^WEB-3 / }).getByLabel('Estimate')
  await estimate.fill('3h')
  await owner.patch(`/tasks/${tasks.form.id}`, { estimateSeconds: 3_600, name: 'Build it anew' })
  await page.getByRole('button', { name: 'Build it anew' }).waitFor()
  expects(/412/)
  await estimate.press('Enter')
  const asked = page.getByRole('alert', { name: 'Estimate: two versions' })
  await asked.getByText('1h', { exact: true }).waitFor()
  assert.equal((await owner.get(`/tasks/${tasks.form.id}`)).body.estimateSeconds, 3_600)
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await asked.getByRole('button', { name: 'Keep mine' }).click()
  assert.equal((await saved).status(), 200)
  await asked.waitFor({ state: 'detached' })
  assert.equal((await owner.get(`/tasks/${tasks.form.id}`)).body.estimateSeconds, 10_800)
})

visit('a role that another member set meanwhile is not silently overwritten', async (visit) => {
  const { page, signedIn, expects } = visit
  const { owner, admin, project } = await newScene()
  const { id: memberId } = (await owner.post('/members', { name: 'Nina New', email: 'nina@example.com' })).body
  await owner.post(`/projects/${project.id}/members`, { memberId, role: 'viewer' })
  await signedIn(owner.key, `/console/people/projects/${project.id}`)
  const role = page.getByLabel('Role of Nina New')
  await role.waitFor()
  await intercept(page, '**/api/v1/events**', (route) => route.abort())
  let isFirst = true
  await intercept(page, '**/api/v1/projects/*/members/*', async (route) => {
    if (isFirst) await admin.patch(`/projects/${project.id}/members/${memberId}`, { role: 'lead' })
    isFirst = false
    await route.continue()
  })
  expects(/412/)
  await role.selectOption('contributor')
  await page.getByText('changed since you read it').waitFor()
  const { data } = (await owner.get(`/projects/${project.id}/members`)).body
  assert.equal(data.find((each: { memberId: string }) => each.memberId === memberId).grantedRole, 'lead')
})
