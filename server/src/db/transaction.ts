import type pg from 'pg'
import type { Db } from './db.ts'
import { isSaidByDatabase, TransactionLost } from './failures.ts'
import type { Tenant } from './fair-queue.ts'
import type { Sql } from './sql.ts'
import { forConnection, prepared, takeRows } from './statements.ts'

/**
 * One transaction on one connection. Statements are pipelined: sent at once, answered in order. Those behind a BEGIN that
 * failed change nothing, as the connection only reads outside of a transaction that says otherwise.
 */
export class Transaction implements Db {
  readonly #client: pg.PoolClient
  readonly #begun: Promise<void>
  readonly #answerTimeoutMs: number
  readonly #tenant: Tenant
  #gate: Promise<void> = Promise.resolve()
  /** what is done, since it began or since what was before was undone */
  #section: Section = {}
  /** whether it was not run as it was asked for */
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
        // asked at once: the answers of the others may have come with this one
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
    // as it is now: one that is set later waits for this very answer
    const gate = this.#gate
    await this.#begun
    await gate
    return takeRows(await answered)
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.rows<Row>(statement))[0]
  }

  /** Sends a statement without waiting for it; should it fail, there is no COMMIT, and its failure is that of the whole. */
  send(statement: Sql | string): void {
    this.#query(
      typeof statement === 'string' ? statement : forConnection(this.#client, prepared(statement, this.#tenant)),
    ).catch(() => {})
  }

  /** Until the gate opens no result is given out; when it fails, every result is its failure. */
  gate(opened: Promise<void>): void {
    opened.catch(() => {})
    this.#gate = opened
  }

  /** Sends a mark, up to which `undoToSavepoint` undoes. */
  savepoint(): void {
    this.send('savepoint effect')
  }

  /** Sends what undoes all since the savepoint. When that does not come about the transaction cannot be committed. */
  rollBackToSavepoint(): void {
    // it goes with what is undone; one that stays makes the second fail
    const cursor = 'declare undone cursor for select 1'
    this.#client.query(cursor).catch(() => {})
    this.#section = {}
    this.send('rollback to savepoint effect')
    this.send(cursor)
  }

  /**
   * PostgreSQL answers COMMIT of a failed transaction with success and the tag ROLLBACK, and without a transaction with the
   * tag COMMIT, so the tag decides, and what was known before.
   */
  async commit(): Promise<void> {
    await this.#begun
    const section = this.#section
    if (section.failure !== undefined) throw section.failure
    if (this.#client.getTransactionStatus() === 'I') throw this.#note(new TransactionLost(), section)
    const { command } = await this.#query('commit')
    if (command !== 'COMMIT') throw section.failure ?? new Error(`COMMIT was answered with ${command}`)
  }

  /** Undoes everything. @returns whether the connection may be used again */
  async rollBack(): Promise<boolean> {
    const { failure } = this.#section
    // where the database gave no answer it would give none to this either
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

  /** What a failure means for the transaction: one behind another means nothing. */
  #note(error: unknown, section: Section): unknown {
    const code = (error as { code?: string }).code ?? ''
    if (code === failedBefore && section.failure !== undefined) return section.failure
    const meant = lostCodes.has(code) ? new TransactionLost({ cause: error }) : error
    if (meant instanceof TransactionLost) this.lost = true
    section.failure ??= meant
    return meant
  }
}

/** Statements that stand or fall together, and what failed first of them. */
interface Section {
  failure?: unknown
}

// a limit that the driver knows and its types do not
const withTimeout = (limitMs: number, text: string) => ({ text, query_timeout: limitMs }) as pg.QueryConfig

// connections for transactions only read by default
const begin = 'begin isolation level read committed read write'

const failedBefore = '25P02'

// it only reads, or there is no transaction, no such savepoint, or still the failure or the cursor of what was to be undone;
// the names of its statements are not those that it had been given
const lostCodes = new Set(['25006', '25P01', '3B001', failedBefore, '42P03', '26000', '42P05'])
