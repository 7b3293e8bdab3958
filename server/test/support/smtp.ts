import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { certificate } from './certificate.ts'

/** A mail, as a mail server took it. */
export interface TakenMail {
  from: string
  to: string[]
  raw: string
  /** header fields by name in lower case, with unfolded values */
  headers: Record<string, string>
  secure: boolean
  user: string | undefined
}

/** A response of a mail server that refuses. */
export const refusal = (status: number, text: string) => Object.assign(new Error(text), { responseCode: status })

/** A real mail server on a free port of this machine. It ends with the test. */
export async function mailServer(t: TestContext, options: SMTPServerOptions = {}, scheme = 'smtp') {
  const taken: TakenMail[] = []
  const sockets = new Set<Socket>()
  const state = {
    /** what the server says after the content of a mail; undefined: it takes the mail */
    answer: undefined as ((mail: TakenMail) => Error | undefined | Promise<Error | undefined>) | undefined,
  }
  const server = new SMTPServer({
    ...{
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      ...certificate,
      logger: false,
      closeTimeout: 10,
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      stream.on('end', async () => {
        const mail = mailOf(Buffer.concat(chunks).toString('latin1'), session)
        const error = await state.answer?.(mail)
        if (error === undefined) taken.push(mail)
        done(error)
      })
    },
    ...options,
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    // a test may have closed it
    if (server.server.listening) await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  t.after(close)
  return {
    port,
    taken,
    state,
    sockets,
    close,
    url: (login = '', query = '') => `${scheme}://${login}127.0.0.1:${port}${query}`,
  }
}

type Session = Parameters<NonNullable<SMTPServerOptions['onData']>>[1]

function mailOf(raw: string, session: Session): TakenMail {
  const [head = ''] = raw.split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const { mailFrom, rcptTo } = session.envelope
  return {
    ...{ raw, headers, secure: session.secure, user: session.user },
    from: mailFrom ? mailFrom.address : '',
    to: rcptTo.map(({ address }) => address),
  }
}
