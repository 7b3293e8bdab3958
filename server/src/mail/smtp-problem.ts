/** The steps of sending, in their order. */
export type SmtpStep = 'connect' | 'authenticate' | 'sender' | 'recipient' | 'message'

/** The SMTP server did not do a step. The message has no addresses and links, so that it can go to the log. */
export class SmtpProblem extends Error {
  readonly step: SmtpStep
  /** the status of the server's response, such as 550; undefined: it did not respond */
  readonly status: number | undefined
  /** an error code of the system or the library, such as ECONNREFUSED */
  readonly code: string | undefined
  // a private field, because a logger writes the others
  readonly #reason: string

  constructor(step: SmtpStep, reason: string, { status, code }: { status?: number; code?: string } = {}) {
    super(withoutAddresses(reason))
    this.step = step
    this.status = status
    this.code = code
    this.#reason = oneLine(reason)
  }

  /** The whole reason, for the operator's terminal only. */
  get reason(): string {
    return this.#reason
  }

  /** Whether another try of the same mail must fail, too. A refused sender or password is for the operator to repair. */
  get isPermanent(): boolean {
    // the library refuses an address that is none
    if (this.code === 'EENVELOPE' && this.status === undefined) return true
    return (this.step === 'recipient' || this.step === 'message') && this.status !== undefined && this.status >= 500
  }
}

/** The error of a step. */
export function smtpProblem(step: SmtpStep, error: unknown): SmtpProblem {
  if (error instanceof SmtpProblem) return error
  const { message, responseCode, command, code, originalCode } = error as Error & {
    responseCode?: number
    command?: string
    code?: string
    originalCode?: string
  }
  const known = originalCode ?? code
  return new SmtpProblem(stepOf(command) ?? step, message, {
    ...(responseCode === undefined ? {} : { status: responseCode }),
    ...(known === undefined ? {} : { code: known }),
  })
}

const stepOf = (command: string | undefined): SmtpStep | undefined =>
  command === 'MAIL FROM' ? 'sender' : command === 'RCPT TO' ? 'recipient' : undefined

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 500)

/** A response of a mail server, without what it repeats of the mail. */
const withoutAddresses = (text: string): string =>
  // bounded: 500 characters
  oneLine(text)
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '<link>')
    .replace(/[^\s<>"'(),:;]+@[^\s<>"'(),:;]+/g, 'address')
