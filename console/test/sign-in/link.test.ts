import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { openBrowser } from '../../../server/test/support/browser.ts'
import { leftovers } from '../support/leftovers.ts'
import { namedBase, signedInByLink, signInLink } from '../support/person.ts'
import { startConsole, visitsTo } from '../support/visits.ts'

const server = await startConsole()
const base = namedBase(server)
const visit = visitsTo(base)

visit('a sign-in link signs in once, and its token is nowhere afterwards', async (visit) => {
  const { page, expects } = visit
  const world = await server.newScene()
  const link = await signInLink(server, world, world.owner)
  const token = link.split('=')[1] ?? ''
  await page.goto(link)
  await page.getByRole('heading', { name: 'Welcome, Olivia Owner' }).waitFor()
  await page.getByText('you need a new link to get in').waitFor()
  assert.deepEqual(await leftovers(page, token), [])
  assert.equal(page.url(), `${base}/console/`)
  await visit.accessible()
  await visit.screenshots('welcome')
  await page.getByRole('button', { name: 'Skip for now' }).click()
  await page.getByText('Live', { exact: true }).waitFor()
  assert.deepEqual(await leftovers(page, token), [])
  await page.reload()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Olivia Owner/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expects(/412 \(Precondition Failed\)/)
  await page.goto(link)
  await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  await page.getByRole('alert').getByText('was used before or has expired').waitFor()
  await visit.accessible()
  await visit.screenshots('welcome-used')
  await page.getByRole('button', { name: 'Go to sign-in' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

visit('the sign-in page offers the ways that are on, and a key last', async (visit) => {
  const { page } = visit
  await page.goto(`${base}/console`)
  await page.getByLabel('E-mail address').waitFor()
  await page.getByLabel('Password').waitFor()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
  await visit.accessible()
  await visit.screenshots('sign-in-ways')
  await page.getByLabel('E-mail address').fill('mia@example.com')
  await page.keyboard.press('Enter')
  await page.getByText('Enter your password.').waitFor()
  await page.getByRole('button', { name: 'Use an API key' }).click()
  await page.getByLabel('API key').waitFor()
  await page.getByRole('button', { name: 'Use another way' }).click()
  await page.getByLabel('E-mail address').waitFor()
})

visit('what one person typed is gone when they sign out', async ({ page }) => {
  const world = await server.newScene()
  await signedInByLink(page, server, world, world.owner, '/console/board?task=WEB-1')
  await page.getByRole('textbox', { name: 'Write a comment' }).fill('A secret thought')
  await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: /^Olivia Owner/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.deepEqual(await leftovers(page, 'A secret thought'), [])
  await signedInByLink(page, server, world, world.admin, '/console/board?task=WEB-1')
  assert.equal(await page.getByRole('textbox', { name: 'Write a comment' }).inputValue(), '')
})

visit('when the server ends the session, typed text is there again after the next sign-in', async (visit) => {
  const { page, expects } = visit
  const world = await server.newScene()
  const comment = (of: Page) => of.getByRole('textbox', { name: 'Write a comment' })
  await signedInByLink(page, server, world, world.owner, '/console/board?task=WEB-1')
  await comment(page).fill('Half a thought')
  const other = await page.context().newPage()
  await other.goto(`${base}/console/board?task=WEB-2`)
  await comment(other).fill('Another half')
  const refused: Page[] = []
  page.context().on('response', (response) => {
    if (response.status() === 401) refused.push(response.frame().page())
  })
  const elsewhere = openBrowser(base)
  const [, token = ''] = (await signInLink(server, world, world.owner)).split('=')
  assert.equal((await elsewhere.post('/auth/link', { token })).status, 204)
  assert.equal((await elsewhere.post('/auth/sign-out', { everywhere: true })).status, 204)
  for (const tab of [page, other]) await tab.getByText('You are signed out. Your session ended').waitFor()
  // the tab that is refused first tells the other one
  assert.ok(refused.length > 0)
  if (refused.includes(page)) expects(/status of 401/)
  await visit.accessible()
  await signedInByLink(page, server, world, world.owner, '/console/board?task=WEB-1')
  assert.equal(await comment(page).inputValue(), 'Half a thought')
  await other.reload()
  assert.equal(await comment(other).inputValue(), 'Another half')
  await other.close()
})

visit('signing out in one tab signs out the other tabs of the person', async ({ page }) => {
  const world = await server.newScene()
  await signedInByLink(page, server, world, world.owner)
  const other = await page.context().newPage()
  await other.goto(`${base}/console/people`)
  await other.getByRole('heading', { name: 'People' }).waitFor()
  await page.getByRole('button', { name: /^Olivia Owner/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  await other.close()
})

visit('another person who signs in takes over the other tabs', async ({ page }) => {
  const world = await server.newScene()
  await signedInByLink(page, server, world, world.owner, '/console/people')
  const other = await page.context().newPage()
  await signedInByLink(other, server, world, world.member)
  await page.getByRole('button', { name: /^Mia Member/ }).waitFor()
  await other.close()
})

visit('a member who is deactivated is out at once, with the reason', async ({ page, expects }) => {
  const world = await server.newScene()
  await signedInByLink(page, server, world, world.member, '/console/people')
  await page.getByText('Live', { exact: true }).waitFor()
  expects(/status of 403/)
  await world.owner.patch(`/members/${world.member.memberId}`, { status: 'deactivated' })
  await page.getByText('You are no longer an active member').waitFor()
})
