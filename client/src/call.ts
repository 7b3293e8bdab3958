/** What may be said with each call. */
export interface CallOptions {
  /**
   * An ETag that was read, or `"<id>.<version>"` of a resource that was read. The write is done only while that is current, else
   * `PreconditionFailedError`.
   */
  ifMatch?: string | undefined
  /** An ETag that was read: `NotModifiedError` while that is current. */
  ifNoneMatch?: string | undefined
  /** Of a POST: with the same key it takes effect once. Without one each call has a new one. */
  idempotencyKey?: string | undefined
  /** All is checked and answered as it would be, and then undone. */
  dryRun?: boolean | undefined
  /** Ends the call, also while it waits to try again: it rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** How long each attempt may take. */
  timeoutMs?: number | undefined
  /** How often it may be tried again. */
  retries?: number | undefined
  /** Further headers; they go before those of the client. */
  headers?: Readonly<Record<string, string>> | undefined
  /** `text/csv`: a report as CSV, which is answered as text. */
  accept?: string | undefined
}

/** What is sent besides. */
export interface CallContent {
  /** What is undefined is left out, lists are joined by commas, moments are sent as RFC 3339. */
  query?: object | undefined
  /** Sent as JSON, without what is undefined. */
  body?: unknown
}

export interface Call extends CallOptions, CallContent {
  method: string
  /** below /api/v1, with or without a query of its own */
  path: string
}

/** A call as it is sent, each time the same. */
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
  // a URL would take them for the way up, to another operation
  if (!path.startsWith('/') || /\/(\.|%2e){1,2}(\/|\?|$)/i.test(path)) {
    throw new TypeError(`${path} is no path below /api/v1, such as /tasks`)
  }
  const url = new URL(root + path)
  for (const [name, value] of Object.entries<unknown>({ ...query, dryRun: dryRun || undefined })) {
    if (value !== undefined) url.searchParams.set(name, value instanceof Date ? value.toISOString() : String(value))
  }
  return url.href
}

/** The path of an operation: the parts of a template that stand in braces are replaced, one after the other. */
export const pathOf = (template: string, ids: readonly string[]): string => {
  let next = 0
  return template.replace(/\{\w+\}/g, (name) => {
    const id = ids[next++]
    // without it, or as a way up, it would be the path of another operation
    if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) throw new TypeError(`${template} needs ${name}`)
    return encodeURIComponent(id)
  })
}

/** 128 bits of chance. `randomUUID` is not there in pages that come by http. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
