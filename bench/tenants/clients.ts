import { randomUUID } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { percentile } from '../noisy/ordinary.ts'
import type { Tenant } from './making.ts'

/** Who asks next, and by which of their keys. */
export type Choose = () => { tenant: Tenant; key: string }

/** What some requests met. */
export interface Met {
  timesMs: number[]
  /** answers but 2xx, by status; 0: none at all */
  failed: Record<number, number>
}

/** Requests of many organizations to one server, on connections that they share, as those behind a balancer do. */
export function clientsOf(base: string, connections = 128) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })

  /** Mostly pages of tasks, one in four a single task, one in seven a keyed POST. */
  async function ask({ tenant, key }: ReturnType<Choose>, met: Met, place = Math.random()): Promise<void> {
    const begunMs = performance.now()
    const status = await (place < 0.6
      ? send(key, 'GET', '/api/v1/tasks')
      : place < 0.85
        ? send(key, 'GET', `/api/v1/tasks/${oneOf(tenant.taskIds)}`)
        : send(key, 'POST', '/api/v1/time-entries', { taskId: oneOf(tenant.taskIds), durationSeconds: 60 })
    ).catch(() => 0)
    met.timesMs.push(performance.now() - begunMs)
    if (status < 200 || status > 299) met.failed[status] = (met.failed[status] ?? 0) + 1
  }

  async function send(key: string, method: string, path: string, body?: object): Promise<number> {
    const headers = { authorization: `Bearer ${key}` }
    const typed = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    const sent = request(base + path, { method, agent, headers: { ...headers, ...(body && typed) } })
    sent.end(body && JSON.stringify(body))
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve).on('error', reject)
    })
    response.resume()
    await new Promise((resolve, reject) => response.on('end', resolve).on('error', reject))
    return response.statusCode ?? 0
  }

  return {
    /** So many requests in a second, at moments that do not depend on how long the answers take. */
    async steadily(choose: Choose, perSecond: number, seconds: number): Promise<Met> {
      const met: Met = { timesMs: [], failed: {} }
      const asked = new Set<Promise<void>>()
      const endMs = performance.now() + seconds * 1_000
      for (let nextMs = performance.now(); nextMs < endMs; ) {
        if (nextMs > performance.now()) await wait(nextMs - performance.now())
        const one = ask(choose(), met).finally(() => asked.delete(one))
        asked.add(one)
        nextMs += untilNextMs(perSecond)
      }
      await Promise.all(asked)
      return met
    },
    /** So many clients, each with its next request when it has its answer, until they are stopped. */
    async busily(choose: Choose, clients: number, signal: AbortSignal): Promise<Met> {
      const met: Met = { timesMs: [], failed: {} }
      const one = async () => {
        while (!signal.aborted) await ask(choose(), met)
      }
      await Promise.all(Array.from({ length: clients }, one))
      return met
    },
    /** A page of tasks for each of them once, by so many clients, as far as they come. */
    async once(all: readonly ReturnType<Choose>[], clients: number, seconds: number): Promise<Met> {
      const endMs = performance.now() + seconds * 1_000
      const met: Met = { timesMs: [], failed: {} }
      const left = all.values()
      const one = async () => {
        for (const asking of left) if (performance.now() < endMs) await ask(asking, met, 0)
      }
      await Promise.all(Array.from({ length: clients }, one))
      return met
    },
    close: () => agent.destroy(),
  }
}

// as independent people come
const untilNextMs = (perSecond: number) => (-Math.log(1 - Math.random()) / perSecond) * 1_000

/** `p50 2.1, p99 8.9 ms, 12,345 requests, 3 × 503` */
export const toldOf = ({ timesMs, failed }: Met): string =>
  [
    `p50 ${percentile(timesMs, 0.5).toFixed(1)}, p99 ${percentile(timesMs, 0.99).toFixed(1)} ms`,
    `${timesMs.length.toLocaleString('en-US')} requests`,
    ...Object.entries(failed).map(([status, count]) => `${count} × ${status}`),
  ].join(', ')

export const oneOf = <One>(list: readonly One[]): One => {
  const one = list[Math.floor(Math.random() * list.length)]
  if (one === undefined) throw new Error('There is nothing to choose from')
  return one
}
