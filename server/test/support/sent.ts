import type { Db } from '../../src/db/db.ts'
import type { Database, TransactionalDb } from '../../src/db/pool/database.ts'
import type { Sql } from '../../src/db/sql.ts'

/** Notes from now on the statements that a server sends to its database. */
export function notingStatements(db: Database): Sql[] {
  const sent: Sql[] = []
  const { watchedBy } = db
  db.watchedBy = (watch) => {
    const watched = watchedBy.call(db, watch)
    return watched === db ? db : notingAll(watched)
  }
  notingAll(db)
  return sent

  function notingAll<One extends TransactionalDb>(one: One): One {
    const { transaction } = one
    const noted: TransactionalDb['transaction'] = (work) => transaction.call(one, (tx) => work(noting(tx))) as never
    return Object.assign(noting(one), { transaction: noted })
  }

  function noting<One extends Db>(one: One): One {
    const { rows } = one
    one.rows = (statement) => {
      sent.push(statement)
      return rows.call(one, statement) as never
    }
    one.row = async (statement) => (await one.rows<never>(statement))[0]
    return one
  }
}
