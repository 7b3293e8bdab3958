import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { routes } from '../../server/src/resources/index.ts'
import { until } from '../../server/test/support/until.ts'
import { hostile } from './support/scene.ts'
import { startConsole } from './support/visits.ts'

const { newScene, visit } = await startConsole()

const line = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const restore = (page: Page, name: string) => line(page, name).getByRole('button', { name: /^Restore/ })

visit('each kind of deleted item is listed with its date and its name, and can be restored', async (visit) => {
  const { page } = visit
  const { owner, admin, tasks, step, tag, taskType, ...scene } = await newScene()
  const comment = (await owner.post(`/tasks/${tasks.copy.id}/comments`, { body: hostile })).body
  const time = await scene.timeEntry({ taskId: tasks.copy.id, durationSeconds: 5_400, description: 'Looked around' })
  const type = await taskType({ name: 'A type of tasks' })
  const other = (await owner.post('/projects', { name: 'Another project' })).body
  const webhook = (await owner.post('/webhooks', { url: 'https://example.com/"><script>alert(1)</script>' })).body
  const leaver = await scene.join('Lea Leaver', 'member')
  const stage = scene.stages.find(({ name }) => name === 'Review')
  const away = await scene.workspace({ name: 'A board to go' })
  const gone: [string, string][] = [
    [`/comments/${comment.id}`, hostile],
    [`/time-entries/${time.id}`, 'Looked around'],
    [`/subtasks/${step.id}`, step.name],
    [`/tasks/${tasks.logo.id}`, 'WEB-1 Draw a logo'],
    [`/stages/${stage?.id}`, 'Review'],
    [`/workspaces/${away.id}`, 'A board to go'],
    [`/tags/${tag.id}`, 'urgent'],
    [`/task-types/${type.id}`, 'A type of tasks'],
    [`/members/${leaver.memberId}`, 'Lea Leaver'],
    [`/webhooks/${webhook.id}`, 'https://example.com/'],
    [`/projects/${other.id}`, 'Another project'],
  ]
  const back = (await owner.post('/tags', { name: 'Back already' })).body
  await owner.delete(`/tags/${back.id}`)
  await owner.post(`/tags/${back.id}/restore`)
  for (const [path] of gone.slice(0, -1)) assert.equal((await admin.delete(path)).status, 204, path)

  await visit.signedIn(owner.key, '/console/trash')
  await line(page, 'Lea Leaver').getByText('by Adam Admin').waitFor()
  await owner.delete(gone.at(-1)?.[0] ?? '')
  await line(page, 'Another project').getByText('by Olivia Owner').waitFor()
  await line(page, '1h 30m').waitFor()
  const rows = page.getByRole('list', { name: 'Deleted' }).getByRole('heading')
  assert.equal(await rows.count(), gone.length)
  assert.match(await rows.first().innerText(), /Another project/)
  assert.equal(await line(page, 'Back already').count(), 0)
  await visit.accessible()
  await visit.screenshots('trash')

  // each kind that can be restored, but organizations, which whoever runs the server brings back
  const restored = routes.flatMap(({ path }) => /^\/([a-z-]+)\/\{id\}\/restore$/.exec(path)?.[1] ?? [])
  const nouns = restored.filter((noun) => noun !== 'organizations')
  assert.deepEqual(gone.map(([path]) => path.split('/')[1]).sort(), nouns.sort())
  const offered = await page.getByLabel('Show', { exact: true }).locator('option').count()
  assert.equal(offered - 1, nouns.length)
  await page.getByLabel('Show', { exact: true }).selectOption('Comments')
  assert.deepEqual(await rows.allInnerTexts(), [hostile])
  assert.match(page.url(), /kind=comment/)
  await page.getByLabel('Show', { exact: true }).selectOption('Everything')
  await page.getByRole('searchbox').fill('DRAW')
  await line(page, 'Lea Leaver').waitFor({ state: 'detached' })
  assert.deepEqual(await rows.allInnerTexts(), ['WEB-1 Draw a logo'])
  await page.getByRole('searchbox').fill('')
  await line(page, 'Lea Leaver').waitFor()

  for (const [path, name] of gone) {
    await restore(page, name).click()
    await line(page, name).waitFor({ state: 'detached' })
    assert.equal((await owner.get(path)).status, 200, path)
    // answered too: what came back last is what can go again
    await page.locator('.connection.live').waitFor()
  }
  await page.getByText('Nothing was deleted in the last 30 days.').waitFor()
  // what came back can go again, at once
  await page.keyboard.press('z')
  await line(page, 'Another project').waitFor()
})

visit('an item that cannot be restored says why, and items deleted with another come back with it', async (visit) => {
  const { page, expects } = visit
  const { owner, tasks, step, tag } = await newScene()
  await owner.delete(`/subtasks/${step.id}`)
  await owner.delete(`/tasks/${tasks.form.id}`)
  await owner.delete(`/tags/${tag.id}`)
  await visit.signedIn(owner.key, '/console/trash')
  expects(/412/)
  await restore(page, 'Check the address').focus()
  await page.keyboard.press('Enter')
  const refusal = page.getByRole('region', { name: 'Messages' }).getByRole('alert')
  await refusal.waitFor()
  assert.equal(await refusal.innerText(), `${(await owner.post(`/subtasks/${step.id}/restore`)).body.error}.`)
  await restore(page, 'WEB-3').focus()
  await page.keyboard.press('Enter')
  await line(page, 'WEB-3').waitFor({ state: 'detached' })
  // the focus goes to what stands in its place
  await until(
    () => page.evaluate('document.activeElement.closest(".row")?.textContent.includes("Check the address") ?? false'),
    'The focus is lost with the row',
  )
  await page.keyboard.press('Enter')
  await line(page, 'Check the address').waitFor({ state: 'detached' })
  assert.equal((await owner.get(`/subtasks/${step.id}`)).status, 200)

  // somebody else is faster
  await owner.post(`/tags/${tag.id}/restore`)
  await page.getByText('Nothing was deleted in the last 30 days.').waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await visit.accessible()
})

visit('a member sees deleted items where they were, and is told who can restore them', async ({ page, signedIn }) => {
  const { owner, member, tasks, project } = await newScene()
  const secret = (await owner.post('/projects', { name: 'A secret', key: 'SECRET' })).body
  const hidden = (await owner.post('/tasks', { projectId: secret.id, name: 'Hidden' })).body
  await owner.delete(`/tasks/${hidden.id}`)
  await owner.delete(`/tasks/${tasks.logo.id}`)
  await signedIn(member.key, '/console/trash')
  await line(page, 'WEB-1').getByText('by Olivia Owner').waitFor()
  await page.getByText('Only owners and admins can restore items').waitFor()
  assert.equal(await page.getByRole('button', { name: /Restore/ }).count(), 0)
  assert.equal(await page.getByText('Hidden').count(), 0)
  assert.equal((await member.get(`/projects/${project.id}`)).status, 200)
})

visit('with many deleted items the latest come first, and more can be loaded', async ({ page, signedIn }) => {
  const { owner } = await newScene()
  const made: string[] = []
  for (let batch = 0; batch < 3; batch += 1) {
    const operations = Array.from({ length: 50 }, (_, place) => ({
      ...{ method: 'POST', path: '/tags', body: { name: `Tag ${batch * 50 + place}` } },
    }))
    const { body } = await owner.post('/bulk', { operations })
    made.push(...body.results.map((result: { body: { id: string } }) => result.body.id))
    const deletions = body.results.map((result: { body: { id: string } }) => ({
      ...{ method: 'DELETE', path: `/tags/${result.body.id}` },
    }))
    assert.equal((await owner.post('/bulk', { operations: deletions })).status, 200)
  }
  await signedIn(owner.key, '/console/trash')
  const rows = page.getByRole('list', { name: 'Deleted' }).getByRole('heading')
  await rows.first().waitFor()
  assert.deepEqual([await rows.count(), await rows.first().innerText()], [50, 'Tag 149'])
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByRole('button', { name: 'Show more' }).click()
  await rows.filter({ hasText: /^Tag 0$/ }).waitFor()
  assert.equal(await rows.count(), made.length)
})
