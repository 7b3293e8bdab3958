import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { openBrowser } from '../support/browser.ts'
import { assertRefused, detailsOf } from '../support/envelope.ts'
import { newPassword } from '../support/people.ts'
import { onMigratedDatabase, serving } from '../support/slow/processes.ts'
import { mailServer } from '../support/smtp.ts'
import { until } from '../support/until.ts'

test('the owner opens the printed link, sets a password, forgets it, and gets a new one by mail', async (t) => {
  const smtp = await mailServer(t)
  const database = await onMigratedDatabase(t)
  const settings = { ...database, SMTP_URL: smtp.url(), MAIL_FROM: 'tasks@example.com', WORKERS: '2' }
  const { base, out, err } = await serving(t, settings)
  const link = await out.first((line) => line.includes('#welcome='))
  const browser = openBrowser(base)
  assert.equal((await browser.post('/auth/link', { token: link.split('#welcome=')[1] })).status, 204)
  detailsOf(await browser.patch('/me/password', { password: 'password1234' }))
  const password = newPassword()
  assert.equal((await browser.patch('/me/password', { password })).status, 204)
  const { email } = (await browser.get('/auth/session')).body.person
  await until(() => smtp.taken.length > 0, 'No mail tells of the password')
  assert.match(smtp.taken[0]?.headers.subject ?? '', /How you sign in/)

  const client = new pg.Client({ connectionString: database.DATABASE_URL })
  await client.connect()
  await client.query('update persons set email_verified = true').finally(() => client.end())
  const elsewhere = openBrowser(base)
  assert.equal((await elsewhere.post('/auth/password/forgot', { email })).status, 202)
  await until(() => smtp.taken.length > 1, 'No mail brings the link')
  const raw = smtp.taken[1]?.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? ''
  const [, token = ''] = /\/console\/#reset=([\w-]{43})/.exec(raw) ?? []
  const changed = newPassword()
  assert.equal((await elsewhere.post('/auth/password/reset', { token, password: changed })).status, 204)
  assert.equal((await elsewhere.get('/me')).body.via, 'session')
  // the other worker hears of it
  await until(async () => (await browser.get('/me')).status === 401, 'The former session goes on')
  assertRefused(await openBrowser(base).post('/auth/password', { email, password }), 401, 'sign_in_failed')
  assert.equal((await openBrowser(base).post('/auth/password', { email, password: changed })).status, 204)
  const printed = [...out.all, ...err.all].join('\n')
  for (const secret of [token, password, changed]) assert.ok(!printed.includes(secret))
})
