import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { openBrowser } from '../support/browser.ts'
import { newNetwork, personWithPassword } from '../support/people.ts'
import { startServer } from '../support/world.ts'

const mail = { url: 'smtp://127.0.0.1:1', from: 'a@example.com' }
const server = await startServer({
  trustedProxies: { who: 1, header: 'x-forwarded-for' },
  signIn: { ways: ['passkey', 'password', 'key'], force: false, providers: [], mail },
})
const { base, db } = server
const from = () => openBrowser(base, { 'x-forwarded-for': newNetwork() })

const lookalikes = {
  'with a Cyrillic letter in the domain': (local: string) => `${local}@ex\u0430mple.com`,
  'with a Cyrillic letter before the @': (local: string) => `\u0430${local}@example.com`,
  'with an ideographic full stop': (local: string) => `${local}@example\u3002com`,
  'with an invisible character': (local: string) => `${local}\u200b@example.com`,
  'with a dot at its end': (local: string) => `${local}@example.com.`,
  'with a tag': (local: string) => `${local}+1@example.com`,
  'with a subdomain': (local: string) => `${local}@example.com.example.org`,
}

test('an address that only looks like that of a person neither signs in nor resets a password', async () => {
  const { email, password } = await personWithPassword(server, { isVerified: true })
  const [local = ''] = email.split('@')
  for (const [how, write] of Object.entries(lookalikes)) {
    const other = write(local)
    const signedIn = await from().post('/auth/password', { email: other, password })
    assert.ok([401, 422].includes(signedIn.status), `${how}: ${signedIn.text}`)
    const asked = await from().post('/auth/password/forgot', { email: other })
    assert.ok([202, 422].includes(asked.status), `${how}: ${asked.text}`)
  }
  assert.equal(
    (await db.rows(sql`select id from outgoing_mail where kind = 'password_reset' and recipient like ${`%${local}%`}`))
      .length,
    0,
  )
  // the case of letters does not matter, and the mail goes to the address that was proved
  assert.equal((await from().post('/auth/password/forgot', { email: email.toUpperCase() })).status, 202)
  const mails = await db.rows(
    sql`select recipient from outgoing_mail where recipient like ${`%${local}%`} and kind = 'password_reset'`,
  )
  assert.deepEqual(mails, [{ recipient: email }])
})
