import type pg from 'pg'
import type { Db } from './db.ts'
import { isSaidByDatabase, TransactionLost } from './failures.ts'
import type { Tenant } from './fair-queue.ts'
import type { Sql } from './sql.ts'
import { forConnection, prepared, takeRows } from './statements.ts'

/**
 * One transaction on one connection. Statements are pipelined: sent at once, answered in order. Should BEGIN fail, those
 * behind it change nothing: the connection is read-only by default, and only our BEGIN says read write.
 */
export class Transaction implements Db {
  readonly #client: pg.PoolClient
  readonly #begun: Promise<void>
  readonly #answerTimeoutMs: number
  readonly #tenant: Tenant
  #gate: Promise<void> = Promise.resolve()
  /** the statements since BEGIN, or since the last rollback to the savepoint */
  #section: Section = {}
  /** whether it did not run as it was sent */
  lost = false

  /**
   * Sends BEGIN, which travels with the first statement.
   * @param answerTimeoutMs of BEGIN and ROLLBACK
   * @param tenant writes
   */
  constructor(client: pg.PoolClient, answerTimeoutMs: number, tenant: Tenant) {
    this.#client = client
    this.#answerTimeoutMs = answerTimeoutMs
    this.#tenant = tenant
    this.#begun = new Promise((resolve, reject) => {
      client.query(withTimeout(answerTimeoutMs, begin), (error: Error | null) => {
        // the status is read in the callback: answers that came in the same packet change it
        if (!error && client.getTransactionStatus() === 'T') resolve()
        else
          reject(
            this.#note(
              error && !isSaidByDatabase(error) ? error : new TransactionLost({ cause: error }),
              this.#section,
            ),
          )
      })
    })
    this.#begun.catch(() => {})
  }

  async rows<Row>(statement: Sql): Promise<Row[]> {
    const answered = this.#query(forConnection(this.#client, prepared(statement, this.#tenant)))
    answered.catch(() => {})
    // the gate as it is now: one that is set later waits for this very answer
    const gate = this.#gate
    await this.#begun
    await gate
    return takeRows(await answered)
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.rows<Row>(statement))[0]
  }

  /** Sends a statement without waiting for it. Should it fail, nothing is committed and the transaction fails with its error. */
  send(statement: Sql | string): void {
    this.#query(
      typeof statement === 'string' ? statement : forConnection(this.#client, prepared(statement, this.#tenant)),
    ).catch(() => {})
  }

  /** Holds back all results until the promise resolves; if it rejects, every result rejects with its error. */
  gate(opened: Promise<void>): void {
    opened.catch(() => {})
    this.#gate = opened
  }

  /** Sends the savepoint for `rollBackToSavepoint`. */
  savepoint(): void {
    this.send('savepoint effect')
  }

  /** Rolls back to the savepoint. If that fails, the transaction cannot be committed. */
  rollBackToSavepoint(): void {
    // a check: the rollback drops this cursor; if it did not happen, declaring the cursor again fails
    const cursor = 'declare undone cursor for select 1'
    this.#client.query(cursor).catch(() => {})
    this.#section = {}
    this.send('rollback to savepoint effect')
    this.send(cursor)
  }

  /**
   * PostgreSQL answers COMMIT of a failed transaction with success and the tag ROLLBACK, and COMMIT outside of a transaction
   * with the tag COMMIT. So both the tag and what was known before decide.
   */
  async commit(): Promise<void> {
    await this.#begun
    const section = this.#section
    if (section.failure !== undefined) throw section.failure
    if (this.#client.getTransactionStatus() === 'I') throw this.#note(new TransactionLost(), section)
    const { command } = await this.#query('commit')
    if (command !== 'COMMIT') throw section.failure ?? new Error(`COMMIT was answered with ${command}`)
  }

  /** Rolls everything back. @returns whether the connection may be used again */
  async rollBack(): Promise<boolean> {
    const { failure } = this.#section
    // if the database gave no answer so far, it would not answer this either
    if (this.lost || (failure !== undefined && !isSaidByDatabase(failure))) return false
    return this.#client.query(withTimeout(this.#answerTimeoutMs, 'rollback')).then(
      () => this.#client.getTransactionStatus() === 'I',
      () => false,
    )
  }

  #query(query: pg.QueryConfig | string): Promise<pg.QueryResult> {
    const section = this.#section
    return this.#client.query(query as pg.QueryConfig).catch((error: unknown) => {
      throw this.#note(error, section)
    })
  }

  /** What a failure means for the transaction: those after the first only say that the transaction has failed. */
  #note(error: unknown, section: Section): unknown {
    const code = (error as { code?: string }).code ?? ''
    if (code === failedBefore && section.failure !== undefined) return section.failure
    const meant = lostCodes.has(code) ? new TransactionLost({ cause: error }) : error
    if (meant instanceof TransactionLost) this.lost = true
    section.failure ??= meant
    return meant
  }
}

/** Statements that succeed or fail together, and the first failure among them. */
interface Section {
  failure?: unknown
}

// the driver has this option, its types do not
const withTimeout = (limitMs: number, text: string) => ({ text, query_timeout: limitMs }) as pg.QueryConfig

// connections for transactions are read-only by default
const begin = 'begin isolation level read committed read write'

const failedBefore = '25P02'

// the connection is read-only; there is no transaction or no such savepoint; the failure or the cursor is still there that
// was to be rolled back; the prepared statements are not those of this connection
const lostCodes = new Set(['25006', '25P01', '3B001', failedBefore, '42P03', '26000', '42P05'])
