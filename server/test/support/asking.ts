import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'

// each client of the process takes a connection that is free, or a new one
// and lets go of it before the server does, after 65 s, maybe while it is taken again
const agent = new Agent({ keepAlive: true, timeout: 30_000 })

/**
 * Sends a request and reads the answer. Tests do little else: `fetch`, and the buffers of `node:stream/consumers`, compute
 * several times as long.
 */
export async function ask(url: string, method: string, headers: Record<string, string>, body?: string) {
  const sent = request(url, { method, agent, headers })
  // a server that has answered may close before it has read everything
  sent.on('error', () => {})
  sent.end(body)
  const [answer]: IncomingMessage[] = await once(sent, 'response')
  if (answer === undefined) throw new Error('There is no answer')
  let text = ''
  answer.setEncoding('utf8').on('data', (part) => {
    text += part
  })
  await once(answer, 'end')
  return {
    status: answer.statusCode ?? 0,
    text,
    get headers() {
      return headersOf(answer)
    },
  }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let n = 0; n + 1 < rawHeaders.length; n += 2) headers.append(rawHeaders[n] ?? '', rawHeaders[n + 1] ?? '')
  return headers
}
