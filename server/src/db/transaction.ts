import type pg from 'pg'
import type { Db } from './db.ts'
import { isSaidByDatabase, TransactionLost } from './failures.ts'
import type { Sql } from './sql.ts'
import { onConnection, prepared, takenFrom } from './statements.ts'
import type { Who } from './turns.ts'

/**
 * One transaction on one connection. Statements are pipelined: sent at once, answered in order. Those behind a BEGIN that
 * failed change nothing, as the connection only reads outside of a transaction that says otherwise.
 */
export class Transaction implements Db {
  readonly #client: pg.PoolClient
  readonly #begun: Promise<void>
  readonly #answerTimeoutMs: number
  readonly #who: Who
  #gate: Promise<void> = Promise.resolve()
  /** what is done, since it began or since what was before was undone */
  #stretch: Stretch = {}
  /** whether it was not run as it was asked for */
  lost = false

  /**
   * Sends BEGIN, which travels with the first statement.
   * @param answerTimeoutMs of BEGIN and ROLLBACK
   * @param who writes
   */
  constructor(client: pg.PoolClient, answerTimeoutMs: number, who: Who) {
    this.#client = client
    this.#answerTimeoutMs = answerTimeoutMs
    this.#who = who
    this.#begun = new Promise((resolve, reject) => {
      client.query(answeredWithin(answerTimeoutMs, begin), (error: Error | null) => {
        // asked at once: the answers of the others may have come with this one
        if (!error && client.getTransactionStatus() === 'T') resolve()
        else
          reject(
            this.#noted(
              error && !isSaidByDatabase(error) ? error : new TransactionLost({ cause: error }),
              this.#stretch,
            ),
          )
      })
    })
    this.#begun.catch(() => {})
  }

  async rows<Row>(statement: Sql): Promise<Row[]> {
    const answered = this.#ask(onConnection(this.#client, prepared(statement, this.#who)))
    answered.catch(() => {})
    // as it is now: one that is set later waits for this very answer
    const gate = this.#gate
    await this.#begun
    await gate
    return takenFrom(await answered)
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.rows<Row>(statement))[0]
  }

  /** Sends a statement without waiting for it; should it fail, there is no COMMIT, and its failure is that of the whole. */
  send(statement: Sql | string): void {
    this.#ask(
      typeof statement === 'string' ? statement : onConnection(this.#client, prepared(statement, this.#who)),
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
  undoToSavepoint(): void {
    // it goes with what is undone; one that stays makes the second fail
    const cursor = 'declare undone cursor for select 1'
    this.#client.query(cursor).catch(() => {})
    this.#stretch = {}
    this.send('rollback to savepoint effect')
    this.send(cursor)
  }

  /**
   * PostgreSQL answers COMMIT of a failed transaction with success and the tag ROLLBACK, and without a transaction with the
   * tag COMMIT, so the tag decides, and what was known before.
   */
  async commit(): Promise<void> {
    await this.#begun
    const stretch = this.#stretch
    if (stretch.failure !== undefined) throw stretch.failure
    if (this.#client.getTransactionStatus() === 'I') throw this.#noted(new TransactionLost(), stretch)
    const { command } = await this.#ask('commit')
    if (command !== 'COMMIT') throw stretch.failure ?? new Error(`COMMIT was answered with ${command}`)
  }

  /** Undoes everything. @returns whether the connection may be used again */
  async undone(): Promise<boolean> {
    const { failure } = this.#stretch
    // where the database gave no answer it would give none to this either
    if (this.lost || (failure !== undefined && !isSaidByDatabase(failure))) return false
    return this.#client.query(answeredWithin(this.#answerTimeoutMs, 'rollback')).then(
      () => this.#client.getTransactionStatus() === 'I',
      () => false,
    )
  }

  #ask(query: pg.QueryConfig | string): Promise<pg.QueryResult> {
    const stretch = this.#stretch
    return this.#client.query(query as pg.QueryConfig).catch((error: unknown) => {
      throw this.#noted(error, stretch)
    })
  }

  /** What a failure means for the transaction: one behind another means nothing. */
  #noted(error: unknown, stretch: Stretch): unknown {
    const code = (error as { code?: string }).code ?? ''
    if (code === failedBefore && stretch.failure !== undefined) return stretch.failure
    const meant = outsideCodes.has(code) ? new TransactionLost({ cause: error }) : error
    if (meant instanceof TransactionLost) this.lost = true
    stretch.failure ??= meant
    return meant
  }
}

/** Statements that stand or fall together, and what failed first of them. */
interface Stretch {
  failure?: unknown
}

// a limit that the driver knows and its types do not
const answeredWithin = (limitMs: number, text: string) => ({ text, query_timeout: limitMs }) as pg.QueryConfig

// connections for transactions only read by default
const begin = 'begin isolation level read committed read write'

const failedBefore = '25P02'

// it only reads, or there is no transaction, no such savepoint, or still the failure or the cursor of what was to be undone;
// the names of its statements are not those that it had been given
const outsideCodes = new Set(['25006', '25P01', '3B001', failedBefore, '42P03', '26000', '42P05'])
