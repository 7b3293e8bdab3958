import { isIP } from 'node:net'

/** The settings of an SMTP server, read from SMTP_URL. */
export interface SmtpSettings {
  host: string
  port: number
  /** `implicit`: TLS from the start; `required`, `offered`: STARTTLS; `off`: none */
  tls: 'implicit' | 'required' | 'offered' | 'off'
  /** absent: the server wants no authentication */
  user: string | undefined
  password: string
}

/**
 * Reads SMTP_URL. Without `?tls=`, a password goes to another machine only through TLS. No message shows the URL, because it
 * holds the password.
 */
export function smtpSettings(url: string): SmtpSettings {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const user = username === '' ? undefined : decodeURIComponent(username)
  const implicit = protocol === 'smtps:'
  const usual = isLoopback(host) ? 'off' : user === undefined ? 'offered' : 'required'
  const wanted = searchParams.get('tls')
  return {
    host,
    port: port === '' ? (implicit ? 465 : 587) : Number(port),
    tls: implicit ? 'implicit' : wanted === 'required' || wanted === 'off' ? wanted : usual,
    user,
    password: decodeURIComponent(password),
  }
}

const isLoopback = (host: string) =>
  host === 'localhost' || (isIP(host) === 4 && host.startsWith('127.')) || host === '::1'

/** An address with the name beside it, as MAIL_FROM has it. */
export interface Mailbox {
  name: string
  address: string
}

/** Reads `Taskwright <tasks@example.com>` or `tasks@example.com`, which the settings have checked. */
export function mailboxOf(from: string): Mailbox {
  const [, name = '', address = from] = /^([^<]*)<([^>]*)>$/.exec(from.trim()) ?? []
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() }
}
