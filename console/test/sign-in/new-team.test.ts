import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { afterwards } from '../../../server/test/support/afterwards.ts'
import { startRealProvider } from '../../../server/test/support/oidc-real.ts'
import { openChromium } from '../../../server/test/support/slow/chromium.ts'
import { onMigratedDatabase, outcome, serving } from '../../../server/test/support/slow/processes.ts'
import { twInTerminal } from '../../../server/test/support/slow/pty.ts'
import { mailServer, type TakenMail } from '../../../server/test/support/smtp.ts'
import { until } from '../../../server/test/support/until.ts'
import { addAuthenticator } from '../support/person.ts'

const password = 'gravel lantern octopus seventeen'

test('a new team signs in: by links, mail, passkey, password and single sign-on', async (t) => {
  const browser = await openChromium()
  if (typeof browser === 'string') return t.skip(browser)
  afterwards(t, () => browser.close())
  const team = await startTeam(t)
  const { base, operator, linkIn } = team

  const owner = await openPage(t, browser)
  await owner.goto(team.firstLink)
  await usePasskey(owner)
  await nameThemself(owner, base, 'Olga')
  for (const name of ['Bea', 'Carl', 'Dora']) await invite(owner, base, name)

  const [bea, carl, dora] = [await openPage(t, browser), await openPage(t, browser), await openPage(t, browser)]
  await bea.goto(await linkIn('bea@example.com'))
  await bea.getByText('Olga invites you to My organization.').waitFor()
  await button(bea, 'Join').click()
  await usePasskey(bea)
  await signOut(bea, 'Bea')
  // the authenticator answers the offer of the page at once
  await isIn(bea, 'Bea, My organization')

  await carl.goto(await linkIn('carl@example.com'))
  await button(carl, 'Join').click()
  await choosePassword(carl)
  await isIn(carl, 'Carl, My organization')

  team.accounts.set('dora', { email: 'dora@elsewhere.example.com', email_verified: true, name: 'Dora' })
  await dora.goto(await linkIn('dora@example.com'))
  await signInElsewhere(dora, 'dora')
  await isIn(dora, 'Dora, My organization')

  // Carl works in two organizations
  await operator('org create', ['--name', 'Studio', '--owner-name', 'Sue', '--owner-email', 'sue@example.com'])
  const sue = await openPage(t, browser)
  await sue.goto(await operator('sign-in-link', ['--member', 'sue@example.com']))
  await button(sue, 'Skip for now').click()
  await isIn(sue, 'Sue, Studio')
  await invite(sue, base, 'Carl', 'Carl at the studio')
  await carl.goto(await linkIn('carl@example.com', 2))
  await button(carl, 'Join as Carl').click()
  await isIn(carl, 'Carl at the studio, Studio')
  await button(carl, 'Carl at the studio, Studio').click()
  await carl.getByRole('menuitem', { name: 'Switch to My organization' }).click()
  await isIn(carl, 'Carl, My organization')

  // a member who is deactivated is out within a second
  await button(owner, 'Actions for Dora').click()
  const deactivated = owner.waitForResponse((response) => response.request().method() === 'PATCH')
  await owner.getByRole('menuitem', { name: 'Deactivate' }).click()
  assert.equal((await deactivated).status(), 200)
  await refusedWithin(1_000, dora)
  await dora.getByRole('heading', { name: 'You have no organization here' }).waitFor()
  await dora.getByText('You are no longer an active member of My organization.').waitFor()

  // the command line gets a key of its own
  const folder = await mkdtemp(join(tmpdir(), 'tw-'))
  const tw = twInTerminal(t, ['login', '--url', base], { XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder }, 200)
  await tw.shows(/Press Enter/)
  tw.type('\r')
  await tw.shows(/console\/device#code=[B-Z]{4}-[B-Z]{4}/)
  await bea.goto(/http:\S+#code=\S+/.exec(tw.shown())?.[0] ?? assert.fail(tw.shown()))
  await button(bea, 'Let it in').click()
  await tw.shows(/Signed in to \S+ as Bea <bea@example\.com>, member of My organization\./)
  assert.equal(await tw.ended(), 0)

  // a browser that is lost is signed out from another one
  const another = await openPage(t, browser)
  await another.goto(`${base}/console/account`)
  await another.getByLabel('E-mail address').fill('carl@example.com')
  await another.getByLabel('Password', { exact: true }).fill(password)
  await button(another, 'Sign in').click()
  await button(another, /^Studio/).click()
  await button(another, 'Sign out everywhere').click()
  await another.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  for (const page of [another, carl]) await page.getByRole('heading', { name: 'Sign in' }).waitFor()

  // the owner lost the device with the only passkey
  const found = await openPage(t, browser)
  await found.goto(await operator('sign-in-link', ['--member', 'olga@example.com']))
  await isIn(found, 'Olga, My organization')
})

/** The program as an operator starts it, with a mail server and a provider of identities. */
async function startTeam(t: TestContext) {
  const smtp = await mailServer(t)
  let port = 0
  const redirectUri = () => `http://localhost:${port}/api/v1/auth/oidc/callback`
  const { issuer, settings: client, accounts } = await startRealProvider({ redirectUri }, t)
  const settings = {
    ...(await onMigratedDatabase(t)),
    ...{ SMTP_URL: smtp.url(), MAIL_FROM: 'Taskwright <tasks@example.com>' },
    ...{ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client.clientId, OIDC_CLIENT_SECRET: client.clientSecret ?? '' },
    OIDC_NAME: 'Team ID',
  }
  const server = await serving(t, settings)
  port = server.port
  const prefix = 'Sign in, within 15 minutes and once: '
  const line = await server.out.first((line) => line.startsWith(prefix))
  const operator = async (command: string, options: string[]) => {
    const words = [...command.split(' '), ...options]
    const { code, out, err } = await outcome(t, words, { ...settings, PORT: String(port) })
    assert.equal(code, 0, err.join('\n'))
    return out.at(-1) ?? ''
  }
  /** The link of an invitation to an address, the first one or a later one. */
  const linkIn = (address: string, count = 1) =>
    until(() => {
      const links = smtp.taken.filter(({ to }) => to.includes(address)).flatMap(linksOf)
      return links[count - 1]
    }, `There is no mail ${count} with a link to ${address}`)
  return { base: `http://localhost:${port}`, firstLink: line.slice(prefix.length), accounts, operator, linkIn }
}

/** The link of an invitation in a mail. */
function linksOf({ raw }: TakenMail): string[] {
  const text = raw.replace(/=\r\n/g, '').replaceAll('=3D', '=')
  return /http:\S+#invitation=[\w-]+/.exec(text)?.slice(0, 1) ?? []
}

async function openPage(t: TestContext, browser: Browser): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  afterwards(t, () => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await addAuthenticator(page)
  return page
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })

/** Waits for the console of a member, by the name on the menu. */
const isIn = (page: Page, name: string) => button(page, name).waitFor()

async function usePasskey(page: Page): Promise<void> {
  await button(page, 'Set up a passkey').click()
  await page.locator('main#content').waitFor()
}

async function choosePassword(page: Page): Promise<void> {
  await button(page, 'Set a password instead').click()
  await page.getByLabel('New password').fill(password)
  await button(page, 'Set a password').click()
}

async function signOut(page: Page, name: string): Promise<void> {
  await button(page, `${name}, My organization`).click()
  const signedOut = page.waitForResponse((response) => response.url().endsWith('/auth/sign-out'))
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  assert.equal((await signedOut).status(), 204)
}

/** Enters the name and the address of the first owner, who has none of their own at first. */
async function nameThemself(page: Page, base: string, name: string): Promise<void> {
  await page.goto(`${base}/console/people`)
  await button(page, 'Actions for Owner').click()
  await page.getByRole('menuitem', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  await dialog.getByLabel('E-mail address').fill(`${name.toLowerCase()}@example.com`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await isIn(page, `${name}, My organization`)
}

/** Invites somebody at People. */
async function invite(page: Page, base: string, first: string, name = first): Promise<void> {
  await page.goto(`${base}/console/people`)
  await button(page, 'New member').click()
  const dialog = page.getByRole('dialog', { name: 'New member' })
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  await dialog.getByLabel('E-mail address').fill(`${first.toLowerCase()}@example.com`)
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByText(`A mail with a link goes to ${first.toLowerCase()}@example.com`).waitFor()
  await button(page, 'Done').click()
}

/** Signs in on the pages of the provider and consents there. */
async function signInElsewhere(page: Page, account: string): Promise<void> {
  const form = page.locator('[name=login]')
  // on a busy machine the provider may respond too late for the server, and a person tries again
  const late = page.getByText('did not respond in time')
  do {
    await button(page, 'Continue with Team ID').click()
    await form.or(late).first().waitFor()
  } while (!(await form.isVisible()))
  await form.fill(account)
  await page.locator('[name=password]').fill('any')
  await page.locator('[type=submit]').click()
  await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' })
  await page.locator('[type=submit]').click()
}

/** Fails if a request that is sent later than this is not refused. */
async function refusedWithin(limitMs: number, page: Page): Promise<void> {
  const begunMs = performance.now()
  await until(async () => {
    const sentMs = performance.now() - begunMs
    const status = await page.evaluate(`fetch('/api/v1/me').then((response) => response.status)`)
    assert.ok(status !== 200 || sentMs < limitMs, `A request was answered ${sentMs} ms after the deactivation`)
    return status !== 200
  }, 'The member is not out')
}
