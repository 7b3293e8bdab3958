import { setTimeout as wait } from 'node:timers/promises'
import { connectionHints } from '../proxies/connection-hints.ts'
import { fetchBy } from '../proxies/fetch-by.ts'
import type { Fetch } from '../proxies/proxies.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'

/** The server and the key of the connection. */
interface Server {
  url: string
  key: string
}

interface Message {
  id?: string | number | null
  method?: string
  params?: { name?: unknown; requestId?: unknown; _meta?: Record<string, unknown> }
}

/**
 * Sends messages of the Model Context Protocol, one per line, from the input to a server and writes the responses to the
 * output. It writes nothing else to the output. It ends at the end of the input, after all responses.
 */
export async function bridge(server: Server, { env, input, out, err, interrupted }: Terminal): Promise<void> {
  const fetch = fetchBy(env)
  const underWay = new Map<unknown, AbortController>()
  const answers = new Set<Promise<void>>()
  // the protocol version from `initialize`; in newer versions each message has its own
  let agreed: string | undefined

  const answer = async (line: string, message: Message): Promise<void> => {
    const leaving = new AbortController()
    if (message.id !== undefined) underWay.set(message.id, leaving)
    const signal = AbortSignal.any([leaving.signal, interrupted])
    const text = await send(server, { line, message, agreed, signal, fetch, env })
    underWay.delete(message.id)
    if (message.id === undefined || text === undefined) return
    if (message.method === 'initialize') agreed = JSON.parse(text).result?.protocolVersion
    out.write(`${text}\n`)
  }

  for await (const line of input.lines()) {
    if (interrupted.aborted) break
    if (line.trim() === '') continue
    const message = parsed(line)
    if (message === undefined) {
      out.write(`${refusal(null, -32_700, 'The line is not valid JSON')}\n`)
    } else if (message.method === 'notifications/cancelled') {
      underWay.get(message.params?.requestId)?.abort()
    } else {
      const answering = answer(line, message).catch((error: Error) => err.write(`${error.message}\n`))
      answers.add(answering)
      void answering.finally(() => answers.delete(answering))
      // later messages need the agreed version
      if (message.method === 'initialize') await answering
    }
  }
  await Promise.all(answers)
  await out.drained()
}

function parsed(line: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' && message !== null ? message : undefined
  } catch {
    return undefined
  }
}

interface BridgeRequest {
  line: string
  message: Message
  agreed: string | undefined
  signal: AbortSignal
  fetch: Fetch
  env: Terminal['env']
}

const mostTries = 4
const longestWaitMs = 10_000
const passing = [429, 502, 503, 504]

/**
 * Sends a message and returns the response as one line. Undefined if there is none or the client cancelled. It retries without
 * a response, because the same call takes effect once.
 */
async function send(
  { url, key }: Server,
  { line, message, agreed, signal, fetch, env }: BridgeRequest,
): Promise<string | undefined> {
  const headers = { ...headersOf(message, agreed), authorization: `Bearer ${key}` }
  for (let tries = 1; ; tries++) {
    try {
      const response = await fetch(url, { method: 'POST', headers, body: line, signal, redirect: 'error' })
      const text = await response.text()
      const waitMs = Number(response.headers.get('retry-after') ?? 2 ** tries / 5) * 1_000
      if (!passing.includes(response.status) || tries === mostTries || waitMs > longestWaitMs) {
        return asLine(message, response.status, text)
      }
      await wait(waitMs, undefined, { signal })
    } catch (error) {
      if (signal.aborted) return undefined
      if (tries === mostTries) {
        const { cause, message: own } = error as Error
        const why = cause instanceof Error ? cause.message : own
        const said = [`Cannot connect to ${url}: ${why}`, ...connectionHints(error, env)].join('. ')
        return refusal(message.id ?? null, -32_603, said)
      }
      await wait(100 * 2 ** tries)
    }
  }
}

/** The headers that let proxies route messages. @see MCP 2026-07-28, "Standard Request Headers" */
function headersOf({ method, params }: Message, agreed: string | undefined): Record<string, string> {
  const { 'io.modelcontextprotocol/protocolVersion': said } = params?._meta ?? {}
  const spoken = typeof said === 'string' ? said : agreed
  return {
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    'user-agent': `tw/${version}`,
    ...(spoken === undefined ? {} : { 'mcp-protocol-version': spoken }),
    ...(typeof said === 'string' && method !== undefined ? { 'mcp-method': method } : {}),
    ...(typeof said === 'string' && typeof params?.name === 'string' ? { 'mcp-name': headerValue(params.name) } : {}),
  }
}

const headerValue = (text: string): string =>
  /^[!-~]([ -~]*[!-~])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`

/** The response as a message; an HTTP refusal becomes an error message. */
function asLine({ id = null }: Message, status: number, text: string): string | undefined {
  if (text === '') return undefined
  try {
    const answer = JSON.parse(text)
    if (answer?.jsonrpc === '2.0') {
      // the server refused before it read the id
      const isUnread = answer.error && answer.id === null
      return isUnread
        ? refusal(id, answer.error.code, `${answer.error.message} (HTTP ${status})`)
        : JSON.stringify(answer)
    }
    if (typeof answer?.error === 'string') return refusal(id, -32_603, `${answer.error} (HTTP ${status})`)
  } catch {
    // the response came from a proxy
  }
  return refusal(id, -32_603, `The server responded with HTTP ${status} and no message`)
}

const refusal = (id: string | number | null, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
