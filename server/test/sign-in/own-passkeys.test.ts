import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { softwareAuthenticator } from '../support/authenticator.ts'
import { openBrowser } from '../support/browser.ts'
import { assertRefused, invalidFields } from '../support/envelope.ts'
import { hold } from '../support/holding.ts'
import { addPasskey, newAuthenticator, optionsFor, signInWith, withPasskey } from '../support/passkeys.ts'
import { signedIn } from '../support/signing-in.ts'
import { databaseUrl, sharedServer, startServer } from '../support/world.ts'

const { db, base } = await sharedServer()

test('the options for signing in name nobody, and a new passkey can be found without an address', async () => {
  const options = await optionsFor(openBrowser(base))
  assert.deepEqual(
    [options.rpId, options.userVerification, options.allowCredentials],
    ['localhost', 'preferred', undefined],
  )
  const { member, browser, passkey } = await withPasskey()
  const { body } = await browser.post('/me/passkeys/options')
  const { authenticatorSelection: chosen, excludeCredentials, rp, user } = body.options
  assert.deepEqual([chosen.residentKey, chosen.userVerification, rp.id], ['required', 'preferred', 'localhost'])
  assert.equal(excludeCredentials.length, 1)
  const [{ personId } = { personId: '' }] = await db.rows<{ personId: string }>(
    sql`select person_id as "personId" from passkeys where id = ${passkey.id}`,
  )
  assert.equal(Buffer.from(user.id, 'base64url').length, 32)
  assert.equal(JSON.stringify([body, passkey]).includes(personId), false)
  assert.equal(user.name, (await member.get('/me')).body.member.email)
})

test('a new passkey is for the person who asked, and is stored once', async () => {
  const [one, other] = [await withPasskey(), await withPasskey()]
  const { options } = (await one.browser.post('/me/passkeys/options')).body
  const response = newAuthenticator().create(options)
  // another person signed in meanwhile, in the same browser
  const moved = openBrowser(base)
  for (const [name, value] of [...other.browser.cookies, ...one.browser.cookies]) moved.cookies.set(name, value)
  moved.cookies.set('tw_session', other.browser.cookies.get('tw_session') ?? '')
  assert.deepEqual(invalidFields(await moved.post('/me/passkeys', { response })), ['response'])
  const again = (await other.browser.post('/me/passkeys/options')).body.options
  const authenticator = newAuthenticator()
  const created = authenticator.create(again)
  assert.equal((await other.browser.post('/me/passkeys', { response: created })).status, 201)
  const third = (await one.browser.post('/me/passkeys/options')).body.options
  const clientDataJSON = authenticator.create(third).response.clientDataJSON
  const copied = { ...created, response: { ...created.response, clientDataJSON } }
  assert.deepEqual(invalidFields(await one.browser.post('/me/passkeys', { response: copied })), ['response'])
})

test('a person names, renames and removes their passkeys, but not those of others', async () => {
  const { browser, passkey } = await withPasskey()
  assert.equal(passkey.name, 'Unknown device')
  const second = await addPasskey(browser, newAuthenticator(), 'Security key')
  assert.equal(second.name, 'Security key')
  const renamed = await browser.patch(`/me/passkeys/${passkey.id}`, { name: 'Laptop' })
  assert.deepEqual([renamed.status, renamed.body.name], [200, 'Laptop'])
  const stranger = (await withPasskey()).browser
  for (const id of [passkey.id, crypto.randomUUID(), 'none']) {
    assertRefused(await stranger.patch(`/me/passkeys/${id}`, { name: 'Mine' }), 404)
    assertRefused(await stranger.delete(`/me/passkeys/${id}`), 404)
  }
  assert.deepEqual(invalidFields(await browser.patch(`/me/passkeys/${second.id}`, { name: ' ' })), ['name'])
  assert.equal((await browser.delete(`/me/passkeys/${second.id}`)).status, 204)
  const { body } = await browser.get('/me/passkeys')
  assert.deepEqual(
    body.data.map(({ name }: { name: string }) => name),
    ['Laptop'],
  )
})

test('the last way in stays, also when two are removed at once', async (t) => {
  const { browser, passkey } = await withPasskey()
  assertRefused(await browser.delete(`/me/passkeys/${passkey.id}`), 412, 'last_way_in')
  const second = await addPasskey(browser)
  const ids = [passkey.id, second.id]
  // both requests stand before their delete, or before their check
  const held = await hold(t, databaseUrl, 'select id from passkeys where id = any($1) for update', [ids])
  const removing = Promise.all(ids.map((id) => browser.delete(`/me/passkeys/${id}`)))
  await held.waiters(2)
  await held.release()
  const removed = await removing
  assert.deepEqual(removed.map(({ status }) => status).toSorted(), [204, 412])
  const [left] = (await browser.get('/me/passkeys')).body.data
  await db.rows(sql`
    update persons set password_hash = 'x' where id = (select person_id from passkeys where id = ${left.id})`)
  assert.equal((await browser.delete(`/me/passkeys/${left.id}`)).status, 204)
})

test('a person has at most 20 passkeys', async () => {
  const { browser } = await withPasskey()
  const { options } = (await browser.post('/me/passkeys/options')).body
  for (let n = 1; n < 20; n++) await addPasskey(browser)
  assertRefused(await browser.post('/me/passkeys/options'), 412, 'no_room')
  const response = newAuthenticator().create(options)
  assertRefused(await browser.post('/me/passkeys', { response }), 412, 'no_room')
})

test('changes of passkeys need a recent sign-in, which a passkey gives', async () => {
  const { browser, authenticator, passkey } = await withPasskey()
  await db.rows(sql`
    update sessions set signed_in_at = signed_in_at - interval '16 minutes'
    where person_id = (select person_id from passkeys where id = ${passkey.id})`)
  assertRefused(await browser.post('/me/passkeys/options'), 403, 'sign_in_again')
  assertRefused(await browser.post('/me/passkeys', { response: {} }), 403, 'sign_in_again')
  assertRefused(await browser.delete(`/me/passkeys/${passkey.id}`), 403, 'sign_in_again')
  assert.equal((await signInWith(authenticator, browser)).answer.status, 204)
  assert.equal((await browser.post('/me/passkeys/options')).status, 200)
  // the session before is over
  assert.equal((await browser.get('/me/sessions')).body.data.length, 1)
  assertRefused(await openBrowser(base).get('/me/passkeys'), 401)
})

test('adding and removing a passkey is in the audit log of each organization', async () => {
  const { member, browser } = await withPasskey()
  const second = await addPasskey(browser)
  await browser.delete(`/me/passkeys/${second.id}`)
  const { body } = await member.get('/events?type=member.sign_in_changed')
  assert.equal(body.data.length, 3)
  const actor = { memberId: member.memberId, apiKeyId: null }
  for (const event of body.data) assert.deepEqual([event.actor, event.resource.id], [actor, member.memberId])
  assert.equal((await member.get('/audit?type=member.sign_in_changed')).body.data.length, 3)
})

test('adding and removing a passkey is told by mail', async () => {
  const mail = { url: 'smtp://127.0.0.1:9', from: 'tasks@example.com' }
  const mailing = await startServer({ signIn: { ways: ['passkey', 'key'], force: false, providers: [], mail } })
  const world = await mailing.newWorld()
  const member = await world.join('Petra', 'member')
  const { email } = (await member.get('/me')).body.member
  const browser = await signedIn(mailing, world, member)
  const passkey = await addPasskey(browser, softwareAuthenticator(`http://localhost:${mailing.port}`), 'Laptop')
  await addPasskey(browser, softwareAuthenticator(`http://localhost:${mailing.port}`), 'Phone')
  await browser.delete(`/me/passkeys/${passkey.id}`)
  const mails = await db.rows<{ data: object }>(
    sql`select data from outgoing_mail where recipient = ${email} order by id`,
  )
  assert.deepEqual(
    mails.map(({ data }) => data).map((data) => ({ ...data, at: '' })),
    [
      { name: 'Petra', change: 'passkey_added', what: 'Laptop', at: '' },
      { name: 'Petra', change: 'passkey_added', what: 'Phone', at: '' },
      { name: 'Petra', change: 'passkey_removed', what: 'Laptop', at: '' },
    ],
  )
})
