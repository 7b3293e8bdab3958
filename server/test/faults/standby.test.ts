import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { accessChannel } from '../../src/access/auth.ts'
import { Database } from '../../src/db/pool/database.ts'
import { sql } from '../../src/db/sql.ts'
import { openNotices } from '../../src/events/notices.ts'
import { afterwards, type Scope } from '../support/afterwards.ts'
import { serving } from '../support/slow/processes.ts'
import { primaryAndStandby, type Replica } from '../support/slow/replicas.ts'
import { until } from '../support/until.ts'
import { apiOf, created } from '../support/world.ts'

test('a server that is led to a standby cannot listen there; when that is promoted, even much later, it hears of events and of keys again', async (t) => {
  const { primary, standby, address } = await primaryAndStandby(t, { synchronous: false })
  const failures: string[] = []
  const db = opened(t, address.url, ({ message }) => failures.push(message))
  const notices = await openNotices(db)
  const [events, keys] = [heardOf(), heardOf()]
  notices.onNotice(events.note)
  const stop = await db.listen(accessChannel, keys.note)
  afterwards(t, async () => {
    await Promise.all([notices.close(), stop()])
  })
  await untilTold(opened(t, urlOf(primary)), [events, keys])

  await primary.kill()
  address.lead(standby.host)
  await until(() => failures.filter((said) => said === 'cannot execute LISTEN during recovery').length === 2, 'It may')
  assert.equal(await db.takesWrites(), false)
  // each time it tries it tells that some may have been missed; by then there are seconds between two times
  const tried = [events.missed, keys.missed].map((before) => before + 4)
  await until(() => events.missed >= (tried[0] ?? 0) && keys.missed >= (tried[1] ?? 0), 'It does not try again')

  await standby.ask('select pg_promote()')
  await untilTold(opened(t, urlOf(standby)), [events, keys])
})

test('a server that starts on a standby serves reads, says so and refuses writes; when that is promoted it takes them without a restart', async (t) => {
  const { primary, standby } = await primaryAndStandby(t, { synchronous: false })
  const first = await serving(t, { DATABASE_URL: urlOf(primary) })
  const before = apiOf(`${first.base}/api/v1`, first.ownersKey)
  const { id: projectId } = await created(before.post('/projects', { name: 'A project' }))
  await created(before.post('/tasks', { projectId, name: 'A task' }))
  await first.kill('SIGTERM')
  const end = await primary.ask<string>('select pg_current_wal_flush_lsn()::text')
  await until(() => standby.ask(`select pg_last_wal_replay_lsn() >= '${end}'`), 'The standby is behind')
  await primary.kill()

  const DATABASE_URL = urlOf(standby)
  const server = await serving(t, { DATABASE_URL })
  const strict = await serving(t, { DATABASE_URL, READY_WHEN: 'writes' })
  const owner = apiOf(`${server.base}/api/v1`, first.ownersKey)
  const write = () => owner.post('/tasks', { projectId, name: 'Another' }, { 'idempotency-key': 'another' })
  assert.equal((await owner.get('/tasks')).body.data.length, 1)
  assert.deepEqual(
    [await readiness(server), await readiness(strict)],
    ['200 {"status":"ready","writes":false}', '503 {"error":"The database does not accept writes"}'],
  )
  assert.equal((await write()).status, 503)
  // its jobs ask for their locks, all at once
  assert.deepEqual(
    server.err.all.filter((line) => line.includes('Warning')),
    [],
  )

  await standby.ask('select pg_promote()')
  const ready = '200 {"status":"ready","writes":true}'
  for (const each of [server, strict]) await until(async () => (await readiness(each)) === ready, 'It is not ready')
  assert.equal((await write()).status, 201)
  assert.equal((await write()).headers.get('idempotent-replayed'), 'true')
  assert.equal((await owner.get('/tasks')).body.data.length, 2)
})

const urlOf = ({ host }: Replica) => `postgres://taskwright@localhost/postgres?host=${encodeURIComponent(host)}`

function opened(t: Scope, connectionString: string, onIdleError: (error: Error) => void = () => {}): Database {
  const db = new Database({ connection: { connectionString }, poolSize: 4, onIdleError })
  afterwards(t, () => db.close())
  return db
}

async function readiness({ base }: { base: string }): Promise<string> {
  const response = await fetch(`${base}/readyz`)
  return `${response.status} ${await response.text()}`
}

/** What is heard of on a channel, and how often some may have been missed. */
function heardOf() {
  const heard = {
    told: new Set<string>(),
    missed: 0,
    note(orgId: string | undefined) {
      if (orgId === undefined) heard.missed++
      else heard.told.add(orgId)
    },
  }
  return heard
}

/** Until what another process tells is heard, of new events and of keys that changed. */
async function untilTold(db: Database, [events, keys]: [events: Heard, keys: Heard]): Promise<void> {
  const orgId = randomUUID()
  const other = await openNotices(db)
  const tell = async () => {
    other.note(orgId)
    await db.rows(sql`select pg_notify(${accessChannel}, ${orgId})`)
    return events.told.has(orgId) && keys.told.has(orgId)
  }
  await until(tell, 'It is not heard').finally(() => other.close())
}

type Heard = ReturnType<typeof heardOf>
