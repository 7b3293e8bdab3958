import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { type AttemptBucket, accountBucket, browserBucket, networkBucket } from '../../src/persons/throttle.ts'
import { openBrowser } from '../support/browser.ts'
import { assertRefused } from '../support/envelope.ts'
import { newNetwork, newPassword, personWithPassword } from '../support/people.ts'
import { type Reply, startServer } from '../support/world.ts'

// a proxy says which network a browser is in, so that no test slows another one
const server = await startServer({ trustedProxies: { who: 1, header: 'x-forwarded-for' } })
const { base, db } = server

const from = (network: string) => openBrowser(base, { 'x-forwarded-for': network })
const unknown = () => `${randomUUID()}@example.com`

test('a person signs in with address and password, in whatever case they type the address', async () => {
  const { email, password } = await personWithPassword(server)
  const browser = from(newNetwork())
  const answer = await browser.post('/auth/password', { email: email.toUpperCase(), password })
  assert.equal(answer.status, 204, answer.text)
  const session = await browser.get('/auth/session')
  assert.equal(session.body.person.email, email)
  assert.equal(session.body.person.hasPassword, true)
  const sessions = await db.rows(sql`
    select sessions.id from sessions join persons on persons.id = person_id where email = ${email} and signed_in_by = 'password'`)
  assert.equal(sessions.length, 1)
})

test('a sign-in starts a new session and ends the one that the browser had', async () => {
  const { email, password } = await personWithPassword(server)
  const browser = from(newNetwork())
  await browser.post('/auth/password', { email, password })
  const first = browser.cookies.get('tw_session') ?? ''
  await browser.post('/auth/password', { email, password })
  assert.notEqual(browser.cookies.get('tw_session'), first)
  browser.cookies.set('tw_session', first)
  assertRefused(await browser.get('/me'), 401)
  // a session that an attacker put into the browser never becomes a signed-in one
  const fixed = from(newNetwork())
  fixed.cookies.set('tw_session', `tws_${'A'.repeat(43)}`)
  assert.equal((await fixed.post('/auth/password', { email, password })).status, 204)
  assert.notEqual(fixed.cookies.get('tw_session'), `tws_${'A'.repeat(43)}`)
})

test('a password is the same however the keyboard composes its letters', async () => {
  const { email, browser, password } = await personWithPassword(server)
  const composed = 'Caf\u00e9 gallop \u212b violet'
  const set = await browser.patch('/me/password', { password: composed, currentPassword: password })
  assert.equal(set.status, 204, set.text)
  const typed = 'Cafe\u0301 gallop \u00c5 violet'
  assert.equal((await from(newNetwork()).post('/auth/password', { email, password: typed })).status, 204)
})

/** The headers that may differ between two requests. */
const comparable = ({ status, headers, text }: Reply) => {
  const rest = Object.fromEntries(headers)
  const { date: _date, 'x-request-id': id, ...compared } = rest
  return { status, text: text.replaceAll(id ?? '', ''), headers: compared }
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

test('a wrong password gets the same response as an address that nobody has, in about the same time', async () => {
  const { email, world } = await personWithPassword(server)
  const withoutPassword = (await world.owner.get(`/members/${world.admin.memberId}`)).body.email
  const attempt = async (address: string) => {
    const browser = from(newNetwork())
    const begun = performance.now()
    const answer = await browser.post('/auth/password', { email: address, password: newPassword() })
    return { ms: performance.now() - begun, answer: comparable(answer) }
  }
  const [known, missing]: number[][] = [[], []]
  for (let round = 0; round < 5; round++) {
    const one = await attempt(email)
    const other = await attempt(round === 0 ? withoutPassword : unknown())
    assert.deepEqual(other.answer, one.answer)
    assert.deepEqual([one.answer.status, one.answer.headers['x-error-code']], [401, 'sign_in_failed'])
    known?.push(one.ms)
    missing?.push(other.ms)
  }
  const ratio = median(known ?? []) / median(missing ?? [])
  assert.ok(ratio > 0.4 && ratio < 2.5, `known ${known}, unknown ${missing}`)
})

/** As if attempts had failed before. */
async function failBefore({ hash }: AttemptBucket, failures: number): Promise<void> {
  const now = new Date().toISOString()
  await db.rows(sql`
    insert into sign_in_failures (bucket, failures, next_try_at, updated_at) values (${hash}, ${failures}, ${now}, ${now})
    on conflict (bucket) do update set failures = ${failures}, next_try_at = ${now}`)
}

test('after five wrong passwords an account waits, longer each time, whether or not somebody has the address', async () => {
  const { email, password } = await personWithPassword(server)
  for (const address of [email, unknown()]) {
    const attempt = (given = newPassword()) =>
      from(newNetwork()).post('/auth/password', { email: address, password: given })
    const bucket = accountBucket('password', address)
    const waits = []
    for (const failures of [4, 5, 6, 7, 30]) {
      await failBefore(bucket, failures)
      assertRefused(await attempt(), 401, 'sign_in_failed')
      waits.push(await secondsToWait(bucket))
    }
    assert.deepEqual(waits, [0, 1, 2, 4, 900])
    // also the right password
    const refused = await attempt(password)
    assertRefused(refused, 429, 'too_many_attempts')
    assert.ok(Number(refused.headers.get('retry-after')) > 600)
  }
})

/** How long the attempt after the last one must wait. */
async function secondsToWait({ hash }: AttemptBucket): Promise<number | undefined> {
  const row = await db.row<{ seconds: number }>(sql`
    select extract(epoch from next_try_at - updated_at)::int as seconds from sign_in_failures where bucket = ${hash}`)
  return row?.seconds
}

test('attempts at the same time count one by one', async () => {
  const { email } = await personWithPassword(server)
  await failBefore(accountBucket('password', email), 14)
  const many = Array.from({ length: 20 }, () =>
    from(newNetwork()).post('/auth/password', { email, password: newPassword() }),
  )
  const statuses = (await Promise.all(many)).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [401, ...Array(19).fill(429)])
})

test('a network that tries one password on many accounts waits; other networks do not', async () => {
  const { email, password } = await personWithPassword(server)
  const network = newNetwork()
  const spray = () => from(network).post('/auth/password', { email: unknown(), password: 'Summer in 2026!' })
  await failBefore(networkBucket('password', network), 29)
  assertRefused(await spray(), 401, 'sign_in_failed')
  assert.equal(await secondsToWait(networkBucket('password', network)), 0)
  await failBefore(networkBucket('password', network), 45)
  assertRefused(await spray(), 401, 'sign_in_failed')
  assertRefused(await spray(), 429, 'too_many_attempts')
  // another address of the same network
  const neighbour = network.replace(/::7$/, '::8')
  assertRefused(await from(neighbour).post('/auth/password', { email, password }), 429, 'too_many_attempts')
  assert.equal((await from(newNetwork()).post('/auth/password', { email, password })).status, 204)
})

test('an attacker cannot lock a person out of a browser in which they signed in before', async () => {
  const network = newNetwork()
  const { email, password, browser } = await personWithPassword(server, { headers: { 'x-forwarded-for': network } })
  assert.equal((await browser.post('/auth/sign-out')).status, 204)
  await failBefore(accountBucket('password', email), 50)
  assertRefused(await from(newNetwork()).post('/auth/password', { email, password: newPassword() }), 401)
  assertRefused(await from(newNetwork()).post('/auth/password', { email, password }), 429, 'too_many_attempts')
  await failBefore(networkBucket('password', network), 50)
  assertRefused(await from(network).post('/auth/password', { email: unknown(), password: newPassword() }), 401)
  assertRefused(await from(network).post('/auth/password', { email: unknown(), password }), 429, 'too_many_attempts')
  // the person is in the same network
  assert.equal((await browser.post('/auth/password', { email, password })).status, 204)
  // the cookie of one person does not help against another one
  const other = await personWithPassword(server)
  assertRefused(await browser.post('/auth/password', { email: other.email, password: newPassword() }), 429)
})

test('a known browser waits after its own failures, and others do not', async () => {
  const { email, personId, password, browser } = await personWithPassword(server)
  const browserId = browser.cookies.get('tw_known')?.split('.')[0] ?? ''
  await failBefore(browserBucket('password', browserId, personId), 20)
  assertRefused(await browser.post('/auth/password', { email, password: newPassword() }), 401)
  assertRefused(await browser.post('/auth/password', { email, password: newPassword() }), 429, 'too_many_attempts')
  assert.equal((await from(newNetwork()).post('/auth/password', { email, password })).status, 204)
})

test('a right password forgets the failures on the account, not those of the network', async () => {
  const { email, password } = await personWithPassword(server)
  const [account, network] = [accountBucket('password', email), newNetwork()]
  await failBefore(account, 4)
  await failBefore(networkBucket('password', network), 20)
  assert.equal((await from(network).post('/auth/password', { email, password })).status, 204)
  const failuresOf = async ({ hash }: AttemptBucket) =>
    (await db.row<{ failures: number }>(sql`select failures from sign_in_failures where bucket = ${hash}`))?.failures
  assert.equal(await failuresOf(account), undefined)
  assert.equal(await failuresOf(networkBucket('password', network)), 20)
})

test('a page of another site cannot sign a browser in', async () => {
  const { email, password } = await personWithPassword(server)
  const browser = from(newNetwork())
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }])
    assertRefused(await browser.post('/auth/password', { email, password }, headers), 403, 'cross_site')
  assert.equal(browser.cookies.size, 0)
})

test('no password reaches the log', async () => {
  const { email, password } = await personWithPassword(server)
  const wrong = newPassword()
  await from(newNetwork()).post('/auth/password', { email, password: wrong })
  await from(newNetwork()).post('/auth/password', { email, password })
  await from(newNetwork()).post('/auth/password', `{"email": "${email}", "password": "${wrong}`)
  const log = server.logged.join('')
  for (const secret of [password, wrong]) assert.ok(!log.includes(secret))
})

test('with passwords off, every request about passwords is refused, even one with a wrong password', async () => {
  const off = await startServer({
    signIn: { ways: ['passkey', 'key'], force: false, providers: [], mail: { url: 'smtp://x', from: 'a@example.com' } },
  })
  const { email, password, browser } = await personWithPassword(server)
  const there = openBrowser(off.base)
  for (const [name, value] of browser.cookies) there.cookies.set(name, value)
  assertRefused(await there.post('/auth/password', { email, password }), 403, 'way_off')
  assertRefused(await there.post('/auth/password/forgot', { email }), 403, 'way_off')
  assertRefused(await there.post('/auth/password/reset', { token: 'x', password }), 403, 'way_off')
  assertRefused(await there.patch('/me/password', { password: newPassword() }), 403, 'way_off')
  const ways = await there.get('/auth/ways')
  assert.deepEqual(ways.body.ways, ['passkey', 'key'])
})
