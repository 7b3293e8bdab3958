import type pg from 'pg'
import type { Tenant } from './fair-queue.ts'
import type { Sql } from './sql.ts'

const names = new Map<string, string>()
const namesTaken = new Map<Tenant, number>()

// each keeps about 100 kB on each connection; the half, which one organization may take, are more than all operations need
const mostNamed = 500

/**
 * A statement under a name of its own, so that PostgreSQL parses it once per connection; without one when it is planned
 * anew, and the many-th.
 * @param tenant asks; absent: the server itself
 */
export function prepared(statement: Sql, tenant?: Tenant): pg.QueryConfig {
  const { text, customPlan } = statement
  let name = names.get(text)
  if (name === undefined && !customPlan && isNameLeft(tenant)) {
    name = `s${names.size + 1}`
    names.set(text, name)
    if (tenant !== undefined) namesTaken.set(tenant, (namesTaken.get(tenant) ?? 0) + 1)
  }
  const values = [...statement.values]
  return name === undefined ? { text, values } : { name, text, values }
}

/** A name stays, and filters and fields make thousands of statements: nobody takes more than half of what others left. */
function isNameLeft(tenant: Tenant | undefined): boolean {
  const own = (tenant !== undefined && namesTaken.get(tenant)) || 0
  const left = mostNamed - (names.size - own)
  return own < (tenant === undefined ? left : left / 2)
}

/**
 * The statement as it is sent on this connection: without its name while the first one of that name is not parsed yet.
 * The driver would send only the name, and should the first one fail, so would all behind it.
 */
export function forConnection(client: pg.ClientBase, asked: pg.QueryConfig): pg.QueryConfig {
  if (asked.name === undefined || !(asked.name in parsing(client))) return asked
  const { text, values = [] } = asked
  return { text, values }
}

/** The names of the statements that were sent to be parsed. The driver's types do not know of them. */
const parsing = (client: pg.ClientBase) =>
  (client as unknown as { connection: { submittedNamedStatements: object } }).connection.submittedNamedStatements

/**
 * The rows of an answer, taken out of it. What the driver and its pool made for a query hangs together with that of the
 * next one, and so outlives it in the garbage collector's eyes: with the rows of a page in it, each page was copied twice
 * and kept until the next full collection.
 */
export function takeRows<Row>(answered: pg.QueryResult): Row[] {
  const { rows } = answered
  answered.rows = []
  return rows as Row[]
}
