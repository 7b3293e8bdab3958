import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { sql } from '../../../server/src/db/sql.ts'
import { addAuthenticator, namedBase, offerNoList, signedInByLink, signInLink } from '../support/person.ts'
import { startConsole, visitsTo } from '../support/visits.ts'

const server = await startConsole()
const base = namedBase(server)
const visit = visitsTo(base)

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const password = 'correct horse battery staple 42'

/** Lets the sign-in of a member be an hour old. */
const age = ({ memberId }: { memberId: string }) =>
  server.db.rows(sql`
    update sessions set signed_in_at = signed_in_at - interval '1 hour'
    where person_id = (select person_id from members where id = ${memberId})`)

/** Tests share the database, and only one person has an address. */
const setAddress = (orgId: string, memberId: string, email: string) =>
  server.db.rows(sql`update members set email = ${email} where org_id = ${orgId} and id = ${memberId}`)

visit('a person manages passkeys, password and sessions on the account page', async (first) => {
  const visit = await first.another()
  const { page } = visit
  const world = await server.newScene()
  await setAddress(world.orgId, world.owner.memberId, `${world.orgId}@example.com`)
  await addAuthenticator(page)
  await offerNoList(page)
  await signedInByLink(page, server, world, world.owner)
  const elsewhere = await visit.another()
  await signedInByLink(elsewhere.page, server, world, world.owner)
  await page.getByRole('button', { name: /^Olivia Owner/ }).click()
  await page.getByRole('menuitem', { name: 'Your account' }).click()
  await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
  await page.getByText('You have no passkey.').waitFor()
  await page.getByText('Not verified').waitFor()

  await button(page, 'Add a passkey').click()
  await page.getByRole('dialog').getByLabel('Name').fill('Laptop')
  await visit.accessible()
  await page.getByRole('dialog').getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('heading', { name: 'Laptop' }).waitFor()
  await button(page, 'Rename Laptop').click()
  await page.getByRole('dialog').getByLabel('Name').fill('Desk')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Desk' }).waitFor()

  await button(page, 'Set a password').click()
  await page.getByRole('dialog').getByLabel('New password').fill(password)
  await visit.accessible()
  await visit.screenshots('account-password')
  await page.getByRole('dialog').getByRole('button', { name: 'Set a password' }).click()
  await page.getByText('You have a password.').waitFor()
  await page.getByText('This device').waitFor()
  await visit.accessible()
  await visit.screenshots('account')

  await button(page, 'Sign out everywhere').click()
  await visit.accessible()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  elsewhere.expects(/status of 401/)
  await elsewhere.page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

visit('an act that cannot be undone asks for a new sign-in, then goes through', async (first) => {
  const visit = await first.another()
  const { page, expects } = visit
  const world = await server.newScene()
  await addAuthenticator(page)
  // with an address of their own
  const { admin } = world
  await page.goto(await signInLink(server, world, admin))
  await button(page, 'Set up a passkey').click()
  await page.locator('main#content').waitFor()
  await age(admin)
  await page.goto(`${base}/console/account`)
  await button(page, 'Set a password').click()
  await page.getByRole('dialog').getByLabel('New password').fill(password)
  expects(/status of 403/)
  await page.keyboard.press('Enter')
  const again = page.getByRole('dialog', { name: 'Sign in again' })
  await again.getByText('You signed in more than 15 minutes ago').waitFor()
  await visit.accessible()
  await visit.screenshots('sign-in-again')
  await again.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('You have a password.').waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)

  await age(admin)
  await page.reload()
  await page.getByRole('button', { name: /^Remove Chrome/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await again.getByLabel(/^Password of /).fill(password)
  await page.keyboard.press('Enter')
  await page.getByText('You have no passkey.').waitFor()
  await button(page, 'Remove the password').click()
  expects(/status of 412/)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the password' }).click()
  await page.getByRole('dialog').getByRole('alert').filter({ hasText: /way/ }).waitFor()
})

visit('a person whose address another account has is told so', async ({ page }) => {
  const [first, second] = [await server.newScene(), await server.newScene()]
  for (const { orgId, owner } of [first, second]) await setAddress(orgId, owner.memberId, `${first.orgId}@example.com`)
  await signedInByLink(page, server, first, first.owner, '/console/account')
  await page.getByText('Nobody has confirmed yet that this address is yours').waitFor()
  await signedInByLink(page, server, second, second.owner, '/console/account')
  await page.getByText('Another account on this server has your address.').waitFor()
})

visit('with an API key there is no account, and the page says so', async (visit) => {
  const { page } = visit
  const { owner } = await server.newScene()
  await visit.signedIn(owner.key, '/console/account')
  await page.getByText('You are signed in with an API key').waitFor()
  await page.getByRole('button', { name: /^Olivia Owner/ }).click()
  assert.equal(await page.getByRole('menuitem', { name: 'Your account' }).count(), 0)
})
