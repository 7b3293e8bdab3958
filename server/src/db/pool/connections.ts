import { Socket } from 'node:net'
import pg from 'pg'
import { type SessionSettings, setSession, types, usableForMs } from './session.ts'
import { allClosed, closeOrDestroy, corkingSocket, destroySockets, readInTurns } from './socket.ts'

/** The time limits of the statements of a connection. */
interface Limits {
  statementTimeoutMs: number
  lockTimeoutMs: number
  /** how long the database may take to answer before the connection counts as dead */
  answerTimeoutMs: number
}

interface ConnectionsOptions {
  connection: pg.ClientConfig
  /** how long it may take to connect, or to wait for a connection */
  waitTimeoutMs: number
  /** how many may wait for a connection of a pool */
  maxWaiting: number
  /** called when a connection breaks while it is idle */
  onIdleError: ((error: Error) => void) | undefined
}

/** The connections to one database, of several pools: how they are made, trusted, counted and closed. */
export class Connections {
  readonly #options: ConnectionsOptions
  readonly #pools: pg.Pool[] = []
  readonly #sockets = new Set<Socket>()
  /** counts how often a connection fell silent: those made before then may be dead too */
  #generation = 0
  readonly #generationOf = new WeakMap<pg.PoolClient, number>()

  constructor(options: ConnectionsOptions) {
    this.#options = options
  }

  /** Connections with such a session. */
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
      // statements on a connection that breaks fail by themselves; without a listener its error would end the process
      client.on('error', () => {})
      readInTurns(client.connection.stream)
    })
    this.#pools.push(pool)
    return pool
  }

  /** From now on only connections are used that are made after this. */
  distrust(): void {
    this.#generation++
  }

  /** One that may be used. @throws CROWDED at once, or a timeout after a while, where too many wait */
  async checkOut(pool: pg.Pool): Promise<pg.PoolClient> {
    if (pool.waitingCount >= this.#options.maxWaiting) throw crowded
    for (;;) {
      // who still waits when the pool closes is a request whose client has left
      if (pool.ending) throw closed()
      const client = await pool.connect()
      if (this.#generationOf.get(client) === this.#generation && usableForMs(client) > 0) return client
      this.checkIn(client, true)
    }
  }

  /** Gives one back. */
  checkIn(client: pg.PoolClient, broken: boolean): void {
    client.release(broken)
    // the pool waits for its end before it serves others, and a dead connection never ends by itself
    if (broken) client.connection.stream.destroy()
  }

  /** How to connect outside of the pools; `destroySockets` destroys such a connection too. */
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

  /** Destroys all connections, whatever is in flight on them. */
  destroySockets(): void {
    destroySockets(this.#sockets)
  }

  #tracked(socket: Socket): Socket {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    return socket
  }
}

// made once: to capture a stack takes longer than the rest of such a refusal
const crowded = Object.assign(new Error('Too many wait already'), { code: 'CROWDED' })

const closed = () => Object.assign(new Error('The database is closed'), { code: 'CLOSED' })
