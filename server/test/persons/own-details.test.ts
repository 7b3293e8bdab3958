import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { assertRefused } from '../support/envelope.ts'
import { signedIn } from '../support/signing-in.ts'
import { sharedServer } from '../support/world.ts'

const server = await sharedServer()
const { db } = server

const address = () => `${crypto.randomUUID()}@example.com`

async function signedInOwner() {
  const world = await server.newWorld()
  const browser = await signedIn(server, world, world.owner)
  const person = async () => (await browser.get('/auth/session')).body.person
  return { ...world, browser, person, path: `/members/${world.owner.memberId}` }
}

test('a person who edits their own member edits their account, too', async () => {
  const { browser, path, person } = await signedInOwner()
  const email = address()
  assert.equal((await browser.patch(path, { name: 'Olga', email })).status, 200)
  assert.deepEqual(await person(), { ...(await person()), name: 'Olga', email, emailVerified: false })
})

test('somebody else who edits a member leaves the account of the person as it is', async () => {
  const { owner, path, person } = await signedInOwner()
  const before = await person()
  assert.equal((await owner.patch(path, { name: 'Somebody', email: address() })).status, 200)
  assert.deepEqual(await person(), before)
})

test('a verified address, and one that another person has, stay with their persons', async () => {
  const [one, other] = [await signedInOwner(), await signedInOwner()]
  const email = address()
  assert.equal((await one.browser.patch(one.path, { email })).status, 200)
  assert.equal((await other.browser.patch(other.path, { email })).status, 200)
  assert.notEqual((await other.person()).email, email)
  await db.rows(sql`update persons set email_verified = true where email = ${email}`)
  assert.equal((await one.browser.patch(one.path, { email: address() })).status, 200)
  assert.deepEqual(await one.person(), { ...(await one.person()), email, emailVerified: true })
})

test('an admin changes their own address only after a recent sign-in', async () => {
  const world = await server.newWorld()
  const browser = await signedIn(server, world, world.admin)
  const path = `/members/${world.admin.memberId}`
  await db.rows(sql`
    update sessions set signed_in_at = signed_in_at - interval '16 minutes'
    where person_id = (select person_id from members where org_id = ${world.orgId} and id = ${world.admin.memberId})`)
  assertRefused(await browser.patch(path, { email: address() }), 403, 'sign_in_again')
  assert.equal((await browser.patch(path, { name: 'Ada' })).status, 200)
})
