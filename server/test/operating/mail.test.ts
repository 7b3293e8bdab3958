import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { newId } from '../../src/db/ids.ts'
import { certificate } from '../support/certificate.ts'
import { scratchFolder } from '../support/scratch.ts'
import { onMigratedDatabase, outcome, serving } from '../support/slow/processes.ts'
import { mailServer, refusal } from '../support/smtp.ts'
import { told } from '../support/told.ts'
import { until } from '../support/until.ts'

const MAIL_FROM = 'Taskwright <tasks@example.com>'
const login = { user: 'tasks@example.com', password: 'p@ss:/#?%' }
const written = `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@`

/** A mail server that wants a password, and encryption before it. */
const strict = (t: TestContext, scheme: 'smtp' | 'smtps') =>
  mailServer(
    t,
    {
      ...{ authOptional: false, allowInsecureAuth: false, disabledCommands: [], secure: scheme === 'smtps' },
      onAuth: ({ username, password }, _session, done) =>
        username === login.user && password === login.password
          ? done(null, { user: username })
          : done(refusal(535, 'Wrong user or password')),
    },
    scheme,
  )

async function trusting(): Promise<{ NODE_EXTRA_CA_CERTS: string }> {
  const path = join(await scratchFolder(), 'certificate.pem')
  await writeFile(path, certificate.cert)
  return { NODE_EXTRA_CA_CERTS: path }
}

const doctor = (SMTP_URL: string, settings = {}) =>
  told(['doctor', '--mail', 'ann@example.org'], { SMTP_URL, MAIL_FROM, ...settings })

test('the doctor sends a test mail with a password through TLS and STARTTLS, and says each step', async (t) => {
  const extra = await trusting()
  for (const scheme of ['smtps', 'smtp'] as const) {
    const smtp = await strict(t, scheme)
    const SMTP_URL = smtp.url(written, scheme === 'smtp' ? '?tls=required' : '')
    const settings = { ...extra, SMTP_URL, MAIL_FROM, PUBLIC_URL: 'https://tasks.example.com' }
    const { code, out, err } = await outcome(t, ['doctor', '--mail', 'ann@example.org'], settings)
    assert.deepEqual([code, err], [0, []], out.join('\n'))
    const steps = [
      /^ok {6}mail +Connected to 127\.0\.0\.1, port \d+, with TLS 1\.3\.$/,
      /^ok {6}mail +It accepts the user and the password\.$/,
      /^ok {6}mail +It accepts mail from tasks@example\.com to ann@example\.org\.$/,
      /^ok {6}mail +Sent\. The SMTP server took the mail: 250 /,
      /^ok {6}mail +Look into the mailbox\./,
    ]
    assert.equal(out.length, steps.length)
    for (const [n, step] of steps.entries()) assert.match(out[n] ?? '', step)
    const [mail] = smtp.taken
    assert.deepEqual([mail?.secure, mail?.user, mail?.to], [true, login.user, ['ann@example.org']])
    assert.ok(mail?.raw.includes('https://tasks.example.com/console/'))
  }
})

test('the doctor says what is wrong with mail and what to do, without the password', async (t) => {
  const implicit = await strict(t, 'smtps')
  const upgraded = await strict(t, 'smtp')
  const plain = await mailServer(t, {
    onMailFrom: ({ address }, _session, done) =>
      done(address === 'other@example.com' ? refusal(553, 'Sender not allowed') : undefined),
    onRcptTo: (_address, _session, done) => done(refusal(550, 'No such user here')),
  })
  const cases: [string, RegExp, object?][] = [
    ['smtp://127.0.0.1:1', /The connection to 127\.0\.0\.1, port 1 failed: .*ECONNREFUSED.* check the port/],
    ['smtp://nowhere.invalid', /No host has this name/],
    [implicit.url(written), /self.signed certificate.*NODE_EXTRA_CA_CERTS/],
    [upgraded.url(written, '?tls=required'), /self.signed certificate.*NODE_EXTRA_CA_CERTS/],
    [plain.url(written, '?tls=required'), /STARTTLS.*The password goes through TLS only/],
    [plain.url().replace('smtp:', 'smtps:'), /has no TLS from the start: use smtp:\/\//],
    [plain.url(), /refuses the recipient: .*550 No such user here/],
    [plain.url(), /refuses the address of MAIL_FROM: .*553 Sender not allowed/, { MAIL_FROM: 'other@example.com' }],
  ]
  for (const [url, says, settings] of cases) {
    const { code, out } = await doctor(url, settings)
    const wrong = out.filter((line) => line.startsWith('wrong'))
    assert.deepEqual([code, wrong.length], [1, 1], out.join('\n'))
    assert.match(wrong[0] ?? '', says)
    assert.ok(!out.join('\n').includes(login.password) && !out.join('\n').includes(encodeURIComponent(login.password)))
  }
  const refused = await outcome(t, ['doctor', '--mail', 'ann@example.org'], {
    ...(await trusting()),
    ...{ MAIL_FROM, SMTP_URL: upgraded.url('tasks%40example.com:wrong-word@', '?tls=required') },
  })
  assert.match(refused.out.join('\n'), /refuses the user and password of SMTP_URL: .*535 Wrong user or password/)
  assert.ok(!refused.out.join('\n').includes('wrong-word'))
  assert.deepEqual([...implicit.taken, ...upgraded.taken, ...plain.taken], [])
})

test('without SMTP_URL, or with a setting that is wrong, the doctor says so', async () => {
  const none = await told(['doctor', '--mail', 'ann@example.org'], {})
  assert.deepEqual([none.code, none.out.length], [1, 1])
  assert.match(none.out[0] ?? '', /SMTP_URL is not set/)
  assert.equal((await told(['doctor', '--mail', 'nobody'], { SMTP_URL: 'smtp://localhost', MAIL_FROM })).code, 2)
  for (const [settings, says] of [
    [{ SMTP_URL: 'https://mail.example.com' }, /SMTP_URL must be a URL such as smtps:/],
    [{ SMTP_URL: 'smtp://u:p#w@mail.example.com' }, /SMTP_URL must have each/],
    [{ SMTP_URL: 'smtp://mail.example.com?requireTLS=true' }, /SMTP_URL must end after the host/],
    [{ MAIL_FROM: 'Taskwright' }, /MAIL_FROM must be one address/],
    [{ MAIL_FROM: 'a@example.com, b@example.com' }, /MAIL_FROM must be one address/],
    [{ MAIL_FROM: 'x\r\nBcc: y <a@example.com>' }, /MAIL_FROM must be one address/],
  ] as const) {
    const { code, out } = await doctor('smtp://localhost', settings)
    assert.equal(code, 1)
    assert.match(out.join('\n'), says)
    assert.ok(!out.join('\n').includes('p#w'))
  }
})

test('beside the other checks the doctor checks the SMTP server and the queue, and sends no mail', async (t) => {
  const smtp = await mailServer(t)
  const { DATABASE_URL } = await onMigratedDatabase(t)
  const settings = { DATABASE_URL, PORT: '0', SMTP_URL: smtp.url(), MAIL_FROM }
  const healthy = (await told(['doctor'], settings)).out.join('\n')
  assert.match(healthy, /^ok {6}mail +Connected to 127\.0\.0\.1/m)
  assert.match(healthy, /^ok {6}queued mail +0 wait, and none failed since yesterday$/m)
  await queue(DATABASE_URL)
  await query(DATABASE_URL, "update outgoing_mail set created_at = now() - interval '20 minutes'")
  await queue(DATABASE_URL)
  await query(
    DATABASE_URL,
    `update outgoing_mail set failed_at = now(), next_try_at = null, last_error = '550 No such user'
      where created_at > now() - interval '1 minute'`,
  )
  await smtp.close()
  const ill = (await told(['doctor'], settings)).out.join('\n')
  assert.match(ill, /^wrong {3}mail +The connection to 127\.0\.0\.1, port \d+ failed/m)
  assert.match(
    ill,
    /^warning queued mail +1 have waited for 15 minutes or more, and 1 failed since yesterday, the last with: 550 No such user$/m,
  )
  assert.deepEqual(smtp.taken, [])
})

/** Queues a test mail as a request does. */
async function queue(connectionString: string): Promise<void> {
  await query(
    connectionString,
    `insert into outgoing_mail (id, cause, kind, recipient, data, next_try_at, created_at)
      values ('${newId()}', '${newId()}', 'test', 'ann@example.org', '{}', now(), now())`,
  )
}

async function query(connectionString: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

test('a server sends queued mail with its own address in it, and logs no address', async (t) => {
  const smtp = await mailServer(t)
  const database = await onMigratedDatabase(t)
  const server = await serving(t, { ...database, SMTP_URL: smtp.url(), MAIL_FROM, LOG_LEVEL: 'info' })
  await queue(database.DATABASE_URL)
  await until(() => smtp.taken.length > 0, 'No mail arrives')
  assert.ok(smtp.taken[0]?.raw.includes(`http://localhost:${server.port}/console/`))
  const line = await server.err.first((text) => text.includes('a mail was sent'))
  assert.equal(JSON.parse(line).kind, 'test')
  assert.ok(!server.err.all.join('\n').includes('ann@example.org'))
  const metrics = await (await fetch(`${server.base}/metrics`)).text()
  assert.match(metrics, /^mail_attempts_total\{result="sent"\} 1$/m)
})

test('a server that is killed before the content goes out has its mail sent once by the next one', async (t) => {
  let kill = async () => {}
  const smtp = await mailServer(t, {
    async onRcptTo(_address, _session, done) {
      await kill()
      done()
    },
  })
  const database = await onMigratedDatabase(t)
  const settings = { ...database, SMTP_URL: smtp.url(), MAIL_FROM }
  const first = await serving(t, settings)
  kill = async () => void (await first.kill('SIGKILL'))
  await queue(database.DATABASE_URL)
  await first.ended
  kill = async () => {}
  // the lease ends
  await query(database.DATABASE_URL, 'update outgoing_mail set next_try_at = now() where next_try_at is not null')
  await serving(t, settings)
  await serving(t, settings)
  await until(
    async () => (await query(database.DATABASE_URL, 'select from outgoing_mail where sent_at is not null')).length > 0,
    'The next server does not send it',
  )
  assert.equal(smtp.taken.length, 1)
})

test('a server that is killed before the confirmation has its mail not sent again', async (t) => {
  const smtp = await mailServer(t)
  const database = await onMigratedDatabase(t)
  const settings = { ...database, SMTP_URL: smtp.url(), MAIL_FROM }
  const first = await serving(t, settings)
  smtp.state.answer = async () => void (await first.kill('SIGKILL'))
  await queue(database.DATABASE_URL)
  await first.ended
  // the process that would have sent it again has five minutes
  await query(database.DATABASE_URL, "update outgoing_mail set handed_over_at = handed_over_at - interval '5 minutes'")
  const next = await serving(t, settings)
  await next.err.first((line) => line.includes('a mail may not have been sent'))
  const [row] = await query(database.DATABASE_URL, 'select sent_at, failed_at, last_error from outgoing_mail')
  assert.deepEqual([row?.sent_at, row?.failed_at !== null], [null, true])
  await until(() => smtp.taken.length > 0, 'The mail server does not take it')
  assert.equal(smtp.taken.length, 1)
})
