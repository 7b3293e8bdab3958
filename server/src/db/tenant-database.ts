import type { Db } from './db.ts'
import type { Tenant } from './fair-queue.ts'
import type { PipelinedPool } from './pipelined-pool.ts'
import type { Sql } from './sql.ts'
import type { StatementWatch } from './statement-watch.ts'
import { prepared, takeRows } from './statements.ts'
import type { Transaction } from './transaction.ts'

/** The database as one organization uses it: it waits behind its own statements rather than behind those of others. */
export interface TenantDatabase extends Db {
  /** for look-ups by a key of what requests name */
  lookUps: Db
  /** for those of the server itself: who asks, as of which write the organization is, whether a backend is at work */
  ownLookUps: Db
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

/** What statements are sent for. */
export interface Purpose {
  /** is told of them */
  watch?: StatementWatch | undefined
  /** by which writes are known that wait for the same locks */
  operation?: string | undefined
}

/** Sends the statements of one organization. */
export class TenantReads implements Db {
  readonly #genericPlan: PipelinedPool
  readonly #customPlan: PipelinedPool
  readonly #tenant: Tenant
  readonly #watch: StatementWatch | undefined

  constructor(genericPlan: PipelinedPool, customPlan: PipelinedPool, tenant: Tenant, watch?: StatementWatch) {
    this.#genericPlan = genericPlan
    this.#customPlan = customPlan
    this.#tenant = tenant
    this.#watch = watch
  }

  async rows<Row>(statement: Sql): Promise<Row[]> {
    const pool = statement.customPlan ? this.#customPlan : this.#genericPlan
    return takeRows(await pool.query(prepared(statement, this.#tenant), this.#tenant, this.#watch))
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.rows<Row>(statement))[0]
  }
}

/** Sends its statements, and runs its transactions. */
export class TenantReadsAndWrites extends TenantReads implements TenantDatabase {
  readonly lookUps: Db
  readonly ownLookUps: Db
  readonly transaction: TenantDatabase['transaction']

  constructor(
    genericPlan: PipelinedPool,
    customPlan: PipelinedPool,
    tenant: Tenant,
    { lookUps, ownLookUps, transaction }: Omit<TenantDatabase, keyof Db>,
    watch?: StatementWatch,
  ) {
    super(genericPlan, customPlan, tenant, watch)
    this.lookUps = lookUps
    this.ownLookUps = ownLookUps
    this.transaction = transaction
  }
}
