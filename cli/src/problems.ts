/** What a command ends with. They are promised in docs/command-line.md. */
export const exitCodes = {
  ...{ ok: 0, refused: 1, wrongUse: 2, noConnection: 3, notSignedIn: 4, brokenOutput: 5, interrupted: 130 },
} as const

/** A command was given what it cannot take, in one plain sentence. */
export class WrongUse extends Error {}

/** Nobody is signed in, in one plain sentence that says how to. */
export class NotSignedIn extends Error {}

/** Somebody was asked and said no. */
export class Declined extends Error {}

/** jq refused a filter, or failed with it. */
export class JqFailed extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Somebody pressed Ctrl-C. */
export class Interrupted extends Error {}
