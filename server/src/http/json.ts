import { badRequest } from '../contract/errors.ts'

const deepest = 32

/**
 * The value of a JSON text; undefined when it is empty. Bytes that are not UTF-8 are refused, as decoding would change them.
 * @throws 400
 * @see RFC 8259
 */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw badRequest('The body is not valid UTF-8', 'malformed_json')
  }
  if (depthOf(text) > deepest) throw badRequest(`The body nests deeper than ${deepest} levels`, 'malformed_json')
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest('The body is not valid JSON', 'malformed_json')
  }
}

/** How deep arrays and objects nest. It uses no recursion, and runs before anything recursive. */
function depthOf(text: string): number {
  let depth = 0
  let most = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === backslash) i++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    else if (code === brace || code === bracket) most = Math.max(most, ++depth)
    else if (code === endBrace || code === endBracket) depth--
  }
  return most
}

const [quote, backslash, brace, endBrace, bracket, endBracket] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d]
