import { Socket } from 'node:net'
import type pg from 'pg'
import { plainClient } from './session.ts'
import { closeOrDestroy } from './socket.ts'

/**
 * Locks that one process of all holds, by their names: advisory locks of one session of their own, so they end with the
 * process, or with its connection.
 */
export class SessionLocks {
  readonly #connection: pg.ClientConfig
  readonly #onLost: () => void
  #session: Promise<pg.Client> | undefined
  #socket = new Socket()
  #held = new Set<string>()

  /** @param onLost told when locks that were held are no longer */
  constructor(connection: pg.ClientConfig, onLost: () => void) {
    this.#connection = connection
    this.#onLost = onLost
  }

  /**
   * Whether this process holds the lock, now or already; nobody does where the database only reads.
   * @throws when it cannot be asked
   */
  async take(name: string): Promise<boolean> {
    this.#session ??= this.#open()
    const session = await this.#session
    const held = this.#held
    // asked in any case: a connection that was lost without a word is noticed so
    const { rows } = await session.query<{ taken: boolean | null }>(
      `select case when current_setting('transaction_read_only')::boolean then null when $2 then true
         else pg_try_advisory_lock(hashtextextended($1, 0)) end as taken`,
      [`taskwright ${name}`, held.has(name)],
    )
    const taken = rows[0]?.taken
    // the next one asks on a new connection, whose database may take writes
    if (taken === null) await this.close()
    if (taken) held.add(name)
    return this.#held.has(name)
  }

  /** Gives all of them back; the end of a session that the database does not see off is enough. */
  async close(): Promise<void> {
    const session = this.#session?.then((session) => session.end()).catch(() => {})
    this.#held.clear()
    if (session) await closeOrDestroy(session, [this.#socket])
  }

  async #open(): Promise<pg.Client> {
    const stream = () => (this.#socket = new Socket())
    // several locks may be asked for at a time
    const connection = { ...this.#connection, stream, pipeline: true, keepAlive: true, query_timeout: 10_000 }
    const session = plainClient(connection, 'taskwright-jobs')
    session.once('end', () => this.#forget())
    try {
      await session.connect()
    } catch (error) {
      this.#session = undefined
      throw error
    }
    return session
  }

  #forget(): void {
    this.#session = undefined
    if (this.#held.size === 0) return
    this.#held = new Set()
    this.#onLost()
  }
}
