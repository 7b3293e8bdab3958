import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { intercept } from './support/intercept.ts'
import { leftovers } from './support/leftovers.ts'
import { hostile } from './support/scene.ts'
import { startConsole } from './support/visits.ts'

const { api, newWorld, visit } = await startConsole()

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const line = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

visit('a key is created with the keyboard alone, and its secret stays nowhere after it is saved', async (visit) => {
  const { page } = visit
  const { owner } = await newWorld()
  await visit.signedIn(owner.key, '/console/keys')
  await line(page, 'You are signed in with this key').waitFor()
  await page.keyboard.press('n')
  await page.locator('dialog input:focus').waitFor()
  await page.keyboard.type(hostile)
  await visit.accessible()
  await page.keyboard.press('Enter')
  const secret = await page.getByLabel('Secret').inputValue()
  assert.match(secret, /^tw_[0-9A-Za-z]{58}$/)
  await visit.accessible()
  await visit.screenshots('keys-secret')
  await page.keyboard.press('Escape')
  await page.getByText('Copy it first').waitFor()
  assert.deepEqual(await leftovers(page, secret), ['fields'])
  await button(page, 'I have saved it').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.deepEqual(await leftovers(page, secret), [])
  await line(page, hostile).getByText('never used').waitFor()
  await visit.accessible()
  await visit.screenshots('keys')
  // used, it is not "never used" any more
  assert.equal((await api(secret).get('/me')).body.apiKey.name, hostile)
})

visit(
  'a refusal is beside its field, and the typed text survives it, a silent server and a lost session',
  async (visit) => {
    const { page, expects } = visit
    const { owner } = await newWorld()
    await visit.signedIn(owner.key, '/console/keys')
    await button(page, 'New key').click()
    await page.getByLabel('Name').fill('   ')
    await button(page, 'Create the key').click()
    expects(/422/)
    await page.locator('[aria-invalid=true]:focus').waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), '   ')

    await page.getByLabel('Name').fill('Nightly report')
    await page.getByLabel('Write').uncheck()
    // the server does it, and its answer is lost
    await intercept(page, '**/api/v1/api-keys', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      await route.abort()
    })
    expects(/ERR_FAILED/)
    await button(page, 'Create the key').click()
    await page.getByRole('alert').getByText('The server did not respond').waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Nightly report')
    await page.unroute('**/api/v1/api-keys')
    await button(page, 'Create the key').click()
    const made = await page.getByLabel('Secret').inputValue()
    await button(page, 'I have saved it').click()
    const named = (await owner.get('/api-keys')).body.data.filter(
      ({ name }: { name: string }) => name === 'Nightly report',
    )
    assert.deepEqual(
      named.map(({ scopes }: { scopes: string[] }) => scopes),
      [['read']],
    )
    assert.equal((await api(made).get('/me')).status, 200)

    await button(page, 'New key').click()
    await page.getByLabel('Name').fill('Half a thou')
    const spare = await owner.post('/api-keys', { name: 'Spare' })
    const inUse = (await owner.get('/me')).body.apiKey.id
    expects(/401/)
    await api(spare.body.secret).delete(`/api-keys/${inUse}`)
    await page.getByText('This key does not work').waitFor()
    await page.getByLabel('API key').fill(spare.body.secret)
    await button(page, 'Sign in').click()
    await button(page, 'New key').click()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Half a thou')
    await button(page, 'Cancel').click()
    await button(page, 'New key').click()
    assert.equal(await page.getByLabel('Name').inputValue(), '')
  },
)

visit('a key is revoked with its descendants, unless the person keeps these, after an explanation', async (visit) => {
  const { page } = visit
  const { owner, member } = await newWorld()
  const parent = (await owner.post('/api-keys', { name: 'Parent' })).body
  const child = (await api(parent.secret).post('/api-keys', { name: 'Child' })).body
  await visit.signedIn(owner.key, '/console/keys')
  await line(page, 'Child').getByText('with Parent').waitFor()
  await button(page, 'Revoke Parent').click()
  const dialog = page.getByRole('dialog', { name: 'Revoke Parent?' })
  await dialog.getByText('You cannot undo this').waitFor()
  assert.equal(await dialog.getByLabel('Keep the keys that were created with it').isChecked(), false)
  await visit.accessible()
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByText('Parent was revoked.').waitFor()
  await line(page, 'Child').getByText('Revoked', { exact: true }).waitFor()
  for (const { secret } of [parent, child]) assert.equal((await api(secret).get('/me')).status, 401)

  const next = (await owner.post('/api-keys', { name: 'Next' })).body
  const kept = (await api(next.secret).post('/api-keys', { name: 'Kept' })).body
  await button(page, 'Revoke Next').click()
  const again = page.getByRole('dialog', { name: 'Revoke Next?' })
  await again.getByLabel('Keep the keys that were created with it').check()
  await again.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByText('Next was revoked.').waitFor()
  assert.equal((await api(next.secret).get('/me')).status, 401)
  assert.equal((await api(kept.secret).get('/me')).status, 200)

  // what somebody else does comes by itself
  await page.getByRole('link', { name: 'Everybody’s' }).click()
  await line(page, 'Mia Member').first().waitFor()
  await member.post('/api-keys', { name: 'Made elsewhere' })
  await line(page, 'Made elsewhere').getByText('Key of Mia Member').waitFor()
  await visit.accessible()
})

visit('a member sees and creates only their own keys', async ({ page, signedIn }) => {
  const { owner, member } = await newWorld()
  await signedIn(member.key, '/console/keys?of=all')
  await line(page, 'You are signed in with this key').waitFor()
  assert.equal(await page.getByRole('listitem').filter({ hasText: 'tw_' }).count(), 1)
  assert.equal(await page.getByRole('link', { name: 'Everybody’s' }).count(), 0)
  await button(page, 'New key').click()
  assert.equal(await page.getByLabel('Member', { exact: true }).count(), 0)
  await button(page, 'Cancel').click()
  const reading = (await owner.post('/api-keys', { name: 'Reads', scopes: ['read'] })).body
  await page.evaluate('sessionStorage.clear()')
  await signedIn(reading.secret, '/console/keys')
  await line(page, 'Read only').first().waitFor()
  assert.equal(await button(page, /New key|Revoke|Rotate/).count(), 0)
})

visit('the key in use can be rotated and replaced, then revoked, which leads to the first page', async (visit) => {
  const { page } = visit
  const { owner } = await newWorld()
  const { name } = (await owner.get('/me')).body.apiKey
  await visit.signedIn(owner.key, '/console/keys')
  await button(page, `Rotate ${name}`).click()
  await page.getByText('At least 1').waitFor()
  await page.getByLabel('Hours for which').fill('2')
  await page.keyboard.press('Enter')
  const secret = await page.getByLabel('Secret').inputValue()
  await button(page, 'Use the new key here').click()
  await page.getByText('You are now signed in with the new key.').waitFor()
  await button(page, 'I have saved it').click()
  // kept as the key of before was, so that the tab can be loaded again
  assert.deepEqual(await leftovers(page, secret), ['session'])
  assert.deepEqual(await leftovers(page, owner.key), [])
  const own = line(page, 'You are signed in with this key')
  assert.match(await own.innerText(), /by Olivia Owner/)
  await own.getByRole('button', { name: /^Revoke/ }).click()
  await page.getByText('You are signed in with this key').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByText('You revoked the key that you were signed in with.').waitFor()
  assert.deepEqual(await leftovers(page, secret), [])
  assert.equal((await api(secret).get('/me')).status, 401)
})
