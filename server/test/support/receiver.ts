import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Scope } from './afterwards.ts'

/** A request that arrived. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  atMs: number
}

interface ReceiverOptions {
  host?: string
  port?: number
}

/**
 * A server on this machine to which webhooks may be sent. It ends with the test.
 * @param answer to each request; by default 204
 */
export async function startReceiver(
  t: Scope,
  answer: (received: Received, response: ServerResponse) => void = (_, response) => response.writeHead(204).end(),
  { host = '127.0.0.1', port = 0 }: ReceiverOptions = {},
) {
  const received: Received[] = []
  const waiting: (() => void)[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { url: path = '', headers } = request
    const one = { path, headers, body: Buffer.concat(chunks).toString(), atMs: performance.now() }
    received.push(one)
    for (const told of waiting.splice(0)) told()
    answer(one, response)
  })
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  t.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  const { port: chosen } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${chosen}`,
    port: chosen,
    received,
    /** Resolves when the requests so far are as wanted. */
    until(wanted: (received: readonly Received[]) => boolean, withinMs = 60_000): Promise<void> {
      const late = wait(withinMs, undefined, { ref: false }).then(() => {
        throw new Error(`Of what was wanted only ${received.length} requests arrived`)
      })
      return Promise.race([arrived(), late])

      async function arrived() {
        while (!wanted(received)) await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
  }
}
