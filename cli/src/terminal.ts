/** The environment of a command: its variables, input and output. */
export interface Terminal {
  env: Readonly<Record<string, string | undefined>>
  out: Output
  err: Output
  input: Input
  /** aborted when the user presses Ctrl-C */
  interrupted: AbortSignal
}

/** An output stream. */
export interface Output {
  write(text: string): void
  /** whether a user sees it */
  isTerminal: boolean
  /** its width, if it is a terminal */
  columns?: number | undefined
  /** resolves when everything is written */
  drained(): Promise<void>
}

/** The input: typed or piped. */
export interface Input {
  isTerminal: boolean
  /** All content, to the end of the input. */
  text(): Promise<string>
  /** The lines as they arrive; only a line feed ends a line. */
  lines(): AsyncIterable<string>
  /** Asks the user for a line. @param hidden does not show the typed text. @returns undefined at the end of the input */
  ask(question: string, hidden?: boolean): Promise<string | undefined>
}

/** Whether a user can answer a question. */
export const canAsk = ({ input, err }: Terminal) => input.isTerminal && err.isTerminal
