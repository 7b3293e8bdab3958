import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { SmtpProblem, type SmtpStep, smtpProblem } from './smtp-problem.ts'
import type { SmtpSettings } from './smtp-settings.ts'

/** Time limits of a connection, whatever the server does meanwhile. */
export interface SmtpLimits {
  /** for connecting, with TLS and the greeting, and again for authentication */
  connectMs: number
  /** for one mail */
  sendMs: number
}

const usualLimits: SmtpLimits = { connectMs: 20_000, sendMs: 60_000 }

/** The sender and the recipient that the SMTP server sees. */
interface Envelope {
  from: string
  to: string
}

/** A connection to the SMTP server that is ready for mail. */
export interface SmtpSession {
  /** `TLSv1.3`, or undefined without TLS */
  protocol: string | undefined
  /** false: the server ended the connection */
  isOpen(): boolean
  /**
   * Sends one mail.
   * @param content called when the server waits for the mail, and not before. If it throws, the server gets no mail
   * @returns the response of the server
   * @throws SmtpProblem; the connection is closed then
   */
  send(envelope: Envelope, content: () => Promise<Buffer>): Promise<string>
  close(): void
}

/** Callbacks for a command that shows each step. */
interface SmtpProgress {
  connected?(protocol: string | undefined): void
  authenticated?(): void
}

/**
 * Connects and authenticates.
 * @param signal closes the connection at once
 * @throws SmtpProblem
 */
export async function openSmtp(
  settings: SmtpSettings,
  signal: AbortSignal,
  { limits = usualLimits, progress = {} }: { limits?: SmtpLimits; progress?: SmtpProgress } = {},
): Promise<SmtpSession> {
  const connection = new SMTPConnection({
    host: settings.host,
    port: settings.port,
    secure: settings.tls === 'implicit',
    requireTLS: settings.tls === 'required',
    ignoreTLS: settings.tls === 'off',
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    dnsTimeout: limits.connectMs,
    socketTimeout: limits.sendMs,
    socketCloseTimeout: 0,
    maxResponseSize: 100_000,
  })
  // an error event without a listener would end the process
  connection.on('error', () => {})
  const step = steps(connection, signal)
  await step<void>('connect', limits.connectMs, (done) => connection.connect(done))
  const protocol = protocolOf(connection)
  progress.connected?.(protocol)
  const { user, password } = settings
  if (user !== undefined) {
    const credentials = { user, pass: password }
    await step('authenticate', limits.connectMs, (done) => connection.login({ ...credentials, credentials }, done))
    progress.authenticated?.()
  }
  return {
    protocol,
    isOpen: () => !connection.destroyed,
    async send(envelope, content) {
      let begun = false
      const mail = Readable.from(
        once(() => {
          begun = true
          return content()
        }),
        { objectMode: false },
      )
      const begin = (done: Done<{ response: string }>) => connection.send(envelope, mail, done)
      const { response } = await step('message', limits.sendMs, begin, () => (begun ? graceMs : 0))
      return response
    },
    close() {
      if (connection.destroyed) return
      connection.quit()
      // a server that does not answer QUIT must not keep the socket
      setTimeout(() => connection.close(), quitMs).unref()
    },
  }
}

const quitMs = 1_000

// if the server stops after the content has gone out, the response is worth a short wait
const graceMs = 300

async function* once(content: () => Promise<Buffer>) {
  yield await content()
}

type Done<T> = (error?: Error | null, value?: T) => void

/** Runs steps on a connection. A step that fails, or takes too long, closes the connection. */
const steps =
  (connection: SMTPConnection, signal: AbortSignal) =>
  async <T>(step: SmtpStep, limitMs: number, begin: (done: Done<T>) => void, abortAfterMs = () => 0): Promise<T> => {
    const { promise, resolve, reject } = withResolvers<T>()
    const onError = (error: Error) => reject(smtpProblem(step, error))
    const abort = () => reject(new SmtpProblem(step, 'The server is stopping', { code: 'ABORTED' }))
    const onAbort = () => (abortAfterMs() > 0 ? void setTimeout(abort, abortAfterMs()).unref() : abort())
    const late = setTimeout(
      () => reject(new SmtpProblem(step, `It took longer than ${limitMs / 1_000} seconds`, { code: 'ETIMEDOUT' })),
      limitMs,
    )
    connection.once('error', onError)
    signal.addEventListener('abort', onAbort)
    try {
      if (signal.aborted) abort()
      else begin((error, value) => (error ? onError(error) : resolve(value as T)))
      return await promise
    } catch (error) {
      connection.close()
      throw error
    } finally {
      clearTimeout(late)
      connection.off('error', onError)
      signal.removeEventListener('abort', onAbort)
    }
  }

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((...both) => {
    ;[resolve, reject] = both
  })
  return { promise, resolve, reject }
}

function protocolOf({ _socket: socket }: SMTPConnection): string | undefined {
  return socket && 'getProtocol' in socket && typeof socket.getProtocol === 'function'
    ? socket.getProtocol()
    : undefined
}
