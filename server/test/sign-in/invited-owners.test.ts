import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { openBrowser } from '../support/browser.ts'
import { assertRefused } from '../support/envelope.ts'
import { startSessionOf } from '../support/founding.ts'
import { created, sharedServer } from '../support/world.ts'

const server = await sharedServer()
const { db, base } = server

const address = () => `${crypto.randomUUID()}@example.com`

test('an admin cannot give the place of an owner to an address of their own', async () => {
  const world = await server.newWorld()
  const fields = { name: 'Nina New', email: address(), role: 'owner' }
  const owner = await created(world.owner.post('/members', fields))
  assertRefused(await world.admin.patch(`/members/${owner.id}`, { email: address() }), 403, 'missing_role')
  assert.equal((await world.owner.patch(`/members/${owner.id}`, { email: address() })).status, 200)
})

test('an owner is made, and comes back, only after a recent sign-in', async () => {
  const world = await server.newWorld()
  const fields = () => ({ name: 'Nina New', email: address(), role: 'owner' })
  const removed = await created(world.owner.post('/members', fields()))
  assert.equal((await world.owner.delete(`/members/${removed.id}`)).status, 204)
  const browser = openBrowser(base)
  browser.cookies.set('tw_session', await startSessionOf(db, world.orgId, world.owner.memberId))
  assert.equal((await browser.post('/members', fields())).status, 201)
  await db.rows(sql`
    update sessions set signed_in_at = ${new Date(Date.now() - 16 * 60_000).toISOString()}
    where person_id = (select person_id from members where org_id = ${world.orgId} and id = ${world.owner.memberId})`)
  assertRefused(await browser.post('/members', fields()), 403, 'sign_in_again')
  assertRefused(await browser.post(`/members/${removed.id}/restore`), 403, 'sign_in_again')
  assert.equal((await browser.post('/members', { ...fields(), role: 'admin' })).status, 201)
})
