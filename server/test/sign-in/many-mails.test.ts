import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { openBrowser } from '../support/browser.ts'
import { assertRefused } from '../support/envelope.ts'
import { signedIn } from '../support/signing-in.ts'
import { created, startServer } from '../support/world.ts'

const mail = { url: 'smtp://127.0.0.1:1', from: 'a@example.com' }
const server = await startServer({
  signIn: { ways: ['passkey', 'password', 'key'], force: false, providers: [], mail },
})
const { db } = server

const mailsTo = async (email: string) =>
  (await db.rows(sql`select id from outgoing_mail where recipient = ${email}`)).length

test('a person whose address nobody verified cannot have hundreds of mails sent to it', async () => {
  const world = await server.newWorld()
  const { email } = (await world.member.get('/me')).body.member
  const browser = await signedIn(server, world, world.member)
  for (let n = 0; n < 25; n++) {
    const other = await signedIn(server, world, world.member)
    const { data } = (await browser.get('/me/sessions')).body
    const { id } = data.find(({ current }: { current: boolean }) => !current)
    assert.equal((await browser.delete(`/me/sessions/${id}`)).status, 204)
    assertRefused(await other.get('/me'), 401)
  }
  assert.equal(await mailsTo(email), 20)
})

test('nobody floods the mailbox of a stranger with invitations; the links work all the same', async () => {
  const world = await server.newWorld()
  const email = `${crypto.randomUUID()}@example.com`
  const member = await created(world.admin.post('/members', { name: 'Nina New', email, invite: true }))
  for (let n = 0; n < 24; n++) await created(world.admin.post(`/members/${member.id}/invite`))
  const { link } = await created(world.admin.post(`/members/${member.id}/invite`))
  assert.equal(await mailsTo(email), 20)
  const token = link.split('#invitation=')[1]
  assert.equal((await openBrowser(server.base).post('/auth/invitation/accept', { token })).status, 204)
})
