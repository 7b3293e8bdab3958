import pg from 'pg'
import { FairQueue, type Tenant } from './fair-queue.ts'
import { LockedStatements } from './locked-statements.ts'
import {
  connectionOf,
  endsConnection,
  hasRoom,
  loadOf,
  type PipelinedConnection,
  type Read,
  type SentRead,
} from './pipelined-connection.ts'
import type { StatementWatch } from './statement-watch.ts'
import { send } from './statements.ts'
import { UsageByTenant } from './usage-by-tenant.ts'
import { noTenant, type WorkBudget } from './work-budget.ts'

interface PipelinedPoolOptions {
  connect: () => Promise<pg.PoolClient>
  /** how many connections; one organization uses all but one of them */
  maxConnections: number
  /** limits the reads of each organization, over all pools */
  workBudget: WorkBudget
  /** how many statements may be in flight on one connection */
  depth: number
  maxWaiting: number
  /** how long a statement waits to be sent before it fails with ETIMEDOUT */
  waitTimeoutMs: number
  /** after this time others no longer wait behind a statement */
  stuckAfterMs: number
  /** after this time without an answer a connection counts as dead */
  deadAfterMs: number
  /** called when a connection counts as dead */
  onDead: () => void
}

/**
 * A pool of few connections for many short reads. Statements are pipelined: sent before those ahead of them are answered. So
 * PostgreSQL has the next statement when one is done, and one packet carries several. What is behind a statement that takes
 * long is sent again on another connection. Organizations take turns, and one connection is always left for others.
 */
export class PipelinedPool {
  readonly #options: PipelinedPoolOptions
  /** those that get statements */
  readonly #connections: PipelinedConnection[] = []
  /** those, and retired ones with statements in flight */
  readonly #unfinished = new Set<PipelinedConnection>()
  readonly #usage: UsageByTenant<PipelinedConnection>
  readonly #queue: FairQueue<Read>
  readonly #locked: LockedStatements
  #checks: NodeJS.Timeout | undefined

  constructor(options: PipelinedPoolOptions) {
    this.#options = options
    this.#usage = new UsageByTenant(options.maxConnections)
    this.#queue = new FairQueue(options)
    options.workBudget.onEnd(() => this.#sendQueued())
    this.#locked = new LockedStatements(Math.max(1, Math.floor(options.maxConnections / 2)), this.#unfinished)
  }

  /** How many statements wait to be sent. */
  get waiting(): number {
    return this.#queue.waiting
  }

  query(query: pg.QueryConfig, tenant: Tenant = noTenant, watch?: StatementWatch): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => this.#sendOrQueue({ tenant, query, resolve, reject, watch }))
  }

  #sendOrQueue(read: Read): void {
    const slot = this.#locked.mustWait(read) ? undefined : this.#connectionFor(read.tenant)
    if (slot) this.#send(read, slot)
    else this.#queue.add(read)
  }

  #connectionFor(tenant: Tenant): PipelinedConnection | typeof newConnection | undefined {
    const { maxConnections, depth, stuckAfterMs } = this.#options
    if (!this.#options.workBudget.mayBegin(tenant, this.#usage.averageMs(tenant))) return undefined
    const mayUseMore = this.#usage.mayUseMore(tenant)
    if (mayUseMore && this.#unfinished.size < maxConnections) return newConnection
    let best: PipelinedConnection | undefined
    let least = Number.POSITIVE_INFINITY
    for (const connection of this.#connections) {
      if (!hasRoom(connection, depth, stuckAfterMs)) continue
      if (!mayUseMore && this.#usage.countOn(tenant, connection) === 0) continue
      const loadMs = loadOf(connection)
      if (loadMs < least) [best, least] = [connection, loadMs]
    }
    return best
  }

  /** Whether a statement could be sent, of whichever organization. */
  #hasRoom(): boolean {
    const { maxConnections, depth, stuckAfterMs } = this.#options
    if (this.#unfinished.size < maxConnections) return true
    return this.#connections.some((connection) => hasRoom(connection, depth, stuckAfterMs))
  }

  #send(read: Read, slot: PipelinedConnection | typeof newConnection): void {
    const connection = slot === newConnection ? this.#connect() : slot
    const expectedMs = this.#usage.averageMs(read.tenant)
    this.#usage.began(read.tenant, connection)
    this.#options.workBudget.began(read.tenant, expectedMs)
    const sent = { read, resent: false, stuck: false, expectedMs }
    if (connection.inFlight.push(sent) === 1) connection.busySinceMs = performance.now()
    connection.expectedMs += expectedMs
    this.#locked.began(read)
    connection.client
      .then((client) => send(client, read.query))
      .then(
        (answered) => {
          this.#locked.passed(read)
          const rows = answered.rowCount ?? 0
          read.resolve(answered)
          this.#done(sent, connection, rows)
        },
        (error) => this.#failed(sent, connection, error),
      )
  }

  #failed(sent: SentRead, connection: PipelinedConnection, error: Error): void {
    if (!sent.resent) sent.read.reject(error)
    if (!(error instanceof pg.DatabaseError) || endsConnection(error)) {
      // the connection's own error event comes later
      connection.retire()
    } else if (error.code === '55P03') {
      this.#locked.failed(sent.read)
      // statements behind it may wait for the same lock, one after the other
      if (connection.inFlight.length > 1) this.#abandon(connection)
    } else this.#locked.passed(sent.read)
    this.#done(sent, connection)
  }

  /** @param rows undefined when it failed */
  #done(sent: SentRead, connection: PipelinedConnection, rows?: number): void {
    const nowMs = performance.now()
    const tookMs = nowMs - connection.busySinceMs
    this.#usage.took(sent.read.tenant, tookMs)
    if (rows !== undefined && !sent.resent) sent.read.watch?.answered(sent.read.query, tookMs, rows)
    connection.inFlight.splice(connection.inFlight.indexOf(sent), 1)
    connection.expectedMs = connection.inFlight.length === 0 ? 0 : connection.expectedMs - sent.expectedMs
    connection.busySinceMs = nowMs
    connection.suspect = false
    if (!sent.resent) this.#end(sent, connection)
    this.#sendQueued()
    if (connection.inFlight.length > 0) return
    this.#releaseIdle(connection)
    this.#sendQueued()
  }

  #sendQueued(): void {
    // where nobody can be served, not each of thousands of organizations is asked in vain
    while (this.#queue.waiting > 0 && this.#hasRoom()) {
      const next = this.#queue.next(
        (tenant) => this.#connectionFor(tenant),
        (read) => !this.#locked.mustWait(read),
      )
      if (next === undefined) return
      this.#send(next.entry, next.slot)
    }
  }

  #connect(): PipelinedConnection {
    const connection = connectionOf(this.#options.connect(), (retired) => {
      if (this.#connections.includes(retired)) this.#connections.splice(this.#connections.indexOf(retired), 1)
    })
    this.#connections.push(connection)
    this.#unfinished.add(connection)
    this.#checks ??= setInterval(() => this.#checkConnections(), checkEveryMs).unref()
    return connection
  }

  #releaseIdle(connection: PipelinedConnection): void {
    const broken = !this.#connections.includes(connection)
    connection.retire()
    this.#unfinished.delete(connection)
    connection.client.then(
      (client) => {
        client.off('error', connection.retire)
        client.release(broken)
      },
      () => {},
    )
  }

  /** Abandons connections that are most likely dead too, as another one is. What they were asked is sent again, once. */
  abandonSilent(): void {
    const nowMs = performance.now()
    for (const connection of [...this.#connections]) {
      const [first] = connection.inFlight
      if (!connection.connected || !first || nowMs - connection.busySinceMs <= this.#options.stuckAfterMs) continue
      connection.retire()
      if (!first.read.repeated) this.#resend(connection, first)
      first.read.repeated = true
      this.#abandon(connection)
    }
  }

  /** Destroys the connection. What is behind its first statement is sent again on others. */
  #abandon(connection: PipelinedConnection): void {
    connection.retire()
    for (const sent of connection.inFlight.slice(1)) this.#resend(connection, sent)
    void connection.client.then((client) => client.connection.stream.destroy())
  }

  #resend(connection: PipelinedConnection, sent: SentRead): void {
    if (sent.resent || sent.read.tenant === noTenant) return
    sent.resent = true
    this.#end(sent, connection)
    this.#sendOrQueue(sent.read)
  }

  /** Looks for stuck and dead connections, as long as any is in use. */
  #checkConnections(): void {
    this.#usage.forgetIdle()
    if (this.#unfinished.size === 0) {
      clearInterval(this.#checks)
      this.#checks = undefined
    }
    const nowMs = performance.now()
    for (const connection of [...this.#unfinished].filter(({ connected }) => connected)) {
      const ageMs = nowMs - connection.busySinceMs
      if (ageMs > this.#options.deadAfterMs && connection.suspect) {
        this.#abandon(connection)
        this.#options.onDead()
      } else if (ageMs > this.#options.stuckAfterMs) {
        // only at the second check in a row: if this process was busy, the answer may be there and not read yet
        connection.suspect = ageMs > this.#options.deadAfterMs
        for (const sent of connection.inFlight.slice(1)) this.#resend(connection, sent)
        this.#setStuckAside(connection)
      }
    }
  }

  /** Stops counting a read that most likely waits for a lock: it uses no processor, so its organization may send others. */
  #setStuckAside({ inFlight: [first] }: PipelinedConnection): void {
    if (first === undefined || first.stuck || first.resent) return
    first.stuck = true
    this.#options.workBudget.ended(first.read.tenant, first.expectedMs)
  }

  #end({ read, stuck, expectedMs }: SentRead, connection: PipelinedConnection): void {
    this.#usage.ended(read.tenant, connection)
    this.#locked.ended(read)
    if (!stuck) this.#options.workBudget.ended(read.tenant, expectedMs)
  }
}

const newConnection = 'further'
const checkEveryMs = 100
