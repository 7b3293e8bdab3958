import pg from 'pg'
import type { Tenant } from './fair-queue.ts'
import type { Sql } from './sql.ts'

/** Names that were given out: those of statements which are planned once, and of those which are planned for each set of values. */
class Names {
  readonly #prefix: string
  readonly #most: number
  readonly #names = new Map<string, string>()
  readonly #taken = new Map<Tenant, number>()

  constructor(prefix: string, most: number) {
    this.#prefix = prefix
    this.#most = most
  }

  /** The name of the statement; undefined when all are taken. */
  of(text: string, tenant: Tenant | undefined): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || !this.#isLeft(tenant)) return known
    const name = `${this.#prefix}${this.#names.size + 1}`
    this.#names.set(text, name)
    if (tenant !== undefined) this.#taken.set(tenant, (this.#taken.get(tenant) ?? 0) + 1)
    return name
  }

  /** Names are never given back, and filters make thousands of statements: one organization gets half of what others left. */
  #isLeft(tenant: Tenant | undefined): boolean {
    const own = (tenant !== undefined && this.#taken.get(tenant)) || 0
    const left = this.#most - (this.#names.size - own)
    return own < (tenant === undefined ? left : left / 2)
  }
}

// each takes about 100 kB on each connection; half of them, which one organization may take, is more than all operations need
const planned = new Names('s', 500)
// long ones; without a name one is only parsed again each time, for a fifth of the time that planning it takes
const plannedForValues = new Names('v', 100)

/**
 * A prepared statement: with a name, PostgreSQL parses it once per connection. It has no name when all names are taken.
 * @param tenant who runs it; absent: the server itself
 */
export function prepared(statement: Sql, tenant?: Tenant): pg.QueryConfig {
  const { text, customPlan } = statement
  const name = (customPlan ? plannedForValues : planned).of(text, tenant)
  const values = [...statement.values]
  return name === undefined ? { text, values } : { name, text, values }
}

/**
 * Sends a statement. While the first one of its name is not parsed yet on this connection, it is sent without the name: the driver
 * would send only the name, and if the first one failed, so would all behind it.
 * @throws what the database or the connection says, with the stack of who asked
 */
export async function send(client: pg.ClientBase, { name, text, values }: pg.QueryConfig): Promise<pg.QueryResult> {
  // of an object the driver would copy the descriptor of each property, which takes ten times as long as all of this
  const query = new pg.Query(text, values) as Submitted
  if (name !== undefined && !(name in parsing(client))) query.name = name
  try {
    return await new Promise((resolve, reject) => {
      query.callback = (error, answered) => (error ? reject(error) : resolve(answered))
      client.query(query)
    })
  } catch (error) {
    Error.captureStackTrace(error as Error, send)
    throw error
  }
}

/** A query of the driver, with what its types do not have. */
interface Submitted extends pg.Submittable {
  name?: string
  callback?: (error: Error | null, answered: pg.QueryResult) => void
}

/** Names that were sent and are not parsed yet. The driver's types do not have them. */
const parsing = (client: pg.ClientBase) =>
  (client as unknown as { connection: { submittedNamedStatements: object } }).connection.submittedNamedStatements

/**
 * Takes the rows out of a result. The driver's objects of a query refer to those of the next one, so the garbage collector
 * keeps them for long. With the rows in them, each page was copied twice and kept until the next full collection.
 */
export function takeRows<Row>(answered: pg.QueryResult): Row[] {
  const { rows } = answered
  answered.rows = []
  return rows as Row[]
}
