import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { cutOff } from './support/intercept.ts'
import { startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

/** What a page asks the API for from now on. */
function askedBy(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const [, call] = /\/api\/v1(\/.*)/.exec(request.url()) ?? []
    if (call) asked.push(call)
  })
  return asked
}

const card = (page: Page, name: string) => page.getByRole('link', { name })
const isLive = (page: Page) => page.locator('.connection.live').waitFor()

visit('changes by others appear through the stream alone, in order', async ({ page, signedIn }) => {
  const { owner, member, board, tasks } = await newScene()
  await signedIn(owner.key, `/console/board/${board.id}`)
  await isLive(page)
  await card(page, 'WEB-1 Draw a logo').waitFor()
  const asked = askedBy(page)
  for (const [id, name] of [
    [tasks.logo.id, 'Changed first'],
    [tasks.copy.id, 'Changed then'],
  ])
    assert.equal((await member.patch(`/tasks/${id}`, { name })).status, 200)
  await card(page, 'WEB-2 Changed then').waitFor()
  assert.equal(await card(page, 'WEB-1 Changed first').count(), 1)
  assert.deepEqual(asked, [])
})

visit('a page that missed hundreds of events continues where it was, without reading again', async (visit) => {
  const { page, signedIn } = visit
  const { owner, board, tasks } = await newScene()
  await signedIn(owner.key, `/console/board/${board.id}`)
  await isLive(page)
  await card(page, 'WEB-1 Draw a logo').waitFor()
  await page.evaluate('window.isTheSame = true')
  const { latest } = (await owner.get('/events/head')).body
  await cutOff(visit)
  await page.getByText('The server cannot be reached.').waitFor()
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  for (let n = 0; n < 24; n++) {
    const estimates = Array.from({ length: 10 }, (_, m) => ({ estimateSeconds: 60 * (10 * n + m + 1) }))
    await Promise.all(estimates.map((estimate) => owner.patch(`/tasks/${tasks.form.id}`, estimate)))
  }
  await owner.patch(`/tasks/${tasks.logo.id}`, { name: 'Changed meanwhile' })
  const asked = askedBy(page)
  await session.send('Page.setWebLifecycleState', { state: 'active' })
  await page.context().setOffline(false)
  await card(page, 'WEB-1 Changed meanwhile').waitFor()
  await isLive(page)
  assert.deepEqual([...new Set(asked)], [`/events?after=${latest}`])
  assert.equal(await page.evaluate('window.isTheSame'), true)
  await session.detach()
})
