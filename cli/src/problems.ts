/** Exit codes. docs/command-line.md promises them. */
export const exitCodes = {
  ...{ ok: 0, refused: 1, wrongUse: 2, noConnection: 3, notSignedIn: 4, brokenOutput: 5, interrupted: 130 },
} as const

/** An invalid command line. The message is a plain sentence. */
export class WrongUse extends Error {}

/** No key is available. The message is a plain sentence that says how to sign in. */
export class NotSignedIn extends Error {}

/** The user answered no. */
export class DeclinedError extends Error {}

/** jq refused a filter, or failed while running it. */
export class JqFailed extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The user pressed Ctrl-C. */
export class InterruptedError extends Error {}
