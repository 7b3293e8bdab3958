import { pause } from './abort.ts'
import { attempt, type Fetch } from './attempt.ts'
import { type Call, type Outgoing, outgoing } from './call.ts'
import { contentOf, typeOf, unexpected } from './content.ts'
import { ApiError, TaskwrightError } from './errors.ts'
import { isKept, isUncertain, mayPass, pauseMsAfter } from './retries.ts'

/** Options of a client. */
export interface ConnectionOptions {
  /** The URL of the server, such as `https://work.example.com`, with or without `/api/v1` at the end. */
  baseUrl: string
  /** The API key. It is sent with each request and never shown. Required unless `auth` is `session`. */
  apiKey?: string | undefined
  /**
   * `session`, in a page of the server: the client sends no key, and the browser sends the cookie of the signed-in person. Name
   * the organization by its id in the header `X-Organization`. Default: `key`.
   */
  auth?: 'key' | 'session' | undefined
  /** Time limit of each attempt. Default: 30 s. */
  timeoutMs?: number | undefined
  /** The maximum number of retries of a request. Default: 4. */
  retries?: number | undefined
  /** The function that sends requests. Default: the global `fetch`. */
  fetch?: Fetch | undefined
  /** Extra headers of each request, for example for a proxy. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** The result of a call. */
export interface Answered<T> {
  data: T
  /** The status and headers. The body is already read. */
  response: Response
  /** The ETag, for `ifMatch` and `ifNoneMatch`. */
  etag: string | undefined
  /** The id of the request in the log of the server. */
  requestId: string | undefined
}

/** A connection to a server. */
export interface Connection {
  /**
   * Sends a call, and retries it if that is safe and may help.
   * @throws TaskwrightError; if it is aborted, the reason of the signal
   */
  send(call: Call): Promise<Answered<unknown>>
  /**
   * Opens a stream, without retries. The time limit and the signal apply only until the stream starts.
   * @throws TaskwrightError; if it is aborted, the reason of the signal
   */
  open(call: Call): Promise<ReadableStream<Uint8Array>>
}

const firstPauseMs = 500
const longestPauseMs = 8_000
/** If the server asks for a longer wait, the call fails instead. */
const longestWaitMs = 70_000

/** Opens a connection without sending a request. @throws TypeError if the options are invalid */
export function openConnection(options: ConnectionOptions): Connection {
  const root = rootOf(options.baseUrl)
  const headers = { ...credentialOf(options), ...options.headers }
  // browsers refuse to call their fetch as a method of another object
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
  return { send, open }

  async function send(call: Call): Promise<Answered<unknown>> {
    const request = outgoing(root, headers, call)
    const { idempotencyKey, method, writes } = request
    const { retries = options.retries ?? 4 } = call
    let uncertain = false
    for (let failures = 0; ; failures++) {
      try {
        const [response, text] = await once(request, call, async (answer) => [answer, await answer.text()] as const)
        // an earlier attempt without a response has deleted it
        const goneIsDone = uncertain && method === 'DELETE'
        if (method === 'HEAD' && response.ok) return answered(response, undefined)
        return answered(response, contentOf(response, text, goneIsDone))
      } catch (error) {
        if (!(error instanceof TaskwrightError)) throw error
        uncertain ||= writes && isUncertain(error)
        const waitMs = pauseMsAfter(error, failures, firstPauseMs, longestPauseMs)
        if (failures >= retries || !mayPass(error) || waitMs > longestWaitMs) {
          const mayBeDone = uncertain && !(method === 'POST' && error instanceof ApiError && isKept(error.status))
          throw Object.assign(error, { idempotencyKey, mayBeDone })
        }
        await pause(waitMs, call.signal)
      }
    }
  }

  async function open(call: Call): Promise<ReadableStream<Uint8Array>> {
    return once(outgoing(root, headers, call), call, async (response) => {
      if (response.ok && response.body && typeOf(response) === call.accept) return response.body
      contentOf(response, await response.text(), false)
      throw unexpected(response, `is not ${call.accept}`)
    })
  }

  function once<T>(request: Outgoing, call: Call, read: (response: Response) => Promise<T>): Promise<T> {
    const { method, url, headers, body = null } = request
    const { signal, timeoutMs = options.timeoutMs ?? 30_000 } = call
    return attempt(fetch, url, { method, headers, body }, { signal, timeoutMs }, read)
  }
}

const answered = <T>(response: Response, data: T): Answered<T> => ({
  data,
  response,
  etag: response.headers.get('etag') ?? undefined,
  requestId: response.headers.get('x-request-id') ?? undefined,
})

function rootOf(baseUrl: string): string {
  const { protocol, origin, pathname, username, password, search, hash } = new URL(baseUrl)
  if (!/^https?:$/.test(protocol) || username + password + search + hash !== '') {
    throw new TypeError('baseUrl must be a URL such as http://127.0.0.1:3000, without a user, query or fragment')
  }
  const root = withoutSlashes(withoutSlashes(pathname).replace(/\/api\/v1$/, ''))
  return `${origin}${root}/api/v1`
}

// bounded: the base URL is a setting
const withoutSlashes = (path: string): string => path.replace(/(?<!\/)\/+$/, '')

const credentialOf = ({ auth, apiKey }: ConnectionOptions): Record<string, string> =>
  auth === 'session' ? {} : { authorization: `Bearer ${keyOf(apiKey)}` }

/** Other characters would cause an error that shows the key. */
function keyOf(apiKey: string | undefined): string {
  const key = String(apiKey ?? '').trim()
  if (!/^[!-~]+$/.test(key)) throw new TypeError('apiKey must be an API key: tw_ and 58 letters and digits')
  return key
}
