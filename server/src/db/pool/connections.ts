import { Socket } from 'node:net'
import pg from 'pg'
import { type SessionSettings, setSession, types, usableForMs } from './session.ts'
import { allClosed, closeOrDestroy, corkingSocket, destroySockets, readInChunks } from './socket.ts'

interface Limits {
  statementTimeoutMs: number
  lockTimeoutMs: number
  /** how long the database may take to respond before the connection counts as dead */
  answerTimeoutMs: number
}

interface ConnectionsOptions {
  connection: pg.ClientConfig
  /** how long to wait for a new or free connection */
  waitTimeoutMs: number
  /** number of requests that may wait for a connection of a pool */
  maxWaiting: number
  onIdleError: ((error: Error) => void) | undefined
}

/** All connections to one database. Opens the pools, checks that connections are usable, and closes them. */
export class Connections {
  readonly #options: ConnectionsOptions
  readonly #pools: pg.Pool[] = []
  readonly #sockets = new Set<Socket>()
  /** counts the times when a connection got no response: connections opened before may be dead too */
  #generation = 0
  readonly #generationOf = new WeakMap<pg.PoolClient, number>()

  constructor(options: ConnectionsOptions) {
    this.#options = options
  }

  pool(maxConnections: number, session: SessionSettings, limits: Limits): pg.Pool {
    const { connection, waitTimeoutMs, onIdleError } = this.#options
    const { statementTimeoutMs, lockTimeoutMs, answerTimeoutMs } = limits
    const ours = {
      ...session,
      statement_timeout: String(statementTimeoutMs),
      lock_timeout: String(lockTimeoutMs),
      idle_in_transaction_session_timeout: '15000',
    }
    const pool = new pg.Pool({
      ...connection,
      max: maxConnections,
      pipeline: true,
      types,
      stream: () => this.#tracked(corkingSocket()),
      connectionTimeoutMillis: waitTimeoutMs,
      idleTimeoutMillis: 60_000,
      onConnect: (client) => setSession(client, ours),
      keepAlive: true,
      keepAliveInitialDelayMillis: 15_000,
      application_name: 'taskwright',
      query_timeout: answerTimeoutMs,
    })
    pool.on('error', (error) => onIdleError?.(error))
    pool.on('connect', (client) => {
      this.#generationOf.set(client, this.#generation)
      // statements on a broken connection fail anyway; without a listener its error would end the process
      client.on('error', () => {})
      readInChunks(client.connection.stream)
    })
    this.#pools.push(pool)
    return pool
  }

  /** Stops using all connections that are open now. */
  distrust(): void {
    this.#generation++
  }

  /** A usable connection. @throws CROWDED at once if too many wait; a timeout if none becomes free */
  async checkOut(pool: pg.Pool): Promise<pg.PoolClient> {
    if (pool.waitingCount >= this.#options.maxWaiting) throw crowded
    for (;;) {
      // once the pool closes, only requests whose clients have left still wait
      if (pool.ending) throw closed()
      const client = await pool.connect()
      if (this.#generationOf.get(client) === this.#generation && usableForMs(client) > 0) return client
      this.checkIn(client, true)
    }
  }

  checkIn(client: pg.PoolClient, broken: boolean): void {
    client.release(broken)
    // the pool serves nobody else until the connection has ended, and a dead connection never ends on its own
    if (broken) client.connection.stream.destroy()
  }

  /** Settings for a connection outside of the pools; `destroySockets` destroys such a connection too. */
  get config(): pg.ClientConfig {
    return { ...this.#options.connection, stream: () => this.#tracked(new Socket()) }
  }

  async close(): Promise<void> {
    const ended = Promise.all(this.#pools.map((pool) => pool.end()))
    // a pool does not wait for connections that it has dropped
    await closeOrDestroy(
      ended.then(() => allClosed(this.#sockets)),
      this.#sockets,
    )
  }

  destroySockets(): void {
    destroySockets(this.#sockets)
  }

  #tracked(socket: Socket): Socket {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    return socket
  }
}

// created once: capturing a stack takes longer than the rest of this refusal
const crowded = Object.assign(new Error('Too many wait already'), { code: 'CROWDED' })

const closed = () => Object.assign(new Error('The database is closed'), { code: 'CLOSED' })
