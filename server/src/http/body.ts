import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, badRequest, unavailable } from '../contract/errors.ts'
import type { Headers } from '../contract/headers.ts'

/** The longest body that the server accepts. */
export const longestBodyBytes = 1_048_576

/** Whether the Content-Type says that the body is JSON. */
export const isJson = ({ 'content-type': type }: Headers): boolean =>
  type === 'application/json' || /^application\/json[\t ]*(;|$)/i.test(String(type))

/**
 * Parses a body.
 * @returns undefined for an empty body, even if its headers are wrong
 * @throws 415 if the headers do not announce JSON in UTF-8, 400 if the body is not valid JSON
 */
export function parseBody(headers: Headers, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const coding = headers['content-encoding']
  if (coding !== undefined && String(coding).toLowerCase() !== 'identity') throw encodedError
  if (!isJson(headers)) throw notJsonError
  if (!charsetsIn(String(headers['content-type'])).every((charset) => /^utf-8$/i.test(charset))) throw otherCharsetError
  return parseJson(bytes)
}

/** The charsets of a Content-Type. It accepts quotes, and spaces that the RFC does not allow. @see RFC 9110 §5.6.6 */
function charsetsIn(contentType: string): string[] {
  const parameters = contentType.matchAll(/;([^;="]*)(?:=[\t ]*("(?:[^"\\]|\\.)*"|[^;]*))?/g)
  return [...parameters].flatMap(([, name = '', value = '']) =>
    name.trim().toLowerCase() === 'charset' && value !== '' ? [unquoted(value)] : [],
  )
}

const unquoted = (value: string) => (value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value.trim())

const maxDepth = 32
// five times the values of 100 bulk operations with all fields; in memory, an empty array takes about 12 times its bytes
const maxValues = 50_000

/**
 * Parses JSON. It refuses bytes that are not UTF-8, because decoding would change them.
 * @throws 400
 * @see RFC 8259
 */
function parseJson(bytes: Buffer): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw badRequest('The body is not valid UTF-8', 'malformed_json')
  }
  const { depth, values } = shapeOf(text)
  if (depth > maxDepth) throw badRequest(`The body is nested deeper than ${maxDepth} levels`, 'malformed_json')
  if (values > maxValues) throw badRequest(`The body contains more than ${maxValues} values`, 'malformed_json')
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest('The body is not valid JSON', 'malformed_json')
  }
}

/**
 * Measures how deep arrays and objects nest, and counts the values. An empty array or object with spaces inside counts as two
 * values. The check does not recurse, and it must run before any code that does.
 */
function shapeOf(text: string): { depth: number; values: number } {
  let depth = 0
  let most = 0
  // count the whole text, one value after each comma, and the first value of each array or object that is not empty
  let values = 1
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === backslash) i++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    else if (code === comma) values++
    else if (code === brace || code === bracket) {
      values++
      most = Math.max(most, ++depth)
    } else if (code === endBrace || code === endBracket) {
      depth--
      const before = text.charCodeAt(i - 1)
      if (before === brace || before === bracket) values--
    }
  }
  return { depth: most, values }
}

const [quote, comma, backslash, brace, endBrace, bracket, endBracket] = [0x22, 0x2c, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d]

const refusal = (message: string, headers: Record<string, string> = {}) =>
  new ApiError(415, message, 'unsupported_media_type', { headers: { accept: 'application/json', ...headers } })

/** The 415 for a body that is not JSON. */
export const notJsonError = refusal('Send the body as application/json')
const otherCharsetError = refusal('Send the body in UTF-8')
// only a refused content coding may add Accept-Encoding to a 415. @see RFC 9110 §12.5.3
const encodedError = refusal('Send the body without a Content-Encoding', { 'accept-encoding': 'identity' })

/** Limits how many bytes of bodies, or of responses, one organization has in memory at a time. */
export class BytesInFlight {
  readonly #maxBytes: number
  readonly #tooMany: Error
  readonly #bytes = new Map<string, number>()

  /** @param refusal the message of the 503 */
  constructor(maxBytes: number, refusal: string) {
    this.#maxBytes = maxBytes
    this.#tooMany = unavailable(refusal)
  }

  /**
   * Refuses a body or response if the organization has bytes in memory and these would exceed its limit.
   * @throws 503
   */
  refuseIfTooMany(orgId: string, bytes = 0): void {
    const before = this.#bytes.get(orgId) ?? 0
    if (before > 0 && before + bytes > this.#maxBytes) throw this.#tooMany
  }

  /** Counts bytes. @returns a function that releases them */
  add(orgId: string, bytes: number): () => void {
    this.#bytes.set(orgId, (this.#bytes.get(orgId) ?? 0) + bytes)
    let isCounted = true
    return () => {
      if (!isCounted) return
      isCounted = false
      const left = (this.#bytes.get(orgId) ?? 0) - bytes
      if (left > 0) this.#bytes.set(orgId, left)
      else this.#bytes.delete(orgId)
    }
  }
}

/**
 * Calls back when a response is sent or its connection closes. It listens on the socket too: Node emits no `close` event on a
 * response that waits behind another one.
 */
export function onceSentOrClosed({ socket }: IncomingMessage, response: ServerResponse, act: () => void): void {
  if (socket.destroyed) {
    act()
    return
  }
  const end = () => {
    socket.off('close', end)
    response.off('close', end)
    act()
  }
  socket.once('close', end)
  response.once('close', end)
}

/** The announced length of a body in bytes, at most `longest`; `longest` if the request announces none. */
export function announcedLength({ headers }: IncomingMessage, longest: number): number {
  if (headers['transfer-encoding'] !== undefined) return longest
  return Math.min(longest, Number(headers['content-length'] ?? 0))
}
