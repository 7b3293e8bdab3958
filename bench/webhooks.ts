import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How a receiver answers a request. */
type Answering = (response: ServerResponse) => void

export const atOnce: Answering = (response) => void response.writeHead(204).end()
export const afterASecond: Answering = (response) => void setTimeout(atOnce, 1_000, response)
export const withError: Answering = (response) => void response.writeHead(500).end()
export const never: Answering = () => {}

/** A server that takes whatever webhooks send to it, and the webhooks, which are paused at first. */
export interface Receiver {
  /** Lets the webhooks send, from where they were, until they are closed again. */
  resume(): Promise<{ close(): Promise<void> }>
  /** how many requests arrived in a second while they were resumed */
  perSecond(): number
  /** deletes the webhooks */
  close(): Promise<void>
}

/** Makes so many webhooks in the organization of a key, each for every event. */
export async function openReceiver(base: string, key: string, count: number, answering: Answering): Promise<Receiver> {
  let [received, resumedMs] = [0, 0]
  const server = createServer((request, response) => {
    received++
    request.resume()
    answering(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const ask = async (method: string, path: string, body?: object): Promise<{ id: string }> => {
    const headers = { Authorization: `Bearer ${key}`, ...(body ? { 'Content-Type': 'application/json' } : {}) }
    const sent = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const answer = await fetch(`${base}/api/v1/webhooks${path}`, sent)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} /webhooks${path} is answered with ${answer.status} ${text}`)
    return text === '' ? { id: '' } : JSON.parse(text)
  }
  const ids: string[] = []
  for (let number = 1; number <= count; number++) {
    const { id } = await ask('POST', '', { url: `http://127.0.0.1:${port}/${number}` })
    await ask('POST', `/${id}/pause`)
    ids.push(id)
  }
  return {
    async resume() {
      for (const id of ids) await ask('POST', `/${id}/resume`)
      const begunMs = performance.now()
      return {
        async close() {
          resumedMs += performance.now() - begunMs
          for (const id of ids) await ask('POST', `/${id}/pause`)
        },
      }
    },
    perSecond: () => received / (resumedMs / 1_000),
    async close() {
      for (const id of ids) await ask('DELETE', `/${id}`)
      server.closeAllConnections()
      server.close()
      if (received === 0) throw new Error('No webhook was sent anything')
    },
  }
}
