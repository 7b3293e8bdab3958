import {
  ApiError,
  ConnectionError,
  NotFoundError,
  TaskwrightError,
  TimeoutError,
  UnexpectedAnswerError,
  ValidationFailedError,
} from '@taskwright/client'
import { plain } from '../plain-names.ts'
import { words } from '../words.ts'

/** Why something failed, as a sentence for who did it. */
export function failureSentence(error: unknown): string {
  if (error instanceof ValidationFailedError) return fieldSentences(error).join(' ')
  if (error instanceof ApiError) {
    if (error.status === 401) return words.session.refused
    if (error.status >= 500) return words.failures.server(error.requestId)
    return sentence(error.message)
  }
  if (isUnanswered(error)) return words.failures.noAnswer
  if (error instanceof UnexpectedAnswerError) return words.failures.inFront(error.status)
  return words.failures.unforeseen(error instanceof Error ? error.message : String(error))
}

/** Why something was not taken back, and what can be done about it, as a sentence for who wanted it. */
export function undoFailureSentence(error: unknown): string {
  // whether it was taken back is not known
  if (mayPass(error)) return failureSentence(error)
  if (error instanceof ApiError && error.code === 'etag_mismatch') return words.failures.changedSince
  if (error instanceof NotFoundError) return words.failures.goneSince
  return words.failures.notTakenBack(failureSentence(error))
}

/** Why something could not be read, as a sentence for who wanted to see it. */
export const readFailureSentence = (error: unknown): string =>
  isUnanswered(error) ? words.failures.notRead : failureSentence(error)

/** Whether it may go well when it is tried again as it is. */
export const mayPass = (error: unknown): boolean =>
  error instanceof TaskwrightError && (!(error instanceof ApiError) || error.status >= 500 || error.status === 429)

const isUnanswered = (error: unknown) => error instanceof ConnectionError || error instanceof TimeoutError

function fieldSentences({ formErrors, fieldErrors }: ValidationFailedError): string[] {
  const fields = Object.entries(fieldErrors).map(([field, messages]) => `${field}: ${messages.join(', ')}`)
  return [...formErrors, ...fields].map(sentence)
}

const sentence = (text: string) => plain(/[.!?]$/.test(text) ? text : `${text}.`)
