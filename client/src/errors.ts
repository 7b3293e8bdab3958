/** Details of a failed call. */
export interface About {
  /** of a POST: with this key, you can send the same request again, also from another process */
  idempotencyKey?: string | undefined
  /** whether the write may have been made although it failed here: an attempt got no response */
  mayBeDone?: boolean | undefined
  cause?: unknown
}

/** The base class of all errors of this client. If you abort a call, it rejects with the reason of your signal instead. */
export class TaskwrightError extends Error {
  /**
   * Of a POST: the key that it was sent with. Send the same request with the same key again, now or after a crash, to get the
   * response to the first request that arrived.
   */
  readonly idempotencyKey: string | undefined
  /** Whether the write may have been made although it failed here: an attempt got no response. */
  readonly mayBeDone: boolean

  constructor(message: string, { idempotencyKey, mayBeDone = false, cause }: About = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.idempotencyKey = idempotencyKey
    this.mayBeDone = mayBeDone
  }

  /** The name of the class, even if a bundler has shortened it. */
  override get name(): string {
    return 'TaskwrightError'
  }
}

/** No response: the server cannot be reached, or the connection broke. `cause` is the reason, if it is known. */
export class ConnectionError extends TaskwrightError {
  override get name() {
    return 'ConnectionError'
  }
}

/** No response within `timeoutMs`. */
export class TimeoutError extends TaskwrightError {
  override get name() {
    return 'TimeoutError'
  }
}

/** The response is not from a Taskwright server, such as a redirect or the page of a proxy. Usually the base URL is wrong. */
export class UnexpectedAnswerError extends TaskwrightError {
  readonly status: number

  constructor(message: string, status: number, about?: About) {
    super(message, about)
    this.status = status
  }

  override get name() {
    return 'UnexpectedAnswerError'
  }
}

/** The content of an error response. */
export interface Refusal extends About {
  status: number
  message: string
  code?: string | undefined
  fieldErrors?: Record<string, string[]> | undefined
  formErrors?: string[] | undefined
  requestId?: string | undefined
  retryAfterMs?: number | undefined
  body?: unknown
}

/** The server refused the request. Each status code has its own subclass. `message` is the message of the server. */
export class ApiError extends TaskwrightError {
  readonly status: number
  /** The machine-readable cause, such as `position_expired`. Undefined if the response came from a proxy. */
  readonly code: string | undefined
  /** 422: the errors of each field, by the path of the field (`stages.0`). */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>
  /** 422: the errors of the request as a whole. */
  readonly formErrors: readonly string[]
  /** The id of the request in the log of the server. */
  readonly requestId: string | undefined
  /** How long to wait before the next attempt, as the server asks in `Retry-After`. */
  readonly retryAfterMs: number | undefined
  /** The body: parsed JSON, or text if it is not JSON. */
  readonly body: unknown

  constructor(refusal: Refusal) {
    super(refusal.message, refusal)
    this.status = refusal.status
    this.code = refusal.code
    this.fieldErrors = refusal.fieldErrors ?? {}
    this.formErrors = refusal.formErrors ?? []
    this.requestId = refusal.requestId
    this.retryAfterMs = refusal.retryAfterMs
    this.body = refusal.body
  }

  override get name(): string {
    return 'ApiError'
  }
}

/** 304: the resource still has the ETag that you sent as `ifNoneMatch`. */
export class NotModifiedError extends ApiError {
  override get name() {
    return 'NotModifiedError'
  }
}

/** 400: the request is malformed, or a rule of the domain does not allow it. */
export class BadRequestError extends ApiError {
  override get name() {
    return 'BadRequestError'
  }
}

/** 401: the key is missing, unknown, expired or revoked. */
export class UnauthorizedError extends ApiError {
  override get name() {
    return 'UnauthorizedError'
  }
}

/** 403: the key does not have the scope, or its member does not have the role. */
export class ForbiddenError extends ApiError {
  override get name() {
    return 'ForbiddenError'
  }
}

/** 404: it does not exist, or you cannot see it. */
export class NotFoundError extends ApiError {
  override get name() {
    return 'NotFoundError'
  }
}

/** 408: the request took too long to arrive. */
export class RequestTimeoutError extends ApiError {
  override get name() {
    return 'RequestTimeoutError'
  }
}

/** 409: the Idempotency-Key was already used for another request. */
export class ConflictError extends ApiError {
  override get name() {
    return 'ConflictError'
  }
}

/** 412: a rule of the domain does not allow it now, or `ifMatch` is out of date. */
export class PreconditionFailedError extends ApiError {
  override get name(): string {
    return 'PreconditionFailedError'
  }
}

/** 412: the events after this position are not stored, or no longer. Read the current state again, then follow from there. */
export class PositionExpiredError extends PreconditionFailedError {
  override get name() {
    return 'PositionExpiredError'
  }
}

/** 413: the body is larger than 1 MiB. */
export class ContentTooLargeError extends ApiError {
  override get name() {
    return 'ContentTooLargeError'
  }
}

/** 414: the URL is longer than 8192 characters. */
export class UriTooLongError extends ApiError {
  override get name() {
    return 'UriTooLongError'
  }
}

/** 415: the server does not accept the media type of the body. */
export class UnsupportedMediaTypeError extends ApiError {
  override get name() {
    return 'UnsupportedMediaTypeError'
  }
}

/** 422: some fields are invalid. `fieldErrors` and `formErrors` name each of them. */
export class ValidationFailedError extends ApiError {
  override get name() {
    return 'ValidationFailedError'
  }
}

/** 429: the rate limit of the key is used up. */
export class TooManyRequestsError extends ApiError {
  override get name() {
    return 'TooManyRequestsError'
  }
}

/** 431: the headers are too large. */
export class HeadersTooLargeError extends ApiError {
  override get name() {
    return 'HeadersTooLargeError'
  }
}

/** 500: an unexpected error of the server. */
export class InternalError extends ApiError {
  override get name() {
    return 'InternalError'
  }
}

/** 503: the server cannot handle the request now. */
export class UnavailableError extends ApiError {
  override get name() {
    return 'UnavailableError'
  }
}
