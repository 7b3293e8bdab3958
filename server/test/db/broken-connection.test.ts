import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import pg from 'pg'
import pino from 'pino'
import { sql } from '../../src/db/sql.ts'
import { openDatabase } from '../../src/processes/api-server.ts'
import { afterwards } from '../support/afterwards.ts'
import { databaseUrl } from '../support/world.ts'

test('the log says why an idle connection broke, and nothing else about the connection', async (t) => {
  const log = new PassThrough()
  const db = openDatabase({ connectionString: databaseUrl }, pino({ base: null }, log))
  afterwards(t, () => db.close())
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  afterwards(t, () => client.end())
  const idle = await db.row<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  await client.query('select pg_terminate_backend($1::integer)', [idle?.pid])
  const [line] = await once(log, 'data')
  const { level, reason, msg, time, ...more } = JSON.parse(line)
  assert.deepEqual({ level, msg, more }, { level: 40, msg: 'a connection to the database broke', more: {} })
  assert.match(reason, /terminat/)
})
