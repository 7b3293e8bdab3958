import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser } from '../support/browser.ts'
import { assertRefused } from '../support/envelope.ts'
import { newPassword, personWithPassword } from '../support/people.ts'
import { created, sharedServer } from '../support/world.ts'

const server = await sharedServer()
const { base } = server

const tokenIn = ({ link }: { link: string }) => link.split('#invitation=')[1]

test('an admin who invites the address of a person of another organization becomes nobody but a new person', async () => {
  const { world: theirs, email, password, browser: person } = await personWithPassword(server)
  const mine = await server.newWorld()
  const member = await created(mine.admin.post('/members', { name: 'Mallory', email, invite: true }))
  const mallory = openBrowser(base)
  const { body: shown } = await mallory.post('/auth/invitation', { token: tokenIn(member.invitation) })
  assert.deepEqual(Object.keys(shown).toSorted(), ['invitedBy', 'member', 'organization', 'role'])
  assert.equal((await mallory.post('/auth/invitation/accept', { token: tokenIn(member.invitation) })).status, 204)
  const { body: account } = await mallory.get('/auth/session')
  assert.deepEqual(
    [account.person.email, account.organizations.map(({ id }: { id: string }) => id)],
    [null, [mine.orgId]],
  )
  assertRefused(await mallory.get('/me', { 'x-organization': theirs.orgId }), 403, 'not_a_member')
  assert.equal((await openBrowser(base).post('/auth/password', { email, password })).status, 204)
  // neither does an edit of the member reach the person
  const moved = `${crypto.randomUUID()}@example.com`
  assert.equal((await mine.admin.patch(`/members/${member.id}`, { email: moved })).status, 200)
  assert.equal((await person.get('/auth/session')).body.person.email, email)
  assertRefused(await openBrowser(base).post('/auth/password', { email: moved, password }), 401)
})

test('a person whose address somebody else has cannot set a password that would never let them in', async () => {
  const { email } = await personWithPassword(server)
  const world = await server.newWorld()
  const member = await created(world.owner.post('/members', { name: 'Vera Victim', email, invite: true }))
  const victim = openBrowser(base)
  assert.equal((await victim.post('/auth/invitation/accept', { token: tokenIn(member.invitation) })).status, 204)
  assertRefused(await victim.patch('/me/password', { password: newPassword() }), 412, 'no_address')
  // and so an admin can still invite them again
  await created(world.owner.post(`/members/${member.id}/invite`))
})

test('what happens to a member in one organization does not end the session in another', async () => {
  const { world, browser } = await personWithPassword(server)
  const other = await server.newWorld()
  const fields = { name: 'Mia', email: `${crypto.randomUUID()}@example.com`, invite: true }
  const member = await created(other.owner.post('/members', fields))
  assert.equal((await browser.post('/auth/invitation/accept', { token: tokenIn(member.invitation) })).status, 204)
  const here = { 'x-organization': world.orgId }
  const there = { 'x-organization': other.orgId }
  assert.equal((await browser.get('/me', there)).body.member.id, member.id)
  assert.equal((await other.owner.delete(`/members/${member.id}`)).status, 204)
  assertRefused(await browser.get('/me', there), 403, 'not_a_member')
  assert.equal((await browser.get('/me', here)).status, 200)
  assert.equal((await other.owner.post(`/members/${member.id}/restore`)).status, 200)
  assert.equal((await browser.get('/me', there)).status, 200)
  assert.equal((await other.owner.post(`/members/${member.id}/erase`)).status, 200)
  assertRefused(await browser.get('/me', there), 403, 'not_a_member')
  assert.equal((await browser.get('/me', here)).status, 200)
})
