import fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'
import { z } from 'zod'
import { newId, readKey } from '../../server/src/for-tools.ts'
import { announce } from './listening.ts'
import { appendEvent, claim, insertEntry, keyLookUp, oneTask, storeAnswer, tagPage, taskPage } from './statements.ts'

// What a good team writes without thinking of speed: Fastify, zod, pg as it comes, the key looked up for each request.

const { BENCH_DATABASE_URL = '' } = process.env
const pool = new pg.Pool({ connectionString: BENCH_DATABASE_URL })
const app = fastify()

interface Caller {
  orgId: string
  memberId: string
  keyId: string
}

const TaskQuery = z.object({ limit: z.coerce.number().int().min(1).max(100).default(50) })
const TagQuery = TaskQuery.extend({ offset: z.coerce.number().int().min(0).default(0) })
const NewEntry = z.object({
  taskId: z.uuid(),
  startedAt: z.iso.datetime(),
  durationSeconds: z.number().int().min(0),
  description: z.string().max(5_000),
  billable: z.boolean(),
})

app.get('/api/v1/tasks', async (request) => {
  const { orgId } = await authenticated(request)
  const { limit } = TaskQuery.parse(request.query)
  const { rows } = await pool.query(taskPage, [orgId, limit + 1])
  const data = rows.slice(0, limit)
  return { data, pagination: { nextCursor: rows.length > limit ? data.at(-1)?.id : null } }
})

app.get('/api/v1/tasks/:id', async (request, reply) => {
  const { orgId } = await authenticated(request)
  const { id } = z.object({ id: z.uuid() }).parse(request.params)
  const { rows } = await pool.query(oneTask, [orgId, id])
  return rows[0] ?? reply.code(404).send({ error: 'Not found' })
})

app.get('/api/v1/tags', async (request) => {
  const { orgId } = await authenticated(request)
  const { limit, offset } = TagQuery.parse(request.query)
  const { rows } = await pool.query(tagPage, [orgId, limit, offset])
  return { data: rows.map(({ total, ordinal, ...tag }) => tag), total: rows[0]?.total }
})

app.post('/api/v1/time-entries', async (request, reply) => {
  const caller = await authenticated(request)
  const body = NewEntry.parse(request.body)
  const client = await pool.connect()
  try {
    await client.query('begin')
    const entry = await record(client, caller, body, String(request.headers['idempotency-key']))
    await client.query('commit')
    return reply.code(201).send(entry)
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
})

async function record(client: pg.PoolClient, caller: Caller, body: z.output<typeof NewEntry>, key: string) {
  const { orgId, memberId, keyId } = caller
  const now = new Date()
  const id = newId()
  const expiry = new Date(now.getTime() + 259_200_000)
  const claimed = await client.query(claim, [orgId, memberId, key, Buffer.alloc(32), now, expiry])
  if (claimed.rows.length === 0) throw new Error('The key was used before')
  const endedAt = new Date(Date.parse(body.startedAt) + body.durationSeconds * 1_000)
  const { taskId, startedAt, description, billable } = body
  const values = [orgId, id, taskId, memberId, startedAt, endedAt, description, billable, now]
  const [entry] = (await client.query(insertEntry, values)).rows
  const text = JSON.stringify(entry)
  await client.query(appendEvent, [orgId, 'time_entry.created', memberId, keyId, id, id, text, now])
  await client.query(storeAnswer, [orgId, memberId, key, 201, '{}', Buffer.from(text)])
  return entry
}

async function authenticated(request: FastifyRequest): Promise<Caller> {
  const key = readKey(request.headers.authorization?.slice('Bearer '.length) ?? '')
  const { rows } = await pool.query<Caller>(keyLookUp, [key?.orgId, key?.hash])
  const [caller] = rows
  if (caller === undefined) throw Object.assign(new Error('Unknown key'), { statusCode: 401 })
  return caller
}

await app.listen({ port: 0, host: '127.0.0.1' })
announce(app.server)
