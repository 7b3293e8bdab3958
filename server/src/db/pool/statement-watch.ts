/** Observes statements when their results arrive. */
export interface StatementWatch {
  /**
   * @param statement name of a prepared statement, or its text; never its values
   * @param ms time of the database, without the wait for a connection and for earlier statements of the pipeline
   */
  answered(statement: { name?: string | undefined; text: string }, ms: number, rows: number): void
}
