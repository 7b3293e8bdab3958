import type { Db } from './db.ts'
import type { Sql } from './sql.ts'

/** What one write works with: a transaction of its own, or its part in one that it shares with other writes. */
export interface Transaction extends Db {
  /** Sends a statement without waiting for it. Should it fail, nothing is committed and the transaction fails with its error. */
  send(statement: Sql | string): void
  /** Holds back all results until the promise resolves; if it rejects, every result rejects with its error. */
  gate(opened: Promise<void>): void
  /** Sends the savepoint for `rollBackToSavepoint`. */
  savepoint(): void
  /** Rolls back to the savepoint. If that fails, the transaction cannot be committed. */
  rollBackToSavepoint(): void
  /** Notes what is sent with COMMIT. */
  last<One>(ending: Ending<One>, one: One): void
}

/** Statements that a transaction ends with: of several writes that share it, they are sent once for all of them. */
export interface Ending<One> {
  /** in which order they are sent: lower ones first */
  order: number
  /** made one after the other; at undefined others may come in between, as the next ones take a while */
  statements(all: readonly One[]): Iterable<Sql | undefined>
  /** how much text one of them makes */
  characters?(one: One): number
}
