import type { Db } from '../db.ts'
import type { Sql } from '../sql.ts'

/** What one write works with. */
export interface Transaction extends Db {
  /** Sends a statement without waiting for it. Should it fail, nothing is committed and the transaction fails with its error. */
  send(statement: Sql | string): void
  /** Holds back all results until the promise resolves; if it rejects, every result rejects with its error. */
  gate(opened: Promise<void>): void
  /** Sends the savepoint for `rollBackToSavepoint`. */
  savepoint(): void
  /** Rolls back to the savepoint. If that fails, the transaction cannot be committed. */
  rollBackToSavepoint(): void
  /** Notes statements that are sent with COMMIT, in the order in which they were noted. */
  last(statements: Ending): void
}

/** Makes statements one after the other; at undefined others may come in between, as the next ones take a while to make. */
export type Ending = () => Iterable<Sql | undefined>

/** A database outside of a transaction: each statement only reads, and writes are in transactions. */
export interface TransactionalDb extends Db {
  /**
   * Runs `work` in one read-committed transaction. BEGIN travels with its first statement; what it `send`s last travels
   * with COMMIT. Whatever `work` throws undoes everything that it did.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}
