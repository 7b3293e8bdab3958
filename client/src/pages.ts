import { Answer } from './answer.ts'
import type { CallOptions } from './call.ts'
import type { Answered, Connection } from './connection.ts'

/** One page of a list by offset. */
export interface OffsetPage<T> {
  data: T[]
  /** the number of items in the whole list */
  total: number
}

/** One page of a list by cursor. */
export interface CursorPage<T> {
  data: T[]
  pagination: { nextCursor: string | null }
}

/** One page of a list. */
export type Page<T> = OffsetPage<T> | CursorPage<T>

interface Position {
  limit?: number
  offset?: number
  cursor?: string
}

/** The page size for all items: as few requests as possible. */
const largestPage = 100

/** A list. `await` returns one page, `for await` iterates over all items of all pages. No request is sent before that. */
export class Pages<T, P extends { data: T[] } = Page<T>> implements Promise<P>, AsyncIterable<T> {
  readonly [Symbol.toStringTag] = 'Pages'
  readonly #connection: Connection
  readonly #path: string
  readonly #query: object
  readonly #options: CallOptions
  #first: Answer<P> | undefined

  constructor(connection: Connection, path: string, query: object = {}, options: CallOptions = {}) {
    this.#connection = connection
    const [place = '', search] = path.split('?')
    this.#path = place
    this.#query = { ...Object.fromEntries(new URLSearchParams(search)), ...query }
    this.#options = options
  }

  // biome-ignore lint/suspicious/noThenProperty: awaited it is one page
  then<One = P, Other = never>(
    fulfilled?: ((page: P) => One | PromiseLike<One>) | null,
    rejected?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<One | Other> {
    return this.#one().then(fulfilled, rejected)
  }

  catch<Other = never>(rejected?: ((reason: unknown) => Other | PromiseLike<Other>) | null): Promise<P | Other> {
    return this.#one().catch(rejected)
  }

  finally(settled?: (() => void) | null): Promise<P> {
    return this.#one().finally(settled)
  }

  /** One page with its status, headers and ETag. */
  withResponse(): Promise<Answered<P>> {
    return this.#one().withResponse()
  }

  /** All items, one after the other. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { data } of this.eachPage()) yield* data
  }

  /** All pages, one after the other. */
  async *eachPage(): AsyncGenerator<P, void, undefined> {
    let query: Position = { limit: largestPage, ...this.#query }
    let { ifNoneMatch, ...others }: CallOptions = this.#options
    for (let next: Position | undefined = query; next !== undefined; ) {
      query = next
      const page: P = await this.#ask(query, { ...others, ifNoneMatch })
      // the ETag is of the first page only
      ifNoneMatch = undefined
      next = following(page, query)
      yield page
    }
  }

  #one(): Answer<P> {
    this.#first ??= this.#ask(this.#query, this.#options)
    return this.#first
  }

  #ask(query: object, options: CallOptions): Answer<P> {
    const call = { ...options, method: 'GET', path: this.#path, query }
    return new Answer(this.#connection.send(call) as Promise<Answered<P>>)
  }
}

/** The start of the next page, if there is one. A list by offset may have become shorter or longer since. */
function following(page: Partial<OffsetPage<unknown> & CursorPage<unknown>>, asked: Position): Position | undefined {
  const { data = [], pagination, total = 0 } = page
  if (pagination) {
    const { nextCursor: cursor } = pagination
    return cursor === null ? undefined : { ...asked, cursor }
  }
  const offset = Number(asked.offset ?? 0) + data.length
  return data.length > 0 && offset < total ? { ...asked, offset } : undefined
}
