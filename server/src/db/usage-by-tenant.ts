import { availableParallelism } from 'node:os'
import type { Tenant } from './fair-queue.ts'
import { noTenant } from './work-budget.ts'

/** What one organization uses now, or used a moment ago. */
interface Usage<Connection> {
  /** by connection, how many of its statements are in flight there */
  connections: Map<Connection, number>
  /** how long its latest statements took, as a moving average */
  averageMs: number
  /** when its last statement began */
  begunMs: number
}

/** Which connections each organization uses, and how many it may. */
export class UsageByTenant<Connection> {
  readonly #maxConnections: number
  readonly #all = new Map<Tenant, Usage<Connection>>()
  #cleanedUpMs = 0

  /** @param maxConnections how many connections there are */
  constructor(maxConnections: number) {
    this.#maxConnections = maxConnections
  }

  /** How long its next statement will likely take. */
  averageMs(tenant: Tenant): number {
    return this.#all.get(tenant)?.averageMs ?? initialAverageMs
  }

  /** Whether it may use one more connection. It may use all but one; with long statements no more than there are processors. */
  mayUseMore(tenant: Tenant): boolean {
    const usage = this.#all.get(tenant)
    if (usage === undefined || tenant === noTenant) return true
    const maxConnections = Math.max(1, this.#maxConnections - 1)
    return usage.connections.size < (usage.averageMs > longMs ? Math.min(maxConnections, processors) : maxConnections)
  }

  /** How much it has in flight on a connection. */
  countOn(tenant: Tenant, connection: Connection): number {
    return this.#all.get(tenant)?.connections.get(connection) ?? 0
  }

  began(tenant: Tenant, connection: Connection): void {
    let usage = this.#all.get(tenant)
    if (usage === undefined) {
      usage = { connections: new Map(), averageMs: initialAverageMs, begunMs: 0 }
      this.#all.set(tenant, usage)
    }
    usage.begunMs = performance.now()
    usage.connections.set(connection, this.countOn(tenant, connection) + 1)
  }

  took(tenant: Tenant, ms: number): void {
    const usage = this.#all.get(tenant)
    if (usage) usage.averageMs += (ms - usage.averageMs) / 8
  }

  ended(tenant: Tenant, connection: Connection): void {
    const usage = this.#all.get(tenant)
    if (usage === undefined) return
    const left = this.countOn(tenant, connection) - 1
    if (left > 0) usage.connections.set(connection, left)
    else usage.connections.delete(connection)
  }

  /** Removes organizations that have been idle; does so once a second at most. */
  forgetIdle(): void {
    const nowMs = performance.now()
    if (nowMs - this.#cleanedUpMs < recentMs) return
    this.#cleanedUpMs = nowMs
    for (const [tenant, { connections, begunMs }] of this.#all) {
      if (connections.size === 0 && nowMs - begunMs > recentMs) this.#all.delete(tenant)
    }
  }
}

const processors = Math.max(2, availableParallelism())
// longer statements count as long
const longMs = 100
// assumed of an organization of which nothing is known
const initialAverageMs = 1
// older averages say nothing about the next statement
const recentMs = 1_000
