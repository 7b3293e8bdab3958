import pg from 'pg'

/** A connection that several statements use at the same time. */
interface Lane {
  client: Promise<pg.PoolClient>
  underWay: number
  /** takes no more statements; whoever is the last on it gives it up */
  leave: () => void
}

interface LanesOptions {
  pool: pg.Pool
  /** how many statements at a time on each */
  deep: number
  /** how long a statement waits for one of these places before it fails with ETIMEDOUT */
  patienceMs: number
}

/**
 * The few connections of a pool for many short statements: some are sent before those ahead of them are answered, so that
 * PostgreSQL has the next one when it is done, and one turn of a socket serves several. One that takes long keeps those
 * behind it on its connection waiting.
 */
export class Lanes {
  readonly #options: LanesOptions
  readonly #lanes: Lane[] = []
  /** each begins one of the statements that have no place yet, in the order in which they came */
  readonly #waiting = new Set<() => void>()
  #places: number

  constructor(options: LanesOptions) {
    this.#options = options
    this.#places = options.pool.options.max * options.deep
  }

  /** How many statements have no place yet. */
  get waiting(): number {
    return this.#waiting.size
  }

  async query(asked: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#places > 0) this.#places--
    else await this.#placeLeft()
    try {
      return await this.#sent(asked)
    } finally {
      const [longest] = this.#waiting
      if (longest === undefined) this.#places++
      else longest()
    }
  }

  /** Waits until somebody leaves their place to this one. */
  #placeLeft(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        this.#waiting.delete(begin)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(begin)
        reject(Object.assign(new Error('No connection was free in time'), { code: 'ETIMEDOUT' }))
      }, this.#options.patienceMs)
      this.#waiting.add(begin)
    })
  }

  async #sent(asked: pg.QueryConfig): Promise<pg.QueryResult> {
    const lane = this.#lanes.length < this.#options.pool.options.max ? this.#open() : this.#lanes.reduce(withLess)
    lane.underWay++
    const client = await lane.client
    try {
      return await client.query(asked)
    } catch (error) {
      // that it broke is heard of only later
      if (!(error instanceof pg.DatabaseError) || error.code?.startsWith('57P')) lane.leave()
      throw error
    } finally {
      lane.underWay--
      if (lane.underWay === 0) this.#close(lane, client)
    }
  }

  #open(): Lane {
    const client = this.#options.pool.connect()
    const lane: Lane = {
      client,
      underWay: 0,
      leave: () => void (this.#lanes.includes(lane) && this.#lanes.splice(this.#lanes.indexOf(lane), 1)),
    }
    client.then((client) => client.once('error', lane.leave), lane.leave)
    this.#lanes.push(lane)
    return lane
  }

  #close(lane: Lane, client: pg.PoolClient): void {
    const broken = !this.#lanes.includes(lane)
    lane.leave()
    client.off('error', lane.leave)
    client.release(broken)
  }
}

const withLess = (one: Lane, other: Lane) => (other.underWay < one.underWay ? other : one)
