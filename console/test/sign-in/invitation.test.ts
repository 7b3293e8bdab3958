import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { leftovers } from '../support/leftovers.ts'
import { addAuthenticator, namedBase, signedInByLink } from '../support/person.ts'
import { startConsole, visitsTo } from '../support/visits.ts'

const server = await startConsole()
const base = namedBase(server)
const visit = visitsTo(base)

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const line = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const live = (page: Page) => page.locator('.connection.live').waitFor()

type Scene = Awaited<ReturnType<typeof server.newScene>>

/** A new member, and the link of their invitation. */
async function invited({ owner }: Pick<Scene, 'owner'>, email = 'nora@example.com') {
  const { body } = await owner.post('/members', { name: 'Nora New', email, role: 'admin', invite: true })
  return { id: body.id, link: body.invitation.link, invitationId: body.invitation.id }
}

visit('an owner invites somebody at People, who joins and sets up a passkey', async (visit) => {
  const { page } = visit
  const world = await server.newScene()
  await signedInByLink(page, server, world, world.owner, '/console/people')
  await button(page, 'New member').click()
  await page.getByLabel('Name', { exact: true }).fill('Nora New')
  await page.getByRole('dialog').getByLabel('E-mail address').fill('nora@example.com')
  await page.getByLabel('Invite them to sign in').waitFor()
  await visit.accessible()
  await visit.screenshots('people-invite')
  await button(page, 'Invite').click()
  const dialog = page.getByRole('dialog', { name: 'The invitation for Nora New' })
  const link = await dialog.getByLabel('Link').inputValue()
  assert.ok(link.startsWith(`${base}/console/#invitation=`), link)
  await visit.accessible()
  await visit.screenshots('people-invitation-link')
  await button(page, 'I have saved it').click()
  await line(page, 'Nora New').getByText('Invited', { exact: true }).waitFor()
  await visit.screenshots('people-invited')
  assert.deepEqual(await leftovers(page, link.split('=')[1] ?? ''), [])

  const other = await visit.another()
  await addAuthenticator(other.page)
  await other.page.goto(link)
  await other.page.getByRole('heading', { name: /^Join / }).waitFor()
  await other.page.getByText('Olivia Owner invites you to').waitFor()
  assert.deepEqual(await leftovers(other.page, link.split('=')[1] ?? ''), [])
  await other.accessible()
  await other.screenshots('invitation')
  assert.equal(await other.page.getByLabel('Your name').inputValue(), 'Nora New')
  await button(other.page, 'Join').click()
  await button(other.page, 'Set up a passkey').click()
  await live(other.page)
  await other.page.getByRole('button', { name: /^Nora New/ }).waitFor()
  await line(page, 'Nora New').getByText('Invited', { exact: true }).waitFor({ state: 'detached' })
  await line(page, 'Nora New').getByText('Address not verified').waitFor()
})

visit('an invitation that was used, withdrawn or never made says so', async (visit) => {
  const { page, expects } = visit
  const world = await server.newScene()
  const { link, invitationId } = await invited(world)
  expects(/status of 412/)
  assert.equal((await world.owner.delete(`/invitations/${invitationId}`)).status, 204)
  await page.goto(link)
  await page.getByRole('heading', { name: 'This invitation does not work' }).waitFor()
  await visit.accessible()
  await visit.screenshots('invitation-unusable')
  await button(page, 'Go to sign-in').click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto(`${base}/console/#invitation=nothing`)
  await page.getByRole('heading', { name: 'This invitation does not work' }).waitFor()
})

visit(
  'a person who is signed in joins another organization as themselves, and switches between both',
  async (visit) => {
    const { page } = visit
    const [world, second] = [await server.newScene(), await server.newScene()]
    await signedInByLink(page, server, world, world.member, '/console/people')
    await second.owner.patch('/organization', { name: 'Second Ltd' })
    const { link } = await invited(second)
    await page.goto(link)
    await page.getByText('You are signed in as Mia Member.').waitFor()
    await visit.accessible()
    await visit.screenshots('invitation-as')
    await button(page, 'Join as Mia Member').click()
    await page.getByRole('button', { name: 'Nora New, Second Ltd' }).click()
    const other = await page.context().newPage()
    await page.getByRole('menuitem', { name: /^Switch to / }).waitFor()
    await visit.screenshots('switch')
    await page.getByRole('menuitem', { name: /^Switch to / }).click()
    await page.getByRole('button', { name: /^Mia Member, / }).waitFor()
    await other.goto(`${base}/console/people`)
    await other.getByRole('button', { name: /^Mia Member, / }).click()
    await other.getByRole('menuitem', { name: 'Switch to Second Ltd' }).click()
    await other.getByRole('button', { name: 'Nora New, Second Ltd' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: /^Mia Member, / }).waitFor()
    await other.close()

    // a browser that remembers none asks, at an address that every organization has
    await page.evaluate(
      'for (const store of [sessionStorage, localStorage]) store.removeItem("taskwright.organization")',
    )
    await page.goto(`${base}/console/people`)
    await page.getByRole('heading', { name: 'Choose an organization' }).waitFor()
    await visit.accessible()
    await visit.screenshots('choose-organization')
    await page.getByRole('button', { name: /^Second Ltd/ }).click()
    await page.getByRole('button', { name: 'Nora New, Second Ltd' }).waitFor()
  },
)

visit('an invitation for somebody else offers to sign out', async (visit) => {
  const { page } = visit
  const world = await server.newScene()
  await signedInByLink(page, server, world, world.member)
  const { link } = await invited(world)
  await page.goto(link)
  await page.getByText('This invitation is for somebody else').waitFor()
  await visit.screenshots('invitation-other')
  await button(page, 'Sign out and try again').click()
  await page.getByLabel('Your name').waitFor()
})

visit('a member who did not join is invited again, and the invitation is canceled', async ({ page }) => {
  const world = await server.newScene()
  await signedInByLink(page, server, world, world.owner, '/console/people')
  await invited(world)
  const choose = async (what: string) => {
    await button(page, 'Actions for Nora New').click()
    await page.getByRole('menuitem', { name: what }).click()
  }
  await line(page, 'Nora New').getByText('Invited', { exact: true }).waitFor()
  await choose('Copy a new link')
  await page.getByRole('dialog').getByLabel('Link').waitFor()
  await button(page, 'I have saved it').click()
  await choose('Cancel the invitation')
  await line(page, 'Nora New').getByText('Invited', { exact: true }).waitFor({ state: 'detached' })
  await choose('Invite…')
  await page.getByRole('dialog').getByLabel('Link').waitFor()
})
