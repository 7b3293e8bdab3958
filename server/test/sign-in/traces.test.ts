import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { makeSignInLink } from '../../src/persons/links.ts'
import { openBrowser } from '../support/browser.ts'
import { newPassword } from '../support/people.ts'
import { created, startServer } from '../support/world.ts'

const mail = { url: 'smtp://127.0.0.1:1', from: 'a@example.com' }
const server = await startServer({
  signIn: { ways: ['passkey', 'password', 'key'], force: false, providers: [], mail },
})
const { db, base } = server

test('no secret of signing in is in a log or in any table', async () => {
  const world = await server.newWorld()
  const now = new Date().toISOString()
  const admin = { orgId: world.orgId, memberId: world.admin.memberId }
  const welcome = (await db.transaction((tx) => makeSignInLink(tx, admin, base, now))).split('#welcome=')[1] ?? ''
  const browser = openBrowser(base)
  assert.equal((await browser.post('/auth/link', { token: welcome })).status, 204)
  const password = newPassword()
  assert.equal((await browser.patch('/me/password', { password })).status, 204)
  const headers = { 'idempotency-key': 'invite' }
  const email = `${crypto.randomUUID()}@example.com`
  const invited = await created(browser.post('/members', { name: 'Nina New', email, invite: true }, headers))
  const invitation = invited.invitation.link.split('#invitation=')[1] ?? ''
  assert.equal((await openBrowser(base).post('/auth/invitation', { token: invitation })).status, 200)
  const login = (await openBrowser(base).post('/auth/device', { name: 'laptop' })).body
  const approval = { organization: world.orgId, scopes: ['read'], expiresAt: '2099-01-01T00:00:00Z' }
  assert.equal((await browser.post(`/auth/device/${login.userCode}/approve`, approval)).status, 204)
  const device = await openBrowser(base).post('/auth/device/token', { deviceCode: login.deviceCode })
  assert.equal(device.status, 200, device.text)
  const options = await browser.post('/me/passkeys/options', {}, { origin: base.replace('127.0.0.1', 'localhost') })
  assert.equal(options.status, 200, options.text)
  const { tw_session: session = '', tw_passkey: passkey = '' } = Object.fromEntries(browser.cookies)
  await browser.get(`/me?token=${welcome}`)
  await browser.post('/auth/link', `{"token": "${welcome}`)

  const secrets = {
    ...{ welcome, invitation, password, session, passkey },
    ...{ deviceCode: login.deviceCode, deviceKey: device.body.secret, challenge: options.body.options.challenge },
  }
  const tables = await db.rows<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`)
  for (const [name, secret] of Object.entries(secrets)) {
    assert.ok(secret.length > 10, name)
    assert.equal(server.logged.join('').includes(secret), false, `${name} is in the log`)
    const hex = Buffer.from(secret).toString('hex')
    for (const table of tables) {
      const found = await db.rows(sql`
        select 1 from ${sql.named(table.name)} one
        where one::text like ${`%${secret}%`} or one::text like ${`%${hex}%`} limit 1`)
      assert.equal(found.length, 0, `${name} is in ${table.name}`)
    }
  }
})
