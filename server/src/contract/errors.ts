import type { z } from 'zod'
import type { CodeOf, ErrorCode } from './error-codes.ts'

interface Details {
  formErrors: string[]
  fieldErrors: Record<string, string[]>
}

/** An error response. Any other error that a request throws becomes a 500. */
export class ApiError extends Error {
  readonly status: number
  /** machine-readable cause, sent as X-Error-Code */
  readonly code: ErrorCode
  readonly details: Details | undefined
  /** the fields of `details` that are query parameters; the others are body fields */
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

  /** The body of every error response. @see docs/contract.md §7.1 */
  get envelope(): { error: string; details?: Details } {
    return this.details ? { error: this.message, details: this.details } : { error: this.message }
  }
}

export const badRequest = (message: string, code: CodeOf<400> = 'bad_request') => new ApiError(400, message, code)

/** The 401 has one message for every cause, so that it reveals nothing about keys. @see RFC 6750 §3 */
export const unauthorized = () =>
  new ApiError(401, 'Missing, invalid, expired or revoked API key', 'unauthorized', {
    headers: { 'www-authenticate': 'Bearer' },
  })

/** The 401 for a wrong proof of who a person is. The message must not reveal which part is wrong. */
export const signInFailed = (message: string) => new ApiError(401, message, 'sign_in_failed')

export const forbidden = (message: string, code: CodeOf<403>) => new ApiError(403, message, code)

/** The 404 is the same for an unknown, a deleted and a hidden resource. */
export const notFound = () => new ApiError(404, 'Not found', 'not_found')

export const conflict = (message: string, code: CodeOf<409>) => new ApiError(409, message, code)

/** The 412 for a rule of the domain, or for If-Match. */
export const refused = (message: string, code: CodeOf<412>) => new ApiError(412, message, code)

/** The 422 for invalid fields. @param inQuery the fields that are query parameters */
export const invalid = (
  fieldErrors: Details['fieldErrors'],
  formErrors: string[] = [],
  inQuery: readonly string[] = [],
) => new ApiError(422, 'Validation failed', 'validation_failed', { details: { formErrors, fieldErrors }, inQuery })

export const unavailable = (message: string, retryAfterSeconds = 1) =>
  new ApiError(503, message, 'unavailable', { headers: { 'retry-after': String(retryAfterSeconds) } })

/** Returns a row that the caller named. Use `expected` for a row that must exist: its absence is a 500. @throws 404 */
export function orNotFound<Row>(row: Row | undefined): Row {
  if (row === undefined) throw notFound()
  return row
}

/** The limit of messages of each kind in a 422, per query and per body. The server leaves out further messages. */
export const mostMessages = 100
/** The longest message, in characters. A message quotes only the beginning of a long value. */
export const longestMessage = 400
const longestQuote = 100

/**
 * Groups issues by field path (`stages.0`); issues without a path become form errors. zod's own flattenError keeps only the
 * first step of a path.
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
