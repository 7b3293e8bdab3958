import { availableParallelism } from 'node:os'
import type { Tenant } from './fair-queue.ts'
import { noTenant } from './work-budget.ts'

/** What an organization has under way, or had a moment ago. */
interface Usage<Lane> {
  /** how many statements on which connections */
  connections: Map<Lane, number>
  /** how long one of its statements took of late */
  averageMs: number
  /** when it last began one */
  begunMs: number
}

/** Which connections each organization uses, and how many it may. */
export class UsageByTenant<Lane> {
  readonly #maxConnections: number
  readonly #all = new Map<Tenant, Usage<Lane>>()
  #cleanedUpMs = 0

  /** @param maxConnections how many connections there are */
  constructor(maxConnections: number) {
    this.#maxConnections = maxConnections
  }

  /** How long a statement is likely to take. */
  averageMs(tenant: Tenant): number {
    return this.#all.get(tenant)?.averageMs ?? initialAverageMs
  }

  /** Whether it may be on a connection on which it has nothing: on all but one, with statements that take long on few. */
  mayUseMore(tenant: Tenant): boolean {
    const usage = this.#all.get(tenant)
    if (usage === undefined || tenant === noTenant) return true
    const maxConnections = Math.max(1, this.#maxConnections - 1)
    return usage.connections.size < (usage.averageMs > longMs ? Math.min(maxConnections, processors) : maxConnections)
  }

  isOn(tenant: Tenant, connection: Lane): boolean {
    return this.#all.get(tenant)?.connections.has(connection) ?? false
  }

  began(tenant: Tenant, connection: Lane): void {
    let usage = this.#all.get(tenant)
    if (usage === undefined) {
      usage = { connections: new Map(), averageMs: initialAverageMs, begunMs: 0 }
      this.#all.set(tenant, usage)
    }
    usage.begunMs = performance.now()
    usage.connections.set(connection, (usage.connections.get(connection) ?? 0) + 1)
  }

  took(tenant: Tenant, ms: number): void {
    const usage = this.#all.get(tenant)
    if (usage) usage.averageMs += (ms - usage.averageMs) / 8
  }

  ended(tenant: Tenant, connection: Lane): void {
    const usage = this.#all.get(tenant)
    if (usage === undefined) return
    const left = (usage.connections.get(connection) ?? 0) - 1
    if (left > 0) usage.connections.set(connection, left)
    else usage.connections.delete(connection)
  }

  /** Once in a while is enough. */
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
// a statement takes long from here on
const longMs = 100
// how long one takes of whom nothing is known
const initialAverageMs = 1
// what was as long ago says nothing of what comes
const recentMs = 1_000
