import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser } from '../support/browser.ts'
import { startSessionOf } from '../support/founding.ts'
import { created, sharedServer, type World } from '../support/world.ts'

const server = await sharedServer()
const { db, base } = server

async function invited(world: World) {
  const fields = { name: 'Nina New', email: `${crypto.randomUUID()}@example.com` }
  const { id, invitation } = await created(world.owner.post('/members', { ...fields, invite: true }))
  return { memberId: id, invitationId: invitation.id, token: invitation.link.split('#invitation=')[1] }
}

const accept = (token: string, browser = openBrowser(base)) => browser.post('/auth/invitation/accept', { token })

test('an invitation that is accepted while it is revoked has one outcome', async () => {
  const world = await server.newWorld()
  for (let round = 0; round < 8; round++) {
    const { memberId, invitationId, token } = await invited(world)
    const browser = openBrowser(base)
    const [accepted, revoked] = await Promise.all([
      accept(token, browser),
      world.owner.delete(`/invitations/${invitationId}`),
    ])
    const outcome = `${accepted.status} ${revoked.status}`
    assert.ok(['204 412', '412 204'].includes(outcome), `${outcome} ${accepted.text} ${revoked.text}`)
    const joined = accepted.status === 204
    assert.equal((await browser.get('/me')).status, joined ? 200 : 401)
    const { body } = await world.owner.get(`/members/${memberId}`)
    assert.equal(body.joinedAt !== null, joined)
  }
})

test('a member who is removed or deactivated while they accept is not in', async () => {
  const world = await server.newWorld()
  for (let round = 0; round < 8; round++) {
    const { memberId, token } = await invited(world)
    const browser = openBrowser(base)
    const path = `/members/${memberId}`
    const [accepted, ended] = await Promise.all([
      accept(token, browser),
      round % 2 === 0 ? world.owner.delete(path) : world.owner.patch(path, { status: 'deactivated' }),
    ])
    assert.ok([204, 412].includes(accepted.status), accepted.text)
    assert.ok([200, 204].includes(ended.status), ended.text)
    const deadline = performance.now() + 1_000
    while ((await browser.get('/me')).status === 200 && performance.now() < deadline) {}
    assert.ok([401, 403].includes((await browser.get('/me')).status))
  }
})

test('a person who accepts two places of one organization at once gets one', async () => {
  const other = await server.newWorld()
  for (let round = 0; round < 6; round++) {
    const world = await server.newWorld()
    const browser = openBrowser(base)
    browser.cookies.set('tw_session', await startSessionOf(db, other.orgId, other.owner.memberId))
    const places = await Promise.all([invited(world), invited(world), invited(world)])
    const answers = await Promise.all(places.map(({ token }) => accept(token, browser)))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted(),
      [204, 412, 412],
      answers.map(({ text }) => text).join(),
    )
  }
})
