import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Browser, openBrowser } from '../support/browser.ts'
import { openStream } from '../support/event-streams.ts'
import { startSessionOf } from '../support/founding.ts'
import { sharedServer, startServer, type World } from '../support/world.ts'

const server = await sharedServer()
const other = await startServer()
const { db, base } = server

/** A member in two browsers with one session: at this process and at another one. */
async function inBoth(world: World, name: string) {
  const { memberId } = await world.join(name, 'member')
  const token = await startSessionOf(db, world.orgId, memberId)
  const [here, there] = [openBrowser(base), openBrowser(other.base)]
  for (const browser of [here, there]) {
    browser.cookies.set('tw_session', token)
    assert.equal((await browser.get('/me')).status, 200)
  }
  return { memberId, token, here, there }
}

/** Asks until the session is refused, for a second at most. */
async function outWithinASecond(browser: Browser) {
  const deadline = performance.now() + 1_000
  while ((await browser.get('/me')).status === 200 && performance.now() < deadline) {}
  const refused = await browser.get('/me')
  assert.ok([401, 403].includes(refused.status), refused.text)
}

interface Member {
  memberId: string
  here: Browser
}

const endings = {
  'of a removed member': ({ owner }: World, { memberId }: Member) => owner.delete(`/members/${memberId}`),
  'of an erased member': ({ owner }: World, { memberId }: Member) => owner.post(`/members/${memberId}/erase`),
  'of a deactivated member': ({ owner }: World, { memberId }: Member) =>
    owner.patch(`/members/${memberId}`, { status: 'deactivated' }),
  'that its person ends everywhere': (_: World, { here }: Member) => here.post('/auth/sign-out', { everywhere: true }),
}
for (const [which, end] of Object.entries(endings))
  test(`a session ${which} is out within a second in every process, and its streams end`, async () => {
    const world = await server.newWorld()
    const member = await inBoth(world, 'Petra')
    const headers = { cookie: `tw_session=${member.token}` }
    const streams = await Promise.all([base, other.base].map((one) => openStream(one, '', { headers })))
    assert.deepEqual(
      streams.map(({ status }) => status),
      [200, 200],
    )
    const answer = await end(world, member)
    assert.ok([200, 204].includes(answer.status), answer.text)
    for (const browser of [member.here, member.there]) await outWithinASecond(browser)
    for (const stream of streams) await stream.ended()
  })
