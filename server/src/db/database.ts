import type pg from 'pg'
import { ConnectionQuota } from './connection-quota.ts'
import { Connections } from './connections.ts'
import type { Db } from './db.ts'
import type { Tenant } from './fair-queue.ts'
import { listenTo } from './listening.ts'
import { OpenTransaction } from './open-transaction.ts'
import { PipelinedPool } from './pipelined-pool.ts'
import { readOnlyCheck, readOnlyQuery } from './read-only.ts'
import { type SessionSettings, sessionSettings } from './session.ts'
import { SharedTransactions } from './shared-transactions.ts'
import { watchForSilence } from './silence.ts'
import { type Sql, sql } from './sql.ts'
import type { StatementWatch } from './statement-watch.ts'
import { prepared, takeRows } from './statements.ts'
import {
  type Purpose,
  type TenantDatabase,
  TenantReads,
  TenantReadsAndWrites,
  type TransactionOptions,
} from './tenant-database.ts'
import type { Transaction } from './transaction.ts'
import { ActiveTenants, noTenant, WorkBudget } from './work-budget.ts'

export type { TenantDatabase } from './tenant-database.ts'
export type { Transaction } from './transaction.ts'

export interface DatabaseOptions {
  connection: pg.ClientConfig
  /** connections at most, four or more */
  poolSize?: number
  /** how many statements may wait for a pool: all of one organization, half of them each where two wait, and so on */
  maxWaiting?: number
  /** how long one waits for a connection before it fails with ETIMEDOUT */
  waitTimeoutMs?: number
  /** how long a statement waits for a lock before it fails with 55P03 */
  lockTimeoutMs?: number
  /** how long a statement takes before it fails with 57014 */
  statementTimeoutMs?: number
  /** how long a transaction may take in all before it is rolled back and fails with TOOK_LONG */
  transactionTimeoutMs?: number
  /** how long the database may take to answer before its connection counts as dead */
  answerTimeoutMs?: number
  /** the same for BEGIN, ROLLBACK and look-ups, which take no time */
  promptTimeoutMs?: number
  /** after how long without an answer it is asked elsewhere whether the database is still at work on a write */
  askAfterMs?: number
  /** called when a connection breaks while it is idle */
  onIdleError?: (error: Error) => void
}

/** What connections are for; `reports` are reads that are planned for their values: searches too. */
type PoolKind = 'reads' | 'reports' | 'look-ups' | 'writes'

/** What the statements of a pool may take. */
interface PoolLimits {
  depth: number
  stuckAfterMs: number
  statementTimeoutMs: number
  workBudget: WorkBudget
  answerTimeoutMs?: number | undefined
}

/** PostgreSQL, as this server uses it: named statements, light parsers, pipelined transactions. */
export class Database implements TenantDatabase {
  /** for reads, each one statement: with few at a time they finish sooner, and writes keep their connections */
  readonly #reads: PipelinedPool
  /** for reads with custom plans: searches and reports, which may take long */
  readonly #customPlanReads: PipelinedPool
  /** for look-ups by a key, which are always short */
  readonly #lookUps: PipelinedPool
  /** for transactions */
  readonly #writes: pg.Pool
  readonly #activeTenants = new ActiveTenants()
  /** what each organization reads */
  readonly #readBudget = new WorkBudget(readBudgetMs, this.#activeTenants)
  /** of its own, as others wait for look-ups: each key is looked up every second, some writes by the way */
  readonly #lookUpBudget = new WorkBudget(readBudgetMs, this.#activeTenants)
  /** whose transactions have these */
  readonly #quota: ConnectionQuota
  readonly #shared: SharedTransactions
  readonly #connections: Connections
  readonly #pgPools = new Map<PoolKind, pg.Pool>()
  readonly lookUps: Db
  /** is told of statements of which nobody else is */
  watch: StatementWatch | undefined
  readonly #options: DatabaseOptions
  readonly #isReadOnlyNow: () => Promise<boolean>

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.#isReadOnlyNow = readOnlyCheck(options.connection)
    this.#connections = new Connections({
      connection: options.connection,
      waitTimeoutMs: this.#queueOptions.waitTimeoutMs,
      onIdleError: options.onIdleError,
    })
    const { poolSize = 24 } = options
    const [reads, customPlan, lookUps] = [Math.ceil(poolSize / 5), Math.ceil(poolSize / 6), Math.ceil(poolSize / 8)]
    const writes = poolSize - reads - customPlan - lookUps
    this.#reads = this.#pipelinedPool('reads', reads, sessionSettings.genericPlan, {
      depth: 3,
      stuckAfterMs: 500,
      statementTimeoutMs: 5_000,
      workBudget: this.#readBudget,
    })
    this.#customPlanReads = this.#pipelinedPool('reports', customPlan, sessionSettings.customPlan, {
      depth: 1,
      stuckAfterMs: 500,
      statementTimeoutMs: 15_000,
      workBudget: this.#readBudget,
    })
    this.#lookUps = this.#pipelinedPool('look-ups', lookUps, sessionSettings.genericPlan, {
      depth: 64,
      stuckAfterMs: 200,
      statementTimeoutMs: 3_000,
      workBudget: this.#lookUpBudget,
      answerTimeoutMs: options.promptTimeoutMs,
    })
    const { statementTimeoutMs = 15_000, lockTimeoutMs = 3_000, answerTimeoutMs = 16_000 } = options
    const limits = { statementTimeoutMs, lockTimeoutMs }
    this.#writes = this.#connections.pool(writes, sessionSettings.writes, { ...limits, answerTimeoutMs })
    this.#quota = new ConnectionQuota({
      connections: writes,
      activeTenants: this.#activeTenants,
      ...this.#queueOptions,
    })
    this.#shared = new SharedTransactions({
      limits,
      run: (tenant, work) => this.#quota.run(tenant, () => this.#runTransaction(work, tenant)),
      ...this.#queueOptions,
    })
    this.#pgPools.set('writes', this.#writes)
    this.lookUps = new TenantReads(this.#lookUps, this.#lookUps, noTenant)
  }

  #pipelinedPool(
    kind: PoolKind,
    maxConnections: number,
    session: SessionSettings,
    { depth, stuckAfterMs, workBudget, answerTimeoutMs = this.#options.answerTimeoutMs, ...limits }: PoolLimits,
  ): PipelinedPool {
    const { lockTimeoutMs = 1_000, statementTimeoutMs = limits.statementTimeoutMs } = this.#options
    const pool = this.#connections.pool(maxConnections, session, { statementTimeoutMs, lockTimeoutMs })
    this.#pgPools.set(kind, pool)
    const connect = () => this.#connections.checkOut(pool)
    const onDead = () => {
      this.#connections.distrust()
      for (const other of [this.#reads, this.#customPlanReads, this.#lookUps]) other.abandonSilent()
    }
    const deadAfterMs = answerTimeoutMs ?? statementTimeoutMs + 1_000
    return new PipelinedPool({
      connect,
      maxConnections,
      workBudget,
      depth,
      stuckAfterMs,
      deadAfterMs,
      onDead,
      ...this.#queueOptions,
    })
  }

  get #queueOptions() {
    const { maxWaiting = 1_000, waitTimeoutMs = 5_000 } = this.#options
    return { maxWaiting, waitTimeoutMs }
  }

  /** The database as this organization uses it, or whoever has shown no key yet. */
  forTenant(tenant: Tenant, { watch = this.watch, operation }: Purpose = {}): TenantDatabase {
    const lookUps = new TenantReads(this.#lookUps, this.#lookUps, tenant, watch)
    const transaction: TenantDatabase['transaction'] = (work, options) =>
      this.#transaction(work, tenant, options, { watch, operation })
    return new TenantReadsAndWrites(this.#reads, this.#customPlanReads, tenant, { lookUps, transaction }, watch)
  }

  async rows<Row>(statement: Sql): Promise<Row[]> {
    const pool = statement.customPlan ? this.#customPlanReads : this.#reads
    return takeRows(await pool.query(prepared(statement), noTenant, this.watch))
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.rows<Row>(statement))[0]
  }

  /**
   * Runs `work` in one read-committed transaction. BEGIN travels with its first statement; what it `send`s last travels
   * with COMMIT. Whatever `work` throws undoes everything that it did.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.#transaction(work, noTenant, options, { watch: this.watch })
  }

  async #transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    tenant: Tenant,
    { mayShare = false }: TransactionOptions = {},
    { watch, operation }: Purpose,
  ): Promise<T> {
    const watched = (part: Transaction) => work(Object.assign(part, { watch }))
    const act = () => this.#runTransaction((open) => watched(open.whole()), tenant)
    const byItself = () => this.#quota.run(tenant, act, operation)
    return mayShare ? this.#shared.run(tenant, watched, byItself) : byItself()
  }

  async #runTransaction<T>(work: (open: OpenTransaction) => Promise<T>, tenant: Tenant): Promise<T> {
    const { transactionTimeoutMs = 15_000, answerTimeoutMs = 4_000, askAfterMs = 4_000 } = this.#options
    const client = await this.#connections.checkOut(this.#writes)
    // BEGIN and ROLLBACK take no time: without an answer the database is gone
    const tx = new OpenTransaction(client, this.#options.promptTimeoutMs ?? answerTimeoutMs, tenant)
    const endWatch = watchForSilence({
      waitedMs: () => tx.waitedMs,
      isAtWork: () => this.#isAtWork(client),
      onSilent: () => client.connection.stream.destroy(),
      askAfterMs,
    })
    let [broken, late] = [false, false]
    const deadline = setTimeout(() => {
      late = true
      this.#terminate(client)
    }, transactionTimeoutMs)
    try {
      const result = await work(tx)
      clearTimeout(deadline)
      await this.#shared.commit(tenant, () => tx.commit())
      return result
    } catch (error) {
      clearTimeout(deadline)
      broken = !(await tx.rollBack())
      if (late) throw tookLong(error)
      if (broken && !tx.lost) this.#connections.distrust()
      throw error
    } finally {
      endWatch()
      client.release(broken)
    }
  }

  async #isAtWork(client: pg.PoolClient): Promise<boolean> {
    const { processID } = client as unknown as { processID: number }
    // a backend says nothing of its state where `track_activities` is off
    const atWork = sql`
      select from pg_stat_activity where pid = ${processID}::integer and coalesce(state, '') not like 'idle%'`
    return (await this.#lookUps.query(prepared(atWork))).rowCount === 1
  }

  /** Destroys a connection and ends its backend, which would otherwise notice only when it sends its next answer. */
  #terminate(client: pg.PoolClient): void {
    client.connection.stream.destroy()
    const { processID } = client as unknown as { processID: number }
    // the type is said, as Citus has one for numbers of all nodes
    this.#lookUps.query({ text: 'select pg_terminate_backend($1::integer)', values: [processID] }).catch(() => {})
  }

  /**
   * Whether the database takes writes, or is read-only as a standby is. It is asked in the pool of look-ups, where nothing
   * takes long, under a name of its own, so that it is resent when it is stuck: a slow page says nothing about the database.
   */
  async takesWrites(): Promise<boolean> {
    const answer = await this.forTenant(readinessCheck).lookUps.row<{ only: boolean }>(readOnlyQuery)
    return !answer?.only || !(await this.#isReadOnlyNow())
  }

  /** Calls back on every NOTIFY on the channel, and with undefined when some may have been missed. */
  listen(channel: string, onNotify: (payload: string | undefined) => void): Promise<() => Promise<void>> {
    return listenTo(this.#options.connection, { channel, onNotify, onFailure: this.#options.onIdleError })
  }

  /** Of each kind of pool: how many connections it has and may have, how many of them idle, and how much waits for one. */
  get pools() {
    const waiting: Record<PoolKind, number> = {
      reads: this.#reads.waiting,
      reports: this.#customPlanReads.waiting,
      'look-ups': this.#lookUps.waiting,
      writes: this.#quota.waiting + this.#shared.waiting,
    }
    return [...this.#pgPools].map(([kind, { totalCount, idleCount, options }]) => {
      return { kind, total: totalCount, idle: idleCount, most: options.max, waiting: waiting[kind] }
    })
  }

  /** How many connections there are, idle and asked for. */
  get connectionCounts() {
    return { ...this.#connections.counts, waiting: this.#waitingCount }
  }

  /** How many transactions were shared, how many writes were done in them, and how many had to run by themselves after all. */
  get sharedCounts(): Readonly<SharedTransactions['counts']> {
    return this.#shared.counts
  }

  get #waitingCount(): number {
    return (
      this.#reads.waiting +
      this.#customPlanReads.waiting +
      this.#lookUps.waiting +
      this.#quota.waiting +
      this.#shared.waiting
    )
  }

  /** How to connect outside of the pools; `destroySockets` destroys such a connection too. */
  get connectionConfig(): pg.ClientConfig {
    return this.#connections.config
  }

  close(): Promise<void> {
    return this.#connections.close()
  }

  /** Destroys all connections, whatever is in flight on them. */
  destroySockets(): void {
    this.#connections.destroySockets()
  }
}

const readinessCheck: Tenant = 'readiness'

const tookLong = (cause: unknown) =>
  Object.assign(new Error('The transaction took too long', { cause }), { code: 'TOOK_LONG' })

// a wait that others do not notice
const readBudgetMs = 6
