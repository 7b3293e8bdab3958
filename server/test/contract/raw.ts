import { connect } from 'node:net'
import type { Reply } from '../world.ts'

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
