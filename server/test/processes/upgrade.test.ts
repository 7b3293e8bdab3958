import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { allMigrations } from '../../src/db/migrations/released.ts'
import { rollingUpgradeOf } from '../../src/db/migrations/rolling-upgrade.ts'
import { afterwards, file, type Scope } from '../support/afterwards.ts'
import { onEmptyDirectory, onFreshDatabase, outcome, postmasterIn, serving } from '../support/slow/processes.ts'
import { lastRelease } from '../support/slow/released.ts'
import { type Api, apiOf, created } from '../support/world.ts'
import { type Acknowledged, all, assertReplayed, writers } from '../support/writers.ts'

const release = await lastRelease(file)
const newer = /^The database was migrated by a newer Taskwright \((\d{4}_[a-z_]+\.sql(, )?)+\)\. Start that version\b/

/** Skips the test, with a word, where the last release cannot be had. */
function former(t: TestContext) {
  if ('program' in release) return release
  t.skip(release.missing)
  return undefined
}

test('the previous version serves and writes while this one migrates and starts beside it: nothing is lost or doubled, and nothing gets 500', async (t) => {
  const before = former(t)
  if (before === undefined) return
  if (!(await canRunBeside(before))) return t.skip('a migration since then says that it cannot')
  const settings = await onFreshDatabase(t)
  const old = await serving(t, settings, undefined, before.program)
  const seeded = await outcome(t, ['seed', '--size', '300'], settings, before.program)
  assert.equal(seeded.code, 0, seeded.err.join('\n'))
  const toOld = apiOf(`${old.base}/api/v1`, old.ownersKey)
  const { writing, rows } = await writingTo(t, toOld, old)
  await writing.more(40)
  const fromOld = reading(t, old.base, old.ownersKey)

  const now = await serving(t, settings)
  const toNow = apiOf(`${now.base}/api/v1`, old.ownersKey)
  const fromNow = reading(t, now.base, old.ownersKey)
  // the version before, on the schema of this one
  await writing.more(40)
  const beside = writers(4, old.ownersKey, rows, 'beside')
  afterwards(t, () => beside.abandon())
  beside.running(Promise.resolve(now.base))
  await Promise.all([writing.more(40), beside.more(40)])
  await assertCursorGoesOn(toOld, toNow)
  await assertCursorGoesOn(toNow, toOld)

  writing.running(Promise.resolve(now.base))
  const readOfOld = await fromOld.stop()
  assert.deepEqual(await old.kill('SIGTERM'), { code: 0, signal: null })
  await Promise.all([writing.more(40), beside.more(40)])
  const [first, second] = await Promise.all([writing.finish(), beside.finish()])
  for (const { failures, asked } of [readOfOld, await fromNow.stop()]) {
    assert.deepEqual(failures, [])
    assert.ok(asked > 5)
  }
  await assertThereOnce(toNow, [...first.acknowledged, ...second.acknowledged])
  t.diagnostic(`${first.acknowledged.length + second.acknowledged.length} writes, ${first.unanswered} sent again`)

  // right after a release this version has none of its own
  if (!(await isNewerThan(before))) await addMigration(settings.DATABASE_URL, '9999_later.sql')
  for (const words of [[], ['migrate']]) {
    const refused = await outcome(t, words, { ...settings, PORT: '0' }, before.program)
    assert.equal(refused.code, 1)
    assert.match(refused.err.at(-1) ?? '', newer)
  }
  assert.equal((await toNow.get('/me')).status, 200)
})

test('if a migration cannot run beside the previous version, this one starts only after that has ended, with all its data', async (t) => {
  const before = former(t)
  if (before === undefined) return
  if (await canRunBeside(before)) return t.skip('all migrations since then can')
  const settings = await onFreshDatabase(t)
  const old = await serving(t, settings, undefined, before.program)
  const { writing } = await writingTo(t, apiOf(`${old.base}/api/v1`, old.ownersKey), old)
  await writing.more(20)
  const refused = await outcome(t, [], { ...settings, PORT: '0' })
  assert.equal(refused.code, 1)
  assert.match(
    refused.err.at(-1) ?? '',
    /^Migration \d{4}_[a-z_]+\.sql cannot run beside servers of .*: stop all servers\b/,
  )
  await writing.more(20)
  const { acknowledged } = await writing.finish()
  await old.kill('SIGTERM')

  const now = await serving(t, settings)
  const api = apiOf(`${now.base}/api/v1`, old.ownersKey)
  await assertThereOnce(api, acknowledged)
  const { body } = await api.get('/search?q=task&limit=50')
  assert.ok(body.groups.some(({ kind }: { kind: string }) => kind === 'task'))
})

test('this version continues with the directory of the previous version, which is refused with a message from then on', async (t) => {
  const before = former(t)
  if (before === undefined) return
  const settings = await onEmptyDirectory(t)
  const old = await serving(t, settings, undefined, before.program)
  const { writing } = await writingTo(t, apiOf(`${old.base}/api/v1`, old.ownersKey), old)
  await writing.more(20)
  const { acknowledged } = await writing.finish()
  await old.kill('SIGTERM')

  const now = await serving(t, settings)
  const api = apiOf(`${now.base}/api/v1`, old.ownersKey)
  await assertThereOnce(api, acknowledged)
  await now.kill('SIGTERM')

  if (!(await isNewerThan(before))) return t.diagnostic('Both versions have the same migrations')
  const refused = await outcome(t, [], { ...settings, PORT: '0' }, before.program)
  assert.equal(refused.code, 1)
  assert.match(refused.err.at(-1) ?? '', newer)
  assert.equal(await postmasterIn(settings.DATA_DIR), undefined)
  const again = await serving(t, settings)
  await assertThereOnce(apiOf(`${again.base}/api/v1`, old.ownersKey), acknowledged)
})

/** Whether all migrations that the other version has not can run beside it. */
async function canRunBeside({ program }: { program: string }): Promise<boolean> {
  const known = await readdir(new URL('../migrations/', `file://${program}`))
  return (await allMigrations()).every(
    (migration) => known.includes(migration.name) || rollingUpgradeOf(migration)?.can === true,
  )
}

/** Whether this version has migrations that the other one has not. */
async function isNewerThan({ program }: { program: string }): Promise<boolean> {
  const known = await readdir(new URL('../migrations/', `file://${program}`))
  return (await allMigrations()).some(({ name }) => !known.includes(name))
}

async function addMigration(connectionString: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query('insert into migrations (name, applied_at) values ($1, now())', [name])
  await client.end()
}

/** Clients that write into a new project through a server. */
async function writingTo(t: Scope, api: Api, { base, ownersKey }: { base: string; ownersKey: string }) {
  const project = await created(api.post('/projects', { name: 'A project', key: 'AP' }))
  const task = await created(api.post('/tasks', { projectId: project.id, name: 'A task' }))
  const rows = { projectId: project.id, taskId: task.id }
  const writing = writers(4, ownersKey, rows, 'former')
  afterwards(t, () => writing.abandon())
  writing.running(Promise.resolve(base))
  return { writing, rows }
}

const read = [
  '/tasks?limit=20&include=project',
  '/time-entries?limit=20',
  '/events?limit=20',
  '/tasks?q=task',
  '/projects',
]

/** Somebody who reads all the time, and keeps what was answered but should not be. */
function reading(t: Scope, base: string, key: string) {
  const api = apiOf(`${base}/api/v1`, key)
  const failures: string[] = []
  let [asked, stopped] = [0, false]
  const ended = (async () => {
    while (!stopped) {
      const path = read[asked++ % read.length] ?? ''
      const { status, text } = await api.get(path)
      if (status !== 200) failures.push(`${path}: ${status} ${text}`)
    }
  })()
  const stop = async () => {
    stopped = true
    await ended
    return { asked, failures }
  }
  afterwards(t, stop)
  return { stop }
}

/** A list that was begun through one version is gone on with through the other. */
async function assertCursorGoesOn(one: Api, other: Api): Promise<void> {
  const { body } = await one.get('/tasks?limit=5')
  const next = `/tasks?limit=5&cursor=${body.pagination.nextCursor}`
  const [same, there] = await Promise.all([one.get(next), other.get(next)])
  assert.equal(same.body.data.length, 5)
  assert.deepEqual(idsOf(there.body.data), idsOf(same.body.data))
}

/** Every acknowledged write is there once, as it was answered, and told of once; a retry gets the answer that it got. */
async function assertThereOnce(api: Api, acknowledged: readonly Acknowledged[]): Promise<void> {
  const answered = acknowledged.map(({ text }) => JSON.parse(text))
  const tasks = await all(api, '/tasks')
  const stored = [...tasks, ...(await all(api, '/time-entries'))]
  const rows = new Map<string, object>(stored.map((row) => [row.id, row]))
  // this version may show more of it
  for (const write of answered) assert.deepEqual({ ...rows.get(write.id), ...write }, rows.get(write.id))
  assert.equal(new Set(idsOf(answered)).size, answered.length)
  assert.equal(stored.length, answered.length + 1)
  assert.deepEqual(
    tasks.map(({ number }) => number).sort((a, b) => a - b),
    tasks.map((_, place) => place + 1),
  )
  const events = await allEvents(api)
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, place) => place + 1),
  )
  const told = events.filter(({ type }) => /^(task|time_entry)\.created$/.test(type)).map(({ resource }) => resource.id)
  assert.equal(new Set(told).size, told.length)
  assert.deepEqual(new Set(told), new Set(idsOf(stored)))
  await assertReplayed(api, acknowledged)
}

async function allEvents(api: Api): Promise<{ sequence: number; type: string; resource: { id: string } }[]> {
  const found = []
  for (let cursor = ''; ; ) {
    const { body } = await api.get(`/events?after=0&limit=100${cursor}`)
    found.push(...body.data)
    if (body.pagination.nextCursor === null) return found
    cursor = `&cursor=${body.pagination.nextCursor}`
  }
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)
