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

/** A failure on this page. Its message is a sentence for the user. */
export class PageError extends Error {}

/** The reason for a failure, as a sentence for the user. */
export function failureSentence(error: unknown): string {
  if (error instanceof ValidationFailedError) return fieldSentences(error).join(' ')
  if (error instanceof ApiError) {
    if (error.status === 401 && error.code !== 'sign_in_failed') return words.session.refused
    if (error.status >= 500) return words.failures.server(error.requestId)
    return sentence(error.message)
  }
  if (isUnanswered(error)) return words.failures.noAnswer
  if (error instanceof UnexpectedAnswerError) return words.failures.inFront(error.status)
  if (error instanceof PageError) return error.message
  return words.failures.unforeseen(error instanceof Error ? error.message : String(error))
}

/** The reason why an undo failed and the next step, as a sentence for the user. */
export function undoFailureSentence(error: unknown): string {
  // the undo may have taken effect
  if (mayPass(error)) return failureSentence(error)
  if (error instanceof ApiError && error.code === 'etag_mismatch') return words.failures.changedSince
  if (error instanceof NotFoundError) return words.failures.goneSince
  return words.failures.notTakenBack(failureSentence(error))
}

/** The reason why a read failed, as a sentence for the user. */
export const readFailureSentence = (error: unknown): string =>
  isUnanswered(error) ? words.failures.notRead : failureSentence(error)

/** Whether the same request may succeed later. */
export const mayPass = (error: unknown): boolean =>
  error instanceof TaskwrightError && (!(error instanceof ApiError) || error.status >= 500 || error.status === 429)

const isUnanswered = (error: unknown) => error instanceof ConnectionError || error instanceof TimeoutError

function fieldSentences({ formErrors, fieldErrors }: ValidationFailedError): string[] {
  const fields = Object.entries(fieldErrors).map(([field, messages]) => `${field}: ${messages.join(', ')}`)
  return [...formErrors, ...fields].map(sentence)
}

const sentence = (text: string) => plain(/[.!?]$/.test(text) ? text : `${text}.`)
