import type { Caller } from '../access/caller.ts'
import { operator } from '../access/caller.ts'
import { ApiError, notFound } from '../contract/errors.ts'
import type { Headers } from '../contract/headers.ts'
import { type Answer, answerForError, prefix } from '../operations/answer.ts'
import type { answerRequest, Services } from '../operations/answer-request.ts'
import type { AskedOperation } from './calls/call.ts'

/** The request that operations are run for. */
export interface OuterRequest {
  caller: Caller
  headers: Headers
  /** its id, which their events carry */
  id: string
  /** answers a request as one that came by itself: in its turn */
  answer: typeof answerRequest
}

/**
 * Runs an operation as a request of its own would, with all that this passes once it is authenticated: scope and roles,
 * validation, visibility, idempotency, events. Refusals are answers.
 * @param failure what becomes of an error that nobody foresaw
 */
export async function runAsRequest(
  { method, path, body, once, ifMatch }: AskedOperation,
  { caller, headers, id, answer }: OuterRequest,
  services: Services,
  failure: (error: unknown) => ApiError,
): Promise<Answer> {
  try {
    const known = services.router.find(method, path)
    if (known === undefined || known.route.roles === operator || known.route.secret) throw notFound()
    const { route, params, query } = known
    const { authorization, 'x-api-key': key } = headers
    const own: Headers = {
      ...(authorization === undefined ? {} : { authorization }),
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(once === undefined ? {} : { 'idempotency-key': once.key }),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    }
    // a call takes a while: what it may is asked for each of its operations, as of each request
    const current = await services.authenticator.memberAgain(headers, caller)
    const request = {
      caller: current,
      id,
      url: prefix + path,
      headers: own,
      params,
      query,
      body,
      fingerprint: once?.fingerprint,
    }
    const idempotencyTtlMs = once?.ttlMs ?? services.idempotencyTtlMs
    return await answer(route, request, { ...services, idempotencyTtlMs })
  } catch (error) {
    return answerForError(error instanceof ApiError ? error : failure(error))
  }
}
