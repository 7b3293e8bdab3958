import { connect } from 'node:net'
import type { Reply } from './world.ts'

/** Sends bytes on a socket of their own, just as they are, and reads the answer until the server closes it. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<Reply> {
  const socket = connect(port, '127.0.0.1')
  socket.write(bytes)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  const answer = Buffer.concat(chunks).toString()
  const [head = '', text = ''] = answer.split(/\r\n\r\n([\s\S]*)/)
  const [line = '', ...fields] = head.split('\r\n')
  const headers = new Headers(fields.map((field) => field.split(/: ?(.*)/).slice(0, 2) as [string, string]))
  return { status: Number(line.split(' ')[1]), headers, text, body: text === '' ? undefined : JSON.parse(text) }
}

/** The text of a request that asks the server to close the connection after it. */
export const request = (line: string, headers: Record<string, string> = {}, body = '') =>
  [
    `${line} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n')

/** A socket of its own for more than one request. */
export function openRaw(port: number, bytes: string, host = '127.0.0.1') {
  const socket = connect(port, host)
  socket.write(bytes)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  // what was sent behind an end may be reset
  socket.on('error', () => {})
  return {
    write: (more: string) => socket.write(more),
    leave: () => void socket.destroy(),
    connected: new Promise((resolve) => socket.once('connect', resolve)),
    answered: new Promise((resolve) => socket.once('data', resolve)),
    /** the statuses of all answers, once the server has closed it */
    ended: new Promise<{ answers: number[]; text: string }>((resolve) =>
      socket.once('close', () => {
        const answers = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
        resolve({ answers, text })
      }),
    ),
  }
}
