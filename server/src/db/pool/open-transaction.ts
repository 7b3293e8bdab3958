import { setImmediate as turn } from 'node:timers/promises'
import type pg from 'pg'
import type { Sql } from '../sql.ts'
import { isDatabaseError, TransactionLost } from './failures.ts'
import type { StatementWatch } from './statement-watch.ts'
import { prepared, send, takeRows } from './statements.ts'
import type { ClosingStatements, Transaction } from './transaction.ts'

/** Statements that succeed or fail together, and their first failure. */
interface Section {
  failure?: unknown
}

/**
 * One transaction on one connection. Its statements are pipelined: sent at once, with their results in order. If BEGIN fails,
 * the statements after it change nothing: the connection is read-only by default, and only our BEGIN says read write.
 */
export class OpenTransaction implements Transaction {
  readonly #client: pg.PoolClient
  readonly #answerTimeoutMs: number
  readonly #watch: StatementWatch | undefined
  readonly #begun: Promise<void>
  #gate: Promise<void> = Promise.resolve()
  /** BEGIN and COMMIT */
  readonly #frame: Section = {}
  /** the statements since BEGIN, or since the last rollback to the savepoint */
  #section: Section = {}
  #endings: ClosingStatements[] = []
  #answeredMs = 0
  #unanswered = 0
  #waitsSinceMs = 0
  /** whether it did not run as it was sent */
  lost = false

  /**
   * Sends BEGIN, which travels with the first statement.
   * @param answerTimeoutMs of BEGIN and ROLLBACK
   * @param watch observes its statements
   */
  constructor(client: pg.PoolClient, answerTimeoutMs: number, watch?: StatementWatch) {
    this.#client = client
    this.#answerTimeoutMs = answerTimeoutMs
    this.#watch = watch
    this.#begun = new Promise((resolve, reject) => {
      void client.query(withTimeout(answerTimeoutMs, begin), (error: Error | null) => {
        // read the status in the callback: later results in the same packet change it
        if (!error && client.getTransactionStatus() === 'T') resolve()
        else
          reject(
            this.#note(error && !isDatabaseError(error) ? error : new TransactionLost({ cause: error }), this.#frame),
          )
      })
    })
    this.#begun.catch(() => {})
  }

  async rows<Row>(statement: Sql): Promise<Row[]> {
    const answered = this.#query(statement)
    answered.catch(() => {})
    // take the gate as it is now: a later one waits for this result
    const gate = this.#gate
    await this.#begun
    await gate
    return takeRows(await answered)
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.rows<Row>(statement))[0]
  }

  send(statement: Sql | string): void {
    this.#query(statement).catch(() => {})
  }

  gate(opened: Promise<void>): void {
    opened.catch(() => {})
    this.#gate = opened
  }

  savepoint(): void {
    this.send('savepoint effect')
  }

  rollBackToSavepoint(): void {
    this.#section = {}
    this.#endings = []
    this.send('rollback to savepoint effect')
  }

  last(statements: ClosingStatements): void {
    this.#endings.push(statements)
  }

  /** Sends a statement. If it fails, its section has failed. */
  #query(statement: Sql | string, section = this.#section): Promise<pg.QueryResult> {
    const asked = typeof statement === 'string' ? { text: statement } : prepared(statement)
    const sentMs = performance.now()
    if (this.#unanswered++ === 0) this.#waitsSinceMs = sentMs
    return send(this.#client, asked).then(
      (answered) => {
        // results come in order: until the previous one, the database worked on earlier statements
        const beginMs = Math.max(sentMs, this.#answeredMs)
        this.#noteAnswer()
        this.#watch?.answered(asked, this.#answeredMs - beginMs, answered.rowCount ?? 0)
        return answered
      },
      (error: unknown) => {
        this.#noteAnswer()
        throw this.#note(error, section)
      },
    )
  }

  #noteAnswer(): void {
    this.#answeredMs = performance.now()
    this.#waitsSinceMs = this.#answeredMs
    this.#unanswered--
  }

  /** How long it has waited for the next result; 0 if it waits for none. */
  get waitedMs(): number {
    return this.#unanswered === 0 ? 0 : performance.now() - this.#waitsSinceMs
  }

  /**
   * PostgreSQL confirms the COMMIT of a failed transaction with the tag ROLLBACK, and a COMMIT outside of a transaction with the
   * tag COMMIT. Neither is an error, so check both the tag and the failures.
   */
  async commit(): Promise<void> {
    await this.#begun
    const failure = this.#failure
    if (failure !== undefined) throw failure
    if (this.#client.getTransactionStatus() === 'I') throw this.#note(new TransactionLost(), this.#frame)
    for (const statements of this.#endings) {
      for (const statement of statements()) {
        if (statement) this.send(statement)
        else await turn()
      }
    }
    const { command } = await this.#query('commit', this.#frame)
    // a statement may have failed in the meantime while nobody waited for it
    const failed = this.#failure
    if (failed !== undefined) throw failed
    if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}`)
  }

  /** Rolls everything back. @returns whether the connection may be used again */
  async rollBack(): Promise<boolean> {
    const failure = this.#failure
    // a database that did not respond before would not respond to this
    if (this.lost || (failure !== undefined && !isDatabaseError(failure))) return false
    return this.#client.query(withTimeout(this.#answerTimeoutMs, 'rollback')).then(
      () => this.#client.getTransactionStatus() === 'I',
      () => false,
    )
  }

  /** The first failure among the statements to commit. */
  get #failure(): unknown {
    return this.#frame.failure ?? this.#section.failure
  }

  /** Notes a failure. After the first one, PostgreSQL only says that the transaction has failed, so it returns the first. */
  #note(error: unknown, section: Section): unknown {
    const code = (error as { code?: string }).code ?? ''
    const before = section === this.#frame ? this.#failure : section.failure
    if (code === failedBefore && before !== undefined) return before
    const meant = lostCodes.has(code) ? new TransactionLost({ cause: error }) : error
    if (meant instanceof TransactionLost) this.lost = true
    section.failure ??= meant
    return meant
  }
}

// the types of the driver lack this option
const withTimeout = (limitMs: number, text: string) => ({ text, query_timeout: limitMs }) as pg.QueryConfig

// connections for transactions are read-only by default
const begin = 'begin isolation level read committed read write'

const failedBefore = '25P02'

// the connection is read-only; there is no transaction, or no such savepoint; the rollback to the savepoint did not happen;
// the connection does not have our prepared statements
const lostCodes = new Set(['25006', '25P01', '3B001', failedBefore, '26000', '42P05'])
