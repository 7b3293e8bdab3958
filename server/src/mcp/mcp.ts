import type { CallToolResult } from '@modelcontextprotocol/server'
import { type Caller, operator } from '../access/caller.ts'
import { ApiError, flatten, forbidden, notFound } from '../contract/errors.ts'
import type { Headers } from '../contract/headers.ts'
import { type Answer, answerForError, prefix } from '../operations/answer.ts'
import type { answerRequest, Services } from '../operations/answer-request.ts'
import { hasSecret } from '../operations/route.ts'
import { plainly, withRequiredMessages } from '../operations/validation.ts'
import { allTools } from './all-tools.ts'
import { coerceArguments, refuseTooLong } from './calls/arguments.ts'
import { type OperationCall, openCall } from './calls/call.ts'
import { Refusal, refusalOf, wrongArguments } from './calls/refusal.ts'
import { safeLines } from './calls/text.ts'
import { isOpenTo, type Tool } from './calls/tool.ts'
import { openProtocol } from './protocol.ts'

/** A POST to /mcp from an authenticated caller. */
interface McpRequest extends OuterRequest {
  body: unknown
  /** whether the endpoint offers only tools that read */
  readOnly: boolean
  /** aborts when the client disconnects */
  signal: AbortSignal
  /** translates and logs an unexpected error */
  failure(error: unknown): ApiError
  /** adds fields to the log line of the request */
  note(said: CallLog): void
}

/** The log fields of a call. */
interface CallLog {
  tool: string
  /** the number of operations that the call ran */
  operations: number
  /** the error code, if the call was refused */
  refused?: string
}

/** Creates the MCP endpoint. It loads the protocol's library at the first request: that would take a tenth of each start. */
export function createMcp(services: Services, onError: (error: unknown) => void) {
  let protocol: ReturnType<typeof openProtocol> | undefined
  return async ({ body, readOnly, ...posted }: McpRequest): Promise<Answer> => {
    protocol ??= openProtocol(services.version, onError)
    const answer = await protocol
    const open = allTools.filter((tool) => isOpenTo(posted.caller, tool) && !(readOnly && tool.writes.length > 0))
    return answer({
      ...{ body, headers: posted.headers, tools: open },
      call: (tool, input) => runTool(tool, input, posted, services),
    })
  }
}

/** The longest result of a tool: about 6,000 tokens. */
const mostCharacters = 24_000

async function runTool(
  tool: Tool,
  given: unknown,
  { signal, failure, note, ...asking }: Omit<McpRequest, 'body' | 'readOnly'>,
  services: Services,
): Promise<CallToolResult> {
  const { caller, id: requestId } = asking
  const input = coerceArguments(tool.schema, (given ?? {}) as object)
  const ask = (asked: Parameters<typeof runAsRequest>[0]) => runAsRequest(asked, asking, services, failure)
  const opened = openCall({ tool, input, caller, requestId, now: new Date(), router: services.router, ask, signal })
  try {
    refuseTooLong(input)
    const { success, data, error } = tool.input.safeParse(input, { error: plainly })
    if (!success) {
      const faults = flatten(withRequiredMessages(error, input), 'Unknown argument')
      throw new Refusal(wrongArguments(faults), 'validation_failed')
    }
    const text = await tool.run(opened.call, data)
    note({ tool: tool.name, operations: opened.operations })
    return textOf(opened.isReplay ? `${text}\n${replayed}` : text)
  } catch (error) {
    const refusal =
      error instanceof Refusal ? error : refusalOf(answerForError(failure(error)), requestId, 'the requested resource')
    note({ tool: tool.name, operations: opened.operations, refused: refusal.code })
    return { ...textOf(refusal.message), isError: true }
  }
}

const replayed =
  '(This is the stored result of an identical earlier call: nothing was done again. To do it again, give a new idempotencyKey.)'

function textOf(text: string): CallToolResult {
  const cut =
    text.length <= mostCharacters
      ? text
      : `${text.slice(0, mostCharacters)}…\n(The result is cut here. Ask for less in one call.)`
  return { content: [{ type: 'text', text: safeLines(cut.toWellFormed()) }] }
}

/**
 * Refuses web pages of origins that the operator has not allowed. A page could otherwise call a server on the computer of its
 * reader.
 * @param allowed the allowed origins
 * @throws 403
 * @see MCP 2026-07-28, Streamable HTTP, "Security"
 */
export function refuseForeignOrigin(origin: string | undefined, allowed: readonly string[]): void {
  if (origin === undefined || allowed.includes('*') || allowed.includes(origin)) return
  throw forbidden(
    'Web pages of this origin cannot call this server. The operator can allow it in CORS_ORIGINS.',
    'foreign_origin',
  )
}

/** The request that a call belongs to. */
interface OuterRequest {
  caller: Caller
  headers: Headers
  /** the request id, which the events of its operations have */
  id: string
  /** runs an operation under the same admission as a separate request */
  answer: typeof answerRequest
}

/**
 * Runs an operation like a separate authenticated request: with scope and roles, validation, visibility, idempotency and events.
 * @param failure translates and logs an unexpected error
 * @returns the response, also for a refusal
 */
async function runAsRequest(
  { method, path, body, once, ifMatch }: OperationCall,
  { caller, headers, id, answer }: OuterRequest,
  services: Services,
  failure: (error: unknown) => ApiError,
): Promise<Answer> {
  try {
    const known = services.router.find(method, path)
    if (known === undefined || known.route.roles === operator || hasSecret(known.route, body)) throw notFound()
    const { route, params, query } = known
    const { authorization, 'x-api-key': key } = headers
    // a call takes a while: check the key and its rights again for each operation, as for a separate request
    const current = await services.authenticator.memberAgain(headers, caller)
    const request = {
      caller: current,
      id,
      url: prefix + path,
      headers: { authorization, 'x-api-key': key, 'idempotency-key': once?.key, 'if-match': ifMatch },
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
