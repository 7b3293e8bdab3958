import type pg from 'pg'
import type { Db } from '../db.ts'
import { type Sql, sql } from '../sql.ts'
import { isAtWork, terminate } from './backends.ts'
import { Connections } from './connections.ts'
import { endsConnection, isDatabaseError, isDiskFailure } from './failures.ts'
import { listenTo } from './listening.ts'
import { OpenTransaction } from './open-transaction.ts'
import { onceASecond, readOnlyCheck, readOnlyQuery } from './read-only.ts'
import { sessionSettings } from './session.ts'
import { watchForSilence } from './silence.ts'
import type { StatementWatch } from './statement-watch.ts'
import { prepared, type StatementLimits, send, sendReport, takeRows } from './statements.ts'
import type { Transaction, TransactionalDb } from './transaction.ts'

export type { Transaction, TransactionalDb } from './transaction.ts'

export interface DatabaseOptions {
  connection: pg.ClientConfig
  /** most connections in all, four or more */
  poolSize?: number
  /** number of requests that may wait for a connection of each pool */
  maxWaiting?: number
  /** how long a request waits for a connection before it fails */
  waitTimeoutMs?: number
  /** how long a statement waits for a lock before it fails with 55P03 */
  lockTimeoutMs?: number
  /** how long a statement may take before it fails with 57014 */
  statementTimeoutMs?: number
  /** how long a transaction may take in all before it is rolled back and fails with TOOK_LONG */
  transactionTimeoutMs?: number
  /** how long the database may take to respond before its connection counts as dead */
  answerTimeoutMs?: number
  /** the same for BEGIN, ROLLBACK and the server's own statements, which take no time */
  promptTimeoutMs?: number
  /** after this time without a response, another connection asks whether the database still works on the write */
  askAfterMs?: number
  onIdleError?: (error: Error) => void
}

/** The purpose of a pool. `own` is for the server's own statements. */
type PoolKind = 'reads' | 'writes' | 'own'

/** PostgreSQL as this server uses it: three pools, prepared statements, cheap parsers, pipelined transactions. */
export class Database implements TransactionalDb {
  readonly #options: DatabaseOptions
  readonly #connections: Connections
  readonly #pools: Record<PoolKind, pg.Pool>
  readonly #isReadOnlyNow: () => Promise<boolean>
  /** whether a disk failure stopped the last write */
  #diskFails = false
  /** observes the statements that no other watch observes */
  watch: StatementWatch | undefined
  /** for the server's own statements, such as authentication: they never wait behind pages, and their limits are short */
  readonly own: Db

  constructor(options: DatabaseOptions) {
    this.#options = options
    const { connection, onIdleError, maxWaiting = 1_000, waitTimeoutMs = 5_000 } = options
    this.#isReadOnlyNow = readOnlyCheck(connection)
    this.#connections = new Connections({ connection, onIdleError, maxWaiting, waitTimeoutMs })
    this.#pools = this.#openPools()
    this.own = reading((statement) => this.#read('own', statement, this.watch))
  }

  #openPools(): Record<PoolKind, pg.Pool> {
    const { poolSize = 24, lockTimeoutMs, promptTimeoutMs } = this.#options
    const { reads, writes } = sessionSettings
    const own = Math.max(1, Math.floor(poolSize / 12))
    const half = Math.floor((poolSize - own) / 2)
    const page = { ...this.#limits(5_000), lockTimeoutMs: lockTimeoutMs ?? 1_000 }
    const write = { ...this.#limits(15_000), lockTimeoutMs: lockTimeoutMs ?? 3_000 }
    const look = { ...page, ...this.#limits(3_000, promptTimeoutMs) }
    const connections = this.#connections
    return {
      reads: connections.pool(poolSize - own - half, reads, page),
      writes: connections.pool(half, writes, write),
      own: connections.pool(own, reads, look),
    }
  }

  /** The default limits of a statement and of its response. */
  #limits(ms: number, answerMs = this.#options.answerTimeoutMs): StatementLimits {
    const { statementTimeoutMs = ms } = this.#options
    return { statementTimeoutMs, answerTimeoutMs: answerMs ?? statementTimeoutMs + 1_000 }
  }

  rows<Row>(statement: Sql): Promise<Row[]> {
    return this.#read('reads', statement, this.watch)
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.rows<Row>(statement))[0]
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#transaction(work, this.watch)
  }

  /** The same database, with a watch that observes its statements. */
  watchedBy(watch: StatementWatch | undefined): TransactionalDb {
    if (watch === undefined) return this
    return {
      ...reading((statement) => this.#read('reads', statement, watch)),
      transaction: (work) => this.#transaction(work, watch),
    }
  }

  async #read<Row>(kind: 'reads' | 'own', statement: Sql, watch: StatementWatch | undefined): Promise<Row[]> {
    const client = await this.#connections.checkOut(this.#pools[kind])
    let broken = false
    try {
      const query = prepared(statement)
      const sentMs = performance.now()
      const answered = await (statement.customPlan
        ? sendReport(client, query, this.#limits(15_000))
        : send(client, query))
      watch?.answered(query, performance.now() - sentMs, answered.rowCount ?? 0)
      return takeRows(answered)
    } catch (error) {
      broken = endsConnection(error)
      if (!isDatabaseError(error)) this.#connections.distrust()
      throw error
    } finally {
      // the end of a report's transaction may have failed
      this.#connections.checkIn(client, broken || client.getTransactionStatus() !== 'I')
    }
  }

  async #transaction<T>(work: (tx: Transaction) => Promise<T>, watch: StatementWatch | undefined): Promise<T> {
    const { transactionTimeoutMs = 15_000, answerTimeoutMs = 4_000, askAfterMs = 4_000 } = this.#options
    const client = await this.#connections.checkOut(this.#pools.writes)
    // BEGIN and ROLLBACK take no time: if there is no response, the database is gone
    const tx = new OpenTransaction(client, this.#options.promptTimeoutMs ?? answerTimeoutMs, watch)
    const endWatch = watchForSilence({
      waitedMs: () => tx.waitedMs,
      isAtWork: () => isAtWork(client, this.own),
      onSilent: () => client.connection.stream.destroy(),
      askAfterMs,
    })
    let [broken, late] = [false, false]
    const deadline = setTimeout(() => {
      late = true
      terminate(client, this.own)
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
      this.#connections.checkIn(client, broken)
    }
  }

  /**
   * Whether the database takes writes. A standby does not. The check uses the pool `own`, as a slow page or a locked table says
   * nothing about the database. After a disk failure it tries a write.
   * @throws if the database does not answer
   */
  async takesWrites(): Promise<boolean> {
    if (this.#diskFails) await this.#tryWrite()
    const answer = await this.own.row<{ only: boolean }>(readOnlyQuery)
    return !this.#diskFails && (!answer?.only || !(await this.#isReadOnlyNow()))
  }

  readonly #tryWrite = onceASecond(() =>
    this.transaction((tx) => tx.rows(sql`update instance set secret = secret`)).catch(() => {}),
  )

  /** Calls back on every NOTIFY on the channel, and with undefined when some may have been missed. @returns how to stop it */
  listen(channel: string, onNotify: (payload: string | undefined) => void): Promise<() => Promise<void>> {
    return listenTo(this.#options.connection, { channel, onNotify, onFailure: this.#options.onIdleError })
  }

  /** For each pool: its connections, the idle ones among them, its limit, and the requests that wait. */
  get pools() {
    return Object.entries(this.#pools).map(([kind, { totalCount, idleCount, options, waitingCount }]) => {
      return { kind, total: totalCount, idle: idleCount, most: options.max, waiting: waitingCount }
    })
  }

  /** The sizes of the pools for reads and for transactions. */
  get connectionsFor(): { reads: number; writes: number } {
    return { reads: this.#pools.reads.options.max, writes: this.#pools.writes.options.max }
  }
  /** Settings for a connection outside of the pools; `destroySockets` destroys such a connection too. */
  get connectionConfig(): pg.ClientConfig {
    return this.#connections.config
  }

  close(): Promise<void> {
    return this.#connections.close()
  }

  /** Destroys all connections, even with statements in flight. */
  destroySockets(): void {
    this.#connections.destroySockets()
  }
}

const reading = (rows: Db['rows']): Db => ({ rows, row: async (statement) => (await rows(statement))[0] as never })

const tookLong = (cause: unknown) =>
  Object.assign(new Error('The transaction took too long', { cause }), { code: 'TOOK_LONG' })
