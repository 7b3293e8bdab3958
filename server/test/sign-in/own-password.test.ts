import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { accountBucket } from '../../src/persons/throttle.ts'
import { openBrowser } from '../support/browser.ts'
import { assertRefused, detailsOf } from '../support/envelope.ts'
import { newPassword, personWithPassword } from '../support/people.ts'
import { signedIn } from '../support/signing-in.ts'
import { startServer } from '../support/world.ts'

const server = await startServer()
const { base, db } = server

/** As if a session had begun an hour ago, by a password. */
const signedInLongAgo = (personId: string) =>
  db.rows(sql`
    update sessions set signed_in_at = signed_in_at - interval '1 hour', signed_in_by = 'password' where person_id = ${personId}`)

test('a password that is short, long or easy to guess is refused with the reason', async () => {
  const world = await server.newWorld()
  const browser = await signedIn(server, world, world.member)
  const { body: me } = await browser.get('/me')
  const { name: organization } = (await world.owner.get('/organization')).body
  const reasons: [string, RegExp][] = [
    ['short words', /^Must have at least 12 characters$/],
    ['😀😀😀😀😀😀😀😀😀😀😀', /^Must have at least 12 characters$/],
    ['gallop '.repeat(40), /^Must have at most 256 characters$/],
    ['password1234', /^This password is easy to guess\. This is/],
    ['P@$$w0rd1234', /^This password is easy to guess\. This is similar to a commonly used password\./],
    ['qwertyuiop[]', /^This password is easy to guess\./],
    ['aaaaaaaaaaaaaaaa', /^This password is easy to guess\. Repeated characters/],
    [me.member.email, /^This password is easy to guess\./],
    [`${me.member.name}${me.member.name}`.padEnd(12, '1'), /^This password is easy to guess\./],
    [`${organization}123`.padEnd(12, '4'), /^This password is easy to guess\./],
  ]
  for (const [password, reason] of reasons) {
    const { fieldErrors } = detailsOf(await browser.patch('/me/password', { password }))
    assert.match(fieldErrors.password?.[0] ?? '', reason, password)
  }
  // no rules of composition
  assert.equal((await browser.patch('/me/password', { password: 'purple ferns gallop' })).status, 204)
})

test('a change needs the present password, and ends the other sessions in every process at once', async () => {
  const { email, password, personId, browser } = await personWithPassword(server)
  const [other, elsewhere] = [openBrowser(base), openBrowser((await startServer()).base)]
  await other.post('/auth/password', { email, password })
  for (const [name, value] of other.cookies) elsewhere.cookies.set(name, value)
  assert.equal((await elsewhere.get('/me')).status, 200)
  await signedInLongAgo(personId)
  const changed = newPassword()
  const { fieldErrors } = detailsOf(await browser.patch('/me/password', { password: changed }))
  assert.deepEqual(Object.keys(fieldErrors), ['currentPassword'])
  const wrong = await browser.patch('/me/password', { password: changed, currentPassword: newPassword() })
  assertRefused(wrong, 401, 'sign_in_failed')
  assert.equal((await other.get('/me')).status, 200)
  // the present password proves it, however old the sign-in
  const right = await browser.patch('/me/password', { password: changed, currentPassword: password })
  assert.equal(right.status, 204, right.text)
  assert.equal((await browser.get('/me')).status, 200)
  assertRefused(await other.get('/me'), 401)
  const deadline = performance.now() + 1_000
  while ((await elsewhere.get('/me')).status === 200 && performance.now() < deadline) {}
  assertRefused(await elsewhere.get('/me'), 401)
  assertRefused(await other.post('/auth/password', { email, password }), 401, 'sign_in_failed')
  assert.equal((await other.post('/auth/password', { email, password: changed })).status, 204)
})

test('a stolen session cannot guess the present password', async () => {
  const { personId, browser } = await personWithPassword(server)
  browser.cookies.delete('tw_known')
  const now = new Date().toISOString()
  const { hash } = accountBucket('password', personId)
  await db.rows(sql`
    insert into sign_in_failures (bucket, failures, next_try_at, updated_at) values (${hash}, 50, ${now}, ${now})`)
  const guess = () => browser.patch('/me/password', { password: newPassword(), currentPassword: newPassword() })
  assertRefused(await guess(), 401, 'sign_in_failed')
  assertRefused(await guess(), 429, 'too_many_attempts')
})

test('a person without a password sets one after a recent sign-in only', async () => {
  const world = await server.newWorld()
  const browser = await signedIn(server, world, world.member)
  const { id } = (await db.row<{ id: string }>(sql`
    select person_id as id from members where org_id = ${world.orgId} and id = ${world.member.memberId}`)) ?? { id: '' }
  await signedInLongAgo(id)
  assertRefused(await browser.patch('/me/password', { password: newPassword() }), 403, 'sign_in_again')
})

test('a person who lost their password sets a new one after the operator’s link', async () => {
  const { world, email, browser } = await personWithPassword(server)
  const back = await signedIn(server, world, world.member)
  const password = newPassword()
  assert.equal((await back.patch('/me/password', { password })).status, 204)
  assertRefused(await browser.get('/me'), 401)
  assert.equal((await openBrowser(base).post('/auth/password', { email, password })).status, 204)
})

test('the last way in cannot be removed; with another one the password can', async () => {
  const { world, email, password, personId, browser } = await personWithPassword(server)
  assertRefused(await browser.delete('/me/password'), 412, 'last_way_in')
  const now = new Date().toISOString()
  const keys = { credentialId: Buffer.from(personId), publicKey: Buffer.from('x'), counter: 0, name: 'Laptop' }
  await db.rows(sql`insert into passkeys ${sql.values({ id: personId, personId, ...keys, createdAt: now })}`)
  assert.equal((await browser.delete('/me/password')).status, 204)
  assert.equal((await browser.get('/auth/session')).body.person.hasPassword, false)
  assertRefused(await openBrowser(base).post('/auth/password', { email, password }), 401, 'sign_in_failed')
  const { body } = await world.owner.get('/events?type=member.sign_in_changed')
  assert.equal(body.data.length, 2)
  await signedInLongAgo(personId)
  assertRefused(await browser.delete('/me/password'), 403, 'sign_in_again')
})
