import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../../server/test/support/until.ts'
import { plain } from '../src/plain-names.ts'
import { leftovers } from './support/leftovers.ts'
import { hostile } from './support/scene.ts'
import { startConsole } from './support/visits.ts'

const { api, newWorld, newScene, visit } = await startConsole()

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const line = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const isAnswered = (page: Page) => page.locator('.connection.live').waitFor()
const choose = async (page: Page, of: string, what: string) => {
  await button(page, `Actions for ${plain(of)}`).click()
  await page.getByRole('menuitem', { name: what }).click()
}

visit('a member is added and gets a key at once, with the keyboard alone', async (visit) => {
  const { page } = visit
  const { owner } = await newWorld()
  await visit.signedIn(owner.key, '/console/people')
  await line(page, 'Mia Member').waitFor()
  await page.keyboard.press('n')
  await page.locator('dialog input:focus').waitFor()
  await page.keyboard.type(hostile)
  await page.keyboard.press('Tab')
  await page.keyboard.type('MIA@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.getByText('Manages members').waitFor()
  await visit.accessible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.getByText('For a program that uses an API key').waitFor()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New key' })
  await dialog.getByText('needs a key to sign in').waitFor()
  await dialog.getByLabel('Name', { exact: true }).focus()
  await page.keyboard.press('Enter')
  const secret = await page.getByLabel('Secret').inputValue()
  await button(page, 'I have saved it').focus()
  await page.keyboard.press('Enter')
  await line(page, hostile).getByText('Admin').waitFor()
  assert.deepEqual(await leftovers(page, secret), [])
  const { member } = (await api(secret).get('/me')).body
  assert.deepEqual([member.name, member.email, member.role], [hostile, 'mia@example.com', 'admin'])
  await page.getByRole('searchbox').fill('olivia@')
  await line(page, 'Mia Member').waitFor({ state: 'detached' })
  assert.match(page.url(), /q=olivia/)
  await page.getByRole('searchbox').fill('nobody at all')
  await page.getByText('No member found.').waitFor()
  await page.getByRole('searchbox').fill('')
  await line(page, 'Mia Member').waitFor()
  await visit.accessible()
  await visit.screenshots('people')
})

visit('roles, deactivation and removal are done, reported, and undone', async (visit) => {
  const { page, expects } = visit
  const { owner, admin, member } = await newWorld()
  await visit.signedIn(admin.key, '/console/people')
  await line(page, 'Olivia Owner').getByText('Owner', { exact: true }).waitFor()
  assert.equal(await button(page, 'Actions for Olivia Owner').count(), 0)
  await choose(page, 'Mia Member', 'Edit…')
  assert.deepEqual(await page.getByLabel('Role', { exact: true }).locator('option').allInnerTexts(), [
    'Member',
    'Admin',
  ])

  // somebody else is faster: both versions are there, and nothing is lost
  await page.getByLabel('Time zone').fill('Asia/Tokyo')
  await page.getByLabel('Name', { exact: true }).fill('Mia Mine')
  await owner.patch(`/members/${member.memberId}`, { name: 'Mia Theirs' })
  expects(/412/)
  await button(page, 'Save').click()
  await page.getByText('Mia Theirs').first().waitFor()
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Mia Mine')
  await visit.accessible()
  await visit.screenshots('people-meanwhile')
  await button(page, 'Save mine anyway').click()
  await line(page, 'Mia Mine').getByText('Asia/Tokyo').waitFor()

  await choose(page, 'Mia Mine', 'Deactivate')
  await line(page, 'Mia Mine').getByText('Deactivated').waitFor()
  assert.equal((await member.get('/me')).status, 401)
  await button(page, 'Undo').click()
  await line(page, 'Mia Mine').getByText('Deactivated').waitFor({ state: 'detached' })
  assert.equal((await member.get('/me')).status, 200)

  await choose(page, 'Mia Mine', 'Remove')
  await page.getByText('Their keys and their timer stop at once').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await line(page, 'Mia Mine').waitFor({ state: 'detached' })
  await until(
    () => page.evaluate('document.activeElement.matches("main button, main a, main")'),
    'The focus is lost with the row',
  )
  // answered too: that can be taken back, not what was done before it
  await isAnswered(page)
  await page.keyboard.press('z')
  await line(page, 'Mia Mine').waitFor()
  assert.equal((await member.get('/me')).status, 200)

  // what the server says is shown as it says it
  await choose(page, 'Adam Admin', 'Edit…')
  await page.getByLabel('E-mail address', { exact: true }).fill('no address')
  expects(/422/)
  await button(page, 'Save').click()
  await page.locator('[aria-invalid=true]:focus').waitFor()
  await button(page, 'Cancel').click()
})

visit('a project is created, shared, archived and deleted, with a way back from each', async (visit) => {
  const { page } = visit
  const { owner, admin, member } = await newWorld()
  await visit.signedIn(owner.key, '/console/people/projects')
  await page.getByText('You are not in any project').waitFor()
  await button(page, 'New project').click()
  await page.getByLabel('Name', { exact: true }).fill(hostile)
  await page.getByLabel('Description').fill(hostile)
  await page.getByLabel('Key', { exact: true }).fill('own')
  await button(page, 'Create').click()
  await page.getByRole('heading', { name: hostile }).waitFor()
  const { id } = (await owner.get('/projects/OWN')).body
  // the list has it too, by its event
  await page.waitForURL(`**/console/people/projects/${id}`)

  await button(page, 'Choose a member: Choose a member').click()
  await page.getByRole('option', { name: 'Mia Member' }).click()
  await page.getByLabel('Role in the project').selectOption('Viewer')
  await button(page, 'Add to the project').click()
  await page.getByLabel('Role of Mia Member').waitFor()
  await line(page, 'Adam Admin').getByText('leads every project').waitFor()
  const roleOf = async ({ memberId }: { memberId: string }) =>
    (await owner.get(`/projects/${id}/members/${memberId}`)).body.role
  assert.equal(await roleOf(member), 'viewer')
  await page.getByLabel('Role of Mia Member').selectOption('Lead')
  await page.getByText('Mia Member: Lead.').waitFor()
  assert.equal(await roleOf(member), 'lead')
  await admin.patch(`/members/${member.memberId}`, { role: 'admin' })
  await admin.patch(`/projects/${id}/members/${member.memberId}`, { role: 'viewer' })
  await visit.accessible()
  await visit.screenshots('people-project')
  await owner.patch(`/members/${member.memberId}`, { role: 'member' })
  await button(page, 'Remove Mia Member').click()
  await line(page, 'Mia Member').waitFor({ state: 'detached' })
  await isAnswered(page)
  await button(page, 'Undo').last().click()
  await line(page, 'Mia Member').waitFor()

  await choose(page, hostile, 'Archive')
  await page.getByText('Archived', { exact: true }).waitFor()
  await choose(page, hostile, 'Unarchive')
  await page.getByText('Archived', { exact: true }).waitFor({ state: 'detached' })
  await choose(page, hostile, 'Edit…')
  await page.getByLabel('Due').fill('2031-05-06')
  await button(page, 'Save').click()
  await page.getByText('due May 6, 2031').waitFor()
  await choose(page, hostile, 'Delete')
  await page.getByText('You are not in any project').waitFor()
  await isAnswered(page)
  await button(page, 'Undo').last().click()
  await page.getByRole('link', { name: hostile }).waitFor()
  await visit.accessible()
  await visit.screenshots('people-projects')
})

visit('a member can look, and a lead manages their own project', async (visit) => {
  const { page } = visit
  const { owner, member, project } = await newScene()
  await visit.signedIn(member.key, '/console/people')
  await line(page, 'Olivia Owner').waitFor()
  assert.equal(await button(page, /New member|Actions for/).count(), 0)
  await page.getByRole('link', { name: 'Projects', exact: true }).click()
  await line(page, 'Website').getByText('1 of 4 done').waitFor()
  assert.equal(await button(page, /New project|Actions for/).count(), 0)
  await page.getByRole('link', { name: 'Website' }).click()
  await line(page, 'Mia Member').getByText('Contributor').waitFor()
  assert.equal(await button(page, /Add to the project|Remove|Actions for/).count(), 0)
  await owner.patch(`/projects/${project.id}/members/${member.memberId}`, { role: 'lead' })
  await button(page, 'Actions for Website').click()
  assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Edit…', 'Archive'])
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Roles' }).click()
  await page.getByRole('row', { name: /Create and delete projects/ }).waitFor()
  await visit.accessible()
  await visit.screenshots('people-roles')
})
