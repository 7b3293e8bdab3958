import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import pg from 'pg'
import { afterwards, type Scope } from '../support/afterwards.ts'
import { onMigratedDatabase, serving } from '../support/slow/processes.ts'
import { until, untilTaken } from '../support/until.ts'
import { apiOf, created, type Reply } from '../support/world.ts'

test('repeated changes of long texts in one request, as a dry run or not, do not fill the memory of the process', async (t) => {
  const { owner, longTask, staysSmall } = await small(t)
  const { id: workspaceId } = await created(owner.post('/workspaces', { name: 'Board', stages: ['One'] }))
  const [stage] = (await owner.get(`/workspaces/${workspaceId}/stages`)).body.data
  for (let n = 0; n < 30; n++) await longTask({ workspaceId })
  const operations = Array.from({ length: 40 }, (_, i) => ({
    ...{ method: 'PATCH', path: `/stages/${stage.id}`, body: { category: i % 2 ? 'todo' : 'done' } },
  }))
  // each names 1,200 changed texts of 96 kB, which together are more than the process has
  for (const path of ['/bulk?dryRun=true', '/bulk'])
    assert.equal((await untilTaken(() => owner.post(path, { operations }))).status, 200)
  await staysSmall()
})

test('many pages at once of tasks with a thousand subtasks each do not fill the memory', async (t) => {
  const { owner, longTask, database, staysSmall } = await small(t)
  await longTask({ description: null })
  await database.query(copiesOfTask, [20])
  await database.query(subtasks)
  await askedAtOnce(10, () => owner.get('/tasks?include=subtasks'))
  await staysSmall()
})

test('the history of a task whose long text changed a hundred times, and the log of these changes, do not fill the memory', async (t) => {
  const { owner, longTask, database, staysSmall } = await small(t)
  const { id } = await longTask()
  assert.equal((await owner.patch(`/tasks/${id}`, { description: `Another ${long}` })).status, 200)
  await database.query(copiesOfLastEvent, [100])
  await askedAtOnce(30, () => owner.get(`/tasks/${id}/history?limit=100`))
  await askedAtOnce(30, () => owner.get('/events?limit=100'))
  await staysSmall()
})

test('requests for long pages that are sent without waiting and not read for a while do not fill the memory', async (t) => {
  const { owner, longTask, database, port, staysSmall } = await small(t)
  await longTask()
  await database.query(copiesOfTask, [41])
  const clients = Array.from({ length: 3 }, () => connected(t, port))
  const head = `Host: localhost\r\nAuthorization: Bearer ${owner.key}\r\n\r\n`
  for (const client of clients) client.write(`GET /api/v1/tasks?limit=100 HTTP/1.1\r\n${head}`.repeat(40))
  let idle = 0
  const isIdle = async () => {
    const { rows } = await database.query(othersAtWork)
    idle = rows.length === 0 ? idle + 1 : 0
    return idle > 5
  }
  await until(isIdle, 'It goes on and on')
  await staysSmall()
  for (const client of clients) client.destroy()
  assert.equal((await untilTaken(() => owner.get('/tasks'))).status, 200)
})

test('the bodies of many bulks that arrive bit by bit do not fill the memory', async (t) => {
  const { owner, port, staysSmall } = await small(t)
  const head = `Host: localhost\r\nAuthorization: Bearer ${owner.key}\r\nContent-Type: application/json`
  for (let n = 0; n < 400; n++) {
    const client = connected(t, port)
    const body = '{"operations":['.padEnd(1_000_000)
    client.write(`POST /api/v1/bulk HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length + 1}\r\n\r\n${body}`)
  }
  await staysSmall()
})

// two bytes each, in the memory of the process too
const long = 'длинный '.repeat(6_000)

/** A server that has little memory, and what fills its tables. */
async function small(t: Scope) {
  const settings = await onMigratedDatabase(t)
  const { base, port, pid, ownersKey } = await serving(t, { ...settings, NODE_OPTIONS: '--max-old-space-size=96' })
  const owner = apiOf(`${base}/api/v1`, ownersKey)
  const database = new pg.Client({ connectionString: settings.DATABASE_URL })
  await database.connect()
  afterwards(t, () => database.end())
  const { id: projectId } = await created(owner.post('/projects', { name: 'Long' }))
  return {
    ...{ owner, port, database },
    longTask: (fields: object = {}) =>
      created(owner.post('/tasks', { name: 'Long', projectId, description: long, ...fields })),
    /** Answers, and has never had more than was promised. */
    async staysSmall() {
      for (let n = 0; n < 20; n++) assert.equal((await untilTaken(() => owner.get('/me'))).status, 200)
      const status = `/proc/${pid}/status`
      if (!existsSync(status)) return
      const [, kb] = /VmHWM:\s+(\d+) kB/.exec(await readFile(status, 'utf8')) ?? []
      assert.ok(Number(kb) < 400_000, `It had ${kb} kB`)
    },
  }
}

async function askedAtOnce(count: number, ask: () => Promise<Reply>): Promise<void> {
  const replies = await Promise.all(Array.from({ length: count }, () => untilTaken(ask)))
  for (const { status } of replies) assert.equal(status, 200)
}

function connected(t: Scope, port: number): Socket {
  const client = connect(port, '127.0.0.1')
  afterwards(t, async () => client.destroy())
  client.on('error', () => {})
  return client
}

const copiesOfTask = `
  insert into tasks (org_id, id, project_id, number, key, name, description, created_by, created_at, updated_at)
  select org_id, gen_random_uuid(), project_id, 1000 + n, split_part(key, '-', 1) || '-' || 1000 + n, name, description,
    created_by, created_at, updated_at
  from tasks, generate_series(1, $1::integer) n`

const subtasks = `
  insert into subtasks (org_id, id, task_id, project_id, name, position, created_at, updated_at)
  select org_id, gen_random_uuid(), id, project_id, repeat('шаг ', 120), n, created_at, created_at
  from tasks, generate_series(1, 1000) n`

const copiesOfLastEvent = `
  with counted as (update event_counters set last_sequence = last_sequence + $1::integer returning org_id, last_sequence)
  insert into events (org_id, sequence, type, actor_id, actor_key_id, request_id, resource_id, project_id, changes,
    snapshot, created_at)
  select org_id, sequence + n, type, actor_id, actor_key_id, request_id, resource_id, project_id, changes, snapshot,
    created_at
  from counted join events using (org_id), generate_series(1, $1::integer) n
  where sequence = last_sequence - $1::integer`

const othersAtWork = `
  select from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`
