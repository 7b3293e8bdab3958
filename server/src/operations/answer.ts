import type { ApiError } from '../contract/errors.ts'
import type { StreamedAnswer } from './streaming.ts'

/** A complete response, including the bytes of its body. */
export interface Answer {
  status: number
  headers: Record<string, string>
  /** a string is sent as UTF-8 */
  body: string | Buffer | undefined
  /** writes the response over time, instead of a body */
  stream?: StreamedAnswer
}

/** The result that a DELETE may return: additional headers of its response, which has no body. */
export interface NoContent {
  answerHeaders: Record<string, string>
}

/** The path prefix of the API. */
export const prefix = '/api/v1'

/** The default content type. */
export const json = 'application/json; charset=utf-8'

/** The response to a refused request. */
export function answerForError(error: ApiError): Answer {
  return {
    status: error.status,
    headers: { 'content-type': json, 'x-error-code': error.code, ...error.headers },
    body: JSON.stringify(error.envelope),
  }
}
