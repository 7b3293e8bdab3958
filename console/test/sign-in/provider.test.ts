import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../../server/src/db/sql.ts'
import { oidcProblems } from '../../../server/src/oidc/problem.ts'
import { makeToken } from '../../../server/src/persons/tokens.ts'
import type { OidcProvider } from '../../../server/src/sign-in-config.ts'
import { startFaultyProvider } from '../../../server/test/support/oidc-faulty.ts'
import { signInWords } from '../../src/sign-in/sign-in-words.ts'
import { leftovers } from '../support/leftovers.ts'
import { namedBase, signedInByLink } from '../support/person.ts'
import { startConsole, visitsTo } from '../support/visits.ts'

const providers: OidcProvider[] = []
const mail = { url: 'smtp://127.0.0.1:9', from: 'tasks@example.com' }
const server = await startConsole({
  signIn: { ways: ['passkey', 'password', 'oidc', 'key'], force: false, providers, mail },
})
const provider = await startFaultyProvider()
providers.push(provider.settings)
const base = namedBase(server)
const visit = visitsTo(base)

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const somebody = () => {
  const sub = randomUUID()
  return { sub, email: `${sub}@example.com`, email_verified: true, name: 'Nora New' }
}

test('each reason why a sign-in with a provider fails has a sentence', () => {
  assert.deepEqual(Object.keys(signInWords.signIn.errors).toSorted(), Object.keys(oidcProblems).toSorted())
})

visit('a person signs in with a provider, and comes back to the page where they were', async (visit) => {
  const { page, expects } = visit
  const world = await server.newScene()
  const who = somebody()
  provider.who = who
  await page.goto(`${base}/console/people`)
  await visit.accessible()
  await visit.screenshots('sign-in-provider')
  expects(/Elsewhere: http:\/\/127/)
  await button(page, 'Continue with Faulty').click()
  await page.getByText('Nobody has invited your address.').waitFor()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await visit.accessible()
  await visit.screenshots('sign-in-not-invited')
  await world.owner.post('/members', { name: 'Nora New', email: who.email, invite: true })
  await page.goto(`${base}/console/people`)
  await button(page, 'Continue with Faulty').click()
  await page.getByRole('heading', { name: 'People' }).waitFor()
  await page.getByRole('button', { name: /^Nora New/ }).waitFor()
})

visit('an invitation is accepted with the account of a provider that has another address', async (visit) => {
  const { page, expects } = visit
  const world = await server.newScene()
  const email = `${randomUUID()}@example.com`
  const { body } = await world.owner.post('/members', { name: 'Nora New', email, invite: true })
  provider.who = somebody()
  await page.goto(body.invitation.link)
  await button(page, 'Continue with Faulty').waitFor()
  await visit.screenshots('invitation-new')
  await button(page, 'I already sign in here').click()
  await visit.accessible()
  await visit.screenshots('invitation-ways')
  expects(/Elsewhere: http:\/\/127/)
  await button(page, 'Continue with Faulty').click()
  await page.getByRole('button', { name: /^Nora New/ }).waitFor()
})

visit('a person links an account of a provider, and unlinks it', async (visit) => {
  const { page, expects } = visit
  const world = await server.newScene()
  await signedInByLink(page, server, world, world.admin, '/console/account')
  provider.who = somebody()
  await page.getByText('No account is linked.').waitFor()
  expects(/Elsewhere: http:\/\/127/)
  await button(page, 'Link Faulty').click()
  await page.getByRole('heading', { name: 'Faulty' }).waitFor()
  await visit.accessible()
  await visit.screenshots('account-linked')
  await button(page, 'Unlink Faulty').click()
  expects(/status of 412/)
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
  await page.getByRole('dialog').getByRole('alert').filter({ hasText: /way/ }).waitFor()
})

visit('a forgotten password is replaced by a mailed link', async (visit) => {
  const { page } = visit
  const world = await server.newScene()
  await signedInByLink(page, server, world, world.member)
  const { email } = (await world.owner.get(`/members/${world.member.memberId}`)).body
  const [person] = await server.db.rows<{ id: string }>(sql`
    update persons set email_verified = true where email = ${email} returning id`)
  await page.getByRole('button', { name: /^Mia Member/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('E-mail address').fill(email)
  await button(page, 'Forgot your password?').click()
  assert.equal(await page.getByLabel('E-mail address').inputValue(), email)
  await visit.accessible()
  await visit.screenshots('forgot')
  await button(page, 'Send the link').click()
  await page.getByText('a link is on its way').waitFor()
  await visit.screenshots('forgot-sent')
  const queued = await server.db.rows(sql`select id from outgoing_mail where recipient = ${email}`)
  assert.equal(queued.length, 1)
  // the mail makes the token when it is sent, and nothing sends it here
  const subject = { personId: person?.id ?? '', data: { email } }
  const token = await server.db.transaction((tx) => makeToken(tx, 'reset', subject, 60_000, new Date().toISOString()))
  await page.goto(`${base}/console/#reset=${token}`)
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  assert.deepEqual(await leftovers(page, token), [])
  await visit.accessible()
  await visit.screenshots('reset')
  await page.getByLabel('New password').fill('correct horse battery staple 42')
  await button(page, 'Save and sign in').click()
  await page.getByRole('button', { name: /^Mia Member/ }).waitFor()
})

visit('the pages of signing in fit the narrowest phone, with text at 200 %', async ({ page }) => {
  const world = await server.newScene()
  await page.setViewportSize({ width: 320, height: 640 })
  const fits = async (what: string) => {
    for (const size of [15, 30]) {
      await page.evaluate(`document.documentElement.style.fontSize = '${size}px'`)
      const [wide, room]: [number, number] = await page.evaluate(
        '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
      )
      assert.ok(wide <= room, `${what}, text of ${size} px: ${wide} > ${room}`)
      const over: string[] = await page.evaluate(`[...document.querySelectorAll('main *')]
        .filter((box) => box.getBoundingClientRect().right > innerWidth + 1).map((box) => box.outerHTML.slice(0, 120))`)
      assert.deepEqual(over, [], `${what}, text of ${size} px`)
    }
    await page.evaluate('document.documentElement.style.fontSize = null')
  }
  await page.goto(`${base}/console`)
  await page.getByLabel('E-mail address').waitFor()
  await fits('sign-in')
  await signedInByLink(page, server, world, world.member, '/console/account')
  await page.getByText('This device').waitFor()
  await fits('account')
  await page.goto(`${base}/console/device`)
  await page.getByLabel('Code').waitFor()
  await fits('device')
  const { body } = await world.owner.post('/members', { name: 'Nora', email: 'nora@example.com', invite: true })
  await page.goto(body.invitation.link)
  await page.getByRole('heading', { name: /^This invitation/ }).waitFor()
  await fits('invitation')
})
