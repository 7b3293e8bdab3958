/** Is told of statements when they are answered. */
export interface StatementWatch {
  /**
   * @param statement a prepared one, by its name, or its text; never its values
   * @param ms how long the database took, without the wait for a connection and for the statements ahead of it
   */
  answered(statement: { name?: string | undefined; text: string }, ms: number, rows: number): void
}
