import type pg from 'pg'
import { isAtWork, terminate } from './backends.ts'
import { ConnectionQuota } from './connection-quota.ts'
import { Connections } from './connections.ts'
import type { Db } from './db.ts'
import { isDiskFailure } from './failures.ts'
import type { Tenant } from './fair-queue.ts'
import { listenTo } from './listening.ts'
import { OpenTransaction } from './open-transaction.ts'
import type { PipelinedPool } from './pipelined-pool.ts'
import { onceASecond, readOnlyCheck, readOnlyQuery } from './read-only.ts'
import { ReadPools } from './read-pools.ts'
import { sessionSettings } from './session.ts'
import { watchForSilence } from './silence.ts'
import { type Sql, sql } from './sql.ts'
import type { StatementWatch } from './statement-watch.ts'
import { prepared, takeRows } from './statements.ts'
import { type Purpose, type TenantDatabase, TenantReads, TenantReadsAndWrites } from './tenant-database.ts'
import type { Transaction } from './transaction.ts'
import { ActiveTenants, noTenant } from './work-budget.ts'

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

/** PostgreSQL, as this server uses it: named statements, light parsers, pipelined transactions. */
export class Database implements TenantDatabase {
  readonly #readPools: ReadPools
  /** for transactions */
  readonly #writes: pg.Pool
  /** whose transactions have these */
  readonly #quota: ConnectionQuota
  readonly #connections: Connections
  readonly lookUps: Db
  readonly ownLookUps: Db
  /** is told of statements of which nobody else is */
  watch: StatementWatch | undefined
  readonly #options: DatabaseOptions
  readonly #isReadOnlyNow: () => Promise<boolean>
  /** whether the last write failed because of the disk */
  #diskFails = false

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.#isReadOnlyNow = readOnlyCheck(options.connection)
    this.#connections = new Connections({
      connection: options.connection,
      waitTimeoutMs: this.#queueOptions.waitTimeoutMs,
      onIdleError: options.onIdleError,
    })
    const { poolSize = 24 } = options
    const activeTenants = new ActiveTenants()
    this.#readPools = new ReadPools({
      ...options,
      ...this.#queueOptions,
      ...{ connections: this.#connections, activeTenants, poolSize },
    })
    const writes = poolSize - this.#readPools.most
    const { statementTimeoutMs = 15_000, lockTimeoutMs = 3_000, answerTimeoutMs = 16_000 } = options
    const limits = { statementTimeoutMs, lockTimeoutMs }
    this.#writes = this.#connections.pool(writes, sessionSettings.writes, { ...limits, answerTimeoutMs })
    this.#quota = new ConnectionQuota({
      connections: writes,
      activeTenants,
      ...this.#queueOptions,
    })
    const { lookUps, ownLookUps } = this.#readPools
    this.lookUps = new TenantReads(lookUps, lookUps, noTenant)
    this.ownLookUps = new TenantReads(ownLookUps, ownLookUps, noTenant)
  }

  get #queueOptions() {
    const { maxWaiting = 1_000, waitTimeoutMs = 5_000 } = this.#options
    return { maxWaiting, waitTimeoutMs }
  }

  /** The database as this organization uses it, or whoever has shown no key yet. */
  forTenant(tenant: Tenant, { watch = this.watch, operation }: Purpose = {}): TenantDatabase {
    const lookUpsOn = (pool: PipelinedPool) => new TenantReads(pool, pool, tenant, watch)
    const transaction: TenantDatabase['transaction'] = (work) => this.#transaction(work, tenant, { watch, operation })
    const { reads, customPlanReads } = this.#readPools
    const lookUps = lookUpsOn(this.#readPools.lookUps)
    const ownLookUps = lookUpsOn(this.#readPools.ownLookUps)
    return new TenantReadsAndWrites(reads, customPlanReads, tenant, { lookUps, ownLookUps, transaction }, watch)
  }

  async rows<Row>(statement: Sql): Promise<Row[]> {
    const pool = statement.customPlan ? this.#readPools.customPlanReads : this.#readPools.reads
    return takeRows(await pool.query(prepared(statement), noTenant, this.watch))
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.rows<Row>(statement))[0]
  }

  /**
   * Runs `work` in one read-committed transaction. BEGIN travels with its first statement; what it `send`s last travels
   * with COMMIT. Whatever `work` throws undoes everything that it did.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#transaction(work, noTenant, { watch: this.watch })
  }

  #transaction<T>(work: (tx: Transaction) => Promise<T>, tenant: Tenant, { watch, operation }: Purpose): Promise<T> {
    return this.#quota.run(tenant, () => this.#runTransaction(work, tenant, watch), operation)
  }

  async #runTransaction<T>(
    work: (tx: Transaction) => Promise<T>,
    tenant: Tenant,
    watch: StatementWatch | undefined,
  ): Promise<T> {
    const { transactionTimeoutMs = 15_000, answerTimeoutMs = 4_000, askAfterMs = 4_000 } = this.#options
    const client = await this.#connections.checkOut(this.#writes)
    // BEGIN and ROLLBACK take no time: without an answer the database is gone
    const tx = new OpenTransaction(client, this.#options.promptTimeoutMs ?? answerTimeoutMs, tenant, watch)
    const endWatch = watchForSilence({
      waitedMs: () => tx.waitedMs,
      isAtWork: () => isAtWork(client, this.#readPools.ownLookUps),
      onSilent: () => client.connection.stream.destroy(),
      askAfterMs,
    })
    let [broken, late] = [false, false]
    const deadline = setTimeout(() => {
      late = true
      terminate(client, this.#readPools.ownLookUps)
    }, transactionTimeoutMs)
    try {
      const result = await work(tx)
      clearTimeout(deadline)
      await tx.commit()
      this.#diskFails = false
      return result
    } catch (error) {
      clearTimeout(deadline)
      if (isDiskFailure(error)) this.#diskFails = true
      broken = !(await tx.rollBack())
      if (late) throw tookLong(error)
      if (broken && !tx.lost) this.#connections.distrust()
      throw error
    } finally {
      endWatch()
      client.release(broken)
    }
  }

  /**
   * Whether the database takes writes, or is read-only as a standby is. It is asked where the server looks up what it must know
   * itself, under a name of its own: a slow page, or a table that is locked, says nothing about the database. Once the disk has
   * failed a write, a write is tried.
   */
  async takesWrites(): Promise<boolean> {
    if (this.#diskFails) await this.#tryWrite()
    if (this.#diskFails) return false
    const answer = await this.forTenant(readinessCheck).ownLookUps.row<{ only: boolean }>(readOnlyQuery)
    return !answer?.only || !(await this.#isReadOnlyNow())
  }

  readonly #tryWrite = onceASecond(() =>
    this.transaction((tx) => tx.rows(sql`update instance set secret = secret`)).catch(() => {}),
  )

  /** Calls back on every NOTIFY on the channel, and with undefined when some may have been missed. */
  listen(channel: string, onNotify: (payload: string | undefined) => void): Promise<() => Promise<void>> {
    return listenTo(this.#options.connection, { channel, onNotify, onFailure: this.#options.onIdleError })
  }

  /** Of each kind of pool: how many connections it has and may have, how many of them idle, and how much waits for one. */
  get pools() {
    const writes = {
      kind: 'writes',
      pgPool: this.#writes,
      waiting: this.#quota.waiting,
    } as const
    return [...this.#readPools.each, writes].map(({ kind, pgPool: { totalCount, idleCount, options }, waiting }) => {
      return { kind, total: totalCount, idle: idleCount, most: options.max, waiting }
    })
  }

  /** How many connections there are at most for what requests read, and for their transactions. */
  get connectionsFor(): { reads: number; writes: number } {
    const [writes, own] = ['writes', 'own'].map((name) => this.pools.find(({ kind }) => kind === name)?.most ?? 0)
    const all = this.pools.reduce((sum, { most }) => sum + most, 0)
    return { reads: all - (writes ?? 0) - (own ?? 0), writes: writes ?? 0 }
  }

  /** How many connections there are, idle and asked for. */
  get connectionCounts() {
    return { ...this.#connections.counts, waiting: this.pools.reduce((sum, { waiting }) => sum + waiting, 0) }
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
