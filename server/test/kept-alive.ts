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

/** Only a new connection may be refused. */
export function refusal(error: NodeJS.ErrnoException): undefined {
  assert.equal(error.code, 'ECONNREFUSED')
}

export type Sent = { status: number | undefined; headers: IncomingMessage['headers']; text: string }
