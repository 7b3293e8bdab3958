import type { Database } from '../../src/db/database.ts'
import type { Db } from '../../src/db/db.ts'
import type { Sql } from '../../src/db/sql.ts'

/** Notes from now on the statements that a server sends to its database. */
export function notingStatements(db: Database): Sql[] {
  const sent: Sql[] = []
  const { forTenant, transaction } = db
  db.forTenant = (who) => noting(forTenant.call(db, who))
  noting(db)
  db.transaction = (work, who) => transaction.call(db, (tx) => work(noting(tx)), who) as never
  return sent

  function noting<One extends Db>(one: One): One {
    const { rows } = one
    one.rows = (statement) => {
      sent.push(statement)
      return rows.call(one, statement) as never
    }
    return one
  }
}
