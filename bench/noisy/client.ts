import { Agent, type IncomingMessage, request } from 'node:http'
import { json, text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'

interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: whoever asks knows what it is
  body: any
}

/** Sends requests of one key, on as many connections as it takes. */
export interface Client {
  base: string
  key: string
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** The resource that is made, sooner or later where there is no room for now. @throws Error unless it is */
  make(path: string, body: unknown): Promise<Reply['body']>
}

/** @param keepAlive whether it sends further requests on connections that it has */
export function clientOf(base: string, key: string, keepAlive = true): Client {
  const agent = new Agent({ keepAlive })
  async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const typed = payload === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request(base + path, {
      method,
      agent,
      headers: { authorization: `Bearer ${key}`, ...typed, ...headers },
    })
    sent.end(payload)
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve).on('error', reject)
    })
    const { 'content-type': type, 'content-encoding': encoding } = response.headers
    const isJson = type?.startsWith('application/json') && encoding === undefined
    return { status: response.statusCode ?? 0, body: isJson ? await json(response) : await text(response) }
  }
  return {
    ...{ base, key, send },
    async make(path, body) {
      let reply = await send('POST', path, body)
      for (let tries = 0; tries < 40 && [429, 503].includes(reply.status); tries++) {
        await wait(500)
        reply = await send('POST', path, body)
      }
      if (reply.status >= 300)
        throw new Error(`POST ${path}: ${reply.status} ${JSON.stringify(reply.body).slice(0, 200)}`)
      return reply.body
    },
  }
}

/** The client of a new organization's owner. */
export async function founded(
  base: string,
  operatorToken: string,
  name: string,
): Promise<{ client: Client; orgId: string }> {
  const operator = clientOf(base, operatorToken)
  const body = { name, owner: { name: 'Olivia Owner', email: 'olivia@example.com' } }
  const { organization, apiKey } = await operator.make('/api/v1/organizations', body)
  return { client: clientOf(base, apiKey.secret), orgId: organization.id }
}
