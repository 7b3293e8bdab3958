import { type ErrorCode, errorCodes } from '../contract/error-codes.ts'
import {
  ApiError,
  badRequest,
  conflict,
  forbidden,
  invalid,
  longestMessage,
  mostMessages,
  notFound,
  refused,
  unauthorized,
  unavailable,
} from '../contract/errors.ts'
import { mostHeaders } from '../contract/headers.ts'
import { headersNamed } from './headers.ts'
import type { Json } from './schemas.ts'

const always = ['X-Request-Id', 'X-Error-Code', 'Access-Control-Allow-Origin']
const known = [...always, 'Dry-Run']
const counted = [...known, 'RateLimit', 'RateLimit-Policy']
const replayable = [...counted, 'Idempotent-Replayed']
const error = (message: string, code: ErrorCode) => new ApiError(errorCodes[code][0], message, code)

/** The error responses, by status. @see docs/contract.md §7 */
const refusals: Record<number, readonly [name: string, description: string, headers: readonly string[], ApiError]> = {
  400: [
    'BadRequest',
    'The request is malformed, or its values do not fit together.',
    replayable,
    badRequest('The body is not valid JSON'),
  ],
  401: [
    'Unauthorized',
    'The API key is missing, unknown, expired or revoked.',
    [...known, 'WWW-Authenticate'],
    unauthorized(),
  ],
  403: [
    'Forbidden',
    'The key does not have the scope, or its member does not have the role.',
    replayable,
    forbidden('The API key lacks the scope write', 'missing_scope'),
  ],
  404: ['NotFound', 'The resource does not exist, or you cannot see it.', replayable, notFound()],
  408: [
    'RequestTimeout',
    'The request took too long to arrive.',
    always,
    error('The request took too long to arrive', 'request_timeout'),
  ],
  409: [
    'Conflict',
    'The Idempotency-Key was already used for a different request.',
    counted,
    conflict('This Idempotency-Key was already used with a different request', 'idempotency_key_reused'),
  ],
  412: [
    'PreconditionFailed',
    'A rule does not allow the change, or the ETag in If-Match is not current.',
    replayable,
    refused('The subtask is finalized; reopen it before you change it or its time', 'subtask_finalized'),
  ],
  413: [
    'ContentTooLarge',
    'The body is larger than 1 MiB.',
    counted,
    error('The body is larger than 1048576 bytes', 'body_too_large'),
  ],
  414: ['UriTooLong', 'The URL is longer than 8192 characters.', counted, error('The URL is too long', 'url_too_long')],
  415: [
    'UnsupportedMediaType',
    'The body is not JSON in UTF-8, or it has a Content-Encoding.',
    [...counted, 'Accept', 'Accept-Encoding'],
    error('Send the body as application/json', 'unsupported_media_type'),
  ],
  422: [
    'ValidationFailed',
    'Some fields are wrong. `details` names each of them.',
    replayable,
    invalid({ name: ['Must be a string'] }),
  ],
  429: [
    'TooManyRequests',
    'The key has reached its rate limit.',
    [...counted, 'Retry-After'],
    error('Too many requests; wait and try again', 'rate_limited'),
  ],
  431: [
    'HeadersTooLarge',
    `The headers are larger than 16 KiB, or there are more than ${mostHeaders}.`,
    always,
    error('The headers are too large', 'headers_too_large'),
  ],
  500: [
    'InternalError',
    'An unexpected error.',
    counted,
    error('Internal server error; quote the request id when you report it', 'internal'),
  ],
  503: [
    'Unavailable',
    'The server cannot respond now. Try again later.',
    [...counted, 'Retry-After'],
    unavailable('The server is temporarily unavailable; try again'),
  ],
}

/** The error responses as components. */
export const refusalResponses: Record<string, Json> = Object.fromEntries(
  Object.entries(refusals).map(([status, [name, description, headers, example]]) => {
    const schema = { $ref: `#/components/schemas/${status === '422' ? 'ValidationError' : 'ErrorEnvelope'}` }
    const content = { 'application/json': { schema, example: example.envelope } }
    return [name, { description, headers: headersNamed(headers), content }]
  }),
)

/** References to the error responses with these statuses. */
export const refusalsWith = (statuses: readonly number[]): Json =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${refusals[status]?.[0]}` }]))

const message = { type: 'string', minLength: 1, maxLength: longestMessage, pattern: '\\S' }
const messages = { type: 'array', items: message, maxItems: mostMessages }
const envelope = (properties: Json) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

/** The schemas of all error bodies. @see docs/contract.md §7.1 */
export const errorSchemas: Record<string, Json> = {
  ErrorEnvelope: { description: 'The error message, in English.', ...envelope({ error: message }) },
  ValidationError: {
    description: 'The errors of each field, by its path such as `stages.0`, and of the request as a whole.',
    ...envelope({
      error: { type: 'string', const: 'Validation failed' },
      details: envelope({
        formErrors: messages,
        fieldErrors: { type: 'object', additionalProperties: messages, maxProperties: mostMessages },
      }),
    }),
  },
}
