import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { runOnce } from '../../src/jobs/job.ts'
import { sendingMail } from '../../src/jobs/sending-mail.ts'
import { mailKinds } from '../../src/sign-in/mail-kinds.ts'
import { openBrowser } from '../support/browser.ts'
import { assertRefused } from '../support/envelope.ts'
import { mailServer } from '../support/smtp.ts'
import { created, migratedDatabase, startServer } from '../support/world.ts'

// of its own, because the job sends all mail of a database
const { url, drop } = await migratedDatabase()
const mail = { url: 'smtp://127.0.0.1:1', from: 'Taskwright <tasks@example.com>' }
const signIn = { ways: ['passkey', 'password', 'key'] as const, force: false, providers: [], mail }
const { db, base, newWorld } = await startServer({ url, signIn })
after(drop)

const address = () => `${crypto.randomUUID()}@example.com`

/** Sends all mail that is due. @returns the tokens in it, by recipient */
async function sent(t: TestContext): Promise<Map<string, string>> {
  const smtp = await mailServer(t)
  const { run } = sendingMail({
    settings: { ...mail, url: smtp.url() },
    kinds: mailKinds,
    publicUrl: () => 'https://tasks.example.com',
    logger: { info() {}, warn() {} },
    metrics: { attempted() {}, queue() {} },
  })
  const { signal } = new AbortController()
  await runOnce({ run }, { db, now: new Date(), signal, failed: () => assert.fail('in no organization') })
  return new Map(
    smtp.taken.map(({ to, raw }) => {
      const text = raw.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
      return [to[0] ?? '', /console\/#invitation=([\w-]{43})/.exec(text)?.[1] ?? assert.fail(text)]
    }),
  )
}

test('the mailed link has its own token, and proves the address; the link to copy does not', async (t) => {
  const world = await newWorld()
  const [mailed, copied] = [address(), address()]
  const one = await created(world.owner.post('/members', { name: 'Mia Mailed', email: mailed, invite: true }))
  const other = await created(world.owner.post('/members', { name: 'Cora Copied', email: copied, invite: true }))
  assert.notEqual(one.invitation.mailedAt, null)
  const tokens = await sent(t)
  const token = tokens.get(mailed) ?? assert.fail()
  assert.ok(!one.invitation.link.includes(token))
  const rows = await db.rows<{ row: string }>(sql`select outgoing_mail::text as row from outgoing_mail`)
  assert.ok(rows.length === 2 && !rows.some(({ row }) => [...tokens.values()].some((sent) => row.includes(sent))))

  const browser = openBrowser(base)
  assert.equal((await browser.post('/auth/invitation/accept', { token })).status, 204)
  assert.equal((await browser.get('/me')).body.member.emailVerified, true)
  assert.equal((await browser.get('/auth/session')).body.person.emailVerified, true)
  const second = openBrowser(base)
  const link = other.invitation.link.split('#invitation=')[1]
  assert.equal((await second.post('/auth/invitation/accept', { token: link })).status, 204)
  assert.equal((await second.get('/me')).body.member.emailVerified, false)
})

test('the owner of a mailed address takes it over from a person who only claimed it', async (t) => {
  const [early, late] = [await newWorld(), await newWorld()]
  const email = address()
  const claimed = await created(early.owner.post('/members', { name: 'Eve Early', email, invite: true }))
  const squatter = openBrowser(base)
  const link = claimed.invitation.link.split('#invitation=')[1]
  assert.equal((await squatter.post('/auth/invitation/accept', { token: link })).status, 204)
  await db.rows(sql`delete from outgoing_mail`)
  await created(late.owner.post('/members', { name: 'Rita Real', email, invite: true }))
  const token = (await sent(t)).get(email)
  const real = openBrowser(base)
  assert.equal((await real.post('/auth/invitation/accept', { token })).status, 204)
  const { body: own } = await real.get('/auth/session')
  assert.deepEqual([own.person.email, own.person.emailVerified, own.organizations.length], [email, true, 1])
  const { body: theirs } = await squatter.get('/auth/session')
  assert.deepEqual([theirs.person.email, theirs.organizations.length], [null, 1])
})

test('a person whose verified address is invited signs in first, and only the mailed link says so', async (t) => {
  const [one, other] = [await newWorld(), await newWorld()]
  const email = address()
  await created(one.owner.post('/members', { name: 'Vera Verified', email, invite: true }))
  const browser = openBrowser(base)
  assert.equal((await browser.post('/auth/invitation/accept', { token: (await sent(t)).get(email) })).status, 204)

  const again = await created(other.owner.post('/members', { name: 'Vera Verified', email, invite: true }))
  const token = (await sent(t)).get(email)
  assertRefused(await openBrowser(base).post('/auth/invitation/accept', { token }), 412, 'sign_in_first')
  const copied = again.invitation.link.split('#invitation=')[1]
  const shown = await openBrowser(base).post('/auth/invitation', { token: copied })
  assert.deepEqual(Object.keys(shown.body).toSorted(), ['invitedBy', 'member', 'organization', 'role'])
  assert.equal((await browser.post('/auth/invitation/accept', { token })).status, 204)
  assert.equal((await browser.get('/auth/session')).body.organizations.length, 2)
})

test('an erased member leaves no mail behind, sent or waiting', async (t) => {
  const world = await newWorld()
  const [first, second, other] = [address(), address(), address()]
  const one = await created(world.owner.post('/members', { name: 'Nina New', email: first, invite: true }))
  await sent(t)
  const two = await created(world.owner.post('/members', { name: 'Nora New', email: second, invite: true }))
  await created(world.owner.post('/members', { name: 'Otto Other', email: other, invite: true }))
  for (const { id } of [one, two]) assert.equal((await world.owner.post(`/members/${id}/erase`)).status, 200)
  assert.deepEqual([...(await sent(t)).keys()], [other])
  const rows = await db.rows(sql`select id from outgoing_mail where recipient in (${first}, ${second})`)
  assert.deepEqual(rows, [])
})

test('a member who gets another address before the mail is sent gets none, and a mailed link ends with its address', async (t) => {
  const world = await newWorld()
  const [first, second] = [address(), address()]
  const one = await created(world.owner.post('/members', { name: 'Nina New', email: first, invite: true }))
  const other = await created(world.owner.post('/members', { name: 'Nora New', email: second, invite: true }))
  assert.equal((await world.owner.patch(`/members/${one.id}`, { email: address() })).status, 200)
  const tokens = await sent(t)
  assert.deepEqual([...tokens.keys()], [second])
  assert.equal((await world.owner.patch(`/members/${other.id}`, { email: address() })).status, 200)
  assertRefused(await openBrowser(base).post('/auth/invitation', { token: tokens.get(second) }), 412, 'link_invalid')
})
