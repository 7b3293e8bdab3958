import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { newId } from '../../server/src/for-tools.ts'
import type { Caller } from '../load/data.ts'
import { callersIn } from './callers.ts'
import { type Ask, objects, type Row, screenOf } from './floor-screens.ts'
import { announce } from './listening.ts'
import { boardPage, progressPage, week, workPage } from './screen-statements.ts'
import { appendEvent, claim, eventPage, insertEntry, oneTask, storeAnswer, tagPage, taskPage } from './statements.ts'

// The least that answers such requests with Node and pg: no framework, no authentication, no validation, nothing parsed.

const { BENCH_DATABASE_URL = '', BENCH_DATA = '' } = process.env
const callers = callersIn(BENCH_DATA)

const pool = new pg.Pool({
  connectionString: BENCH_DATABASE_URL,
  max: 16,
  pipeline: true,
  options: '-c timezone=UTC -c datestyle=ISO',
  types: { getTypeParser: () => (text: string) => text } as pg.CustomTypesConfig,
})
pool.on('connect', (client) => client.on('error', () => {}))

const names = new Map(
  [
    ...[appendEvent, claim, eventPage, insertEntry, oneTask, storeAnswer, tagPage, taskPage],
    ...[boardPage, progressPage, week, workPage],
  ].map((text, i) => [text, `s${i}`]),
)

/** A named statement, answered in rows of text. */
function asked(text: string, values: unknown[]): pg.QueryArrayConfig {
  return { name: names.get(text) ?? '', text, values, rowMode: 'array' }
}

const ask: Ask = (text, values) => pool.query<Row>(asked(text, values))

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => send(response, 500, JSON.stringify({ error: String(error) })))
})
server.listen(0, '127.0.0.1', () => announce(server))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const caller = callers.get(request.headers.authorization ?? '')
  const [path = '', query = ''] = (request.url ?? '').slice('/api/v1'.length).split('?')
  if (caller === undefined) return send(response, 401, '{}')
  if (request.method === 'POST') return send(response, 201, await record(caller, request))
  const screen = screenOf(path, new URLSearchParams(query))
  if (screen) return send(response, 200, await screen(caller, ask))
  if (path === '/tasks') return send(response, 200, await tasksOf(caller))
  if (path === '/events') return send(response, 200, await eventsOf(caller, new URLSearchParams(query)))
  if (path === '/tags') return send(response, 200, await tagsOf(caller, new URLSearchParams(query)))
  const { rows, fields } = await pool.query<Row>(asked(oneTask, [caller.orgId, path.slice('/tasks/'.length)]))
  return send(response, 200, JSON.stringify(objects(rows, fields)[0]))
}

async function tasksOf(caller: Caller): Promise<string> {
  const { rows, fields } = await pool.query<Row>(asked(taskPage, [caller.orgId, 51]))
  const data = objects(rows.slice(0, 50), fields)
  return JSON.stringify({ data, pagination: { nextCursor: rows.length > 50 ? data.at(-1)?.id : null } })
}

async function tagsOf(caller: Caller, query: URLSearchParams): Promise<string> {
  const place = [query.get('limit') ?? 50, query.get('offset') ?? 0]
  const { rows, fields } = await pool.query<Row>(asked(tagPage, [caller.orgId, ...place]))
  const data = objects(rows, fields).map(({ total, ordinal, ...tag }) => tag)
  return JSON.stringify({ data, total: Number(rows[0]?.[0]) })
}

/** The events are made text by the database. */
async function eventsOf(caller: Caller, query: URLSearchParams): Promise<string> {
  const limit = Number(query.get('limit') ?? 50)
  const { rows } = await pool.query<Row>(asked(eventPage, [caller.orgId, query.get('after') ?? 0, limit + 1]))
  const shown = rows.slice(0, limit)
  const cursor = rows.length > limit ? `"${shown.at(-1)?.[0]}"` : null
  return `{"data":[${shown.map(([, text]) => text).join(',')}],"pagination":{"nextCursor":${cursor}}}`
}

/** Claim and entry in one flush; event, answer and COMMIT in another one. */
async function record(caller: Caller, request: IncomingMessage): Promise<string> {
  const { taskId, startedAt, durationSeconds, description, billable } = JSON.parse(await bodyOf(request))
  const { orgId, memberId, keyId } = caller
  const key = request.headers['idempotency-key']
  const nowMs = Date.now()
  const now = new Date(nowMs).toISOString()
  const endedAt = new Date(Date.parse(startedAt) + durationSeconds * 1_000).toISOString()
  const id = newId()
  const client = await pool.connect()
  try {
    const begun = client.query('begin')
    const expiry = new Date(nowMs + 259_200_000).toISOString()
    const claimed = client.query<Row>(asked(claim, [orgId, memberId, key, noFingerprint, now, expiry]))
    const entry = [orgId, id, taskId, memberId, startedAt, endedAt, description, billable, now]
    const inserted = client.query<Row>(asked(insertEntry, entry))
    const [, won, { rows, fields }] = await Promise.all([begun, claimed, inserted])
    if (won.rows.length === 0) return await undone(client, 'The key was used before')
    const body = JSON.stringify(objects(rows, fields)[0])
    const event = [orgId, 'time_entry.created', memberId, keyId, id, id, body, now]
    const appended = client.query(asked(appendEvent, event))
    const stored = client.query(asked(storeAnswer, [orgId, memberId, key, 201, '{}', Buffer.from(body)]))
    await Promise.all([appended, stored, client.query('commit')])
    return body
  } finally {
    client.release()
  }
}

const noFingerprint = Buffer.alloc(32)

async function undone(client: pg.PoolClient, why: string): Promise<never> {
  await client.query('rollback')
  throw new Error(why)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  request.setEncoding('utf8')
  for await (const chunk of request) body += chunk
  return body
}

function send(response: ServerResponse, status: number, text: string): void {
  const body = Buffer.from(text)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
}
