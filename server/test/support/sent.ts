import type { Database, TenantDatabase } from '../../src/db/database.ts'
import type { Db } from '../../src/db/db.ts'
import type { Sql } from '../../src/db/sql.ts'

/** Notes from now on the statements that a server sends to its database. */
export function notingStatements(db: Database): Sql[] {
  const sent: Sql[] = []
  const { forTenant } = db
  db.forTenant = (who) => notingAll(forTenant.call(db, who))
  notingAll(db)
  return sent

  function notingAll<One extends TenantDatabase>(one: One): One {
    const { transaction } = one
    const noted: TenantDatabase['transaction'] = (work) => transaction.call(one, (tx) => work(noting(tx))) as never
    return Object.assign(noting(one), { transaction: noted })
  }

  function noting<One extends Db>(one: One): One {
    const { rows } = one
    one.rows = (statement) => {
      sent.push(statement)
      return rows.call(one, statement) as never
    }
    return one
  }
}
