import { Socket } from 'node:net'
import pg from 'pg'
import { Lanes } from './lanes.ts'
import { listening } from './listening.ts'
import { type Load, loaded } from './load.ts'
import { settings, types, withSettings } from './session.ts'
import { cut, gatheringSocket, seenOff } from './socket.ts'
import type { Sql } from './sql.ts'

/** What a handler may do with the database: ask. */
export interface Db {
  rows<Row>(statement: Sql): Promise<Row[]>
  row<Row>(statement: Sql): Promise<Row | undefined>
}

export interface DatabaseOptions {
  connection: pg.ClientConfig
  /** connections at most, four or more */
  poolSize?: number
  /** how many requests may wait for a connection before more are turned away */
  mostWaiting?: number
  /** how long whoever waits for a connection does so before it fails with ETIMEDOUT */
  patienceMs?: number
  /** how long a statement waits for a lock before it fails with 55P03 */
  lockTimeoutMs?: number
  /** how long a statement takes before it fails with 57014 */
  statementTimeoutMs?: number
  /** how long the database may take to answer before its connection is given up */
  answerTimeoutMs?: number
  /** told about connections that broke while idle */
  onIdleError?: (error: Error) => void
}

/** PostgreSQL, as this server uses it: named statements, light parsers, pipelined transactions. */
export class Database implements Db {
  /** for reads that are one statement: fewer at once are done sooner, and none takes a connection of a write */
  readonly #reads: Lanes
  /** for those of them that are planned anew: searches and reports, which may take long */
  readonly #readsAnew: Lanes
  /** for look-ups by a key, which are always short */
  readonly #lookUps: Lanes
  /** for transactions */
  readonly #writes: pg.Pool
  readonly #pools: pg.Pool[] = []
  readonly #sockets = new Set<Socket>()
  readonly lookUps: Db
  readonly #options: DatabaseOptions

  constructor(options: DatabaseOptions) {
    this.#options = options
    const { poolSize = 20 } = options
    const [reads, anew, lookUps] = [Math.ceil(poolSize / 5), Math.ceil(poolSize / 5), Math.ceil(poolSize / 10)]
    this.#reads = this.#lanes(reads, settings.kept, 3)
    this.#readsAnew = this.#lanes(anew, settings.anew, 1)
    this.#lookUps = this.#lanes(lookUps, settings.kept, 64)
    this.#writes = this.#connections(poolSize - reads - anew - lookUps, settings.kept)
    this.lookUps = asking((asked) => this.#lookUps.query(asked))
  }

  #lanes(most: number, options: string, deep: number): Lanes {
    return new Lanes({ pool: this.#connections(most, options), deep, patienceMs: this.#patienceMs })
  }

  get #patienceMs(): number {
    return this.#options.patienceMs ?? 5_000
  }

  #connections(most: number, options: string): pg.Pool {
    const { connection, lockTimeoutMs, statementTimeoutMs, answerTimeoutMs, onIdleError } = this.#options
    const pool = new pg.Pool({
      ...withSettings(connection, options),
      max: most,
      pipeline: true,
      types,
      stream: () => this.#noted(gatheringSocket()),
      connectionTimeoutMillis: this.#patienceMs,
      idleTimeoutMillis: 60_000,
      statement_timeout: statementTimeoutMs ?? 15_000,
      lock_timeout: lockTimeoutMs ?? 10_000,
      idle_in_transaction_session_timeout: 15_000,
      // of this side, for a database that can no longer say so: a machine that hangs, a network that lost it
      query_timeout: answerTimeoutMs ?? 30_000,
      keepAlive: true,
      application_name: 'taskwright',
    })
    pool.on('error', (error) => onIdleError?.(error))
    // one that breaks in use fails its statements; without a listener it would end the process too
    pool.on('connect', (client) => client.on('error', () => {}))
    this.#pools.push(pool)
    return pool
  }

  async rows<Row>(statement: Sql): Promise<Row[]> {
    const lanes = statement.anew ? this.#readsAnew : this.#reads
    return takenFrom(await lanes.query(prepared(statement)))
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.rows<Row>(statement))[0]
  }

  /**
   * Runs `work` in one read-committed transaction. BEGIN travels with its first statement; what it `send`s last travels
   * with COMMIT. Whatever `work` throws undoes everything.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#writes.connect()
    const tx = new Transaction(client)
    let broken = false
    try {
      tx.send(begin)
      const result = await work(tx)
      await tx.commit()
      return result
    } catch (error) {
      broken = await client.query('rollback').then(
        () => false,
        () => true,
      )
      throw error
    } finally {
      client.release(broken)
    }
  }

  /** Calls back on every NOTIFY on the channel, and with undefined when some may have been missed. */
  listen(channel: string, heard: (payload: string | undefined) => void): Promise<() => Promise<void>> {
    return listening(this.#options.connection, channel, heard)
  }

  /** Runs work on very many rows in one transaction of its own. */
  bulk<T>(work: (load: Load) => Promise<T>): Promise<T> {
    return loaded({ ...this.#options.connection, stream: () => this.#noted(new Socket()) }, work)
  }

  /** Whether so many wait already that who comes now would wait for long. */
  get crowded(): boolean {
    return this.#waiting >= (this.#options.mostWaiting ?? 1_000)
  }

  /** How many connections there are, idle and asked for. */
  get load() {
    return { total: this.#sum('totalCount'), idle: this.#sum('idleCount'), waiting: this.#waiting }
  }

  get #waiting(): number {
    return this.#reads.waiting + this.#readsAnew.waiting + this.#lookUps.waiting + this.#writes.waitingCount
  }

  #sum(count: 'totalCount' | 'idleCount'): number {
    return this.#pools.reduce((sum, pool) => sum + pool[count], 0)
  }

  async close(): Promise<void> {
    await seenOff(Promise.all(this.#pools.map((pool) => pool.end())), this.#sockets)
  }

  /** Breaks all connections, whatever is under way on them. */
  cut(): void {
    cut(this.#sockets)
  }

  #noted(socket: Socket): Socket {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    return socket
  }
}

/** One transaction on one connection. Statements are pipelined: sent at once, answered in order. */
export class Transaction implements Db {
  readonly #client: pg.PoolClient
  #gate: Promise<void> = Promise.resolve()
  #failure: unknown

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  async rows<Row>(statement: Sql): Promise<Row[]> {
    const answered = this.#client.query(prepared(statement))
    answered.catch(() => {})
    await this.#gate
    return takenFrom(await answered)
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.rows<Row>(statement))[0]
  }

  /** Sends a statement without waiting for it; should it fail, COMMIT reports the failure. */
  send(statement: Sql | string): void {
    const query = typeof statement === 'string' ? statement : prepared(statement)
    this.#client.query(query as pg.QueryConfig).catch((error: unknown) => {
      this.#failure ??= error
    })
  }

  /** Until the gate opens no result is given out; when it fails, every result is its failure. */
  gate(opened: Promise<void>): void {
    opened.catch(() => {})
    this.#gate = opened
  }

  /** PostgreSQL answers COMMIT of a failed transaction with success and the tag ROLLBACK, so the tag decides. */
  async commit(): Promise<void> {
    const { command } = await this.#client.query('commit')
    if (command !== 'COMMIT') throw this.#failure ?? new Error(`COMMIT was answered with ${command}`)
  }
}

/** Answers by one way of sending statements. */
function asking(query: (asked: pg.QueryConfig) => Promise<pg.QueryResult>): Db {
  const rows = async <Row>(statement: Sql) => takenFrom<Row>(await query(prepared(statement)))
  return { rows, row: async <Row>(statement: Sql) => (await rows<Row>(statement))[0] }
}

/**
 * The rows of an answer, taken out of it. What the driver and its pool made for a query hangs together with that of the
 * next one, and so outlives it in the garbage collector's eyes: with the rows of a page in it, each page was copied twice
 * and kept until the next full collection.
 */
function takenFrom<Row>(answered: pg.QueryResult): Row[] {
  const { rows } = answered
  answered.rows = []
  return rows as Row[]
}

const begin = 'begin isolation level read committed'

const names = new Map<string, string>()

// each keeps about 100 kB on each connection
const mostNamed = 250

/**
 * A statement under a name of its own, so that PostgreSQL parses it once per connection; without one when it is planned
 * anew, and the many-th.
 */
function prepared(statement: Sql): pg.QueryConfig {
  const { text, anew } = statement
  let name = names.get(text)
  if (name === undefined && names.size < mostNamed && !anew) {
    name = `s${names.size + 1}`
    names.set(text, name)
  }
  const values = [...statement.values]
  return name === undefined ? { text, values } : { name, text, values }
}
