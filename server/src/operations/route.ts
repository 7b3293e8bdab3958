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
import { type Deeper, type Selectable, selectableIn, withFields } from './fields.ts'
import type { WantedStream } from './streaming.ts'

/** What it takes on something of one's own, and on that of others. */
export interface Ownership<Item> {
  isOwn(item: Item, caller: Caller): boolean
  own: ProjectRole
  others: ProjectRole | 'nobody'
}

/** A case in which the handler itself checks a role. Used by the documentation and the test of roles. */
interface Case {
  /** such as `without projectId` */
  when: string
  roles?: readonly Role[]
  needs?: ProjectRole
}

/** An id in a body: what it names, and the project role that naming it takes. */
interface Reference<Item> {
  to: Loader<Item>
  /** what the handler is given of it, as texts may be long; default: all of it */
  fields?: Fields
  needs?: ProjectRole
  lock?: RowLock
}

export type Constraints = Record<string, string | (() => ApiError)>

/**
 * What an operation is called in the document, in clients, on the command line and by agents: nouns, then what is done, `tags.list` or
 * `projects.members.add`; where no noun is needed the verb alone, `search`.
 */
export type OperationName = `${string}.${string}` | 'bulk' | 'search'

type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [key in Name]: string } & ParamsOf<Rest>
  : unknown

/** What a GET may select of a resource or a list: absent where its answer is neither. */
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
  /** which roles in the organization may; 403 for the others */
  roles: readonly Role[] | typeof operator
  /** what the last id in the path names: 404 unless the caller sees it */
  target?: Loader<Item>
  /** the role that it takes in the project of the target; 403 below it */
  needs?: ProjectRole | Ownership<NoInfer<Item>>
  cases?: readonly Case[]
  /** what may stand in the path in place of its last id; default: what the target's loader accepts */
  accepts?: RegExp | undefined
  query?: z.ZodType<Query>
  body?: z.ZodType<Body>
  /** fields of the body that hold ids, and what they name: 404 unless the caller sees it */
  references?: References
  /** what the handler needs whatever the request says: read beside the references */
  preload?: (db: Db, caller: Caller) => Promise<Read>
  returns?: z.ZodType<Answer>
  /** the headers in `answerHeaders`: for the documentation */
  answerHeaders?: readonly string[]
  /** what `fields` selects of, where that is neither what it returns nor the items of a list */
  selects?: Deeper
  /** where a created resource lives; makes the answer a 201 with Location */
  created?: (item: NoInfer<Answer>) => string
  /** the types of all events that it, or what it calls, may write: `tag.created` */
  emits?: readonly Emitted[]
  /** by the name of a database constraint, what its violation means: the field whose value is already taken, or a refusal */
  constraints?: Constraints
  /** the answer as CSV, for clients that prefer it to JSON */
  csv?: (item: NoInfer<Answer>) => string
  /** the answer as it happens, for clients that prefer `text/event-stream` to JSON: what they want of it */
  stream?: (context: Context<ParamsOf<Path>, NoInfer<Query>>, lastEventId: number | undefined) => WantedStream
  /** further statuses that the handler itself answers: for the documentation */
  refuses?: readonly number[]
  /** the answer holds a secret: it is stored sealed for replays */
  secret?: boolean
  /** the target is looked for among what is deleted and can still be restored */
  deleted?: boolean
  /** is also allowed in an archived project */
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

/** An operation of the API, stripped of the types that its handler was checked with. */
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
  cases: readonly Case[]
  accepts: RegExp | undefined
  query: z.ZodType
  body: z.ZodType | undefined
  references: Record<string, Reference<Resource>>
  preload: ((db: Db, caller: Caller) => Promise<unknown>) | undefined
  returns: z.ZodType | undefined
  answerHeaders: readonly string[]
  /** what `fields` selects of; absent: there is no such parameter */
  selectable: Selectable | undefined
  created: ((item: Resource) => string) | undefined
  emits: readonly string[]
  constraints: Constraints
  /** absent: what it answers has a version of its own, or is no answer of a GET */
  isTaggedByBody: boolean
  csv: ((item: unknown) => string) | undefined
  stream: ((context: Context, lastEventId: number | undefined) => WantedStream) | undefined
  refuses: readonly number[]
  secret: boolean
  deleted: boolean
  evenArchived: boolean
  lock: RowLock
  handle(context: Context): Promise<unknown>
}

export type Resource = Versioned

const noParameters = z.strictObject({})

const defaultLock: Record<Method, RowLock> = {
  GET: 'none',
  POST: 'no key update',
  PATCH: 'no key update',
  DELETE: 'update',
}

/**
 * The one definition of an operation: its validation, types, status codes, documentation and tests all come from it.
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
  // the handler was checked against these types; what stores and calls it need not know them
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
