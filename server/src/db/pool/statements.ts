import pg from 'pg'
import type { Sql } from '../sql.ts'
import { customPlan } from './session.ts'

// each takes about 100 kB on each connection. Filters make thousands of statements; all operations need half of these
const mostNames = 500
const names = new Map<string, string>()

/**
 * Gives a statement a name, so that PostgreSQL parses and plans it once per connection. It gets no name if all names are taken,
 * or if it is planned for its values each time.
 */
export function prepared({ text, values, customPlan: isPlannedForValues }: Sql): pg.QueryConfig {
  const config = { text, values: [...values] }
  if (isPlannedForValues) return config
  const known = names.get(text)
  if (known !== undefined) return { name: known, ...config }
  if (names.size === mostNames) return config
  const name = `s${names.size + 1}`
  names.set(text, name)
  return { name, ...config }
}

/**
 * Sends a statement. Until the first statement of a name has its result on this connection, it is sent without the name. The
 * driver would send only the name, and if the first one failed, all of them would fail.
 * @param answerTimeoutMs if it differs from the connection's
 * @throws the error of the database or the connection, with the stack of the caller
 */
export async function send(
  client: pg.ClientBase,
  { name, text, values }: pg.QueryConfig,
  answerTimeoutMs?: number,
): Promise<pg.QueryResult> {
  // for a plain object the driver copies the descriptor of each property, which takes ten times as long as all of this
  const query = new pg.Query(text, values) as SubmittedQuery
  const sent = namesOn(client)
  if (name !== undefined && sent.get(name) !== 'unanswered') {
    query.name = name
    if (!sent.has(name)) sent.set(name, 'unanswered')
  }
  if (answerTimeoutMs !== undefined) query.query_timeout = answerTimeoutMs
  try {
    const answered = await new Promise<pg.QueryResult>((resolve, reject) => {
      query.callback = (error, result) => (error ? reject(error) : resolve(result))
      client.query(query)
    })
    if (query.name !== undefined) sent.set(query.name, 'answered')
    return answered
  } catch (error) {
    if (query.name !== undefined && sent.get(query.name) === 'unanswered') sent.delete(query.name)
    Error.captureStackTrace(error as Error, send)
    throw error
  }
}

/** How long a statement and its response may take. After the latter the connection counts as dead. */
export interface StatementLimits {
  statementTimeoutMs: number
  answerTimeoutMs: number
}

/**
 * Sends a statement that is planned for its values, within a transaction that limits the settings to it. All of this is one
 * round trip.
 */
export async function sendReport(
  client: pg.ClientBase,
  query: pg.QueryConfig,
  { statementTimeoutMs, answerTimeoutMs }: StatementLimits,
): Promise<pg.QueryResult> {
  const settings = Object.entries({ ...customPlan, statement_timeout: statementTimeoutMs })
  const begin = ['begin read only', ...settings.map(([name, value]) => `set local ${name} = ${value}`)].join(';')
  // if these fail, the statement still gets its result
  const beside = (text: string) => send(client, { text }, answerTimeoutMs).catch(() => {})
  void beside(begin)
  const answering = send(client, query, answerTimeoutMs)
  const [answered] = await Promise.allSettled([answering, beside('commit')])
  if (answered.status === 'rejected') throw answered.reason
  return answered.value
}

/** A query of the driver, with the fields that its types lack. */
interface SubmittedQuery extends pg.Submittable {
  name?: string
  query_timeout?: number
  callback?: (error: Error | null, answered: pg.QueryResult) => void
}

/** The names that were sent on a connection; `unanswered` until the first statement of a name has its result. */
function namesOn(client: pg.ClientBase): Map<string, 'unanswered' | 'answered'> {
  const known = namesByClient.get(client) ?? new Map()
  namesByClient.set(client, known)
  return known
}

const namesByClient = new WeakMap<pg.ClientBase, Map<string, 'unanswered' | 'answered'>>()

/**
 * Takes the rows out of a result. The driver's query objects refer to the next one, so the garbage collector keeps them for
 * long. With the rows in them, each page was copied twice and kept until the next full collection.
 */
export function takeRows<Row>(answered: pg.QueryResult): Row[] {
  const { rows } = answered
  answered.rows = []
  return rows as Row[]
}
