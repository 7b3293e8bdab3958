import { MIMEType } from 'node:util'
import { ApiError } from '../contract/errors.ts'
import type { Headers } from '../contract/headers.ts'
import { readJson } from './json.ts'

/** Whether the Content-Type says that the body is JSON. */
export const isJson = ({ 'content-type': type }: Headers): boolean =>
  type === 'application/json' || /^application\/json\s*(;|$)/i.test(String(type))

/**
 * The parsed body; undefined when it is empty, whatever the headers say.
 * @throws 415 when by its headers it is not JSON in UTF-8, 400 when it is not valid JSON
 */
export function readBody(headers: Headers, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const coding = headers['content-encoding']
  if (coding !== undefined && String(coding).toLowerCase() !== 'identity') throw encoded
  if (!isJson(headers)) throw notJson
  const type = String(headers['content-type'])
  if (/charset/i.test(type) && charsetOf(type) !== 'utf-8') throw inOtherCharset
  return readJson(bytes)
}

function charsetOf(contentType: string): string {
  return new MIMEType(contentType).params.get('charset')?.toLowerCase() ?? 'utf-8'
}

const refusal = (message: string, headers: Record<string, string> = {}) =>
  new ApiError(415, message, 'unsupported_media_type', { headers: { accept: 'application/json', ...headers } })

/** 415 of a body that is not JSON. */
export const notJson = refusal('Send the body as application/json')
const inOtherCharset = refusal('Send the body in UTF-8')
// only this refusal may name a content coding. @see RFC 9110 §12.5.3
const encoded = refusal('Send the body without a Content-Encoding', { 'accept-encoding': 'identity' })
