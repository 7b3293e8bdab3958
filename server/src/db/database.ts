import { Socket } from 'node:net'
import pg from 'pg'
import type { Db } from './db.ts'
import { Lanes } from './lanes.ts'
import { listening } from './listening.ts'
import { asksAnew, readingOnly } from './only-reads.ts'
import { type Settings, setSession, settings, types, usableForMs } from './session.ts'
import { Shares } from './shares.ts'
import { allClosed, cut, gatheringSocket, seenOff } from './socket.ts'
import type { Sql } from './sql.ts'
import { prepared, takenFrom } from './statements.ts'
import { Transaction } from './transaction.ts'
import type { Who } from './turns.ts'
import { Active, itself, Work } from './work.ts'

export type { Transaction } from './transaction.ts'

/** The database as one organization uses it, which waits for its own statements rather than for those of others. */
export interface Shared extends Db {
  /** for look-ups by a key */
  lookUps: Db
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

export interface DatabaseOptions {
  connection: pg.ClientConfig
  /** connections at most, four or more */
  poolSize?: number
  /** how many requests of one organization may wait for a kind of connection, half of them where two wait, and so on */
  mostWaiting?: number
  /** how long whoever waits for a connection does so before it fails with ETIMEDOUT */
  patienceMs?: number
  /** how long a statement waits for a lock before it fails with 55P03 */
  lockTimeoutMs?: number
  /** how long a statement takes before it fails with 57014 */
  statementTimeoutMs?: number
  /** how long a transaction takes, from its beginning, before it is undone and fails with TOOK_LONG */
  transactionTimeoutMs?: number
  /** how long the database may take to answer before its connection is given up */
  answerTimeoutMs?: number
  /** told about connections that broke while idle */
  onIdleError?: (error: Error) => void
}

/** What the statements of a connection may take. */
type Limits = Required<Pick<DatabaseOptions, 'statementTimeoutMs' | 'lockTimeoutMs'>> &
  Pick<DatabaseOptions, 'answerTimeoutMs'>

/** PostgreSQL, as this server uses it: named statements, light parsers, pipelined transactions. */
export class Database implements Shared {
  /** for reads that are one statement: fewer at once are done sooner, and none takes a connection of a write */
  readonly #reads: Lanes
  /** for those of them that are planned anew: searches and reports, which may take long */
  readonly #readsAnew: Lanes
  /** for look-ups by a key, which are always short */
  readonly #lookUps: Lanes
  /** for transactions */
  readonly #writes: pg.Pool
  readonly #active = new Active()
  /** what each organization reads */
  readonly #work = new Work(momentMs, this.#active)
  /** whose transactions have these */
  readonly #shares: Shares
  readonly #pools: pg.Pool[] = []
  readonly #sockets = new Set<Socket>()
  /** how often a connection fell silent: those that were made before may have, too */
  #silences = 0
  readonly #silencesBefore = new WeakMap<pg.PoolClient, number>()
  readonly lookUps: Db
  readonly #options: DatabaseOptions
  readonly #onlyReadsAnew: () => Promise<boolean>

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.#onlyReadsAnew = asksAnew(options.connection)
    const { poolSize = 24 } = options
    const [reads, anew, lookUps] = [Math.ceil(poolSize / 5), Math.ceil(poolSize / 6), Math.ceil(poolSize / 8)]
    const writes = poolSize - reads - anew - lookUps
    this.#reads = this.#lanes(reads, settings.kept, { deep: 3, stuckMs: 500, statementTimeoutMs: 5_000 })
    this.#readsAnew = this.#lanes(anew, settings.anew, { deep: 1, stuckMs: 500, statementTimeoutMs: 15_000 })
    this.#lookUps = this.#lanes(lookUps, settings.kept, { deep: 64, stuckMs: 200, statementTimeoutMs: 3_000 })
    this.#writes = this.#connections(writes, settings.writes, {
      statementTimeoutMs: options.statementTimeoutMs ?? 15_000,
      lockTimeoutMs: options.lockTimeoutMs ?? 3_000,
      answerTimeoutMs: options.answerTimeoutMs ?? 16_000,
    })
    this.#shares = new Shares({ places: writes, active: this.#active, ...this.#waiting })
    this.lookUps = new Asking(this.#lookUps, this.#lookUps, itself)
  }

  #lanes(
    most: number,
    session: Settings,
    { deep, stuckMs, ...limits }: { deep: number; stuckMs: number; statementTimeoutMs: number },
  ): Lanes {
    const { lockTimeoutMs = 1_000, statementTimeoutMs = limits.statementTimeoutMs, answerTimeoutMs } = this.#options
    const pool = this.#connections(most, session, { statementTimeoutMs, lockTimeoutMs })
    const connect = () => this.#connected(pool)
    const onSilence = () => this.#doubt()
    const silentMs = answerTimeoutMs ?? statementTimeoutMs + 1_000
    return new Lanes({ connect, most, work: this.#work, deep, stuckMs, silentMs, onSilence, ...this.#waiting })
  }

  get #waiting() {
    return { mostWaiting: this.#options.mostWaiting ?? 1_000, patienceMs: this.#patienceMs }
  }

  get #patienceMs(): number {
    return this.#options.patienceMs ?? 5_000
  }

  #connections(most: number, session: Settings, limits: Limits): pg.Pool {
    const { connection, onIdleError } = this.#options
    const { statementTimeoutMs, lockTimeoutMs, answerTimeoutMs } = limits
    const ours = {
      ...session,
      statement_timeout: String(statementTimeoutMs),
      lock_timeout: String(lockTimeoutMs),
      idle_in_transaction_session_timeout: '15000',
    }
    const pool = new pg.Pool({
      ...connection,
      max: most,
      pipeline: true,
      types,
      stream: () => this.#noted(gatheringSocket()),
      connectionTimeoutMillis: this.#patienceMs,
      idleTimeoutMillis: 60_000,
      onConnect: (client) => setSession(client, ours),
      keepAlive: true,
      keepAliveInitialDelayMillis: 15_000,
      application_name: 'taskwright',
      ...(answerTimeoutMs === undefined ? {} : { query_timeout: answerTimeoutMs }),
    })
    pool.on('error', (error) => onIdleError?.(error))
    pool.on('connect', (client) => {
      this.#silencesBefore.set(client, this.#silences)
      // one that breaks in use fails its statements; without a listener it would end the process too
      client.on('error', () => {})
    })
    this.#pools.push(pool)
    return pool
  }

  /** From now on no connection is used that was made before. */
  #doubt(): void {
    this.#silences++
  }

  async #connected(pool: pg.Pool): Promise<pg.PoolClient> {
    for (;;) {
      // those that still wait when it is closed are of clients who have left
      if (pool.ending) throw closed()
      const client = await pool.connect()
      if (this.#silencesBefore.get(client) === this.#silences && usableForMs(client) > 0) return client
      client.release(true)
      client.connection.stream.destroy()
    }
  }

  /** The database as this organization uses it, or whoever has shown no key yet. */
  of(who: Who): Shared {
    const lookUps = new Asking(this.#lookUps, this.#lookUps, who)
    return new AskingAndWriting(this.#reads, this.#readsAnew, who, lookUps, this)
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
  async transaction<T>(work: (tx: Transaction) => Promise<T>, who: Who = itself): Promise<T> {
    return this.#shares.run(who, () => this.#transacted(work, who))
  }

  async #transacted<T>(work: (tx: Transaction) => Promise<T>, who: Who): Promise<T> {
    const { transactionTimeoutMs = 15_000, answerTimeoutMs = 4_000 } = this.#options
    const client = await this.#connected(this.#writes)
    // the database has nothing to do for BEGIN and ROLLBACK: where no answer comes it is no longer there
    const tx = new Transaction(client, answerTimeoutMs, who)
    let [broken, late] = [false, false]
    const deadline = setTimeout(() => {
      late = true
      this.#end(client)
    }, transactionTimeoutMs)
    try {
      const result = await work(tx)
      clearTimeout(deadline)
      await tx.commit()
      return result
    } catch (error) {
      clearTimeout(deadline)
      broken = !(await tx.undone())
      if (late) throw tookLong(error)
      if (broken && !tx.lost) this.#doubt()
      throw error
    } finally {
      client.release(broken)
    }
  }

  /** Ends what is under way on a connection, on the other side too, which would otherwise notice only at its next answer. */
  #end(client: pg.PoolClient): void {
    client.connection.stream.destroy()
    const { processID } = client as unknown as { processID: number }
    this.#lookUps.query({ text: 'select pg_terminate_backend($1)', values: [processID] }).catch(() => {})
  }

  /**
   * Whether the database takes writes, or only reads, as a standby does. Asked where nothing takes long, as somebody who is
   * asked elsewhere when that is stuck: a page that waits says nothing of the database.
   */
  async takesWrites(): Promise<boolean> {
    const answer = await this.of(whoAsksIfReady).lookUps.row<{ only: boolean }>(readingOnly)
    return !answer?.only || !(await this.#onlyReadsAnew())
  }

  /** Calls back on every NOTIFY on the channel, and with undefined when some may have been missed. */
  listen(channel: string, heard: (payload: string | undefined) => void): Promise<() => Promise<void>> {
    return listening(this.#options.connection, { channel, heard, onFailure: this.#options.onIdleError })
  }

  /** How to connect beside the pools; such a connection breaks with theirs. */
  get beside(): pg.ClientConfig {
    return { ...this.#options.connection, stream: () => this.#noted(new Socket()) }
  }

  /** How many connections there are, idle and asked for. */
  get load() {
    return { total: this.#sum('totalCount'), idle: this.#sum('idleCount'), waiting: this.#waitingCount }
  }

  get #waitingCount(): number {
    return this.#reads.waiting + this.#readsAnew.waiting + this.#lookUps.waiting + this.#shares.waiting
  }

  #sum(count: 'totalCount' | 'idleCount'): number {
    return this.#pools.reduce((sum, pool) => sum + pool[count], 0)
  }

  async close(): Promise<void> {
    const ended = Promise.all(this.#pools.map((pool) => pool.end()))
    // a pool does not wait for those that it has given up
    await seenOff(
      ended.then(() => allClosed(this.#sockets)),
      this.#sockets,
    )
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

/** Sends the statements of one organization. */
class Asking implements Db {
  readonly #kept: Lanes
  readonly #anew: Lanes
  readonly #who: Who

  constructor(kept: Lanes, anew: Lanes, who: Who) {
    this.#kept = kept
    this.#anew = anew
    this.#who = who
  }

  async rows<Row>(statement: Sql): Promise<Row[]> {
    const lanes = statement.anew ? this.#anew : this.#kept
    return takenFrom(await lanes.query(prepared(statement, this.#who), this.#who))
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.rows<Row>(statement))[0]
  }
}

class AskingAndWriting extends Asking implements Shared {
  readonly lookUps: Db
  readonly #who: Who
  readonly #db: Database

  constructor(kept: Lanes, anew: Lanes, who: Who, lookUps: Db, db: Database) {
    super(kept, anew, who)
    this.lookUps = lookUps
    this.#who = who
    this.#db = db
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#db.transaction(work, this.#who)
  }
}

const whoAsksIfReady: Who = 'readiness'

const closed = () => Object.assign(new Error('The database is closed'), { code: 'CLOSED' })

const tookLong = (cause: unknown) =>
  Object.assign(new Error('The transaction took too long', { cause }), { code: 'TOOK_LONG' })

// of reads: what others may wait for without noticing
const momentMs = 6
