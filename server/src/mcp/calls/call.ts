import { createHash } from 'node:crypto'
import type { Caller } from '../../access/caller.ts'
import type { Answer } from '../../operations/answer.ts'
import type { Method, NestedWrite } from '../../operations/context.ts'
import { canonical } from '../../operations/idempotency.ts'
import type { Router } from '../../operations/router.ts'
import { Refusal, refusalOf } from './refusal.ts'

/** A method and a path of a write below /api/v1, as the table of routes has it. */
export type WriteLine = `${Exclude<Method, 'GET'>} /${string}`

/** A call of a tool while it runs: the operations that it may run, as the caller of the request, and how many. */
export interface Call {
  caller: Caller
  now: Date
  /** whether it has an idempotencyKey */
  isKeyed: boolean
  /** Lets the call run more operations, because it names further tasks. */
  allowFurther(tasks: number): void
  /**
   * Reads what is at a path below /api/v1.
   * @param about what that is, for who is told that it is not there: `the task WEB-99`
   * @throws Refusal
   */
  get<Item>(path: string, query: QueryValues, about?: string): Promise<Item>
  /**
   * Reads one thing that the call is about to change.
   * @returns the item, and its ETag for `ifMatch`
   * @throws Refusal
   */
  read<Item>(path: string, about: string): Promise<{ item: Item; etag: string | undefined }>
  /**
   * Runs a POST, which takes effect once for calls that are the same.
   * @throws Refusal
   */
  post<Item>(path: string, body: object | undefined, same: Same): Promise<Item>
  /**
   * Runs several writes in one transaction, all or none of them, in the same way.
   * @throws Refusal
   */
  all<Item>(operations: NestedWrite[], same: Same): Promise<Item[]>
}

export type QueryValues = Record<string, string | number | boolean | readonly string[] | undefined>

/** What besides the tool and its arguments makes two calls the same. */
interface Same {
  /** what is written, for who is told that it is not there */
  about: string
  /** which of several writes of a call */
  step?: string
  /** what the call found, where it sets something that others set too: found otherwise, it is another call */
  found?: unknown
  /** the ETag that the resource of a POST must still have */
  ifMatch?: string | undefined
}

/** An operation that a call runs. */
export interface AskedOperation {
  method: NestedWrite['method']
  /** below /api/v1, with its query */
  path: string
  body?: unknown
  once?: Once
  ifMatch?: string | undefined
}

interface Opening {
  tool: { name: string; writes: readonly WriteLine[] }
  input: object
  caller: Caller
  requestId: string
  now: Date
  router: Router
  /** answers refusals too */
  ask(asked: AskedOperation): Promise<Answer>
  signal: AbortSignal
}

/** How many operations one call may run, and how many more for each further task that it names. */
const mostOperations = 25
const mostOfFurtherTask = 5

/** @returns with what became of its writes, for the last line of its answer */
export function openCall({ tool, input, caller, requestId, now, router, ask, signal }: Opening) {
  let operations = 0
  const writes = { done: 0, replayed: 0 }
  let mostForCall = mostOperations

  async function run<Item>(asked: AskedOperation, about: string): Promise<{ item: Item; etag: string | undefined }> {
    refuseUndeclared(asked.method, asked.path)
    // who is gone reads no answer; what was begun is finished by the same call when it comes again
    if (signal.aborted) throw new Refusal('The call was cancelled.', 'cancelled')
    if (++operations > mostForCall) throw tooMuch
    const answer = await ask(asked)
    if (answer.status >= 400) throw refusalOf(answer, requestId, about)
    if (asked.once) writes[answer.headers['idempotent-replayed'] ? 'replayed' : 'done']++
    return { item: JSON.parse(String(answer.body)) as Item, etag: answer.headers.etag }
  }

  function refuseUndeclared(method: AskedOperation['method'], path: string): void {
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
    async post<Item>(path: string, body: object | undefined, { about, ifMatch, ...same }: Same) {
      return (await run<Item>({ method: 'POST', path, body, ifMatch, once: onceFor(tool.name, input, same) }, about))
        .item
    },
    async all<Item>(writes: NestedWrite[], { about, ...same }: Same) {
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
    /** whether all that it wrote was written by a call before, whose answer this is */
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

/** By what a write is known to have been done before. */
interface Once {
  /** its Idempotency-Key */
  key: string
  /** equal for equal calls only */
  fingerprint: Buffer
  /** how long the key is kept; undefined: as long as those of all requests */
  ttlMs: number | undefined
}

/**
 * How long calls with the same arguments are one call, where they say no key: a client whose answer was lost calls again
 * within seconds, or its agent within minutes.
 */
const sameForMs = 600_000

/**
 * A client whose answer got lost has to send its call again under another JSON-RPC id, so only what it says tells that it is
 * the same: its `idempotencyKey`, else the tool, the arguments, and what the call found.
 * @see MCP 2026-07-28, key changes, "resumability"
 */
function onceFor(tool: string, input: object, { step = '', found }: { step?: string; found?: unknown }): Once {
  const { idempotencyKey, ...said } = input as { idempotencyKey?: string }
  const call = [tool, said, step]
  const key = idempotencyKey === undefined ? ['said', call, found ?? null] : ['given', tool, idempotencyKey, step]
  return {
    key: `mcp-${hashOf(key).toString('base64url')}`,
    fingerprint: hashOf(call),
    ttlMs: idempotencyKey === undefined ? sameForMs : undefined,
  }
}

const hashOf = (value: unknown): Buffer => createHash('sha256').update(canonical(value)).digest()
