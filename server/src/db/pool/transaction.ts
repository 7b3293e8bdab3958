import type { Db } from '../db.ts'
import type { Sql } from '../sql.ts'

/** The transaction of one write. */
export interface Transaction extends Db {
  /** Sends a statement without waiting for it. If it fails, nothing is committed and the transaction fails with its error. */
  send(statement: Sql | string): void
  /** Holds back all results until the promise resolves; if it rejects, every result rejects with its error. */
  gate(opened: Promise<void>): void
  /** Sends the savepoint for `rollBackToSavepoint`. */
  savepoint(): void
  /** Rolls back to the savepoint. If that fails, the transaction cannot be committed. */
  rollBackToSavepoint(): void
  /** Adds statements to send with COMMIT, in the order of the calls. */
  last(statements: ClosingStatements): void
}

/** Yields statements one after the other. On undefined other work may run, as building the next statement takes a while. */
export type ClosingStatements = () => Iterable<Sql | undefined>

/** A database outside of a transaction: each statement only reads, and writes are in transactions. */
export interface TransactionalDb extends Db {
  /**
   * Runs `work` in one read-committed transaction. BEGIN travels with its first statement; the statements of `last` travel with
   * COMMIT. If `work` throws, everything is rolled back.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}
