import { TaskwrightError } from './errors.ts'
import type { Event } from './generated/schemas.ts'

/** A webhook request is not signed with a known secret, or its timestamp is too old or too new. */
export class WebhookVerificationError extends TaskwrightError {
  override get name() {
    return 'WebhookVerificationError'
  }
}

/** The headers of a request: a `Headers` object, or the headers of Node. */
export type ReceivedHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** Options of a verification. */
export interface VerificationOptions {
  /** The maximum difference between the timestamp of the request and `now`. Default: 300 s. */
  toleranceSeconds?: number | undefined
  /** The current time. Default: the clock of this machine. */
  now?: Date | undefined
}

/**
 * Verifies the signature of a webhook request and returns its event.
 * @param secret the secret of the webhook, `whsec_…`; or several, while you rotate it
 * @param rawBody the body before it is parsed: text, or bytes in any form, such as a Buffer
 * @throws WebhookVerificationError; TypeError if `rawBody` is not text or bytes
 * @see Standard Webhooks 1.0.0, "Verifying webhook authenticity"
 */
export async function verifyWebhook(
  secret: string | readonly string[],
  headers: ReceivedHeaders,
  rawBody: string | ArrayBuffer | ArrayBufferView,
  { toleranceSeconds = 300, now = new Date() }: VerificationOptions = {},
): Promise<Event> {
  const bytes = bytesIn(rawBody)
  const [id, timestamp, signatures] = [
    header(headers, 'id'),
    header(headers, 'timestamp'),
    header(headers, 'signature'),
  ]
  const ageSeconds = now.getTime() / 1_000 - (/^\d+$/.test(timestamp) ? Number(timestamp) : Number.NaN)
  // this form also refuses NaN
  if (!(Math.abs(ageSeconds) <= toleranceSeconds))
    throw new WebhookVerificationError('webhook-timestamp differs too much from the current time')
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + bytes.length)
  signed.set(head)
  signed.set(bytes, head.length)
  const given = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? bytesOf(one.slice(3)) : []))
  const keys = await Promise.all([secret].flat().map(keyOf))
  const verdicts = keys.flatMap((key) => given.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)))
  if (!(await Promise.all(verdicts)).includes(true)) {
    throw new WebhookVerificationError('webhook-signature does not match any of the given secrets')
  }
  try {
    return JSON.parse(new TextDecoder().decode(signed.subarray(head.length)))
  } catch (cause) {
    throw new WebhookVerificationError('The body is not JSON', { cause })
  }
}

/** The bytes of a body. Jest has another `Uint8Array` class than Node, so `instanceof` does not work. */
function bytesIn(rawBody: unknown): Uint8Array {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody)
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength)
  const kind = Object.prototype.toString.call(rawBody).slice('[object '.length, -1)
  if (/^(Shared)?ArrayBuffer$/.test(kind)) return new Uint8Array(rawBody as ArrayBuffer)
  throw new TypeError(
    `rawBody must be the raw body as text or bytes, not ${kind === 'Object' ? 'a parsed object' : kind}: ${remedies[kind] ?? 'read it before it is parsed'}`,
  )
}

const remedies: Record<string, string> = {
  Object: "in Express use express.raw({ type: 'application/json' })",
  ...{ Request: 'pass await request.text()', Response: 'pass await response.text()' },
  ...{ Blob: 'pass await blob.arrayBuffer()', ReadableStream: 'read the whole stream first' },
}

function header(headers: ReceivedHeaders, name: string): string {
  const wanted = `webhook-${name}`
  const value =
    typeof headers.get === 'function'
      ? headers.get(wanted)
      : Object.entries(headers).find(([given]) => given.toLowerCase() === wanted)?.[1]
  if (value === undefined || value === null || value === '') throw new WebhookVerificationError(`${wanted} is missing`)
  return String(value)
}

// compares in constant time
const keyOf = (secret: string) => {
  const [bytes] = bytesOf(String(secret ?? '').replace(/^whsec_/, ''))
  if (bytes === undefined || bytes.length === 0) throw new TypeError('secret must be the secret of a webhook: whsec_…')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** The bytes of base64; none if it is invalid. */
function bytesOf(base64: string) {
  try {
    return [Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))]
  } catch {
    return []
  }
}
