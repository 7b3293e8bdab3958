import type { Config } from '../../config.ts'
import { newId } from '../../db/ids.ts'
import { buildMessage } from '../../mail/message.ts'
import { openSmtp, type SmtpSession } from '../../mail/smtp.ts'
import { type SmtpProblem, type SmtpStep, smtpProblem } from '../../mail/smtp-problem.ts'
import { mailboxOf, type SmtpSettings, smtpSettings } from '../../mail/smtp-settings.ts'
import { testContent } from '../../mail/test-mail.ts'
import { openedUrl } from '../../persons/links.ts'
import { type CheckResult, ok, warning, wrong } from './finding.ts'

/** Checks that the SMTP server can be used. It sends no mail. */
export async function checkMail({ signIn: { mail } }: Config): Promise<CheckResult[]> {
  if (mail === undefined) return []
  const settings = smtpSettings(mail.url)
  const findings: CheckResult[] = []
  try {
    const session = await openChecked(settings, findings)
    session.close()
  } catch (error) {
    findings.push(failure(settings, smtpProblem('connect', error)))
  }
  return findings
}

/** Sends a test mail, and says how far it got. */
export async function sendTestMail(
  { signIn: { mail }, publicUrl, port }: Config,
  recipient: string,
): Promise<CheckResult[]> {
  if (mail === undefined)
    return [wrong('mail', 'SMTP_URL is not set, so the server sends no mail: set SMTP_URL and MAIL_FROM')]
  const settings = smtpSettings(mail.url)
  const from = mailboxOf(mail.from)
  const content = testContent(openedUrl(publicUrl, port))
  const message = await buildMessage({ id: newId(), from, recipient, at: new Date() }, content, publicUrl ?? '')
  const findings: CheckResult[] = []
  try {
    const session = await openChecked(settings, findings)
    const response = await session.send({ from: from.address, to: recipient }, async () => {
      findings.push(ok('mail', `It accepts mail from ${from.address} to ${recipient}.`))
      return message
    })
    session.close()
    findings.push(
      ok('mail', `Sent. The SMTP server took the mail: ${response}`),
      ok(
        'mail',
        'Look into the mailbox. If the mail is not there, look among spam, and check SPF and DKIM of the domain.',
      ),
    )
  } catch (error) {
    findings.push(failure(settings, smtpProblem('message', error)))
  }
  return findings
}

async function openChecked(settings: SmtpSettings, findings: CheckResult[]): Promise<SmtpSession> {
  const { host, port, user } = settings
  const session = await openSmtp(settings, new AbortController().signal, {
    progress: {
      connected: (protocol) =>
        void findings.push(
          protocol === undefined
            ? plain(settings)
            : ok('mail', `Connected to ${host}, port ${port}, with ${protocol.replace('v', ' ')}.`),
        ),
      authenticated: () => void findings.push(ok('mail', 'It accepts the user and the password.')),
    },
  })
  if (user === undefined) findings.push(ok('mail', 'SMTP_URL has no user, so there is no authentication.'))
  return session
}

const plain = ({ host, port, tls }: SmtpSettings) => {
  const connected = `Connected to ${host}, port ${port}, without encryption`
  return tls === 'off'
    ? ok('mail', `${connected}.`)
    : warning('mail', `${connected}: the server offers no STARTTLS. Others on the network can read the links in mails.`)
}

function failure(settings: SmtpSettings, problem: SmtpProblem): CheckResult {
  const { host, port } = settings
  const advice = adviceByCode(settings, problem) ?? adviceByStep[problem.step]
  return wrong(
    'mail',
    `${failures[problem.step](`${host}, port ${port}`)}: ${problem.reason.replace(/\.$/, '')}. ${advice}`,
  )
}

const failures: Record<SmtpStep, (place: string) => string> = {
  connect: (place) => `The connection to ${place} failed`,
  authenticate: (place) => `${place} refuses the user and password of SMTP_URL`,
  sender: (place) => `${place} refuses the address of MAIL_FROM`,
  recipient: (place) => `${place} refuses the recipient`,
  message: (place) => `${place} did not take the mail`,
}

const adviceByStep: Record<SmtpStep, string> = {
  connect: 'Check the host and the port in SMTP_URL.',
  authenticate:
    'Check both; a character such as @ or # is written %40 or %23. Some providers want a password for applications.',
  sender: 'Set MAIL_FROM to an address that this account may use.',
  recipient: 'Check the address. If the server does not relay, SMTP_URL needs a user and a password.',
  message: 'The reason is in the response of the server.',
}

function adviceByCode({ tls, port }: SmtpSettings, { code = '', reason }: SmtpProblem): string | undefined {
  if (code === 'EDNS' || code === 'ENOTFOUND') return 'No host has this name: check SMTP_URL.'
  if (code === 'ECONNREFUSED')
    return 'Nothing listens there: check the port, usually 465 for smtps:// and 587 for smtp://.'
  if (code === 'ETIMEDOUT' || code === 'CONNECT_TIMEOUT')
    return 'A firewall may block the port; many hosting providers block 25 and 465. Try another port of your provider.'
  if (code === 'GREETING_TIMEOUT')
    return tls === 'implicit' ? undefined : 'The port may want TLS from the start: try smtps://.'
  if (/certificate|altname|self.signed/i.test(`${code} ${reason}`))
    return 'The certificate is not valid for this name. Use the name in it, or give its authority as NODE_EXTRA_CA_CERTS.'
  if (/wrong version number|packet length|record/i.test(reason))
    return `Port ${port} has no TLS from the start: use smtp://.`
  if (/STARTTLS/.test(reason))
    return 'The password goes through TLS only. If this network is safe without, add ?tls=off to SMTP_URL.'
  return undefined
}
