import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import type { QueuedMail } from '../../src/mail/kinds.ts'
import { networkBucket } from '../../src/persons/throttle.ts'
import { mailKinds } from '../../src/sign-in/mail-kinds.ts'
import { openBrowser } from '../support/browser.ts'
import { assertRefused, detailsOf } from '../support/envelope.ts'
import { newNetwork, newPassword, personWithPassword } from '../support/people.ts'
import { startServer } from '../support/world.ts'

const server = await startServer({
  trustedProxies: { who: 1, header: 'x-forwarded-for' },
  signIn: {
    ways: ['passkey', 'password', 'key'],
    force: false,
    providers: [],
    mail: { url: 'smtp://127.0.0.1:1', from: 'a@example.com' },
  },
})
const { base, db } = server

const from = (network = newNetwork()) => openBrowser(base, { 'x-forwarded-for': network })
const forgot = (email: string) => from().post('/auth/password/forgot', { email })

const queued = (email: string) =>
  db.rows<QueuedMail>(sql`
    select id, cause, recipient, data, created_at as "createdAt" from outgoing_mail
    where recipient = ${email} and kind = 'password_reset'`)

/** The content of the mail that an address gets, as the job writes it when it sends the mail. */
async function mailTo(email: string, now = new Date().toISOString()) {
  const [mail] = await queued(email)
  assert.ok(mail, 'a mail is queued')
  return db.transaction(async (tx) => mailKinds.password_reset?.(tx, mail, 'https://tasks.example.com', now))
}

const tokenIn = (content: Awaited<ReturnType<typeof mailTo>>) => content?.link?.url.split('#reset=')[1] ?? ''

test('a mailed link sets a new password once, signs in, and ends all other sessions', async () => {
  const { world, email, password, browser } = await personWithPassword(server, { isVerified: true })
  const asked = await forgot(email)
  assert.deepEqual([asked.status, asked.text], [202, '{}'])
  const content = await mailTo(email)
  assert.match(content?.link?.url ?? '', /^https:\/\/tasks\.example\.com\/console\/#reset=[\w-]{43}$/)
  const token = tokenIn(content)
  const [changed, back] = [newPassword(), from()]
  // a weak password does not use the link up
  detailsOf(await back.post('/auth/password/reset', { token, password: 'password1234' }))
  const reset = await back.post('/auth/password/reset', { token, password: changed })
  assert.equal(reset.status, 204, reset.text)
  assert.equal((await back.get('/me')).status, 200)
  assertRefused(await browser.get('/me'), 401)
  assertRefused(await from().post('/auth/password/reset', { token, password: newPassword() }), 412, 'link_invalid')
  assertRefused(await from().post('/auth/password', { email, password }), 401, 'sign_in_failed')
  assert.equal((await from().post('/auth/password', { email, password: changed })).status, 204)
  const { body } = await world.owner.get('/events?type=member.sign_in_changed')
  assert.equal(body.data.length, 2)
  const mails = await db.rows(sql`
    select id from outgoing_mail where recipient = ${email} and kind = 'sign_in_changed' and data ->> 'change' = 'password_changed'`)
  assert.equal(mails.length, 1)
})

test('of two requests with one link, one sets its password', async () => {
  const { email } = await personWithPassword(server, { isVerified: true })
  await forgot(email)
  const token = tokenIn(await mailTo(email))
  const answers = await Promise.all(
    [1, 2].map(() => from().post('/auth/password/reset', { token, password: newPassword() })),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 412])
})

test('a link stops working after an hour, after a change of the password, and with the address', async () => {
  const late = await personWithPassword(server, { isVerified: true })
  await forgot(late.email)
  const hourAgo = new Date(Date.now() - 3_601_000).toISOString()
  const changed = await personWithPassword(server, { isVerified: true })
  await forgot(changed.email)
  const before = tokenIn(await mailTo(changed.email))
  await changed.browser.patch('/me/password', { password: newPassword(), currentPassword: changed.password })
  const moved = await personWithPassword(server, { isVerified: true })
  await forgot(moved.email)
  const ofFormer = tokenIn(await mailTo(moved.email))
  await db.rows(sql`update persons set email = ${`${randomUUID()}@example.com`} where id = ${moved.personId}`)
  for (const token of [tokenIn(await mailTo(late.email, hourAgo)), before, ofFormer, 'x'.repeat(43)])
    assertRefused(await from().post('/auth/password/reset', { token, password: newPassword() }), 412, 'link_invalid')
})

test('an address that nobody confirmed gets a mail without a link: it may belong to a stranger', async () => {
  const { email } = await personWithPassword(server)
  await forgot(email)
  const content = await mailTo(email)
  assert.equal(content?.link, undefined)
  assert.match(content?.paragraphs.join(' ') ?? '', /Ask the operator of the server for a sign-in link\./)
})

test('asking answers alike for known and unknown addresses, in about the same time, and mails only known ones', async () => {
  const { email } = await personWithPassword(server, { isVerified: true })
  const missing = `${randomUUID()}@example.com`
  const times: Record<string, number[]> = { [email]: [], [missing]: [] }
  const responses = new Set<string>()
  for (let round = 0; round < 15; round++) {
    for (const address of round % 2 === 0 ? [email, missing] : [missing, email]) {
      const begun = performance.now()
      const { status, text, headers } = await forgot(address)
      times[address]?.push(performance.now() - begun)
      const { date: _date, 'x-request-id': _id, ...compared } = Object.fromEntries(headers)
      responses.add(JSON.stringify({ status, text, headers: compared }))
    }
  }
  assert.equal(responses.size, 1, [...responses].join('\n'))
  const median = (list: number[] = []) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
  const ratio = median(times[email]) / median(times[missing])
  assert.ok(ratio > 0.4 && ratio < 2.5, JSON.stringify(times))
  assert.equal((await queued(missing)).length, 0)
  // however often somebody asks, a person gets few mails
  const mails = await queued(email)
  assert.ok(mails.length === 1 || mails.length === 2, String(mails.length))
})

test('a network that asks for many addresses waits', async () => {
  const network = newNetwork()
  const now = new Date().toISOString()
  const { hash } = networkBucket('forgot', network)
  await db.rows(sql`
    insert into sign_in_failures (bucket, failures, next_try_at, updated_at) values (${hash}, 50, ${now}, ${now})`)
  const ask = () => from(network).post('/auth/password/forgot', { email: `${randomUUID()}@example.com` })
  assert.equal((await ask()).status, 202)
  assertRefused(await ask(), 429, 'too_many_attempts')
})

test('without mail, asking says that this server sends none', async () => {
  const without = await startServer()
  const answer = await openBrowser(without.base).post('/auth/password/forgot', { email: 'ann@example.com' })
  assertRefused(answer, 403, 'way_off')
})

test('no token of a link is in the database, in the table of outgoing mail or in the log', async () => {
  const { email } = await personWithPassword(server, { isVerified: true })
  await forgot(email)
  const token = tokenIn(await mailTo(email))
  await from().post('/auth/password/reset', { token, password: newPassword() })
  const rows = await db.rows(sql`select * from outgoing_mail where recipient = ${email}`)
  assert.ok(!JSON.stringify(rows).includes(token))
  assert.ok(!server.logged.join('').includes(token))
})
