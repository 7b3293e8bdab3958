import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, badRequest, unavailable } from '../contract/errors.ts'
import type { Headers } from '../contract/headers.ts'

/** How long a body may be. */
export const longestBodyBytes = 1_048_576

/** Whether the Content-Type says that the body is JSON. */
export const isJson = ({ 'content-type': type }: Headers): boolean =>
  type === 'application/json' || /^application\/json[\t ]*(;|$)/i.test(String(type))

/**
 * The parsed body; undefined when it is empty, whatever the headers say.
 * @throws 415 when by its headers it is not JSON in UTF-8, 400 when it is not valid JSON
 */
export function readBody(headers: Headers, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const coding = headers['content-encoding']
  if (coding !== undefined && String(coding).toLowerCase() !== 'identity') throw encoded
  if (!isJson(headers)) throw notJson
  if (!charsetsIn(String(headers['content-type'])).every((charset) => /^utf-8$/i.test(charset))) throw inOtherCharset
  return readJson(bytes)
}

/** Every charset that a Content-Type names: in quotes or not, and with blanks that do not belong there. @see RFC 9110 §5.6.6 */
function charsetsIn(contentType: string): string[] {
  const parameters = contentType.matchAll(/;([^;="]*)(?:=[\t ]*("(?:[^"\\]|\\.)*"|[^;]*))?/g)
  return [...parameters].flatMap(([, name = '', value = '']) =>
    name.trim().toLowerCase() === 'charset' && value !== '' ? [unquoted(value)] : [],
  )
}

const unquoted = (value: string) => (value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value.trim())

const deepest = 32
// five times what a hundred operations with all their fields have; parsed, an empty array takes a dozen times what was sent
const mostValues = 50_000

/**
 * The value of a JSON text. Bytes that are not UTF-8 are refused, as decoding would change them.
 * @throws 400
 * @see RFC 8259
 */
function readJson(bytes: Buffer): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw badRequest('The body is not valid UTF-8', 'malformed_json')
  }
  const { depth, values } = shapeOf(text)
  if (depth > deepest) throw badRequest(`The body is nested deeper than ${deepest} levels`, 'malformed_json')
  if (values > mostValues) throw badRequest(`The body contains more than ${mostValues} values`, 'malformed_json')
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest('The body is not valid JSON', 'malformed_json')
  }
}

/**
 * How deep arrays and objects nest, and how many values there are; what is empty but for blanks counts twice. It uses no
 * recursion, and runs before anything recursive.
 */
function shapeOf(text: string): { depth: number; values: number } {
  let depth = 0
  let most = 0
  // the whole, then one behind each comma, and the first in whatever is not empty
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

/** 415 of a body that is not JSON. */
export const notJson = refusal('Send the body as application/json')
const inOtherCharset = refusal('Send the body in UTF-8')
// only this refusal may name a content coding. @see RFC 9110 §12.5.3
const encoded = refusal('Send the body without a Content-Encoding', { 'accept-encoding': 'identity' })

/** Limits how many bytes of an organization are in memory at a time: of bodies, or of answers. */
export class BytesInFlight {
  readonly #maxBytes: number
  readonly #tooMany: Error
  readonly #bytes = new Map<string, number>()

  /** @param refusal what the 503 says */
  constructor(maxBytes: number, refusal: string) {
    this.#maxBytes = maxBytes
    this.#tooMany = unavailable(refusal)
  }

  /**
   * @param bytes of one more body or answer. A single one may be of any length
   * @throws 503
   */
  refuseIfTooMany(orgId: string, bytes = 0): void {
    const before = this.#bytes.get(orgId) ?? 0
    if (before > 0 && before + bytes > this.#maxBytes) throw this.#tooMany
  }

  /** Counts bytes until the returned function is called. */
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

/** Calls back when an answer was sent or its connection closed: an answer that waits behind another one is not told of that. */
export function onceSent({ socket }: IncomingMessage, response: ServerResponse, act: () => void): void {
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

/** @param longest what is assumed where a request does not say how long its body is */
export function bodyLength({ headers }: IncomingMessage, longest: number): number {
  if (headers['transfer-encoding'] !== undefined) return longest
  return Math.min(longest, Number(headers['content-length'] ?? 0))
}
