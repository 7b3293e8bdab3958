import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { openBrowser } from '../support/browser.ts'
import { assertRefused } from '../support/envelope.ts'
import { type Api, created, sharedServer, type World } from '../support/world.ts'

const server = await sharedServer()
const { db, base } = server

const address = () => `${crypto.randomUUID()}@example.com`

async function invited(world: World, by: Api = world.owner, fields: object = {}) {
  const member = await created(by.post('/members', { name: 'Nina New', email: address(), ...fields }))
  const invitation = await created(by.post(`/members/${member.id}/invite`))
  return { member, invitation, token: tokenIn(invitation.link) }
}

const tokenIn = (link: string) => link.split('#invitation=')[1] ?? assert.fail(link)

test('an invitation shows the organization, the role and who invited, and signs in once', async () => {
  const world = await server.newWorld()
  const { member, invitation, token } = await invited(world, world.admin)
  assert.match(invitation.link, /^http:\/\/localhost:\d+\/console\/#invitation=[\w-]{43}$/)
  const browser = openBrowser(base)
  const { body: shown } = await browser.post('/auth/invitation', { token })
  const { body: organization } = await world.owner.get('/organization')
  const { body: admin } = await world.owner.get(`/members/${world.admin.memberId}`)
  assert.deepEqual(shown, {
    organization: { name: organization.name },
    member: { name: 'Nina New', email: member.email },
    role: 'member',
    invitedBy: { name: admin.name },
  })
  const accepted = await browser.post('/auth/invitation/accept', { token, name: 'Nina Newer' })
  assert.equal(accepted.status, 204, accepted.text)
  const { body: me } = await browser.get('/me')
  assert.equal(me.member.id, member.id)
  assert.notEqual(me.member.joinedAt, null)
  assert.equal(me.member.emailVerified, false)
  const { body: account } = await browser.get('/auth/session')
  assert.equal(account.person.name, 'Nina Newer')
  assertRefused(await openBrowser(base).post('/auth/invitation/accept', { token }), 412, 'already_joined')
  assertRefused(await openBrowser(base).post('/auth/invitation', { token }), 412, 'already_joined')
  const { body: list } = await world.owner.get(`/invitations?memberId=${member.id}&state=accepted`)
  assert.deepEqual(
    list.data.map(({ id }: { id: string }) => id),
    [invitation.id],
  )
  const { body: events } = await world.owner.get('/events?type=invitation.*,member.joined')
  assert.deepEqual(
    events.data.map(({ type }: { type: string }) => type),
    ['invitation.created', 'invitation.accepted', 'member.joined'],
  )
  assert.equal(JSON.stringify(events).includes(token), false)
})

test('only one of two people who accept at the same time joins', async () => {
  const world = await server.newWorld()
  const { token } = await invited(world)
  const answers = await Promise.all([1, 2, 3].map(() => openBrowser(base).post('/auth/invitation/accept', { token })))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 412, 412])
})

test('a new invitation ends the former one, and a deleted one does not work', async () => {
  const world = await server.newWorld()
  const { member, token } = await invited(world)
  const second = await created(world.owner.post(`/members/${member.id}/invite`))
  const browser = openBrowser(base)
  assertRefused(await browser.post('/auth/invitation', { token }), 412, 'link_invalid')
  assert.equal((await browser.post('/auth/invitation', { token: tokenIn(second.link) })).status, 200)
  assert.equal((await world.owner.delete(`/invitations/${second.id}`)).status, 204)
  const refusal = await browser.post('/auth/invitation/accept', { token: tokenIn(second.link) })
  assertRefused(refusal, 412, 'link_invalid')
  const unknown = await browser.post('/auth/invitation/accept', { token: 'a'.repeat(43) })
  assert.equal(unknown.text, refusal.text)
})

test('an invitation ends when it expires, and with the removal or deactivation of its member', async () => {
  const world = await server.newWorld()
  const [expired, removed, deactivated] = [await invited(world), await invited(world), await invited(world)]
  await db.rows(sql`
    update invitations set expires_at = ${new Date().toISOString()}
    where org_id = ${world.orgId} and id = ${expired.invitation.id}`)
  assert.equal((await world.owner.delete(`/members/${removed.member.id}`)).status, 204)
  const changed = await world.owner.patch(`/members/${deactivated.member.id}`, { status: 'deactivated' })
  assert.equal(changed.status, 200)
  for (const { token } of [expired, removed, deactivated])
    for (const path of ['/auth/invitation', '/auth/invitation/accept'])
      assertRefused(await openBrowser(base).post(path, { token }), 412, 'link_invalid')
  assertRefused(await world.owner.post(`/members/${deactivated.member.id}/invite`), 412, 'member_not_active')
  assert.equal((await world.owner.post(`/members/${removed.member.id}/restore`)).status, 200)
  assertRefused(await openBrowser(base).post('/auth/invitation', { token: removed.token }), 412, 'link_invalid')
})

test('a signed-in person accepts as themselves, unless they are another member there', async () => {
  const [one, other] = [await server.newWorld(), await server.newWorld()]
  const first = await invited(one)
  const browser = openBrowser(base)
  assert.equal((await browser.post('/auth/invitation/accept', { token: first.token })).status, 204)
  const cookies = new Map(browser.cookies)

  const second = await invited(other)
  const { body: shown } = await browser.post('/auth/invitation', { token: second.token })
  assert.equal(shown.signedInAs, 'Nina New')
  assert.equal(shown.canUseExisting, true)
  assert.equal((await browser.post('/auth/invitation/accept', { token: second.token })).status, 204)
  assert.deepEqual(browser.cookies, cookies)
  const { body: account } = await browser.get('/auth/session')
  assert.equal(account.organizations.length, 2)

  const third = await invited(other)
  assert.equal((await browser.post('/auth/invitation', { token: third.token })).body.canUseExisting, false)
  assertRefused(await browser.post('/auth/invitation/accept', { token: third.token }), 412, 'other_person')
  assert.equal((await openBrowser(base).post('/auth/invitation/accept', { token: third.token })).status, 204)
})

test('a member who joined is invited again only if they have no way in left, and never enters as that person', async () => {
  const [one, other] = [await server.newWorld(), await server.newWorld()]
  const first = await invited(one)
  const browser = openBrowser(base)
  assert.equal((await browser.post('/auth/invitation/accept', { token: first.token })).status, 204)
  const elsewhere = await invited(other)
  assert.equal((await browser.post('/auth/invitation/accept', { token: elsewhere.token })).status, 204)

  const again = await created(one.owner.post(`/members/${first.member.id}/invite`))
  const stranger = openBrowser(base)
  assert.equal((await stranger.post('/auth/invitation/accept', { token: tokenIn(again.link) })).status, 204)
  const { body: account } = await stranger.get('/auth/session')
  assert.deepEqual(
    account.organizations.map(({ id }: { id: string }) => id),
    [one.orgId],
  )
  assertRefused(await browser.get('/me', { 'x-organization': one.orgId }), 403, 'not_a_member')

  await db.rows(sql`
    insert into identities (id, person_id, issuer, subject, created_at)
    select ${crypto.randomUUID()}, person_id, 'https://id.example.com', id, ${new Date().toISOString()} from members
    where org_id = ${one.orgId} and id = ${first.member.id}`)
  assertRefused(await one.owner.post(`/members/${first.member.id}/invite`), 412, 'already_joined')
})

test('an admin cannot invite an owner, and a member invites nobody', async () => {
  const world = await server.newWorld()
  assertRefused(await world.admin.post(`/members/${world.owner.memberId}/invite`), 403, 'missing_role')
  assertRefused(await world.member.get('/invitations'), 403, 'missing_role')
  assertRefused(await world.member.post(`/members/${world.member.memberId}/invite`), 403, 'missing_role')
})

test('the link is shown once: a replay needs the credential that asked, and no other response has it', async () => {
  const world = await server.newWorld()
  const member = await created(world.owner.post('/members', { name: 'Nina New', email: address() }))
  const headers = { 'idempotency-key': 'invite' }
  const path = `/members/${member.id}/invite`
  const first = await world.owner.post(path, {}, headers)
  const again = await world.owner.post(path, {}, headers)
  assert.equal(again.text, first.text)
  const token = tokenIn(first.body.link)
  const [stored] = await db.rows<{ found: boolean }>(sql`
    select position(convert_to(${token}, 'UTF8') in body) > 0 as found from idempotency_keys
    where org_id = ${world.orgId} and key = 'invite'`)
  assert.equal(stored?.found, false)
  const { body: shown } = await world.owner.get(`/invitations/${first.body.id}`)
  assert.equal('link' in shown, false)
})

test('a member who is created with invite: true gets a link, sealed under the credential that asked', async () => {
  const world = await server.newWorld()
  const headers = { 'idempotency-key': 'join' }
  const body = { name: 'Nina New', email: address(), invite: true }
  const first = await world.owner.post('/members', body, headers)
  assert.equal(first.status, 201, first.text)
  assert.equal(first.headers.get('cache-control'), 'no-store')
  assert.equal(first.body.invitation.memberId, first.body.id)
  assert.equal((await world.owner.post('/members', body, headers)).text, first.text)
  const { secret } = await created(world.owner.post('/api-keys', { name: 'Another' }))
  assertRefused(await server.api(secret).post('/members', body, headers), 403, 'sealed')

  const nested = (invite: boolean) => ({
    operations: [{ method: 'POST', path: '/members', body: { name: 'Nina New', email: address(), invite } }],
  })
  assert.equal((await world.owner.post('/bulk', nested(false))).status, 200)
  const inside = await world.owner.post('/bulk', nested(true))
  assert.deepEqual([inside.status, inside.headers.get('x-error-code')], [403, 'not_inside'])

  const browser = openBrowser(base)
  const token = tokenIn(first.body.invitation.link)
  assert.equal((await browser.post('/auth/invitation/accept', { token })).status, 204)
  assert.equal((await browser.get('/me')).body.member.id, first.body.id)
})
