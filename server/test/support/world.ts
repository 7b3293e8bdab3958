import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { Authenticator, accessChannel } from '../../src/access/auth.ts'
import { newId } from '../../src/db/ids.ts'
import { Database, type DatabaseOptions } from '../../src/db/pool/database.ts'
import { sql } from '../../src/db/sql.ts'
import { openNotices } from '../../src/events/notices.ts'
import { type AppOptions, createApp } from '../../src/http/app.ts'
import { createCursors } from '../../src/lists/cursor.ts'
import { createMetrics } from '../../src/monitoring/metrics.ts'
import { createSecrets } from '../../src/operations/secrets.ts'
import { openStreams, type StreamOptions } from '../../src/resources/events/streams/streams.ts'
import { eventTypes, routes } from '../../src/resources/index.ts'
import { endpoints } from '../../src/sign-in/all-endpoints.ts'
import { file, wholeProcess } from './afterwards.ts'
import { ask } from './asking.ts'
import { newDatabase } from './databases.ts'
import { foundOrganization, type Joined, startSessionOf } from './founding.ts'

/** The database of this run, made and migrated by the runner (`npm test`). */
export const databaseUrl = process.env.TEST_DATABASE_URL ?? ''
if (databaseUrl === '') throw new Error('Run the tests with `npm test`: it starts and migrates the database.')

export const operatorToken = 'the-token-of-the-operator'

/** By which the servers of this run seal what their one database keeps. */
export const secretKey = 'the-secret-key-of-all-tests-of-this-run'

export interface Reply {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer by asserting it
  body: any
}

export type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>

/** A client of the API with one key. Paths begin below /api/v1. */
export interface Api {
  key: string
  memberId: string
  call: Call
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  delete(path: string, headers?: Record<string, string>): Promise<Reply>
}

/**
 * The real server on a free port, in this process, one for all its files: in tests that speak of what clients see, not of what a
 * server has logged, counted or kept.
 */
export async function sharedServer(): Promise<Server> {
  // the server and not the promise of it, by which Node would take what follows for tests of the file that made it
  shared ??= await startServer({}, wholeProcess)
  return shared
}

type Server = Awaited<ReturnType<typeof startServer>>
let shared: Server | undefined

/** One of its own, set as a test needs it; it ends with the test file. Every answer of both is held to its schema. */
export async function startServer(
  overrides: Partial<AppOptions> & {
    lockTimeoutMs?: number
    url?: string
    /** how long notices are gathered */
    noticesEveryMs?: number
    streaming?: Partial<StreamOptions>
  } = {},
  scope = file,
) {
  const { lockTimeoutMs = 60_000, url = databaseUrl, noticesEveryMs, streaming, ...options } = overrides
  const logged: string[] = []
  const logger = pino({ base: null }, { write: (line: string) => void logged.push(line) })
  // on a slow disk it takes long, but it is right
  const patience = {
    waitTimeoutMs: 60_000,
    statementTimeoutMs: 60_000,
    transactionTimeoutMs: 90_000,
    answerTimeoutMs: 90_000,
  } satisfies Omit<DatabaseOptions, 'connection'>
  const db = new Database({ connection: { connectionString: url }, lockTimeoutMs, ...patience })
  const authenticator = new Authenticator(db, operatorToken, (error) => logger.warn({ err: error }), {
    longestWaitMs: 60_000,
  })
  const stopListening = await db.listen(accessChannel, (orgId) => authenticator.invalidate(orgId))
  const notices = await openNotices(db, noticesEveryMs === undefined ? {} : { everyMs: noticesEveryMs })
  const instance = await db.row<{ secret: Buffer }>(sql`select secret from instance`)
  const metrics = createMetrics(db, { version: 'test', ofProcess: false })
  const streams = openStreams({ db, notices, authenticator, counts: metrics.streams, ...streaming })
  const { app, drain } = await createApp({
    db,
    authenticator,
    notices,
    streams,
    cursors: createCursors(instance?.secret ?? Buffer.alloc(32)),
    secrets: createSecrets(secretKey),
    idempotencyTtlMs: 72 * 3_600_000,
    checkAnswers: true,
    // tests write rows past the server, and are to see them
    routes,
    endpoints,
    signIn: { ways: ['passkey', 'password', 'key'], force: false, providers: [], mail: undefined },
    eventTypes,
    version: 'test',
    corsOrigins: [],
    metrics,
    logger,
    patience: { longestWaitMs: 60_000 },
    ...options,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  scope.after(async () => {
    await drain({ graceMs: 20, maxRequestMs: 5_000 })
    await stopListening()
    await notices.close()
    await db.close()
  })
  const base = `http://127.0.0.1:${port}`
  return {
    base,
    port,
    db,
    app,
    logged,
    notices,
    authenticator,
    api: (key: string, memberId = '') => apiOf(`${base}/api/v1`, key, memberId),
    newWorld: () => newWorld(db, `${base}/api/v1`),
  }
}

export type World = Awaited<ReturnType<typeof newWorld>>

/** A new organization with an owner, an admin and a plain member, each with a key. */
async function newWorld(db: Database, base: string) {
  const { orgId, owner, admin, member } = await foundOrganization(db)
  const api = async ({ id, secret }: Joined) =>
    apiOf(base, secret, id, process.env.TEST_CALLERS === 'sessions' ? await signedIn(db, orgId, id) : undefined)
  const first = await api(owner)
  const join = async (name: string, role: string) => {
    const member = await created(first.post('/members', { name, email: `${randomUUID()}@example.com`, role }))
    const key = await created(first.post('/api-keys', { name, memberId: member.id }))
    return api({ id: member.id, secret: key.secret })
  }
  return {
    orgId,
    owner: first,
    admin: await api(admin),
    member: await api(member),
    join,
    ...makers(first),
    ...rowsOf(db, orgId),
  }
}

/** What most tests need to stand on. */
function makers(owner: Api) {
  return {
    project: (fields: object = {}) => created(owner.post('/projects', { name: `Project ${randomUUID()}`, ...fields })),
    workspace: (fields: object = {}) =>
      created(owner.post('/workspaces', { name: `Board ${randomUUID()}`, stages: ['To do', 'Done'], ...fields })),
    stages: async (workspaceId: string) => (await owner.get(`/workspaces/${workspaceId}/stages`)).body.data,
    task: (fields: { projectId: string } & Record<string, unknown>) =>
      created(owner.post('/tasks', { name: 'A task', ...fields })),
    subtask: (taskId: string, fields: object = {}) =>
      created(owner.post(`/tasks/${taskId}/subtasks`, { name: 'A step', ...fields })),
    tag: (fields: object = {}) => created(owner.post('/tags', { name: `Tag ${randomUUID()}`, ...fields })),
    taskType: (fields: object = {}) => created(owner.post('/task-types', { name: `Type ${randomUUID()}`, ...fields })),
    timeEntry: (fields: object) => created(owner.post('/time-entries', { durationSeconds: 60, ...fields })),
    addToProject: (projectId: string, { memberId }: Api, role = 'contributor') =>
      created(owner.post(`/projects/${projectId}/members`, { memberId, role })),
  }
}

/** What no request makes. */
function rowsOf(db: Database, orgId: string) {
  return {
    /** notes the use of all keys for a day, so that no server notes another one while a test compares what it reads */
    async keysUsed() {
      const lastUsedAt = new Date(Date.now() + 86_400_000).toISOString()
      await db.rows(sql`update api_keys set ${sql.set({ lastUsedAt })} where org_id = ${orgId}`)
    },
    /** an event that was sent to a webhook, and refused by it */
    async delivery(webhookId: string, fields: object = {}) {
      const [id, now] = [newId(), new Date().toISOString()]
      const attempt = { at: now, status: 500, ms: 12, error: null, answer: 'Not today' }
      const failed = { status: 'failed', attempts: JSON.stringify([attempt]), attemptCount: 1, nextAttemptAt: null }
      const event = { sequence: ++sent, eventId: newId(), eventType: 'tag.created' }
      const row = { orgId, id, webhookId, ...event, ...failed, ...fields }
      await db.rows(sql`insert into deliveries ${sql.values({ ...row, createdAt: now, updatedAt: now })}`)
      return { id }
    },
    /** a key that was refused, in an hour of its own */
    async refusedSignIn(keyId: string) {
      const hour = new Date(Date.parse('2026-01-01T00:00:00Z') + 3_600_000 * ++sent).toISOString()
      const row = { orgId, id: newId(), hour, keyId, address: '203.0.113.7', count: 3, lastAt: hour }
      await db.rows(sql`insert into refused_sign_ins ${sql.values(row)}`)
    },
  }
}

let sent = 0

/** The resource that was created, or an error that shows why it was not. */
export async function created(reply: Promise<Reply>) {
  const { status, body, text } = await reply
  if (status !== 201) throw new Error(`Expected 201, got ${status}: ${text}`)
  return body
}

/** The headers of a browser in which a member is signed in. */
async function signedIn(db: Database, orgId: string, memberId: string): Promise<Record<string, string>> {
  const token = await startSessionOf(db, orgId, memberId)
  return { cookie: `tw_session=${token}`, 'x-organization': orgId, 'sec-fetch-site': 'same-origin' }
}

/**
 * A client of the API.
 * @param base ends in /api/v1
 * @param session the headers of a browser, which it then sends instead of the key
 */
export function apiOf(base: string, key: string, memberId = '', session?: Record<string, string>): Api {
  const call: Call = async (method, path, body, headers = {}) => {
    const typed = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
    const answer = await ask(
      base + path,
      method,
      { ...(session ?? { authorization: `Bearer ${key}` }), ...typed, ...headers },
      sent,
    )
    return Object.assign(answer, { body: answer.text === '' ? undefined : JSON.parse(answer.text) })
  }
  return {
    key,
    memberId,
    call,
    get: (path, headers) => call('GET', path, undefined, headers),
    post: (path, body, headers) => call('POST', path, body, headers),
    patch: (path, body, headers) => call('PATCH', path, body, headers),
    delete: (path, headers) => call('DELETE', path, undefined, headers),
  }
}

/** A database of its own on the same PostgreSQL, with our tables in it, for tests that others beside them would notice. */
export const migratedDatabase = () => newDatabase(databaseUrl, 'fresh', process.env.TEST_MIGRATED_DATABASE)
