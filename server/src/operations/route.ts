import { z } from 'zod'
import type { Caller, operator, ProjectRole, Role } from '../access/caller.ts'
import type { Loaded, Loader } from '../access/loader.ts'
import type { ApiError } from '../contract/errors.ts'
import type { Prerendered } from '../contract/prerendered.ts'
import type { Fields } from '../db/columns.ts'
import type { Db } from '../db/db.ts'
import type { RowLock } from '../db/sql.ts'
import type { NoContent } from './answer.ts'
import type { Context, Method } from './context.ts'
import type { Versioned } from './etags.ts'
import { type NestedItems, type Selectable, selectableIn, withFields } from './fields.ts'
import type { WantedStream } from './streaming.ts'

/** The roles that an action needs on one's own item and on the items of others. */
export interface Ownership<Item> {
  isOwn(item: Item, caller: Caller): boolean
  own: ProjectRole
  others: ProjectRole | 'nobody'
}

/** A case in which the handler itself checks a role. Used by the documentation and the test of roles. */
interface RoleCheck {
  /** such as `without projectId` */
  when: string
  roles?: readonly Role[]
  needs?: ProjectRole
}

/** An id in a body: the kind of its resource, and the project role that is needed to refer to it. */
interface Reference<Item> {
  to: Loader<Item>
  /** the fields that the handler gets, as texts may be long; default: all */
  fields?: Fields
  needs?: ProjectRole
  lock?: RowLock
}

export type Constraints = Record<string, string | (() => ApiError)>

/**
 * The name of an operation in the document, in clients, on the command line and for agents: nouns, then a verb, `tags.list` or
 * `projects.members.add`. Without a noun it is the verb alone, `search`.
 */
export type OperationName = `${string}.${string}` | 'bulk' | 'search'

type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [key in Name]: string } & ParamsOf<Rest>
  : unknown

/** The `fields` of a GET that returns a resource or a list. */
type Selection<Line extends string> = Line extends `GET ${string}` ? { fields?: Fields } : unknown

type ItemsOf<References> = {
  [name in keyof References]: References[name] extends { to: Loader<infer Item>; fields: readonly (infer Field)[] }
    ? Loaded<Pick<Item, Field & keyof Item>>[]
    : References[name] extends { to: Loader<infer Item> }
      ? Loaded<Item>[]
      : never
}

interface Definition<Path extends string, Query, Body, Item, References, Read, Answer, Emitted extends string> {
  name: OperationName
  /** one line for the documentation */
  summary: string
  description?: string
  /** the organization roles that may call it; 403 for others */
  roles: readonly Role[] | typeof operator
  /** loads the resource of the last id in the path: 404 unless the caller sees it */
  target?: Loader<Item>
  /** the role that is needed in the project of the target; 403 below it */
  needs?: ProjectRole | Ownership<NoInfer<Item>>
  cases?: readonly RoleCheck[]
  /** other values than an id in the last segment of the path; default: those of the target's loader */
  accepts?: RegExp | undefined
  query?: z.ZodType<Query>
  body?: z.ZodType<Body>
  /** fields of the body that contain ids, and their resources: 404 unless the caller sees them */
  references?: References
  /** loads rows that the handler needs for every request, together with the references */
  preload?: (db: Db, caller: Caller) => Promise<Read>
  returns?: z.ZodType<Answer>
  /** the names of headers in `answerHeaders`, for the documentation */
  answerHeaders?: readonly string[]
  /** the items that `fields` selects from, if they are neither the returned resource nor the items of a list */
  selects?: NestedItems
  /** the path of a created resource; makes the response a 201 with Location */
  created?: (item: NoInfer<Answer>) => string
  /** the types of all events that it, or a nested operation, may write: `tag.created` */
  emits?: readonly Emitted[]
  /** by name of a database constraint, the meaning of its violation: a field whose value is already taken, or a refusal */
  constraints?: Constraints
  /** the response as CSV, for clients that prefer it to JSON */
  csv?: (item: NoInfer<Answer>) => string
  /** the requested stream, for clients that prefer `text/event-stream` to JSON */
  stream?: (context: Context<ParamsOf<Path>, NoInfer<Query>>, lastEventId: number | undefined) => WantedStream
  /** other statuses that the handler itself returns, for the documentation */
  refuses?: readonly number[]
  /** whether the response contains a secret, which can depend on the body: it is stored sealed for replays */
  secret?: boolean | ((body: NoInfer<Body>) => boolean)
  /** whether the target is a deleted resource that can still be restored */
  deleted?: boolean
  /** whether it is also allowed in an archived project */
  evenArchived?: boolean
  /** the lock on the target's row; default: against other writes, for DELETE also against references to it */
  lock?: RowLock
  handle(
    context: Context<
      ParamsOf<Path>,
      NoInfer<Query> & Selection<Path>,
      NoInfer<Body>,
      NoInfer<Item>,
      ItemsOf<NoInfer<References>>,
      NoInfer<Read>,
      NoInfer<Emitted>
    >,
  ): Promise<NoInfer<Answer> | Prerendered<NoInfer<Answer>> | NoContent> | NoInfer<Answer>
}

/** An operation of the API, without the types that checked its handler. */
export interface Route {
  method: Method
  /** below /api/v1, ids in braces */
  path: string
  /** names of the ids in the path, in order */
  ids: readonly string[]
  name: OperationName
  summary: string
  description: string | undefined
  roles: readonly Role[] | typeof operator
  target: Loader<Resource> | undefined
  needs: ProjectRole | Ownership<Resource> | undefined
  cases: readonly RoleCheck[]
  accepts: RegExp | undefined
  query: z.ZodType
  body: z.ZodType | undefined
  references: Record<string, Reference<Resource>>
  preload: ((db: Db, caller: Caller) => Promise<unknown>) | undefined
  returns: z.ZodType | undefined
  answerHeaders: readonly string[]
  /** the items that `fields` selects from; absent: the operation has no such parameter */
  selectable: Selectable | undefined
  created: ((item: Resource) => string) | undefined
  emits: readonly string[]
  constraints: Constraints
  /** whether the ETag is a hash of the body: a GET whose response has no version of its own */
  isTaggedByBody: boolean
  csv: ((item: unknown) => string) | undefined
  stream: ((context: Context, lastEventId: number | undefined) => WantedStream) | undefined
  refuses: readonly number[]
  secret: boolean | ((body: object) => boolean)
  deleted: boolean
  evenArchived: boolean
  lock: RowLock
  handle(context: Context): Promise<unknown>
}

export type Resource = Versioned

/** Whether the response to a request contains a secret. @param body not validated yet */
export const hasSecret = ({ secret }: Route, body: unknown): boolean =>
  typeof secret === 'boolean' ? secret : typeof body === 'object' && body !== null && secret(body)

const noParameters = z.strictObject({})

const defaultLock: Record<Method, RowLock> = {
  GET: 'none',
  POST: 'no key update',
  PATCH: 'no key update',
  DELETE: 'update',
}

/**
 * Defines an operation. Its validation, types, status codes, documentation and tests all come from this definition.
 * @param line method and path below /api/v1, ids in braces: `PATCH /tags/{id}`
 */
export function route<
  const Line extends `${Method} /${string}`,
  Query = Record<string, never>,
  Body = Record<string, never>,
  Item = undefined,
  References extends Record<string, Reference<unknown>> = Record<never, never>,
  Read = undefined,
  Answer = void,
  const Emitted extends string = never,
>(line: Line, definition: Definition<Line, Query, Body, Item, References, Read, Answer, Emitted>): Route {
  const [method, path] = line.split(' ') as [Method, string]
  const { body, ...rest } = definition
  if ((method === 'DELETE') !== (rest.returns === undefined)) throw new Error(`${line}: only DELETE returns nothing`)
  const selectable = method === 'GET' ? selectableIn(rest.returns, rest.selects) : undefined
  const query = rest.query ?? noParameters
  // the compiler has checked the handler against these types; code that stores and calls it does not need them
  return {
    description: undefined,
    target: undefined,
    needs: undefined,
    cases: [],
    accepts: definition.target?.accepts,
    references: {},
    preload: undefined,
    returns: undefined,
    answerHeaders: [],
    created: undefined,
    emits: [],
    constraints: {},
    csv: undefined,
    stream: undefined,
    refuses: [],
    secret: false,
    deleted: false,
    evenArchived: false,
    lock: defaultLock[method],
    ...rest,
    query: selectable ? withFields(query, selectable) : query,
    selectable,
    isTaggedByBody: method === 'GET' && rest.returns instanceof z.ZodObject && !('version' in rest.returns.shape),
    method,
    path,
    ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    body: method === 'POST' || method === 'PATCH' ? (body ?? noParameters) : undefined,
  } as unknown as Route
}
