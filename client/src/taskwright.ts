import { Answer } from './answer.ts'
import type { CallContent, CallOptions } from './call.ts'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'
import { type EventsWithStream, followEvents } from './events/follow.ts'
import { WithOperations } from './methods.ts'
import { type Page, Pages } from './pages.ts'

/** A client of one server, with one API key, or with the session of a person who signed in to its console. */
export class Taskwright extends WithOperations {
  // a private field: printing a client does not print the key
  readonly #connection: Connection
  declare readonly events: EventsWithStream

  /** Sends no request. @throws TypeError if the options are invalid */
  constructor(settings: ConnectionOptions) {
    const connection = openConnection(settings)
    super(connection)
    this.#connection = connection
    const stream: EventsWithStream['stream'] = (query = {}, options = {}) => followEvents(connection, query, options)
    Object.assign(this.events, { stream })
  }

  /**
   * Sends any request below /api/v1.
   * @example await tw.request('GET', '/tasks/WEB-12', { query: { include: ['project'] } })
   */
  request(method: string, path: string, options: CallOptions & CallContent = {}): Answer<unknown> {
    return new Answer(this.#connection.send({ ...options, method, path }))
  }

  /**
   * Reads any list below /api/v1.
   * @example for await (const task of tw.pages('/tasks', { projectId })) …
   */
  pages(path: string, query: object = {}, options: CallOptions = {}): Pages<unknown, Page<unknown>> {
    return new Pages(this.#connection, path, query, options)
  }
}
