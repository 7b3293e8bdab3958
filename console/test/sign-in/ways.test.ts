import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { addAuthenticator, namedBase, offerNoList, signInLink } from '../support/person.ts'
import { startConsole, visitsTo } from '../support/visits.ts'

const server = await startConsole()
const base = namedBase(server)
const visit = visitsTo(base)

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const live = (page: Page) => page.locator('.connection.live').waitFor()
const signOut = async (page: Page, name: string) => {
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}
const password = 'correct horse battery staple 42'

visit('a person sets up a passkey after the link, and signs in with it next time', async (first) => {
  const { page } = await first.another()
  const world = await server.newScene()
  const { count } = await addAuthenticator(page)
  await offerNoList(page)
  await page.goto(await signInLink(server, world, world.owner))
  await button(page, 'Set up a passkey').click()
  await live(page)
  assert.equal(await count(), 1)
  await signOut(page, 'Olivia Owner')
  await button(page, 'Sign in with a passkey').click()
  await live(page)
  await page.getByRole('button', { name: /^Olivia Owner/ }).waitFor()
})

visit('a passkey that is chosen in the list of the address signs in', async (first) => {
  const { page } = await first.another()
  const world = await server.newScene()
  await addAuthenticator(page)
  await page.goto(await signInLink(server, world, world.owner))
  await button(page, 'Set up a passkey').click()
  await live(page)
  const proved = page.waitForResponse((response) => response.url().endsWith('/auth/passkey'))
  await page.getByRole('button', { name: /^Olivia Owner/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  // nobody selects a button: the browser of this test takes the first passkey of the list
  assert.equal((await proved).status(), 204)
  await live(page)
})

visit('a person sets a password after the link, and signs in with it next time', async (visit) => {
  const { page, expects } = visit
  const world = await server.newScene()
  await page.goto(await signInLink(server, world, world.member))
  await button(page, 'Set a password instead').click()
  await page.getByLabel('New password').fill('short')
  await button(page, 'Set a password').click()
  await page.getByText('A password has at least 12 characters.').waitFor()
  expects(/422 \(Unprocessable/)
  await page.getByLabel('New password').fill('password1234')
  await button(page, 'Set a password').click()
  await page.getByRole('alert').filter({ hasText: /guess/ }).waitFor()
  await visit.accessible()
  await visit.screenshots('welcome-password')
  await page.getByLabel('New password').fill(password)
  await button(page, 'Set a password').click()
  await live(page)
  await signOut(page, 'Mia Member')
  const { body } = await world.owner.get(`/members/${world.member.memberId}`)
  await page.getByLabel('E-mail address').fill(body.email)
  await page.getByLabel('Password').fill('the wrong one entirely')
  expects(/401 \(Unauthorized\)/)
  await page.keyboard.press('Enter')
  await page
    .getByRole('alert')
    .filter({ hasText: /password/i })
    .waitFor()
  await visit.screenshots('sign-in-wrong')
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await live(page)
})
