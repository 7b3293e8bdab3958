import { createHash } from 'node:crypto'
import type { Caller } from '../../access/caller.ts'
import type { Answer } from '../../operations/answer.ts'
import type { Method, NestedWrite } from '../../operations/context.ts'
import { canonicalJson } from '../../operations/idempotency.ts'
import type { Router } from '../../operations/router.ts'
import { Refusal, refusalOf } from './refusal.ts'

/** The method and path of a write below /api/v1, as in the route table. */
export type WriteLine = `${Exclude<Method, 'GET'>} /${string}`

/** A running call of a tool. It runs operations as the caller of the request, up to a limit. */
export interface Call {
  caller: Caller
  now: Date
  /** whether it has an idempotencyKey */
  isKeyed: boolean
  /** Raises the limit of operations for a call that names further tasks. */
  allowFurther(tasks: number): void
  /**
   * Reads a path below /api/v1.
   * @param about names the resource in the message of a 404: `the task WEB-99`
   * @throws Refusal
   */
  get<Item>(path: string, query: QueryValues, about?: string): Promise<Item>
  /**
   * Reads a resource that the call will change.
   * @returns the item, and its ETag for `ifMatch`
   * @throws Refusal
   */
  read<Item>(path: string, about: string): Promise<{ item: Item; etag: string | undefined }>
  /**
   * Runs a POST. Identical calls take effect once.
   * @throws Refusal
   */
  post<Item>(path: string, body: object | undefined, same: CallIdentity): Promise<Item>
  /**
   * Runs several writes in one transaction: all or none. Identical calls take effect once.
   * @throws Refusal
   */
  all<Item>(operations: NestedWrite[], same: CallIdentity): Promise<Item[]>
}

export type QueryValues = Record<string, string | number | boolean | readonly string[] | undefined>

/** Besides the tool and its arguments, decides whether two writes are identical. */
interface CallIdentity {
  /** names the written resource in the message of a 404 */
  about: string
  /** tells several writes of one call apart */
  step?: string
  /** the state that the call read before it set a value; after a change of that state, the same call is a new one */
  found?: unknown
  /** the ETag that the resource of a POST must still have */
  ifMatch?: string | undefined
}

/** An operation that a call runs. */
export interface OperationCall {
  method: NestedWrite['method']
  /** below /api/v1, with its query */
  path: string
  body?: unknown
  once?: WriteIdentity
  ifMatch?: string | undefined
}

interface CallContext {
  tool: { name: string; writes: readonly WriteLine[] }
  input: object
  caller: Caller
  requestId: string
  now: Date
  router: Router
  /** also returns the responses of refusals */
  ask(asked: OperationCall): Promise<Answer>
  signal: AbortSignal
}

/** The limit of operations in one call, and the raise for each further task that the call names. */
const mostOperations = 25
const mostOfFurtherTask = 5

/** Opens a call. @returns the call, its number of operations, and whether it is a replay */
export function openCall({ tool, input, caller, requestId, now, router, ask, signal }: CallContext) {
  let operations = 0
  const writes = { done: 0, replayed: 0 }
  let mostForCall = mostOperations

  async function run<Item>(asked: OperationCall, about: string): Promise<{ item: Item; etag: string | undefined }> {
    refuseUndeclared(asked.method, asked.path)
    // nobody reads the result of a cancelled call; if the agent repeats the call, it finishes the remaining writes
    if (signal.aborted) throw new Refusal('The call was cancelled.', 'cancelled')
    if (++operations > mostForCall) throw tooMuch
    const answer = await ask(asked)
    if (answer.status >= 400) throw refusalOf(answer, requestId, about)
    if (asked.once) writes[answer.headers['idempotent-replayed'] ? 'replayed' : 'done']++
    return { item: JSON.parse(String(answer.body)) as Item, etag: answer.headers.etag }
  }

  function refuseUndeclared(method: OperationCall['method'], path: string): void {
    if (method === 'GET') return
    const route = router.find(method, path)?.route
    const declared = route !== undefined && tool.writes.includes(`${method} ${route.path}` as WriteLine)
    if (!declared) throw new Error(`${tool.name} does not say that it writes by ${method} ${path}`)
  }

  const call: Call = {
    ...{ caller, now, isKeyed: 'idempotencyKey' in input },
    allowFurther(tasks) {
      mostForCall += tasks * mostOfFurtherTask
    },
    async get<Item>(path: string, query: QueryValues, about = 'the requested resource') {
      return (await run<Item>({ method: 'GET', path: path + searchOf(query) }, about)).item
    },
    read: (path, about) => run({ method: 'GET', path }, about),
    async post<Item>(path: string, body: object | undefined, { about, ifMatch, ...same }: CallIdentity) {
      return (await run<Item>({ method: 'POST', path, body, ifMatch, once: onceFor(tool.name, input, same) }, about))
        .item
    },
    async all<Item>(writes: NestedWrite[], { about, ...same }: CallIdentity) {
      for (const { method, path } of writes) refuseUndeclared(method, path)
      const asked = { method: 'POST', path: '/bulk', body: { operations: writes } } as const
      const once = onceFor(tool.name, input, same)
      const { item } = await run<{ results: { body: Item }[] }>({ ...asked, once }, about)
      return item.results.map(({ body }) => body)
    },
  }
  return {
    call,
    get operations() {
      return operations
    },
    /** whether an earlier identical call did all of its writes */
    get isReplay() {
      return writes.replayed > 0 && writes.done === 0
    },
  }
}

const tooMuch = new Refusal('This needs too many steps for one call. Ask for less in one call.', 'too_much')

function searchOf(query: QueryValues): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? []].flat()) parameters.append(name, String(one))
  }
  return parameters.size === 0 ? '' : `?${parameters}`
}

/** Identifies a write that an earlier call may have done. */
interface WriteIdentity {
  /** the Idempotency-Key */
  key: string
  /** differs between different calls */
  fingerprint: Buffer
  /** how long the server keeps the key; undefined: as long as the keys of other requests */
  ttlMs: number | undefined
}

/**
 * Without a key, calls with the same arguments are one call for this long. After a lost response, a client repeats the call
 * within seconds, and an agent within minutes.
 */
const sameForMs = 600_000

/**
 * Derives the Idempotency-Key of a write. After a lost response, a client must repeat its call with a new JSON-RPC id. The
 * server therefore compares the `idempotencyKey`, or else the tool, the arguments and the state that the call read.
 * @see MCP 2026-07-28, key changes, "resumability"
 */
function onceFor(tool: string, input: object, { step = '', found }: { step?: string; found?: unknown }): WriteIdentity {
  const { idempotencyKey, ...said } = input as { idempotencyKey?: string }
  const call = [tool, said, step]
  const key = idempotencyKey === undefined ? ['said', call, found ?? null] : ['given', tool, idempotencyKey, step]
  return {
    key: `mcp-${hashOf(key).toString('base64url')}`,
    fingerprint: hashOf(call),
    ttlMs: idempotencyKey === undefined ? sameForMs : undefined,
  }
}

const hashOf = (value: unknown): Buffer => createHash('sha256').update(canonicalJson(value)).digest()
