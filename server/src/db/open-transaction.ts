import { setImmediate as turn } from 'node:timers/promises'
import type pg from 'pg'
import { isSaidByDatabase, TransactionLost } from './failures.ts'
import type { Tenant } from './fair-queue.ts'
import type { Sql } from './sql.ts'
import type { StatementWatch } from './statement-watch.ts'
import { prepared, send } from './statements.ts'
import { endingsOf, type Section, TransactionPart } from './transaction-part.ts'

/**
 * One transaction on one connection. Statements are pipelined: sent at once, answered in order. Should BEGIN fail, those
 * behind it change nothing: the connection is read-only by default, and only our BEGIN says read write.
 */
export class OpenTransaction {
  readonly #client: pg.PoolClient
  readonly #answerTimeoutMs: number
  readonly #tenant: Tenant
  readonly begun: Promise<void>
  /** BEGIN, and what is sent for all parts together */
  readonly #own: Section = {}
  /** what is committed, in its order */
  #parts: TransactionPart[] = []
  #marks = 0
  #answeredMs = 0
  #unanswered = 0
  #waitsSinceMs = 0
  #undone = 0
  /** whether COMMIT was sent, so that nobody knows what becomes of it until it is answered */
  commitSent = false
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
    this.begun = new Promise((resolve, reject) => {
      void client.query(withTimeout(answerTimeoutMs, begin), (error: Error | null) => {
        // the status is read in the callback: answers that came in the same packet change it
        if (!error && client.getTransactionStatus() === 'T') resolve()
        else
          reject(
            this.#note(error && !isSaidByDatabase(error) ? error : new TransactionLost({ cause: error }), this.#own),
          )
      })
    })
    this.begun.catch(() => {})
  }

  /** All that is done in it by one write. */
  whole(): TransactionPart {
    const part = new TransactionPart(this, 'whole')
    this.#parts.push(part)
    return part
  }

  /** The next of several parts. Each begins when the one before it is done, and can be undone until the next one begins. */
  nextPart(): TransactionPart {
    // a name is used once: a savepoint that was not made must not be taken for that of a part before
    const before = this.#marks++
    const mark = `savepoint part_${this.#marks}`
    this.send(before === 0 ? mark : `release savepoint part_${before}; ${mark}`)
    const part = new TransactionPart(this, String(this.#marks))
    this.#parts.push(part)
    return part
  }

  /** Undoes the part that was begun last. If that fails, the transaction cannot be committed. */
  undoLastPart(): void {
    this.#parts = this.#parts.slice(0, -1)
    this.rollBackTo(`part_${this.#marks}`, this.#own)
  }

  rollBackTo(savepoint: string, section: Section): void {
    // a check: the rollback drops this cursor; if it did not happen, declaring the cursor again fails
    const cursor = `declare undone_${++this.#undone} cursor for select 1`
    this.#client.query(cursor).catch(() => {})
    this.query(`rollback to savepoint ${savepoint}`, section).catch(() => {})
    this.query(cursor, section).catch(() => {})
  }

  /** Sends what concerns all parts. */
  send(statement: Sql | string): void {
    this.query(statement, this.#own).catch(() => {})
  }

  /** Sends a statement; if it fails, so has its section. */
  query(statement: Sql | string, section: Section, watch?: StatementWatch): Promise<pg.QueryResult> {
    const asked = typeof statement === 'string' ? { text: statement } : prepared(statement, this.#tenant)
    const sentMs = performance.now()
    if (this.#unanswered++ === 0) this.#waitsSinceMs = sentMs
    return send(this.#client, asked).then(
      (answered) => {
        // they are answered in their order: before the last answer the database was at others
        const beginMs = Math.max(sentMs, this.#answeredMs)
        this.#noteAnswer()
        watch?.answered(asked, this.#answeredMs - beginMs, answered.rowCount ?? 0)
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

  /** How long it has waited for the next answer; 0 where it waits for none. */
  get waitedMs(): number {
    return this.#unanswered === 0 ? 0 : performance.now() - this.#waitsSinceMs
  }

  /** How much text is sent with COMMIT. */
  get characters(): number {
    return this.#parts.reduce((sum, part) => sum + part.characters, 0)
  }

  /**
   * PostgreSQL answers COMMIT of a failed transaction with success and the tag ROLLBACK, and COMMIT outside of a transaction
   * with the tag COMMIT. So both the tag and what failed decide.
   */
  async commit(): Promise<void> {
    await this.begun
    const failure = this.#failure
    if (failure !== undefined) throw failure
    if (this.#client.getTransactionStatus() === 'I') throw this.#note(new TransactionLost(), this.#own)
    for (const statement of endingsOf(this.#parts)) {
      if (statement) this.send(statement)
      else await turn()
    }
    this.commitSent = true
    const [first, ...others] = this.#parts
    const { command } = await this.query('commit', this.#own, others.length === 0 ? first?.watch : undefined)
    // nobody may have waited for what failed meanwhile
    const failed = this.#failure
    if (failed !== undefined) throw failed
    if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}`)
  }

  /** Rolls everything back. @returns whether the connection may be used again */
  async rollBack(): Promise<boolean> {
    const failure = this.#failure
    // if the database gave no answer so far, it would not answer this either
    if (this.lost || (failure !== undefined && !isSaidByDatabase(failure))) return false
    return this.#client.query(withTimeout(this.#answerTimeoutMs, 'rollback')).then(
      () => this.#client.getTransactionStatus() === 'I',
      () => false,
    )
  }

  /** The first failure of what is to be committed. */
  get #failure(): unknown {
    return this.#own.failure ?? this.#parts.find(({ failure }) => failure !== undefined)?.failure
  }

  /** What a failure means for the transaction: those after the first only say that the transaction has failed. */
  #note(error: unknown, section: Section): unknown {
    const code = (error as { code?: string }).code ?? ''
    const before = section === this.#own ? this.#failure : section.failure
    if (code === failedBefore && before !== undefined) return before
    const meant = lostCodes.has(code) ? new TransactionLost({ cause: error }) : error
    if (meant instanceof TransactionLost) this.lost = true
    section.failure ??= meant
    return meant
  }
}

// the driver has this option, its types do not
const withTimeout = (limitMs: number, text: string) => ({ text, query_timeout: limitMs }) as pg.QueryConfig

// connections for transactions are read-only by default
const begin = 'begin isolation level read committed read write'

const failedBefore = '25P02'

// the connection is read-only; there is no transaction or no such savepoint; the failure or the cursor is still there that
// was to be rolled back; the prepared statements are not those of this connection
const lostCodes = new Set(['25006', '25P01', '3B001', failedBefore, '42P03', '26000', '42P05'])
