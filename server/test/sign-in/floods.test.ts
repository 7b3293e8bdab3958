import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { openBrowser } from '../support/browser.ts'
import { assertRefused } from '../support/envelope.ts'
import { startSessionOf } from '../support/founding.ts'
import { newNetwork } from '../support/people.ts'
import { signedIn } from '../support/signing-in.ts'
import { startServer } from '../support/world.ts'

const server = await startServer({ trustedProxies: { who: 1, header: 'x-forwarded-for' } })
const { base, db } = server

const from = (network: string) => openBrowser(base, { 'x-forwarded-for': network })
const neighbours = (network: string) => (n: number) => from(network.replace(/::7$/, `::${(n + 10).toString(16)}`))

test('a network has at most 20 logins of devices at once, whichever of its addresses they come from', async () => {
  const at = neighbours(newNetwork())
  for (let n = 0; n < 20; n++) assert.equal((await at(n).post('/auth/device', { name: 'laptop' })).status, 200)
  assertRefused(await at(20).post('/auth/device', { name: 'laptop' }), 429, 'too_many_attempts')
  assert.equal((await from(newNetwork()).post('/auth/device', { name: 'laptop' })).status, 200)
})

test('a person cannot guess the codes of other devices', async () => {
  const world = await server.newWorld()
  const guess = async () => {
    const browser = from(newNetwork())
    browser.cookies.set('tw_session', token)
    return browser.get('/auth/device/BBBB-CCCC')
  }
  const token = await startSessionOf(db, world.orgId, world.member.memberId)
  for (let n = 0; n < 6; n++) assertRefused(await guess(), 404)
  assertRefused(await guess(), 429, 'too_many_attempts')
})

test('a member cannot keep the server busy with weak passwords', async () => {
  const world = await server.newWorld()
  const browser = await signedIn(server, world, world.member)
  const weak = () => browser.patch('/me/password', { password: 'password1234' })
  for (let n = 0; n < 20; n++) assertRefused(await weak(), 422)
  const many = await Promise.all(Array.from({ length: 10 }, weak))
  assert.deepEqual(many.map(({ status }) => status).toSorted(), [422, ...Array(9).fill(429)])
})

test('strangers of one network cannot fill the table of tokens, and the newest sign-ins go on', async () => {
  const network = newNetwork()
  const begin = (n: number) => neighbours(network)(n).post('/auth/passkey/options')
  assert.equal((await begin(0)).status, 200)
  const [{ network: stored } = { network: '' }] = await db.rows<{ network: string }>(sql`
    select network from sign_in_tokens where network is not null order by created_at desc limit 1`)
  await db.rows(sql`
    insert into sign_in_tokens (hash, kind, network, created_at, expires_at)
    select sha256(convert_to(${network} || n, 'UTF8')), 'passkey', ${stored}, now() - n * interval '1 ms', now() + interval '5 minutes'
    from generate_series(1, 1500) n`)
  const before = await of(stored)
  const { body } = await begin(1)
  const left = await of(stored)
  assert.deepEqual([before, left], [1501, 1000])
  const hash = createHash('sha256').update(body.options.challenge).digest()
  assert.equal((await db.rows(sql`select 1 from sign_in_tokens where hash = ${hash}`)).length, 1)
})

const of = async (network: string) =>
  (await db.rows(sql`select 1 from sign_in_tokens where network = ${network}`)).length
