import { ApiError, ConnectionError, TaskwrightError, TimeoutError, UnexpectedAnswerError } from './client.ts'
import { flagOfField } from './commands/fields-of-errors.ts'
import { paintFor } from './output/colours.ts'
import { inLines } from './output/escape.ts'
import { DeclinedError, exitCodes, InterruptedError, JqFailed, NotSignedIn, WrongUse } from './problems.ts'
import { connectionHints } from './proxies/connection-hints.ts'
import type { Terminal } from './terminal.ts'

/** Prints an error to standard error. @returns the exit code */
export function tell(error: unknown, words: readonly string[], terminal: Terminal): number {
  const stopped = terminal.interrupted.aborted && !(error instanceof WrongUse)
  if (stopped || error instanceof InterruptedError) return exitCodes.interrupted
  const { err } = terminal
  const paint = paintFor(terminal, err)
  const verbose = words.includes('--verbose') || words.includes('-v')
  const [sentence = '', ...lines] = inLines(sayingOf(error, words, verbose, terminal)).split('\n')
  err.write(`${[paint('red', sentence), ...lines].join('\n')}\n`)
  return codeOf(error)
}

function codeOf(error: unknown): number {
  if (error instanceof WrongUse || error instanceof DeclinedError) return exitCodes.wrongUse
  if (error instanceof JqFailed) return error.exitCode
  if (error instanceof NotSignedIn) return exitCodes.notSignedIn
  if (error instanceof ApiError && isOurs(error)) {
    return error.status === 401 ? exitCodes.notSignedIn : exitCodes.refused
  }
  const gotNoAnswer = [ApiError, ConnectionError, TimeoutError, UnexpectedAnswerError].some(
    (one) => error instanceof one,
  )
  return gotNoAnswer ? exitCodes.noConnection : exitCodes.refused
}

/** Whether the error comes from Taskwright and not from a proxy. */
const isOurs = ({ code }: ApiError) => code !== undefined

function sayingOf(error: unknown, words: readonly string[], verbose: boolean, { env }: Terminal): string {
  if (!(error instanceof Error)) return String(error)
  const lines = [error.message]
  if (error instanceof ConnectionError) lines.push(...connectionHints(error, env))
  if (error instanceof ApiError) lines.push(...refusalLines(error, words, verbose))
  if (error instanceof UnexpectedAnswerError || (error instanceof ApiError && !isOurs(error))) {
    lines.push('A proxy in front of the server responded instead. Check the URL, HTTPS_PROXY and HTTP_PROXY.')
  }
  if (error instanceof TaskwrightError && error.mayBeDone && error.idempotencyKey !== undefined) {
    lines.push(`The change may still be made. To try again safely, add --idempotency-key ${error.idempotencyKey}.`)
  }
  if (verbose && error.cause instanceof Error)
    lines.push(`cause: ${error.cause.message || (error.cause as NodeJS.ErrnoException).code}`)
  if (verbose && !(error instanceof TaskwrightError) && !isExpected(error)) lines.push(error.stack ?? '')
  return lines.join('\n')
}

const isExpected = (error: Error) =>
  [WrongUse, NotSignedIn, DeclinedError, JqFailed].some((known) => error instanceof known)

function refusalLines(
  { status, code, formErrors, fieldErrors, requestId }: ApiError,
  words: readonly string[],
  verbose: boolean,
) {
  const fields = Object.entries(fieldErrors).flatMap(([path, faults]) =>
    faults.map((fault) => `  ${flagOfField(words, path)}: ${fault}`),
  )
  return [
    ...formErrors.map((fault) => `  ${fault}`),
    ...fields,
    ...(status === 401 && code !== undefined ? ['Sign in again: tw login.'] : []),
    ...(verbose ? [`status ${status}${code ? `, ${code}` : ''}${requestId ? `, request ${requestId}` : ''}`] : []),
  ]
}
