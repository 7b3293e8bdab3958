/** What is known of a call that failed, besides why. */
export interface About {
  /** of a POST: with it the same request can be sent again, also by another process */
  idempotencyKey?: string | undefined
  /** whether a write may have been done all the same, as an attempt of it got no answer */
  mayBeDone?: boolean | undefined
  cause?: unknown
}

/** Whatever this client throws by itself. What aborts a call is thrown as it is. */
export class TaskwrightError extends Error {
  /**
   * Of a POST: the key that it was sent with. Who sends the same request with the same key again, now or after a crash, gets
   * the answer to the first one that arrived.
   */
  readonly idempotencyKey: string | undefined
  /** Whether a write may have been done all the same, as an attempt of it got no answer. */
  readonly mayBeDone: boolean

  constructor(message: string, { idempotencyKey, mayBeDone = false, cause }: About = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.idempotencyKey = idempotencyKey
    this.mayBeDone = mayBeDone
  }

  /** The name of its class, also where a bundler has shortened that. */
  override get name(): string {
    return 'TaskwrightError'
  }
}

/** No answer came: the server cannot be reached, or the connection broke. `cause` says why, as far as is known. */
export class ConnectionError extends TaskwrightError {
  override get name() {
    return 'ConnectionError'
  }
}

/** No answer came within `timeoutMs`. */
export class TimeoutError extends TaskwrightError {
  override get name() {
    return 'TimeoutError'
  }
}

/** What came is no answer of a Taskwright server: a redirect, a page of a proxy. Mostly the base URL is wrong. */
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

/** What a refusal says. */
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

/** The server refused. Each status has a class of its own; `message` is what the server says. */
export class ApiError extends TaskwrightError {
  readonly status: number
  /** The cause, for machines, such as `position_expired`; undefined where a proxy answered. */
  readonly code: string | undefined
  /** 422: what is wrong, by the path of the field (`stages.0`). */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>
  /** 422: what is wrong with the request as a whole. */
  readonly formErrors: readonly string[]
  /** Under which the log of the server tells of it. */
  readonly requestId: string | undefined
  /** How long the server wants to be left alone. */
  readonly retryAfterMs: number | undefined
  /** The body, as JSON or else as text. */
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

/** 304: nothing changed since what `ifNoneMatch` names. */
export class NotModifiedError extends ApiError {
  override get name() {
    return 'NotModifiedError'
  }
}

/** 400: malformed, or the domain does not allow it. */
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

/** 403: the key lacks the scope, or its member the role. */
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

/** 409: the Idempotency-Key came with another request before. */
export class ConflictError extends ApiError {
  override get name() {
    return 'ConflictError'
  }
}

/** 412: a rule of the domain, or `ifMatch`, prevented it. */
export class PreconditionFailedError extends ApiError {
  override get name(): string {
    return 'PreconditionFailedError'
  }
}

/** 412: events that follow on the position are no longer kept, or never were: read the state anew, and follow from there. */
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

/** 415: the body is not what the server takes. */
export class UnsupportedMediaTypeError extends ApiError {
  override get name() {
    return 'UnsupportedMediaTypeError'
  }
}

/** 422: some fields are wrong; `fieldErrors` and `formErrors` name each. */
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

/** 500: an error that nobody foresaw. */
export class InternalError extends ApiError {
  override get name() {
    return 'InternalError'
  }
}

/** 503: not just now. */
export class UnavailableError extends ApiError {
  override get name() {
    return 'UnavailableError'
  }
}
