import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterwards, type Scope } from '../../../server/test/support/afterwards.ts'

/** A request that arrived. */
export interface Asked {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  atMs: number
}

/** What is answered: a status with a body and headers, a function that does something else, or nothing at all. */
export type Reaction =
  | [status: number, body?: unknown, headers?: Record<string, string>]
  | ((response: ServerResponse, asked: Asked) => void)
  | 'silence'
  | 'cut'

/** A server that answers what a test says: where only statuses matter, whoever sends them. Its last reaction goes on. */
export async function fakeServer(t: Scope, ...reactions: Reaction[]) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = await text(request).catch(() => undefined)
    // whoever asked gave up in the middle
    if (body === undefined) return
    const one = { method, path: url, headers, body, atMs: performance.now() }
    asked.push(one)
    const reaction = reactions[Math.min(asked.length, reactions.length) - 1] ?? [204]
    if (reaction === 'cut') response.destroy()
    else if (typeof reaction === 'function') reaction(response, one)
    else if (reaction !== 'silence') answer(response, ...reaction)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterwards(t, async () => {
    server.closeAllConnections()
    server.close()
  })
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

function answer(response: ServerResponse, status: number, body?: unknown, headers: Record<string, string> = {}): void {
  const type = typeof body === 'string' ? 'text/html' : 'application/json; charset=utf-8'
  response.writeHead(status, { ...(body === undefined ? {} : { 'content-type': type }), ...headers })
  response.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body))
}
