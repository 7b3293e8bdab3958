import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

// each client of the process takes a connection that is free, or a new one
// and lets go of it before the server does, after 65 s, maybe while it is taken again
const agent = new Agent({ keepAlive: true, timeout: 30_000 })

/**
 * Sends a request and reads the answer, compressed where the server does so. Tests do little else, and
 * `fetch` computes four times as long for each.
 */
export async function ask(url: string, method: string, headers: Record<string, string>, body?: string) {
  const sent = request(url, { method, agent, headers: { 'accept-encoding': 'gzip', ...headers } })
  // a server that has answered may close before it has read everything
  sent.on('error', () => {})
  sent.end(body)
  const [answer]: IncomingMessage[] = await once(sent, 'response')
  if (answer === undefined) throw new Error('There is no answer')
  const bytes = await buffer(answer)
  const plain = answer.headers['content-encoding'] === 'gzip' ? await promisify(gunzip)(bytes) : bytes
  return { status: answer.statusCode ?? 0, headers: headersOf(answer), text: plain.toString() }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let n = 0; n + 1 < rawHeaders.length; n += 2) headers.append(rawHeaders[n] ?? '', rawHeaders[n + 1] ?? '')
  return headers
}
