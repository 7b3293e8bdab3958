import type pg from 'pg'
import type { Tenant } from './fair-queue.ts'
import type { Sql } from './sql.ts'

const names = new Map<string, string>()
const namesTaken = new Map<Tenant, number>()

// each takes about 100 kB on each connection; half of them, which one organization may take, is more than all operations need
const mostNamed = 500

/**
 * A prepared statement: with a name, PostgreSQL parses it once per connection. It has no name when it gets a custom plan, or
 * when all names are taken.
 * @param tenant who runs it; absent: the server itself
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

/** Names are never given back, and filters make thousands of statements: one organization gets half of what others left. */
function isNameLeft(tenant: Tenant | undefined): boolean {
  const own = (tenant !== undefined && namesTaken.get(tenant)) || 0
  const left = mostNamed - (names.size - own)
  return own < (tenant === undefined ? left : left / 2)
}

/**
 * The statement as it is sent on this connection. While the first one of its name is not parsed yet, it is sent without the
 * name: the driver would send only the name, and if the first one failed, so would all behind it.
 */
export function forConnection(client: pg.ClientBase, asked: pg.QueryConfig): pg.QueryConfig {
  if (asked.name === undefined || !(asked.name in parsing(client))) return asked
  const { text, values = [] } = asked
  return { text, values }
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
