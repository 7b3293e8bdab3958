import { ApiError, badRequest, notFound, unavailable } from '../contract/errors.ts'
import { failureOf, isDiskFailure, isReadOnlyFailure } from '../db/pool/failures.ts'
import { longestBodyBytes, notJsonError } from './body.ts'

interface FailedRequest {
  id: string
  routeOptions?: { bodyLimit?: number | undefined }
  log: Record<'warn' | 'error', (said: object, sentence: string) => void>
}

/** Translates any error to an error of the contract. The log has an unexpected error in full; the response has no details. */
export function toApiError(error: unknown, { id, log, routeOptions }: FailedRequest): ApiError {
  if (error instanceof ApiError) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_BAD_URL') return notFound()
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(routeOptions?.bodyLimit ?? longestBodyBytes)
  const said = byFastify[code ?? '']
  if (said) return said
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ApiError(statusCode, 'The request could not be read', 'bad_request')
  }
  const failure = failureOf(error)
  if (failure === 'crowded') return tooMany
  if (failure === 'long') return tookLong
  if (failure === 'closed') return shuttingDown
  if (failure !== undefined) {
    log.warn({ err: error, requestId: id }, sentenceFor(error))
    return unavailable('The server is temporarily unavailable; try again')
  }
  log.error({ err: error, requestId: id }, 'unforeseen error')
  return new ApiError(500, `Internal server error; quote the request id ${id} when you report it`, 'internal')
}

function sentenceFor(error: unknown): string {
  if (isReadOnlyFailure(error)) return 'the database takes no writes'
  return isDiskFailure(error) ? 'a disk failed' : 'the database did not answer in time'
}

// created once: capturing a stack takes longer than the rest of such a response
const tooMany = unavailable('Too many requests at once; try again')
const tookLong = unavailable('The request took too long and was undone; request less at once')
/** The 503 while the server stops. */
export const shuttingDown = unavailable('The server is shutting down')
/** The 400 for a stream that would wait behind another response. */
export const pipelinedStream = badRequest(
  'A stream needs a connection that waits for no other response',
  'pipelined_stream',
)
/** The 414 for a URL that is too long. */
export const urlTooLong = new ApiError(414, 'The URL is too long', 'url_too_long')

const bodyTooLarge = (limit: number) => new ApiError(413, `The body is larger than ${limit} bytes`, 'body_too_large')

const byFastify: Record<string, ApiError> = {
  FST_ERR_MAX_PARAM_LENGTH: urlTooLong,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: notJsonError,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: badRequest('The length of the body differs from its Content-Length'),
}
