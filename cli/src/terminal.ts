/** Where a command runs: what it is given, what it may read, where it speaks. */
export interface Terminal {
  env: Readonly<Record<string, string | undefined>>
  out: Output
  err: Output
  input: Input
  /** gone off once somebody presses Ctrl-C */
  interrupted: AbortSignal
}

/** A stream that is written to. */
export interface Output {
  write(text: string): void
  /** whether a person looks at it */
  isTerminal: boolean
  /** how wide it is, where a person looks at it */
  columns?: number | undefined
  /** resolves once what was written has left */
  drained(): Promise<void>
}

/** What is typed, or comes by a pipe. */
export interface Input {
  isTerminal: boolean
  /** All that there is, to its end. */
  text(): Promise<string>
  /** Line by line, as they come; only a line feed ends one. */
  lines(): AsyncIterable<string>
  /** Asks a person for a line. @param hidden what is typed does not show. @returns undefined at the end of the input */
  ask(question: string, hidden?: boolean): Promise<string | undefined>
}

/** Whether a person can be asked. */
export const canAsk = ({ input, err }: Terminal) => input.isTerminal && err.isTerminal
