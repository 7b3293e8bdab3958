import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../../server/test/support/until.ts'
import { card, column, holds, keysIn } from './support/board.ts'
import { cutOff, intercept } from './support/intercept.ts'
import { hostile } from './support/scene.ts'
import { startConsole } from './support/visits.ts'

const { base, visit, newScene } = await startConsole()

const isLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor()

visit('a board shows its stages, with their limits, and its cards, and can be found again', async (visit) => {
  const { page } = visit
  const { member, owner, board, stages, tag, tasks, step } = await newScene()
  await owner.patch(`/stages/${stages[1]?.id}`, { wipLimit: 1 })
  await owner.patch(`/tasks/${tasks.copy.id}`, { dueDate: '2026-01-05', tagIds: [tag.id] })
  await owner.post('/timer/start', { taskId: tasks.form.id })
  await visit.signedIn(member.key, `/console/board/${board.id}`)
  await column(page, 'Done').waitFor()
  assert.deepEqual(await page.getByRole('heading', { level: 2 }).allInnerTexts(), ['To do', 'Doing', 'Review', 'Done'])
  assert.match(await column(page, 'Doing').innerText(), /1 \/ 1 Full/)
  assert.deepEqual(await keysIn(page, 'To do'), ['WEB-1', 'WEB-2'])
  assert.match(await card(page, 'WEB-1').innerText(), /High.*urgent/s)
  assert.match(await card(page, 'WEB-2').innerText(), /Overdue.*urgent/s)
  await card(page, 'WEB-2').getByRole('img', { name: 'Mia Member' }).waitFor()
  // it is read once somebody looks around
  await page.mouse.move(5, 5)
  await card(page, 'WEB-3').getByText('Timer running: Olivia Owner').waitFor({ state: 'attached' })
  await owner.post('/timer/stop')
  await card(page, 'WEB-3').getByText('Timer running').waitFor({ state: 'detached' })
  // time on a step is time on its task
  await owner.post('/timer/start', { subtaskId: step.id })
  await card(page, 'WEB-3').getByText('Timer running: Olivia Owner').waitFor({ state: 'attached' })
  await owner.post('/timer/stop')
  await card(page, 'WEB-3').getByText('Timer running').waitFor({ state: 'detached' })
  await visit.accessible()
  await visit.screenshots('board')
  await page.getByRole('link', { name: /^WEB-3 / }).click()
  await page.waitForURL(/task=WEB-3/)
  await page.goto(`${base}/console`)
  await page.waitForURL(`**/board/${board.id}`)
})

visit(
  'a change by one member appears to another at once, without reading the board again',
  async ({ page, signedIn, another }) => {
    const { owner, member, board, tasks, stages, inStage, task, addToProject, project, join } = await newScene()
    const other = await another()
    await signedIn(owner.key, `/console/board/${board.id}`)
    await other.signedIn(member.key, `/console/board/${board.id}`)
    await Promise.all([
      isLive(page),
      isLive(other.page),
      card(page, 'WEB-1').waitFor(),
      card(other.page, 'WEB-1').waitFor(),
    ])
    const reads: string[] = []
    other.page.on(
      'request',
      (request) => /\/api\/v1\/(workspaces|tasks)/.test(request.url()) && reads.push(request.url()),
    )
    await page.getByRole('link', { name: /^WEB-1 / }).focus()
    for (const key of ['Space', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
    await holds(other.page, 'Doing', ['WEB-1', 'WEB-3'])
    await owner.patch(`/tasks/${tasks.copy.id}`, { name: 'Write it anew', priority: 'urgent' })
    await card(other.page, 'WEB-2').getByText('Write it anew').waitFor()
    const made = await task({ ...inStage('Review'), name: 'Look at it' })
    await holds(other.page, 'Review', [made.key])
    await owner.delete(`/tasks/${made.id}`)
    await holds(other.page, 'Review', [])
    await owner.post(`/tasks/${made.id}/restore`)
    await holds(other.page, 'Review', [made.key])
    await owner.patch(`/stages/${stages[2]?.id}`, { name: 'Seen', wipLimit: 3 })
    await column(other.page, 'Seen').getByText('1 / 3').waitFor()
    await owner.post(`/stages/${stages[3]?.id}/move`, { beforeId: stages[0]?.id })
    await until(
      async () =>
        (await other.page.getByRole('heading', { level: 2 }).allInnerTexts()).join() === 'Done,To do,Doing,Seen',
      'The stages do not stand as they were moved',
    )
    await owner.patch(`/workspaces/${board.id}`, { name: 'Another name' })
    await other.page.getByRole('button', { name: 'Choose a board: Another name' }).waitFor()
    assert.deepEqual(reads, [])
    // of somebody who was on no card the name must be asked for
    const nora = await join('Nora New', 'member')
    await addToProject(project.id, nora)
    await owner.patch(`/tasks/${tasks.logo.id}`, { assigneeIds: [nora.memberId] })
    await card(other.page, 'WEB-1').getByRole('img', { name: 'Nora New' }).waitFor()
  },
)

visit('filters are in the address, and a card that no longer matches leaves', async (visit) => {
  const { page } = visit
  const { owner, member, board, tasks, tag } = await newScene()
  await visit.signedIn(owner.key, `/console/board/${board.id}?assigneeId=${member.memberId}`)
  await page.getByText('2 tasks match').waitFor()
  await page.getByRole('button', { name: 'Assignee: Mia Member' }).waitFor()
  await visit.accessible()
  await visit.screenshots('board-filters')
  await isLive(page)
  await owner.patch(`/tasks/${tasks.copy.id}`, { assigneeIds: [] })
  await page.getByText('1 task matches').waitFor()
  await owner.patch(`/tasks/${tasks.logo.id}`, { assigneeIds: [member.memberId] })
  await holds(page, 'To do', ['WEB-1'])
  await page.getByRole('button', { name: 'Clear all filters' }).click()
  await holds(page, 'To do', ['WEB-1', 'WEB-2'])
  await page.getByRole('button', { name: 'Tags' }).click()
  await page.getByRole('option', { name: tag.name }).click()
  await page.waitForURL(new RegExp(`tagId=${tag.id}`))
  await page.getByText('1 task matches').waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Completed').selectOption('Completed only')
  await page.getByText('0 tasks match').waitFor()
  await page.locator('h1').click()
  await page.keyboard.press('c')
  await page.keyboard.press('/')
  await page.keyboard.type('contact')
  await page.getByText('1 task matches').waitFor()
  assert.equal(new URL(page.url()).search, '?q=contact')
  await owner.patch(`/tasks/${tasks.logo.id}`, { name: 'A contact drawn' })
  await page.getByText('2 tasks match').waitFor()
})

visit('a task is typed into a stage, and the text stays if it cannot be saved', async ({ page, signedIn, expects }) => {
  const { member, board } = await newScene()
  await signedIn(member.key, `/console/board/${board.id}`)
  await page.getByRole('link', { name: /^WEB-3 / }).focus()
  await page.keyboard.press('n')
  await page.keyboard.type('Paint it')
  expects(/ERR_FAILED/)
  await intercept(page, '**/tasks', (route) => route.abort())
  await page.keyboard.press('Enter')
  await column(page, 'Doing').getByText('The server did not respond').waitFor()
  assert.equal(await page.getByLabel('New task', { exact: true }).inputValue(), 'Paint it')
  await page.unroute('**/tasks')
  await page.reload()
  await page.getByRole('button', { name: 'New task in Doing' }).click()
  assert.equal(await page.getByLabel('New task', { exact: true }).inputValue(), 'Paint it')
  await page.keyboard.press('Enter')
  await holds(page, 'Doing', ['WEB-3', 'WEB-5'])
  // the event of it may come before the answer
  const isEmpty = async () => (await page.getByLabel('New task', { exact: true }).inputValue()) === ''
  await until(isEmpty, 'What was added stands there still')
  await page.keyboard.type('Oil it')
  await page.keyboard.press('Enter')
  await holds(page, 'Doing', ['WEB-3', 'WEB-5', 'WEB-6'])
})

visit(
  'a card is assigned, dated and deleted from its menu or by keys, and the deletion can be undone',
  async (visit) => {
    const { page } = visit
    const { owner, board } = await newScene()
    await visit.signedIn(owner.key, `/console/board/${board.id}`)
    await page.getByRole('link', { name: /^WEB-2 / }).focus()
    await page.keyboard.press('a')
    await card(page, 'WEB-2').getByRole('img', { name: 'Olivia Owner' }).waitFor()
    await page.keyboard.press('d')
    await page.getByRole('textbox', { name: 'Due date' }).fill('2030-05-06')
    await page.keyboard.press('Enter')
    await card(page, 'WEB-2').locator('time[datetime="2030-05-06"]').waitFor()
    await card(page, 'WEB-2').getByRole('button', { name: 'Actions for WEB-2' }).click()
    await visit.accessible()
    await visit.screenshots('board-menu')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await holds(page, 'To do', ['WEB-1'])
    await until(
      async () => /^WEB-1/.test(await page.evaluate('document.activeElement.textContent')),
      'The focus is lost',
    )
    // answered too: that is taken back, not the date
    await isLive(page)
    await page.keyboard.press('z')
    await holds(page, 'To do', ['WEB-1', 'WEB-2'])
  },
)

visit("people's text is only text, everywhere on a board", async ({ page, signedIn }) => {
  const { owner, board, stages, tasks, tag } = await newScene()
  const evil = hostile.slice(0, 100)
  await owner.patch(`/members/${owner.memberId}`, { name: evil })
  await owner.patch(`/tags/${tag.id}`, { name: evil })
  await owner.patch(`/stages/${stages[0]?.id}`, { name: evil })
  await owner.patch(`/workspaces/${board.id}`, { name: evil })
  await owner.patch(`/tasks/${tasks.logo.id}`, { name: hostile, assigneeIds: [owner.memberId] })
  await owner.post('/timer/start', { taskId: tasks.logo.id })
  await signedIn(owner.key, `/console/board/${board.id}`)
  await page.locator('.board-name').filter({ hasText: '<img src=x' }).waitFor()
  await page.mouse.move(5, 5)
  await page.locator('.board-running').waitFor()
  assert.equal(await page.locator('main img, main script').count(), 0)
  assert.match(await page.locator('.board-tags .chip').first().innerText(), /<script>/)
  assert.match(await page.getByRole('heading', { level: 2 }).first().innerText(), /<img src=x/)
  await card(page, 'WEB-1').locator('.board-open').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
})

visit(
  'a person whose connection was cut sees what happened meanwhile, and a lifted card stays lifted',
  async (visit) => {
    const { page } = visit
    const { owner, board, tasks, stages } = await newScene()
    await visit.signedIn(owner.key, `/console/board/${board.id}`)
    await isLive(page)
    await page.getByRole('link', { name: /^WEB-4 / }).focus()
    await page.keyboard.press('Space')
    await cutOff(visit)
    await page.getByText('The server cannot be reached').waitFor()
    await owner.post(`/tasks/${tasks.logo.id}/move`, { stageId: stages[3]?.id })
    await page.context().setOffline(false)
    await holds(page, 'Done', ['WEB-4', 'WEB-1'])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText('WEB-4 moved to Done.').waitFor()
    await holds(page, 'Done', ['WEB-1', 'WEB-4'])
  },
)
