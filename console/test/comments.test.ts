import assert from 'node:assert/strict'
import { created } from '../../server/test/support/world.ts'
import { goTo, startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

visit('comments before the last fifty are read on request, and follow later changes', async (visit) => {
  const { page, signedIn } = visit
  const { owner, tasks } = await newScene()
  const said = []
  for (let n = 1; n <= 52; n++)
    said.push(await created(owner.post(`/tasks/${tasks.logo.id}/comments`, { body: `Said ${n}.` })))
  await signedIn(owner.key, '/console/keys?task=WEB-1')
  const panel = page.getByRole('dialog', { name: /^WEB-1 / })
  await panel.getByText('Said 52.').waitFor()
  assert.equal(await panel.getByText('Said 2.', { exact: true }).count(), 0)
  await panel.getByRole('button', { name: 'Show earlier comments' }).click()
  await panel.getByText('Said 2.', { exact: true }).waitFor()
  assert.equal(await panel.locator('.comment').count(), 52)
  await owner.patch(`/comments/${said[0].id}`, { body: 'Said otherwise.' })
  await panel.getByText('Said otherwise.').waitFor()
  await owner.delete(`/comments/${said[1].id}`)
  await panel.getByText('Said 2.', { exact: true }).waitFor({ state: 'detached' })
  assert.equal(await panel.locator('.comment').count(), 51)
})

visit('a page of fifty hostile comments of the maximum length stays usable', async ({ page, signedIn }) => {
  const { owner, tasks } = await newScene()
  const texts = ['|-', '*a* ', '>\na\n', 'http://a((', '- a\n', '[', 'a\n-\n', '|a|\n|-|\n', '`a` ', '**a']
  for (let n = 0; n < 50; n++) {
    const text = texts[n % texts.length] ?? ''
    await created(owner.post(`/tasks/${tasks.logo.id}/comments`, { body: text.repeat(19_900 / text.length) }))
  }
  await signedIn(owner.key, '/console/keys')
  await page.evaluate(`window.taskMs = [], new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) taskMs.push(duration)
  }).observe({ type: 'longtask' })`)
  await goTo(page, '/keys?task=WEB-1')
  await page.locator('.comment').nth(49).waitFor()
  await page.locator('.markdown[aria-busy="true"]').first().waitFor({ state: 'detached' })
  const taskMs: number[] = await page.evaluate('taskMs')
  const allMs = taskMs.reduce((sum, ms) => sum + ms, 0)
  assert.ok(Math.max(...taskMs) < allMs / 4, taskMs.map(Math.round).join(' '))
})
