import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openSmtp } from '../../src/mail/smtp.ts'
import { SmtpProblem } from '../../src/mail/smtp-problem.ts'
import { type SmtpSettings, smtpSettings } from '../../src/mail/smtp-settings.ts'
import { mailServer } from '../support/smtp.ts'

const login = { user: 'tasks@example.com', password: 'p@ss:/#?%' }
const message = Buffer.from('Subject: Hi\r\n\r\nHi\r\n.\r\nno end\r\n')
const envelope = { from: 'tasks@example.com', to: 'ann@example.org' }

async function sends(settings: SmtpSettings): Promise<string> {
  const session = await openSmtp(settings, new AbortController().signal)
  try {
    return await session.send(envelope, async () => message)
  } finally {
    session.close()
  }
}

/** A mail server that wants a password, and encryption before it. */
const strict = (t: TestContext, changes = {}, scheme = 'smtp') =>
  mailServer(
    t,
    {
      ...{ authOptional: false, allowInsecureAuth: false, disabledCommands: [], ...changes },
      onAuth: ({ username, password }, _session, done) =>
        username === login.user && password === login.password
          ? done(null, { user: username })
          : done(new Error('Wrong')),
    },
    scheme,
  )

test('SMTP_URL says host, port, encryption and login', () => {
  const read = (url: string) => smtpSettings(url)
  const user = `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@`
  assert.deepEqual(read(`smtps://${user}mail.example.com`), {
    ...{ host: 'mail.example.com', port: 465, tls: 'implicit', ...login },
  })
  assert.deepEqual(read(`smtp://${user}mail.example.com:2525`), {
    ...{ host: 'mail.example.com', port: 2525, tls: 'required', ...login },
  })
  assert.deepEqual(read('smtp://relay'), { host: 'relay', port: 587, tls: 'offered', user: undefined, password: '' })
  for (const host of ['localhost', '127.0.0.1', '[::1]']) assert.equal(read(`smtp://u:p@${host}:25`).tls, 'off')
  assert.equal(read('smtp://u:p@relay?tls=off').tls, 'off')
  assert.equal(read('smtp://localhost?tls=required').tls, 'required')
})

test('a password does not go to a server that offers no STARTTLS', async (t) => {
  const said: string[] = []
  const server = await mailServer(t, {
    onAuth({ password }, _session, done) {
      said.push(String(password))
      done(null, { user: 'u' })
    },
  })
  const settings = { host: '127.0.0.1', port: server.port, tls: 'required', ...login } as const
  await assert.rejects(sends(settings), (error) => error instanceof SmtpProblem && error.step === 'connect')
  assert.deepEqual([said, server.taken], [[], []])
})

test('an unknown certificate is refused, also by STARTTLS that is only offered', async (t) => {
  const implicit = await strict(t, { secure: true }, 'smtps')
  const upgraded = await strict(t)
  for (const [{ port, taken }, tls] of [
    [implicit, 'implicit'],
    [upgraded, 'required'],
    [upgraded, 'offered'],
  ] as const) {
    const sending = sends({ host: '127.0.0.1', port, tls, ...login })
    await assert.rejects(sending, (error) => error instanceof SmtpProblem && error.step === 'connect')
    assert.deepEqual(taken, [])
  }
})

test('a refused password is a problem of authentication, and the problem does not show it', async (t) => {
  const { port } = await strict(t, { allowInsecureAuth: true })
  const sending = sends({ host: '127.0.0.1', port, tls: 'off', user: login.user, password: 'secret-word' })
  await assert.rejects(sending, (error) => {
    assert.ok(error instanceof SmtpProblem)
    assert.deepEqual([error.step, error.status, error.isPermanent], ['authenticate', 535, false])
    assert.ok(!`${error.message} ${error.reason} ${JSON.stringify(error)}`.includes('secret-word'))
    return true
  })
})

test('an address with a line break reaches no server', async (t) => {
  const server = await mailServer(t)
  const session = await openSmtp(smtpSettings(server.url()), new AbortController().signal)
  const to = 'ann@example.org>\r\nRCPT TO:<all@example.org'
  const sending = session.send({ ...envelope, to }, async () => message)
  await assert.rejects(sending, (error) => error instanceof SmtpProblem && error.isPermanent)
  assert.deepEqual(server.taken, [])
})
