import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { hostile } from './support/scene.ts'
import { startConsole } from './support/visits.ts'

const { base, visit, newScene } = await startConsole()

const panelOf = (page: Page, name: string | RegExp = /^WEB-3 /) => page.getByRole('dialog', { name })
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
/** Once the page says so: what it shows was answered by the server. */
const idle = (page: Page) => page.locator('.connection.live').waitFor()

visit(
  'a task opens beside any view with everything about it, in one call, and closes to the same place',
  async (visit) => {
    const { page, signedIn, accessible, screenshots } = visit
    const { owner, member, tasks } = await newScene()
    await owner.post(`/tasks/${tasks.form.id}/comments`, { body: 'Is it *done*?' })
    await member.post('/time-entries', {
      taskId: tasks.form.id,
      startedAt: '2026-01-05T08:00:00Z',
      durationSeconds: 5_400,
    })
    const asked: string[] = []
    page.on('request', (request) => {
      const path = request.url().slice(base.length)
      if (path.startsWith('/api/v1/tasks')) asked.push(path.replace(/\?.*/, ''))
    })
    await signedIn(owner.key, '/console/keys')
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
    await page.goto(`${base}/console/keys?task=WEB-3`)
    const panel = panelOf(page)
    await panel.getByRole('button', { name: 'Build the contact form' }).waitFor()
    for (const [label, value] of [
      ['Stage', 'Doing'],
      ['Board', 'Website board'],
      ['Assignees', /Mia Member/],
      ['Tags', 'None'],
    ] as const)
      assert.match(await panel.locator('.fact', { hasText: label }).first().innerText(), new RegExp(value))
    assert.equal(await panel.getByLabel('Due').inputValue(), '2026-12-24')
    assert.equal(await panel.getByLabel('Estimate').inputValue(), '2h')
    assert.equal(await panel.locator('.markdown strong').first().innerText(), 'two')
    await panel.getByText('Check the address').waitFor()
    await panel.getByText('1h 30m of 2h').waitFor()
    assert.equal(await panel.locator('.comment em').innerText(), 'done')
    assert.deepEqual(asked, ['/api/v1/tasks/WEB-3'])
    await panel.getByRole('button', { name: 'Logged time' }).click()
    await panel.locator('.entries').getByText('Mia Member').waitFor()
    await panel.getByRole('button', { name: 'History' }).click()
    await panel.getByText('created the task').waitFor()
    await accessible()
    await screenshots('task')
    await press(page, 'Escape')
    await panel.waitFor({ state: 'detached' })
    assert.equal(page.url(), `${base}/console/keys`)
    await page.goBack()
    await panel.waitFor()
    await panel.getByRole('button', { name: 'Close' }).click()
    await panel.waitFor({ state: 'detached' })
  },
)

const attacks = [
  hostile,
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'text <img src="https://example.com/x.png"> and <b onclick=alert(1)>bold</b>',
  '<!-- <img src=x onerror=alert(1)> -->',
  '[run](javascript:alert(1)) [tab](java\tscript:alert(1)) [coded](&#106;avascript:alert(1)) [up](JaVaScRiPt:alert(1))',
  '[data](data:text/html,<script>alert(1)</script>) [vb](vbscript:x) [file](file:///etc/passwd) [blob](blob:x) [here](/console/keys)',
  '![x](javascript:alert(1)) ![x](https://example.com/x.png) ![x](data:image/svg+xml,<svg/onload=alert(1)>)',
  '<javascript:alert(1)> [ref]\n\n[ref]: javascript:alert(1)',
  '> > - [<script>alert(1)</script>](https://example.com/"onmouseover="alert(1))',
  '| <img src=x onerror=alert(1)> | `<script>` |\n|---|---|\n| [x](javascript:alert(1)) | https://example.com/?<script> |',
  '```html\n<script>alert(1)</script>\n```',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<a href="javascript:alert(1)" style="position:fixed">x</a>',
  `${'> '.repeat(2_000)}deep`,
  `${'- '.repeat(500)}deep`,
  `${'*a **b '.repeat(500)}`,
  `${'['.repeat(500)}x${']('.repeat(500)}`,
]

visit('hostile Markdown is text: nothing in it runs, loads or misleads', async (visit) => {
  const { page, signedIn } = visit
  const { owner, tasks } = await newScene()
  await owner.patch(`/tasks/${tasks.form.id}`, { description: null })
  await signedIn(owner.key, '/console/keys?task=WEB-3')
  await panelOf(page).getByText('No description yet.').waitFor()
  const shown = panelOf(page).getByRole('region', { name: 'Description' }).locator('.markdown')
  for (const [n, attack] of attacks.entries()) {
    const description = `${attack}\n\nEnd of ${n}.`
    assert.equal((await owner.patch(`/tasks/${tasks.form.id}`, { description })).status, 200)
    await shown.getByText(`End of ${n}.`).waitFor()
    const found = await shown.evaluate((root) => ({
      tags: [...root.querySelectorAll('*')].map(({ tagName }) => tagName.toLowerCase()),
      attributes: [...root.querySelectorAll('*')].flatMap((element) => element.getAttributeNames()),
      links: [...root.querySelectorAll('a')].map(({ protocol, rel, target }) => [protocol, rel, target].join(' ')),
    }))
    for (const tag of ['script', 'img', 'svg', 'style', 'b', 'iframe'])
      assert.ok(!found.tags.includes(tag), `${n}: ${tag}`)
    assert.deepEqual(
      found.attributes.filter((name) => /^on|style|srcdoc/.test(name)),
      [],
      attack,
    )
    for (const link of found.links) assert.match(link, /^(https?|mailto): noopener noreferrer _blank$/, attack)
  }
})

visit("people's text is shown as they wrote it, in every field", async ({ page, signedIn, accessible }) => {
  const {
    owner,
    project,
    tag: { id: tagId },
  } = await newScene()
  const write = async (method: 'post' | 'patch', path: string, body: object) => {
    const reply = await owner[method](path, body)
    assert.ok(reply.status < 300, reply.text)
    return reply.body
  }
  await write('patch', `/tags/${tagId}`, { name: hostile.slice(0, 50) })
  const type = await write('post', '/task-types', { name: hostile.slice(0, 50) })
  const task = await write('post', '/tasks', {
    projectId: project.id,
    name: hostile,
    description: hostile,
    tagIds: [tagId],
    typeId: type.id,
  })
  await write('post', `/tasks/${task.id}/subtasks`, { name: hostile })
  await write('post', `/tasks/${task.id}/comments`, { body: hostile })
  await write('post', '/time-entries', {
    taskId: task.id,
    durationSeconds: 60,
    startedAt: '2026-01-05T08:00:00Z',
    description: hostile,
  })
  await write('patch', `/tasks/${task.id}`, { name: `${hostile}!` })
  await write('post', '/timer/start', { taskId: task.id })
  await signedIn(owner.key, `/console/keys?task=${task.key}`)
  const panel = panelOf(page, new RegExp(`^${task.key} `))
  await panel.getByRole('button', { name: 'Logged time' }).click()
  await panel.getByRole('button', { name: 'History' }).click()
  await panel.locator('.history').getByText('changed the name').waitFor()
  await panel.locator('.entries').getByText('<script>alert(2)</script>').waitFor()
  await accessible()
  // and in what is typed and previewed here
  await press(page, 'e')
  await page.keyboard.insertText(hostile)
  await panel.getByRole('button', { name: 'Preview' }).first().click()
  await panel.locator('.preview').getByText('<script>alert(2)</script>').first().waitFor()
  await accessible()
})

visit('changes by others appear at once; a deleted task says so, and comes back', async ({ page, signedIn }) => {
  const { owner, member, tasks, tag, step, inStage } = await newScene()
  const { id } = tasks.form
  await signedIn(owner.key, '/console/keys?task=WEB-3')
  const panel = panelOf(page)
  await panel.getByText('Check the address').waitFor()
  await idle(page)
  await member.patch(`/tasks/${id}`, { name: 'Build two forms', priority: 'low', tagIds: [tag.id] })
  await panel.getByRole('button', { name: 'Build two forms' }).waitFor()
  await panel.getByRole('button', { name: 'Tags: urgent' }).waitFor()
  await member.post(`/tasks/${id}/move`, { stageId: inStage('Review').stageId })
  await panel.getByRole('button', { name: 'Stage: Review' }).waitFor()
  await member.post(`/tasks/${id}/comments`, { body: 'From afar' })
  await panel.getByText('From afar').waitFor()
  await member.post(`/subtasks/${step.id}/finalize`)
  await panel.getByText('1 of 1 done').waitFor()
  await member.post('/time-entries', { taskId: id, startedAt: '2026-01-05T08:00:00Z', durationSeconds: 3_600 })
  await panel.getByText('1h of 2h').waitFor()
  await member.post(`/subtasks/${step.id}/reopen`)
  assert.equal((await member.delete(`/tasks/${id}`)).status, 204)
  await panel.getByText('This task was deleted.').waitFor()
  await panel.getByRole('button', { name: 'Restore' }).click()
  await panel.getByText('This task was deleted.').waitFor({ state: 'detached' })
  assert.equal((await owner.get(`/tasks/${id}`)).status, 200)
})

visit('a missing or invisible task gets a message', async ({ page, signedIn, expects }) => {
  const { member } = await newScene()
  expects(/status of 404/)
  await signedIn(member.key, '/console/keys?task=WEB-99')
  await panelOf(page, 'WEB-99').getByText('There is no such task').waitFor()
})

visit(
  'the timer is in every view, wherever it was started, and can be stopped there',
  async ({ page, signedIn, accessible }) => {
    const { owner, tasks } = await newScene()
    await owner.post('/timer/start', { taskId: tasks.copy.id })
    await signedIn(owner.key, '/console/trash')
    const timer = page.getByRole('region', { name: 'Timer' })
    await timer.getByRole('link', { name: /^WEB-2/ }).waitFor()
    await idle(page)
    await owner.post('/timer/start', { taskId: tasks.logo.id })
    await timer.getByRole('link', { name: /^WEB-1/ }).waitFor()
    await accessible()
    await timer.getByRole('button', { name: 'Stop' }).click()
    await timer.waitFor({ state: 'detached' })
    assert.equal((await owner.get('/timer')).body.timeEntry, null)
    await owner.post('/timer/start', { taskId: tasks.form.id })
    await timer.getByRole('link', { name: /^WEB-3/ }).click()
    await panelOf(page).waitFor()
  },
)

visit('on a phone a task takes the whole width, and nothing is beyond it', async ({ page, signedIn, accessible }) => {
  const { owner } = await newScene()
  await page.setViewportSize({ width: 390, height: 844 })
  await signedIn(owner.key, '/console/keys?task=WEB-3')
  const panel = panelOf(page)
  await panel.getByText('Check the address').waitFor()
  assert.equal((await panel.boundingBox())?.width, 390)
  assert.equal(await panel.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), true)
  await accessible()
})
