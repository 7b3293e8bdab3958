import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { readAddress, type Subnet } from '../../contract/addresses.ts'
import { isAllowed, mayConnectTo, type Receiver, readReceiver, unlessAllowed } from '../../resources/webhooks/guard.ts'
import type { Resolve } from './resolving.ts'

/** The part of a receiver's response that was read. */
export interface ReceiverAnswer {
  status: number
  /** the first bytes as text */
  text: string
  retryAfter: string | undefined
}

/** The reason why there is no response, in one plain sentence for the owner of the receiver. */
export class NoAnswer extends Error {}

/** Options that hold for all requests to receivers. */
export interface PostOptions {
  /** subnets that are allowed although they are not public */
  allowed: readonly Subnet[]
  resolve: Resolve
  /** from the DNS lookup to the last byte of the response */
  timeoutMs?: number
  /** certificates to trust instead of the usual ones */
  ca?: string
}

/**
 * Sends one POST over its own connection and follows no redirect. It checks all addresses of the name when it connects.
 * @param signal stops the request, which then rejects with the signal's reason
 * @throws NoAnswer
 */
export async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
  options: PostOptions,
): Promise<ReceiverAnswer> {
  const { allowed, timeoutMs = 15_000 } = options
  const receiver = readReceiver(url, allowed)
  if ('problems' in receiver) throw new NoAnswer(`The URL is refused: ${receiver.problems.map(lowerFirst).join('; ')}`)
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeoutMs)
  const either = AbortSignal.any([signal, late.signal])
  try {
    const addresses = receiver.literal ? [] : await checkedAddresses(receiver, either, options)
    return await exchange(receiver, addresses, headers, body, either, options)
  } catch (error) {
    signal.throwIfAborted()
    if (late.signal.aborted) throw new NoAnswer(`No complete response within ${timeoutMs / 1_000} seconds`)
    throw error instanceof NoAnswer ? error : new NoAnswer(told(error))
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves a name. @throws NoAnswer unless the server may connect to all of its addresses */
async function checkedAddresses({ url, host }: Receiver, signal: AbortSignal, options: PostOptions): Promise<string[]> {
  const { allowed, resolve } = options
  const found = await unlessAborted(resolve(host, signal), signal)
  const addresses = found.map(readAddress)
  // do not name the address: it would reveal a network that does not belong to the owner of the webhook
  if (addresses.length === 0 || !addresses.every((one) => one !== undefined && mayConnectTo(one, allowed)))
    throw new NoAnswer(
      'The name resolves to an address that is not public, and the operator does not allow it with WEBHOOK_ALLOWED_SUBNETS',
    )
  if (url.protocol === 'http:' && !addresses.every((one) => one !== undefined && isAllowed(one, allowed)))
    throw new NoAnswer(`The URL must begin with https://, ${unlessAllowed}`)
  return found
}

function exchange(
  { url, host, literal }: Receiver,
  addresses: readonly string[],
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
  { ca }: PostOptions,
): Promise<ReceiverAnswer> {
  const secure = url.protocol === 'https:'
  const named = host.replace(/\.$/, '')
  return new Promise((resolve, reject) => {
    const request = (secure ? https : http).request({
      method: 'POST',
      host,
      port: url.port === '' ? (secure ? 443 : 80) : url.port,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body) },
      // no keep-alive, and no proxy from the environment
      agent: false,
      lookup: only(addresses),
      ...patience,
      maxHeaderSize: 16_384,
      signal,
      ...(secure
        ? { servername: literal ? '' : named, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) }
        : {}),
    })
    request.on('error', reject)
    let announced = 0
    // 1xx responses may come first. Limit them, as reading them takes time from other requests
    request.on('information', () => {
      if (++announced <= mostAnnouncements) return
      request.destroy()
      reject(new NoAnswer('The receiver sends too many 1xx responses'))
    })
    request.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(new NoAnswer('The receiver switched to another protocol'))
    })
    request.on('response', (response) => {
      const { statusCode: status = 0, headers: answered } = response
      if (status > 599) {
        request.destroy()
        return reject(new NoAnswer('The response is not valid HTTP'))
      }
      const chunks: Buffer[] = []
      let size = 0
      const done = () => {
        const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, keptBytes), { stream: true })
        // PostgreSQL cannot store this character
        resolve({ status, text: text.replaceAll('\0', '\ufffd'), retryAfter: answered['retry-after'] })
        request.destroy()
      }
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size >= keptBytes) done()
      })
      response.on('end', done)
      // the status is enough, even if the connection breaks within the text
      response.on('error', () => (signal.aborted ? reject(signal.reason) : done()))
    })
    request.end(body)
  })
}

const keptBytes = 1_024
const mostAnnouncements = 10

// time before the next of several addresses is tried; Node's default is shorter than some round trips. The types lack it
const patience = { autoSelectFamilyAttemptTimeout: 1_000 }

/** Returns these addresses for every lookup. Node makes no lookup for a literal address. */
const only =
  (addresses: readonly string[]): LookupFunction =>
  (_, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const [first] = found
    if (first === undefined) callback(new Error('Nothing was looked up'), '', 0)
    else if (all) callback(null, found)
    else callback(null, first.address, first.family)
  }

/** Settles like the promise, but rejects as soon as the signal aborts: a resolver may ignore signals. */
function unlessAborted<T>(begun: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    begun.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

const sentences: Record<string, string> = {
  ENOTFOUND: 'The host name was not found',
  ENODATA: 'The host name was not found',
  EBADNAME: 'The host name was not found',
  EAI_AGAIN: 'The name servers did not respond',
  ESERVFAIL: 'The name servers did not respond',
  ETIMEOUT: 'The name servers did not respond',
  ECONNREFUSED: 'The connection was refused',
  EHOSTUNREACH: 'The address cannot be reached',
  ENETUNREACH: 'The address cannot be reached',
  ETIMEDOUT: 'The address cannot be reached',
  HPE_HEADER_OVERFLOW: 'The headers of the response are too long',
}

function told(error: unknown): string {
  const { code = '', errors } = error as { code?: string; errors?: unknown[] }
  if (errors?.[0] !== undefined) return told(errors[0])
  if (/CERT|TLS|SSL|SIGNATURE|SELF_SIGNED|EPROTO/.test(code)) return `No trusted connection: ${code}`
  if (code.startsWith('HPE_')) return sentences[code] ?? 'The response is not valid HTTP'
  return sentences[code] ?? `The connection broke${/^[A-Z_]{1,40}$/.test(code) ? `: ${code}` : ''}`
}

const lowerFirst = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1)
