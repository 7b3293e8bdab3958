import type pg from 'pg'

/** A connection that several statements use at the same time. */
interface Lane {
  client: Promise<pg.PoolClient>
  underWay: number
  /** takes no more statements; whoever is the last on it gives it up */
  leave: () => void
}

/**
 * Few connections of a pool for many short statements: they are sent as they come and answered in their order, so that
 * one turn of a socket and of PostgreSQL serves several. One that takes long would keep those behind it waiting.
 */
export class Lanes {
  readonly #pool: pg.Pool
  readonly #most: number
  readonly #lanes: Lane[] = []

  /** @param most how many connections */
  constructor(pool: pg.Pool, most: number) {
    this.#pool = pool
    this.#most = most
  }

  /** How many statements have no answer yet. */
  get underWay(): number {
    return this.#lanes.reduce((sum, lane) => sum + lane.underWay, 0)
  }

  async query(asked: pg.QueryConfig): Promise<pg.QueryResult> {
    const lane = this.#lanes.length < this.#most ? this.#open() : this.#lanes.reduce(withLess)
    lane.underWay++
    const client = await lane.client
    try {
      return await client.query(asked)
    } finally {
      lane.underWay--
      if (lane.underWay === 0) this.#close(lane, client)
    }
  }

  #open(): Lane {
    const client = this.#pool.connect()
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
