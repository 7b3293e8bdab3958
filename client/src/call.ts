/** Options of every call. */
export interface CallOptions {
  /**
   * An ETag that you read, or `"<id>.<version>"` of a resource that you read. If it is no longer current, the server changes
   * nothing and the call throws `PreconditionFailedError`.
   */
  ifMatch?: string | undefined
  /** An ETag that you read. While it is current, the call throws `NotModifiedError`. */
  ifNoneMatch?: string | undefined
  /** Of a POST: requests with the same key take effect only once. By default, each call has a new key. */
  idempotencyKey?: string | undefined
  /** The server checks the request and sends the response, but changes nothing. */
  dryRun?: boolean | undefined
  /** Aborts the call, also while it waits for the next attempt. The call rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Time limit of each attempt. */
  timeoutMs?: number | undefined
  /** The maximum number of retries. */
  retries?: number | undefined
  /** Extra headers. They override those of the client. */
  headers?: Readonly<Record<string, string>> | undefined
  /** `text/csv` returns a report as CSV text. */
  accept?: string | undefined
}

/** The query and body of a call. */
export interface CallContent {
  /** Undefined values are left out, lists are joined by commas, and dates are sent as RFC 3339 date-times. */
  query?: object | undefined
  /** Sent as JSON, without undefined values. */
  body?: unknown
}

export interface Call extends CallOptions, CallContent {
  method: string
  /** below /api/v1, with or without a query of its own */
  path: string
}

/** A call as it is sent. Retries send it unchanged. */
export interface Outgoing {
  method: string
  url: string
  headers: Headers
  body: string | undefined
  /** of a POST */
  idempotencyKey: string | undefined
  /** whether it may change something */
  writes: boolean
}

/**
 * A call as it is sent.
 * @param root ends in /api/v1
 * @param headers of every call
 */
export function outgoing(root: string, headers: Readonly<Record<string, string>>, call: Call): Outgoing {
  const method = call.method.toUpperCase()
  const all = new Headers(headers)
  const add = (more: Readonly<Record<string, string | undefined>>) => {
    for (const [name, value] of Object.entries(more)) if (value !== undefined) all.set(name, value)
  }
  add({ accept: call.accept ?? 'application/json', 'if-match': call.ifMatch, 'if-none-match': call.ifNoneMatch })
  if (method === 'POST') add({ 'idempotency-key': call.idempotencyKey ?? newKey() })
  if (call.body !== undefined) add({ 'content-type': 'application/json' })
  add(call.headers ?? {})
  return {
    method,
    url: urlOf(root, call),
    headers: all,
    body: call.body === undefined ? undefined : JSON.stringify(call.body),
    idempotencyKey: all.get('idempotency-key') ?? undefined,
    writes: method !== 'GET' && call.dryRun !== true,
  }
}

function urlOf(root: string, { path, query = {}, dryRun }: Call): string {
  // dots would change the path to another operation
  if (!path.startsWith('/') || /\/(\.|%2e){1,2}(\/|\?|$)/i.test(path)) {
    throw new TypeError(`${path} is not a path below /api/v1, such as /tasks`)
  }
  const url = new URL(root + path)
  for (const [name, value] of Object.entries<unknown>({ ...query, dryRun: dryRun || undefined })) {
    if (value !== undefined) url.searchParams.set(name, value instanceof Date ? value.toISOString() : String(value))
  }
  return url.href
}

/** The path of an operation: replaces the parts of the template in braces, in order. */
export const pathOf = (template: string, ids: readonly string[]): string => {
  let next = 0
  return template.replace(/\{\w+\}/g, (name) => {
    const id = ids[next++]
    // an empty id or dots would make the path of another operation
    if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) throw new TypeError(`${template} needs ${name}`)
    return encodeURIComponent(id)
  })
}

/** 128 random bits. Pages loaded by http have no `randomUUID`. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
