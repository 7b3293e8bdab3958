import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import type { Browser } from '../support/browser.ts'
import { assertRefused } from '../support/envelope.ts'
import { signedIn } from '../support/signing-in.ts'
import { created, type Reply, sharedServer, type World } from '../support/world.ts'

const server = await sharedServer()
const { db } = server

const signedInAgo = (world: World, minutes: number) =>
  db.rows(sql`
    update sessions set signed_in_at = ${new Date(Date.now() - minutes * 60_000).toISOString()}
    where person_id = (select person_id from members where org_id = ${world.orgId} and id = ${world.owner.memberId})`)

type Act = (browser: Browser, world: World) => Promise<Reply>
const owner = async ({ owner }: World) => {
  const fields = { name: 'Otto Owner', email: `${crypto.randomUUID()}@example.com`, role: 'owner' }
  return (await created(owner.post('/members', fields))).id as string
}
const lasting = async ({ owner }: World) => (await created(owner.post('/api-keys', { name: 'Lasting' }))).id

const acts: Record<string, Act> = {
  'to erase a member': (browser, { member }) => browser.post(`/members/${member.memberId}/erase`),
  'to make a member an owner': (browser, { member }) => browser.patch(`/members/${member.memberId}`, { role: 'owner' }),
  'to make a member an owner among other operations': async (browser, { member }) => {
    const one = { method: 'PATCH', path: `/members/${member.memberId}`, body: { role: 'owner' } }
    return browser.post('/bulk', { operations: [one] })
  },
  'to take the role of an owner': async (browser, world) =>
    browser.patch(`/members/${await owner(world)}`, { role: 'member' }),
  'to give an owner another address': async (browser, world) =>
    browser.patch(`/members/${await owner(world)}`, { email: `${crypto.randomUUID()}@example.com` }),
  'to invite an owner': async (browser, world) => browser.post(`/members/${await owner(world)}/invite`),
  'to remove an owner': async (browser, world) => browser.delete(`/members/${await owner(world)}`),
  'to make a key that never expires': (browser) => browser.post('/api-keys', { name: 'For ever' }),
  'to rotate a key that never expires': async (browser, world) =>
    browser.post(`/api-keys/${await lasting(world)}/rotate`, {}),
  'to delete the organization': async (browser, { owner }) => {
    const { name } = (await owner.get('/organization')).body
    return browser.delete(`/organization?name=${encodeURIComponent(name)}`)
  },
}

for (const [name, act] of Object.entries(acts))
  test(`${name}, a session needs a sign-in of the last 15 minutes, and a key does not`, async () => {
    const world = await server.newWorld()
    const browser = await signedIn(server, world, world.owner)
    await signedInAgo(world, 16)
    const refused = await act(readAnew(browser), world)
    assert.match(refused.text, /Sign in again to confirm that it is you/)
    if (!name.includes('among')) assertRefused(refused, 403, 'sign_in_again')
    await signedInAgo(world, 14)
    const done = await act(readAnew(browser), world)
    assert.ok(done.status < 300, done.text)
  })

/** The server remembers a caller for a second. */
function readAnew(browser: Browser): Browser {
  server.authenticator.invalidate(undefined)
  return browser
}

test('a link for an invitation is sealed under the session that asked, not under its person', async () => {
  const world = await server.newWorld()
  const [one, other] = [await signedIn(server, world, world.owner), await signedIn(server, world, world.owner)]
  const fields = { name: 'Nina New', email: `${crypto.randomUUID()}@example.com`, invite: true }
  const headers = { 'idempotency-key': 'join' }
  const first = await one.post('/members', fields, headers)
  assert.equal(first.status, 201, first.text)
  assert.equal((await one.post('/members', fields, headers)).text, first.text)
  assertRefused(await other.post('/members', fields, headers), 403, 'sealed')
  assertRefused(await world.owner.post('/members', fields, headers), 403, 'sealed')
})
