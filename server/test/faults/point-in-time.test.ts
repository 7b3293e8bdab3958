import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { appendFile, chmod, lchown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { databaseAccount, ownAccount } from '../../src/db/embedded/account.ts'
import { afterwards } from '../support/afterwards.ts'
import { serving } from '../support/slow/processes.ts'
import { startPostgres } from '../support/slow/replicas.ts'
import { until } from '../support/until.ts'
import { type Api, apiOf, created } from '../support/world.ts'

const debian = '/usr/lib/postgresql'
/** Programs of a PostgreSQL of the system, the newest. */
const ofSystem = (existsSync(debian) ? readdirSync(debian) : [])
  .map((major) => join(debian, major, 'bin'))
  .filter((bin) => existsSync(join(bin, 'initdb')))
  .sort()
  .at(-1)

test('a server continues with a PostgreSQL that was recovered to a point in time: earlier data is there, later writes can be sent again, and readers that were further are told', async (t) => {
  const bin = process.env.TEST_POSTGRES_BIN ?? ofSystem
  if (bin === undefined || !(await readdir(bin)).includes('pg_basebackup'))
    return t.skip('this machine has no pg_basebackup')
  const base = await mkdtemp(join(tmpdir(), 'tw-'))
  await chmod(base, 0o755)
  afterwards(t, () => rm(base, { recursive: true, force: true }))
  const account = ownAccount().uid === 0 ? await databaseAccount(() => {}) : ownAccount()
  const run = (program: string, ...words: string[]) =>
    promisify(execFile)(join(bin, program), words, { ...account, cwd: '/' })
  const [first, copy, wal] = ['first', 'copy', 'wal'].map((name) => join(base, name)) as [string, string, string]
  for (const directory of [first, copy, wal]) {
    await mkdir(directory, { mode: 0o700 })
    await lchown(directory, account.uid, account.gid)
  }
  await run('initdb', ...'--username=taskwright --auth=trust --encoding=UTF8 --locale=C --no-sync -D'.split(' '), first)
  await appendFile(
    join(first, 'postgresql.conf'),
    `archive_mode = on\narchive_command = 'test ! -f ${wal}/%f && cp %p ${wal}/%f.new && mv ${wal}/%f.new ${wal}/%f'\n`,
  )
  const before = await startPostgres(t, bin, first, account)
  const url = (host: string) => `postgres://taskwright@localhost/postgres?host=${encodeURIComponent(host)}`
  const server = await serving(t, { DATABASE_URL: url(before.host) })
  const api = apiOf(`${server.base}/api/v1`, server.ownersKey)
  const { id: projectId } = await created(api.post('/projects', { name: 'A project', key: 'AP' }))
  const make = (through: Api, n: number) =>
    through.post('/tasks', { projectId, name: `Task ${n}` }, { 'idempotency-key': `task-${n}` })
  for (let n = 1; n <= 5; n++) await created(make(api, n))

  await run('pg_basebackup', '-D', copy, '-h', before.host, '-U', 'taskwright', '--checkpoint=fast', '--no-sync')
  for (let n = 6; n <= 10; n++) await created(make(api, n))
  const kept = await make(api, 10)
  const page = await api.get('/tasks?limit=4')
  const list = await api.get('/tasks')
  const head = await api.get('/events/head')
  const moment = await before.ask<string>('select clock_timestamp()::text')
  // from here on it is what should not have been
  for (let n = 11; n <= 15; n++) await created(make(api, n))
  assert.equal((await api.delete(`/projects/${projectId}`)).status, 204)
  const later = await api.get('/tasks')
  const beyond = (await api.get('/events/head')).body.latest
  await server.kill('SIGTERM')
  const last = await before.ask<string>('select pg_walfile_name(pg_switch_wal())')
  await until(async () => (await readdir(wal)).includes(last), 'The log is not archived')
  await before.kill()

  await writeFile(join(copy, 'recovery.signal'), '')
  await appendFile(
    join(copy, 'postgresql.conf'),
    `archive_mode = off\nrestore_command = 'cp ${wal}/%f %p'\nrecovery_target_time = '${moment}'\nrecovery_target_action = promote\n`,
  )
  const after = await startPostgres(t, bin, copy, account)
  await until(() => after.ask('select not pg_is_in_recovery()'), 'The recovery does not end')
  const again = await serving(t, { DATABASE_URL: url(after.host) })
  const restored = apiOf(`${again.base}/api/v1`, server.ownersKey)

  // what was before is there, byte for byte, and goes on
  assert.equal((await restored.get('/tasks')).text, list.text)
  assert.equal((await restored.get('/events/head')).text, head.text)
  const next = await restored.get(`/tasks?limit=4&cursor=${page.body.pagination.nextCursor}`)
  assert.deepEqual(
    next.body.data.map(({ number }: { number: number }) => number),
    [6, 5, 4, 3],
  )
  const replay = await make(restored, 10)
  assert.deepEqual([replay.text, replay.headers.get('idempotent-replayed')], [kept.text, 'true'])

  // who read further than the moment is told so, and is not told that nothing changed
  const refused = await restored.get(`/events?after=${beyond}`)
  assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [412, 'position_expired'])
  const stream = await restored.get('/events', { accept: 'text/event-stream', 'last-event-id': String(beyond) })
  assert.deepEqual([stream.status, stream.headers.get('x-error-code')], [412, 'position_expired'])

  // what came after was never answered here, and takes effect when it is sent again
  const made = await make(restored, 11)
  assert.deepEqual([made.status, made.headers.get('idempotent-replayed'), made.body.number], [201, null, 11])
  const asked = await restored.get('/tasks', { 'if-none-match': later.headers.get('etag') ?? '' })
  assert.equal(asked.status, 200)
})
