import type { z } from 'zod'
import type { CodeOf, ErrorCode } from './error-codes.ts'

interface Details {
  formErrors: string[]
  fieldErrors: Record<string, string[]>
}

/** An answer that is not a success. What is thrown inside a request and is no ApiError is a 500. */
export class ApiError extends Error {
  readonly status: number
  /** machine-readable cause, sent as X-Error-Code */
  readonly code: ErrorCode
  readonly details: Details | undefined
  /** the fields of the details that stand in the query, the others in the body */
  readonly inQuery: readonly string[]
  readonly headers: Record<string, string>

  constructor(
    status: number,
    message: string,
    code: ErrorCode,
    more: { details?: Details; inQuery?: readonly string[]; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.details = more.details
    this.inQuery = more.inQuery ?? []
    this.headers = more.headers ?? {}
  }

  /** The one shape of every answer that is no success. @see docs/contract.md §7.1 */
  get envelope(): { error: string; details?: Details } {
    return this.details ? { error: this.message, details: this.details } : { error: this.message }
  }
}

export const badRequest = (message: string, code: CodeOf<400> = 'bad_request') => new ApiError(400, message, code)

/** One message for every cause, so that nothing is learned from it. @see RFC 6750 §3 */
export const unauthorized = () =>
  new ApiError(401, 'Missing, invalid, expired or revoked API key', 'unauthorized', {
    headers: { 'www-authenticate': 'Bearer' },
  })

export const forbidden = (message: string, code: CodeOf<403>) => new ApiError(403, message, code)

/** The same bytes whether the thing never existed, was deleted, or is not the caller's to see. */
export const notFound = () => new ApiError(404, 'Not found', 'not_found')

export const conflict = (message: string, code: CodeOf<409>) => new ApiError(409, message, code)

/** A rule of the domain, or If-Match, stood in the way. */
export const refused = (message: string, code: CodeOf<412>) => new ApiError(412, message, code)

/** @param inQuery the fields that stand in the query */
export const invalid = (
  fieldErrors: Details['fieldErrors'],
  formErrors: string[] = [],
  inQuery: readonly string[] = [],
) => new ApiError(422, 'Validation failed', 'validation_failed', { details: { formErrors, fieldErrors }, inQuery })

export const unavailable = (message: string, retryAfterSeconds = 1) =>
  new ApiError(503, message, 'unavailable', { headers: { 'retry-after': String(retryAfterSeconds) } })

/** What the caller named, or 404. What is always there is `expected` instead: without it, that is a 500. */
export function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw notFound()
  return row
}

/** How many messages of each kind an answer holds of the query, and of the body; further ones are left out. */
export const mostMessages = 100
/** No message is longer; what a message quotes of a request is cut. */
export const longestMessage = 400
const longestQuote = 100

/**
 * Issues by field path (`stages.0`), those without a path as form errors. zod's own flattenError keeps only the first
 * step of a path.
 * @see docs/contract.md §7.4
 */
export function flatten(issues: readonly z.core.$ZodIssue[], unknownKey: string): Details {
  const details: Details = { formErrors: [], fieldErrors: {} }
  for (const issue of issues.slice(0, mostMessages)) {
    const path = issue.path.join('.')
    const messages =
      issue.code === 'unrecognized_keys' ? issue.keys.slice(0, mostMessages).map(quoted(unknownKey)) : [issue.message]
    if (path === '') details.formErrors = [...details.formErrors, ...messages].slice(0, mostMessages)
    else details.fieldErrors[path] = [...(details.fieldErrors[path] ?? []), ...messages].slice(0, mostMessages)
  }
  return details
}

const quoted = (what: string) => (key: string) => `${what}: ${key.slice(0, longestQuote).toWellFormed()}`
