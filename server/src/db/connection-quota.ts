import { FairQueue, type Tenant, type Waiter } from './fair-queue.ts'
import { LockedOperations } from './locked-operations.ts'
import { UsageByTenant } from './usage-by-tenant.ts'
import { type ActiveTenants, WorkBudget } from './work-budget.ts'

interface ConnectionQuotaOptions {
  connections: number
  activeTenants: ActiveTenants
  maxWaiting: number
  waitTimeoutMs: number
}

interface Acquirer extends Waiter {
  operation: string | undefined
  /** @param expectedMs how long it will likely take */
  resolve: (expectedMs: number) => void
}

/**
 * Shares a number of connections, of which some are always left for others: whoever takes one more holds at most twice as
 * many as are then free. Of ten, one organization holds six, two hold three or four each. Beside others, its `WorkBudget`
 * limits it further, as long as its transactions do not wait themselves. Operations that fail by locks in several
 * organizations leave half of the connections to others.
 */
export class ConnectionQuota {
  readonly #queue: FairQueue<Acquirer>
  /** all of the connections count as one, on which each transaction is one more */
  readonly #usage = new UsageByTenant<ConnectionQuota>(Number.POSITIVE_INFINITY)
  readonly #workBudget: WorkBudget
  readonly #locked: LockedOperations
  #free: number

  constructor({ connections, activeTenants, ...options }: ConnectionQuotaOptions) {
    this.#free = connections
    this.#workBudget = new WorkBudget(writeBudgetMs, activeTenants)
    this.#locked = new LockedOperations(Math.max(1, Math.floor(connections / 2)))
    this.#queue = new FairQueue(options)
  }

  /** How many wait for a connection. */
  get waiting(): number {
    return this.#queue.waiting
  }

  /**
   * Runs `act` once there is a connection for it.
   * @param operation by which it may be known which others wait for the same locks
   * @throws CROWDED at once, ETIMEDOUT after a while
   */
  async run<T>(tenant: Tenant, act: () => Promise<T>, operation?: string): Promise<T> {
    const expectedMs =
      this.#mayAcquire(tenant) && !this.#locked.mustWait(tenant, operation)
        ? this.#acquire(tenant, operation)
        : await new Promise<number>((resolve, reject) => this.#queue.add({ tenant, operation, resolve, reject }))
    const begunMs = performance.now()
    let counted = true
    const uncount = () => {
      if (counted) this.#workBudget.ended(tenant, expectedMs)
      counted = false
    }
    const stuck = setTimeout(() => {
      uncount()
      this.#admitWaiting()
    }, stuckAfterMs)
    try {
      const result = await act()
      this.#locked.passed(operation)
      return result
    } catch (error) {
      if ((error as { code?: string }).code === '55P03') this.#locked.failed(tenant, operation)
      throw error
    } finally {
      clearTimeout(stuck)
      uncount()
      this.#usage.took(tenant, Math.min(stuckAfterMs, performance.now() - begunMs))
      this.#release(tenant, operation)
    }
  }

  #release(tenant: Tenant, operation: string | undefined): void {
    this.#free++
    this.#locked.ended(tenant, operation)
    this.#usage.ended(tenant, this)
    this.#usage.forgetIdle()
    this.#admitWaiting()
  }

  #admitWaiting(): void {
    // where nobody can be served, not each of thousands of organizations is asked in vain
    while (this.#free > 0) {
      const next = this.#queue.next(
        (other) => this.#mayAcquire(other) || undefined,
        ({ tenant, operation }) => !this.#locked.mustWait(tenant, operation),
      )
      if (next === undefined) return
      next.entry.resolve(this.#acquire(next.entry.tenant, next.entry.operation))
    }
  }

  #acquire(tenant: Tenant, operation: string | undefined): number {
    const expectedMs = this.#usage.averageMs(tenant)
    this.#free--
    this.#workBudget.began(tenant, expectedMs)
    this.#usage.began(tenant, this)
    this.#locked.began(tenant, operation)
    return expectedMs
  }

  #mayAcquire(tenant: Tenant): boolean {
    const held = this.#usage.countOn(tenant, this)
    if (this.#free === 0 || (held > 0 && held + 1 > 2 * (this.#free - 1))) return false
    return this.#workBudget.mayBegin(tenant, this.#usage.averageMs(tenant))
  }
}

// a short transaction mostly waits for the network and the disk, so several may run at a time
const writeBudgetMs = 50
// what takes longer most likely waits for a lock
const stuckAfterMs = 200
