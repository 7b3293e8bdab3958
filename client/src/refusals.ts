import {
  ApiError,
  BadRequestError,
  ConflictError,
  ContentTooLargeError,
  ForbiddenError,
  HeadersTooLargeError,
  InternalError,
  NotFoundError,
  NotModifiedError,
  PositionExpiredError,
  PreconditionFailedError,
  type Refusal,
  RequestTimeoutError,
  TooManyRequestsError,
  UnauthorizedError,
  UnavailableError,
  UnsupportedMediaTypeError,
  UriTooLongError,
  ValidationFailedError,
} from './errors.ts'

const byStatus: Record<number, new (refusal: Refusal) => ApiError> = {
  304: NotModifiedError,
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  408: RequestTimeoutError,
  409: ConflictError,
  412: PreconditionFailedError,
  413: ContentTooLargeError,
  414: UriTooLongError,
  415: UnsupportedMediaTypeError,
  422: ValidationFailedError,
  429: TooManyRequestsError,
  431: HeadersTooLargeError,
  500: InternalError,
  503: UnavailableError,
}

/** The body of every error response of Taskwright. */
interface Envelope {
  error: string
  details?: Pick<Refusal, 'fieldErrors' | 'formErrors'>
}

/** Whether the error is from Taskwright. A proxy may send `X-Request-Id` and similar JSON, but no `X-Error-Code`. */
export const isRefusal = ({ headers }: Response, body: unknown): body is Envelope =>
  headers.has('x-error-code') && isEnvelope(body)

const isEnvelope = (body: unknown): body is Envelope =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string'

/**
 * The error of an error response.
 * @param body parsed JSON, or text
 * @param gist the message if the body is not an error envelope
 */
export function refusalOf({ status, headers }: Response, body: unknown, gist: string): ApiError {
  const { error, details }: Partial<Envelope> = isEnvelope(body) ? body : {}
  const code = headers.get('x-error-code') ?? undefined
  const Class = code === 'position_expired' ? PositionExpiredError : (byStatus[status] ?? ApiError)
  return new Class({
    status,
    message:
      error ?? (status === 304 ? 'Not modified' : `Status ${status}, but not from Taskwright${gist && `: ${gist}`}`),
    code,
    fieldErrors: details?.fieldErrors,
    formErrors: details?.formErrors,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
    body,
  })
}

/** @see RFC 9110 §10.2.3 */
function retryAfterMs(value: string | null): number | undefined {
  if (value === null || value === '') return undefined
  const seconds = Number(value)
  const ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1_000
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
