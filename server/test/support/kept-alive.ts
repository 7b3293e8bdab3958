import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterwards, type Scope } from './afterwards.ts'

/** A client that keeps one connection open for as long as the server does. */
export function keptAlive(t: Scope, base: string, key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  afterwards(t, async () => agent.destroy())
  return async (method: string, path: string, body?: object, more: Record<string, string> = {}): Promise<Sent> => {
    const typed = body ? { 'content-type': 'application/json' } : {}
    const headers = { authorization: `Bearer ${key}`, ...typed, ...more }
    const sent = request(`${base}/api/v1${path}`, { method, headers, agent })
    sent.end(body && JSON.stringify(body))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: response.statusCode, headers: response.headers, text: await text(response) }
  }
}

/**
 * Twenty clients, each on its open connection, make tags until the server is gone; all that they sent must be answered.
 * @param stop called once 200 tags are made; must not wait for the end
 * @returns how many tags were made
 */
export async function writtenUntilStopped(
  t: Scope,
  { base, ownersKey }: { base: string; ownersKey: string },
  stop: () => Promise<void> | void,
): Promise<number> {
  let answered = 0
  const clients = Array.from({ length: 20 }, async (_, client) => {
    const send = keptAlive(t, base, ownersKey)
    for (let n = 0; ; n++) {
      const reply = await send('POST', '/tags', { name: `Tag ${client} ${n}` }).catch(refusal)
      if (reply === undefined) return n
      assert.equal(reply.status, 201, reply.text)
      if (++answered === 200) await stop()
    }
  })
  return (await Promise.all(clients)).reduce((sum, n) => sum + n, 0)
}

/** Only a new connection may be refused. */
function refusal(error: NodeJS.ErrnoException): undefined {
  assert.equal(error.code, 'ECONNREFUSED')
}

export type Sent = { status: number | undefined; headers: IncomingMessage['headers']; text: string }
