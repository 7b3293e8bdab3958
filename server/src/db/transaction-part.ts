import type pg from 'pg'
import type { Sql } from './sql.ts'
import type { StatementWatch } from './statement-watch.ts'
import { takeRows } from './statements.ts'
import type { Ending, Transaction } from './transaction.ts'

/** Statements that succeed or fail together, and the first failure among them. */
export interface Section {
  failure?: unknown
}

/** The transaction that it is a part of. */
interface Whole {
  begun: Promise<void>
  /** sends a statement; if it fails, so has the section */
  query(statement: Sql | string, section: Section, watch?: StatementWatch): Promise<pg.QueryResult>
  rollBackTo(savepoint: string, section: Section): void
}

/** What is sent with COMMIT for one write. */
interface Last {
  ending: Ending<unknown>
  one: unknown
}

/** What one write does in a transaction: all of it, or its part beside those of others, which are done before and after it. */
export class TransactionPart implements Transaction {
  readonly #whole: Whole
  /** of its savepoint and its cursors */
  readonly #name: string
  #gate: Promise<void> = Promise.resolve()
  /** the statements since it began, or since the last rollback to the savepoint */
  #section: Section = {}
  #lasts: Last[] = []
  #ended: Error | undefined
  /** is told of its statements */
  watch: StatementWatch | undefined

  /** @param name of which no other part of the transaction has one */
  constructor(whole: Whole, name: string) {
    this.#whole = whole
    this.#name = name
  }

  async rows<Row>(statement: Sql): Promise<Row[]> {
    const answered = this.#query(statement)
    answered.catch(() => {})
    // the gate as it is now: one that is set later waits for this very answer
    const gate = this.#gate
    await this.#whole.begun
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
    this.send(`savepoint effect_${this.#name}`)
  }

  rollBackToSavepoint(): void {
    this.#section = {}
    this.#lasts = []
    if (this.#ended) this.#section.failure = this.#ended
    else this.#whole.rollBackTo(`effect_${this.#name}`, this.#section)
  }

  last<One>(ending: Ending<One>, one: One): void {
    this.#lasts.push({ ending: ending as Ending<unknown>, one })
  }

  /** Nothing more is sent: what still tries fails with this. */
  end(reason: Error): void {
    this.#ended ??= reason
  }

  /** Why it cannot be committed, as far as that is known. */
  get failure(): unknown {
    return this.#section.failure
  }

  get lasts(): readonly Last[] {
    return this.#lasts
  }

  /** How much text is sent for it with COMMIT. */
  get characters(): number {
    return this.#lasts.reduce((sum, { ending, one }) => sum + (ending.characters?.(one) ?? 0), 0)
  }

  #query(statement: Sql | string) {
    if (this.#ended === undefined) return this.#whole.query(statement, this.#section, this.watch)
    this.#section.failure ??= this.#ended
    return Promise.reject(this.#ended)
  }
}

/** What is sent with COMMIT for all of these parts, as their endings make it. */
export function* endingsOf(parts: readonly TransactionPart[]): Generator<Sql | undefined> {
  const byEnding = new Map<Ending<unknown>, unknown[]>()
  for (const { lasts } of parts) {
    for (const { ending, one } of lasts) {
      const all = byEnding.get(ending)
      if (all === undefined) byEnding.set(ending, [one])
      else all.push(one)
    }
  }
  const inOrder = [...byEnding].sort(([a], [b]) => a.order - b.order)
  for (const [ending, all] of inOrder) yield* ending.statements(all)
}
