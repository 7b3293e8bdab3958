import { Socket } from 'node:net'
import type pg from 'pg'
import { plainClient } from './session.ts'
import { closeOrDestroy } from './socket.ts'

/**
 * Named locks, each held by one process at a time. They are session-level advisory locks on their own connection, so they
 * end with the process or the connection.
 */
export class SessionLocks {
  readonly #connection: pg.ClientConfig
  readonly #onLost: () => void
  #session: Promise<pg.Client> | undefined
  #socket = new Socket()
  #held = new Set<string>()
  #readOnlyUntilMs = 0

  /** @param onLost called when the database has lost held locks */
  constructor(connection: pg.ClientConfig, onLost: () => void) {
    this.#connection = connection
    this.#onLost = onLost
  }

  /**
   * Takes the lock if it is free. On a read-only database nobody gets it.
   * @returns whether this process holds the lock now
   * @throws if the database does not respond
   */
  async tryAcquire(name: string): Promise<boolean> {
    if (performance.now() < this.#readOnlyUntilMs) return false
    this.#session ??= this.#open()
    const session = await this.#session
    // a new session replaces the set: a lock that a lost session got does not count
    const held = this.#held
    // send a statement even if the lock is held: only this reveals a dead connection
    const { rows } = await session.query<{ taken: boolean | null }>(
      `select case when current_setting('transaction_read_only')::boolean then null when $2 then true
         else pg_try_advisory_lock(hashtextextended($1, 0)) end as taken`,
      [`taskwright ${name}`, held.has(name)],
    )
    const taken = rows[0]?.taken
    // the next attempt connects again, perhaps to a database that takes writes
    if (taken === null) await this.#leaveReadOnly()
    if (taken) held.add(name)
    return this.#held.has(name)
  }

  /** Releases one lock, if it is held. */
  async release(name: string): Promise<void> {
    const session = await this.#session
    if (!session || !this.#held.delete(name)) return
    try {
      await session.query('select pg_advisory_unlock(hashtextextended($1, 0))', [`taskwright ${name}`])
    } catch (error) {
      // otherwise the session would keep the lock, and no process could take it
      this.#socket.destroy()
      throw error
    }
  }

  /** Releases all locks by closing the connection, or by destroying it if the database does not respond. */
  async close(): Promise<void> {
    const session = this.#session?.then((session) => session.end()).catch(() => {})
    this.#held.clear()
    if (session) await closeOrDestroy(session, [this.#socket])
  }

  async #open(): Promise<pg.Client> {
    const stream = () => (this.#socket = new Socket())
    // pipelined, as several locks may be taken at the same time
    const connection = { ...this.#connection, stream, pipeline: true, query_timeout: 10_000 }
    const session = plainClient(connection, 'taskwright-jobs')
    session.once('end', () => this.#forget())
    try {
      await session.connect()
      await session.query(setKeepalives)
    } catch (error) {
      this.#session = undefined
      this.#socket.destroy()
      throw error
    }
    return session
  }

  async #leaveReadOnly(): Promise<void> {
    // of several concurrent attempts, the first one does this for all
    if (performance.now() < this.#readOnlyUntilMs) return
    this.#readOnlyUntilMs = performance.now() + readOnlyRetryMs
    const lost = this.#held.size > 0
    await this.close()
    if (lost) this.#onLost()
  }

  #forget(): void {
    this.#session = undefined
    if (this.#held.size === 0) return
    this.#held = new Set()
    this.#onLost()
  }
}

// if this machine vanishes, the database frees its locks after half a minute instead of two hours
const setKeepalives = `select set_config('tcp_keepalives_idle', '10', false),
  set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '3', false)`

/** How long to wait before asking a read-only database again. */
const readOnlyRetryMs = 1_000
