import assert from 'node:assert/strict'
import { openBrowser } from '../../../server/test/support/browser.ts'
import { namedBase, signedInByLink } from '../support/person.ts'
import { startConsole, visitsTo } from '../support/visits.ts'

const server = await startConsole()
const base = namedBase(server)
const visit = visitsTo(base)

/** A program that asks to be let in. */
async function ask() {
  const program = openBrowser(server.base)
  const { body } = await program.post('/auth/device', { name: 'tw on laptop' })
  const result = () => program.post('/auth/device/token', { deviceCode: body.deviceCode })
  return { ...body, result }
}

visit('a person lets a program in, with the rights and the time that they choose', async (visit) => {
  const { page } = visit
  const world = await server.newScene()
  await signedInByLink(page, server, world, world.owner)
  const { verificationUriComplete, userCode, result } = await ask()
  await page.goto(verificationUriComplete)
  await page.getByRole('heading', { name: 'Let tw on laptop in?' }).waitFor()
  await page.getByText(userCode).waitFor()
  await page.getByLabel('What it may do').selectOption({ label: 'Read' })
  await page.getByLabel('For how long').selectOption({ label: '7 days' })
  await visit.accessible()
  await visit.screenshots('device')
  await page.getByRole('button', { name: 'Let it in' }).click()
  await page.getByText('tw on laptop is signed in.').waitFor()
  const { body } = await result()
  const { body: me } = await server.api(body.secret).get('/me')
  assert.equal(me.member.id, world.owner.memberId)
  assert.deepEqual(me.apiKey.scopes, ['read'])
  const days = (Date.parse(me.apiKey.expiresAt) - Date.now()) / 86_400_000
  assert.ok(days > 6.9 && days < 7.1, String(days))
})

visit('a person types the code, and refuses', async (visit) => {
  const { page, expects } = visit
  const world = await server.newScene()
  const { verificationUri, userCode, result } = await ask()
  await page.goto(verificationUri)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await signedInByLink(page, server, world, world.member, '/console/device')
  await visit.accessible()
  await visit.screenshots('device-code')
  expects(/status of 404/)
  await page.getByLabel('Code').fill('zzzz zzzz')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('This code is unknown, used or expired.').waitFor()
  await visit.screenshots('device-unknown')
  await page.getByRole('link', { name: 'Enter another code' }).click()
  await page.getByLabel('Code').fill(userCode.toLowerCase().replace('-', ''))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.getByText('tw on laptop was refused.').waitFor()
  assert.equal((await result()).headers.get('x-error-code'), 'access_denied')
})
