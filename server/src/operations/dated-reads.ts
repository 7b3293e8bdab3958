import { type AsOf, withAsOf } from '../db/as-of.ts'
import type { Db } from '../db/db.ts'
import type { Sql } from '../db/sql.ts'

/**
 * The reads of one request, which find out as of which write of the organization the answer is, for its ETag. Where the first
 * statement is a page that has the column for it, its first row says so; before any other it is looked up. No statement begins
 * before that is known, so no part of the answer is older.
 */
export class DatedReads {
  readonly db: Db
  /** as of which write the answer is; undefined before anything was read */
  asOf: AsOf | undefined
  readonly #lookUp: () => Promise<AsOf>
  #known: Promise<void> | undefined

  /**
   * @param lookUp as of which write the organization is read from now on
   * @param asOf what was looked up already
   */
  constructor(db: Db, orgId: string, lookUp: () => Promise<AsOf>, asOf?: AsOf) {
    this.db = this.#dated(db, withAsOf(orgId))
    this.#lookUp = lookUp
    if (asOf === undefined) return
    this.asOf = asOf
    this.#known = Promise.resolve()
  }

  #dated(db: Db, asOf: Sql): Db {
    const rows = <Row>(statement: Sql) => this.#rows<Row>(db, statement)
    return { rows, row: async <Row>(statement: Sql) => (await rows<Row>(statement))[0], asOf }
  }

  async #rows<Row>(db: Db, statement: Sql): Promise<Row[]> {
    if (this.#known === undefined) {
      const reading = statement.dated ? db.rows<Row & { asOf: AsOf }>(statement) : undefined
      this.#known = this.#find(reading)
      this.#known.catch(() => {})
      const found = await reading
      if (found !== undefined && found.length > 0) return found
    }
    await this.#known
    return db.rows<Row>(statement)
  }

  async #find(reading: Promise<{ asOf: AsOf }[]> | undefined): Promise<void> {
    const [first] = (await reading) ?? []
    // a page without a row tells nothing, and is read again
    this.asOf = first ? first.asOf : await this.#lookUp()
  }
}
