import type { ApiError } from '../contract/errors.ts'
import type { StreamedAnswer } from './streaming.ts'

/** What a request was answered with, down to the bytes of the body. */
export interface Answer {
  status: number
  headers: Record<string, string>
  /** a text is sent in UTF-8 */
  body: string | Buffer | undefined
  /** in place of a body, what is written as things happen */
  stream?: StreamedAnswer
}

/** What a DELETE may return: headers that its answer without a body has besides. */
export interface NoContent {
  answerHeaders: Record<string, string>
}

/** Where the API begins. */
export const prefix = '/api/v1'

/** The content type of all that is not said to be something else. */
export const json = 'application/json; charset=utf-8'

/** The envelope of a refusal. */
export function answerForError(error: ApiError): Answer {
  return {
    status: error.status,
    headers: { 'content-type': json, 'x-error-code': error.code, ...error.headers },
    body: JSON.stringify(error.envelope),
  }
}
