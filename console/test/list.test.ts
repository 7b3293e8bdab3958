import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../../server/test/support/until.ts'
import { intercept } from './support/intercept.ts'
import { hostile } from './support/scene.ts'
import { startConsole } from './support/visits.ts'

const { base, visit, newScene } = await startConsole()

const rows = (page: Page) => page.locator('[role=row][data-at]')
const names = async (page: Page) => (await rows(page).getByRole('link').allInnerTexts()).map((text) => text.trim())

visit('tasks are rows of a table, newest first, with words, filters and orders in the address', async (visit) => {
  const { page } = visit
  const { member, tasks, project, tag } = await newScene()
  await visit.signedIn(member.key, '/console/list')
  await page.getByRole('table', { name: 'Tasks' }).waitFor()
  const all = ['WEB-4 Choose a host', 'WEB-3 Build the contact form', 'WEB-2 Write the copy', 'WEB-1 Draw a logo']
  assert.deepEqual(await names(page), all)
  assert.equal(await page.getByRole('status').filter({ hasText: 'tasks' }).innerText(), '4 tasks')
  const form = page.getByRole('row', { name: /WEB-3/ })
  assert.match(await form.innerText(), /Doing/)
  await form.getByRole('img', { name: 'Mia Member' }).waitFor()

  await page.keyboard.press('/')
  await page.keyboard.type('contact or logo')
  await page.getByText('2 tasks').waitFor()
  assert.deepEqual(await names(page), [all[1], all[3]])
  assert.equal(new URL(page.url()).searchParams.get('q'), 'contact or logo')
  await page.getByLabel('Sort by').selectOption('Best match first')
  await page.waitForURL(/sort=relevance/)

  await page.goto(`${base}/console/list?projectId=${project.id}&tagId=${tag.id}&sort=dueDate`)
  await page.getByText('1 task').waitFor()
  assert.deepEqual(await names(page), [`WEB-1 ${tasks.logo.name}`])
  await page.getByRole('button', { name: 'Project: Website' }).waitFor()
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByRole('button', { name: 'All of the tags: urgent' }).waitFor()
  await visit.accessible()
  await visit.screenshots('list-filters')
  await page.getByRole('link', { name: 'Clear all filters' }).click()
  await page.getByText('4 tasks').waitFor()
  await page.getByRole('button', { name: 'Assignee: Assignee' }).click()
  await page.getByRole('option', { name: 'Me', exact: true }).click()
  await page.getByText('2 tasks').waitFor()
  assert.match(page.url(), /assigneeId=me/)
  await page.keyboard.press('Escape')
  await page.getByLabel('State').selectOption('Done')
  await page.getByText('No tasks match').waitFor()
})

visit(
  'changes by others appear at the right place, and a task that no longer matches goes',
  async ({ page, signedIn }) => {
    const { owner, member, task, project, tasks } = await newScene()
    await signedIn(member.key, '/console/list?sort=-priority&completed=false')
    await page.getByText('3 tasks').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await task({ projectId: project.id, name: 'Answer the phone', priority: 'urgent' })
    await page.getByText('4 tasks').waitFor()
    assert.match((await names(page))[0] ?? '', /Answer the phone/)
    await owner.patch(
      `/tasks/${tasks.copy.id}`,
      { priority: 'urgent', name: 'Write the whole copy' },
      { 'if-match': '"1"' },
    )
    await page.getByText('Write the whole copy').waitFor()
    assert.match((await names(page)).slice(0, 2).join(), /whole copy/)
    await owner.delete(`/tasks/${tasks.form.id}`)
    await page.getByText('3 tasks').waitFor()
  },
)

visit(
  'few rows of many tasks are in the page; scrolling and the arrow keys reach the end, and the focus stays',
  async (visit) => {
    const { page } = visit
    const { owner, member, project } = await newScene()
    const made = Array.from({ length: 240 }, (_, n) => ({
      ...{ method: 'POST', path: '/tasks', body: { projectId: project.id, name: `Task number ${n}` } },
    }))
    for (let at = 0; at < made.length; at += 80) {
      const { status, text } = await owner.post('/bulk', { operations: made.slice(at, at + 80) })
      assert.equal(status, 200, text)
    }
    const asked: string[] = []
    page.on('request', (request) => void (/\/tasks\?/.test(request.url()) && asked.push(request.url())))
    await visit.signedIn(member.key, '/console/list')
    await page.getByText('The first 100 tasks').waitFor()
    assert.ok((await rows(page).count()) < 60)
    assert.equal(asked.length, 1)
    await visit.screenshots('list')
    await page.keyboard.press('j')
    for (let turn = 0; turn < 60; turn++) await page.keyboard.press('ArrowDown')
    assert.match(await page.locator(':focus').innerText(), /Task number 179/)
    const table = page.getByRole('table')
    await until(async () => {
      await table.evaluate((list: { scrollTop: number; scrollHeight: number }) => {
        list.scrollTop = list.scrollHeight
      })
      return page.getByText('Draw a logo').isVisible()
    }, 'It is not read to its end')
    await page.getByText('244 tasks').waitFor()
    assert.ok((await rows(page).count()) < 60)
    assert.match(await page.locator(':focus').innerText(), /Task number 179/)
    await page.keyboard.press('ArrowDown')
    assert.match(await page.locator(':focus').innerText(), /Task number 178/)
    await page.keyboard.press('Enter')
    await page.waitForURL(/task=WEB-183/)
    assert.equal(asked.length, 3)
  },
)

visit('text is only text, in rows, filters and the address, and fits a phone', async (visit) => {
  const { page } = visit
  const { owner, member, project, tasks, task, tag } = await newScene()
  await owner.patch(`/tags/${tag.id}`, { name: hostile.slice(0, 60) })
  await owner.patch(`/projects/${project.id}`, { name: hostile })
  await task({ projectId: project.id, name: hostile, tagIds: [tag.id], assigneeIds: [member.memberId] })
  await owner.patch(`/members/${member.memberId}`, { name: hostile.slice(0, 100) })
  await page.setViewportSize({ width: 390, height: 844 })
  await visit.signedIn(member.key, `/console/list?projectId=${project.id}&q=${encodeURIComponent('img OR script')}`)
  await page.getByText('1 task').waitFor()
  assert.ok((await page.getByRole('table').innerText()).includes('<img src=x onerror="alert(1)">'))
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
  await visit.accessible()
  await page.goto(`${base}/console/list?q=${encodeURIComponent(hostile)}&assigneeId=${tasks.logo.id}&sort=%3Cb%3E`)
  for (const words of [/status of 422/, /status of 404/]) visit.expects(words)
  await page.getByRole('alert').filter({ hasText: 'sort' }).waitFor()
  await page.getByRole('button', { name: 'Assignee: Not found' }).waitFor()
  assert.equal(await page.getByRole('searchbox').inputValue(), hostile)
})

visit(
  'a typed query stays while the server is gone, and is searched when it is back, also after a refused key',
  async (visit) => {
    const { page } = visit
    const { owner, member } = await newScene()
    await visit.signedIn(member.key, '/console/list')
    await page.getByText('4 tasks').waitFor()
    await intercept(page, /\/api\/v1\/tasks\?/, (route) => route.abort())
    visit.expects(/ERR_FAILED/)
    await page.getByRole('searchbox').fill('logo')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    assert.equal(await page.getByRole('searchbox').inputValue(), 'logo')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('1 task').waitFor()

    const { data: keys } = (await owner.get(`/api-keys?memberId=${member.memberId}`)).body
    await owner.delete(`/api-keys/${keys[0].id}`)
    visit.expects(/status of 401/)
    await page.getByRole('searchbox').fill('contact')
    await page.getByRole('alert').filter({ hasText: 'This key does not work' }).waitFor()
    await page.getByLabel('API key').fill(owner.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Build the contact form').waitFor()
    assert.equal(await page.getByRole('searchbox').inputValue(), 'contact')
  },
)
