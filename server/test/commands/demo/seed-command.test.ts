import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { hold } from '../../support/holding.ts'
import { keyIn, onFreshDatabase, outcome, serving, taskwright } from '../../support/slow/processes.ts'
import { apiOf } from '../../support/world.ts'

const few = ['seed', '--size', '60']

for (const [option, values] of Object.entries({
  size: ['0', 'abc', '', '-1', '1.5', '1e3', '1000001', '2000001'],
  seed: ['x', '-1', '4294967296', '0x10'],
})) {
  for (const value of values) {
    test(`taskwright seed refuses --${option} '${value}' with a message and exit code 2`, async (t) => {
      // nothing listens there: it is refused before any database is asked
      const settings = { DATABASE_URL: 'postgres://localhost:1/none' }
      const { code, out, err } = await outcome(t, ['seed', `--${option}=${value}`], settings)
      assert.equal(code, 2)
      assert.deepEqual(out, [])
      assert.match(err.join('\n'), new RegExp(`^--${option} must be a whole number from \\d+ to \\d+\\.$`))
    })
  }
}

test('taskwright seed prints the organization and four keys, each with its holder, and the server accepts each of them', async (t) => {
  const settings = await onFreshDatabase(t)
  const { code, out, err } = await outcome(t, few, settings)
  assert.equal(code, 0, err.join('\n'))
  assert.match(out[0] ?? '', /^[0-9a-f-]{36} {2}organization .+$/)
  const holders = out.slice(1).map((line) => /^(tw_[0-9A-Za-z]{58}) {2}[^,]+, (.+)$/.exec(line) ?? assert.fail(line))
  assert.deepEqual(
    holders.map(([, , role]) => role?.split(' ', 2).join(' ')),
    ['owner', 'admin', 'member: leads', 'member: views'],
  )
  const { base, ownersKey } = await serving(t, settings)
  assert.equal(ownersKey, '', 'a database with an organization gets no other')
  for (const [, key = ''] of holders) assert.equal((await apiOf(`${base}/api/v1`, key).get('/tasks')).status, 200)
})

test('taskwright seed run twice creates two organizations', async (t) => {
  const settings = await onFreshDatabase(t)
  const [first, second] = [await outcome(t, few, settings), await outcome(t, few, settings)]
  assert.deepEqual([first.code, second.code], [0, 0])
  assert.notEqual(first.out[0], second.out[0])
  assert.deepEqual(await ask(settings, 'select count(*)::integer as number from organizations'), [{ number: 2 }])
})

test('taskwright seed killed halfway leaves nothing', async (t) => {
  const settings = await onFreshDatabase(t)
  await outcome(t, ['migrate'], settings)
  const held = await hold(t, settings.DATABASE_URL, 'lock table time_entries in exclusive mode')
  const seeding = taskwright(t, ['seed'], settings)
  // its first entries wait, its tasks are written
  const [backend] = await held.waiters(1)
  await seeding.kill('SIGKILL')
  await held.release()
  for (let gone = false; !gone; ) {
    gone = (await ask(settings, `select from pg_stat_activity where pid = ${backend}`)).length === 0
  }
  for (const table of ['organizations', 'members', 'tasks', 'time_entries']) {
    assert.deepEqual(await ask(settings, `select from ${table}`), [], table)
  }
})

test("a first start with --demo seeds and prints the owner's key; a second one says that it did not", async (t) => {
  const settings = { ...(await onFreshDatabase(t)), PORT: '0', LOG_LEVEL: 'warn' }
  const first = taskwright(t, ['--demo'], settings)
  const base = await listening(first)
  const { body } = await apiOf(`${base}/api/v1`, keyIn(first.out.all)).get('/tasks')
  assert.equal(body.data.length, 50)
  assert.equal(first.out.all.filter((line) => line.includes('tw_')).length, 1)
  assert.equal((await first.kill('SIGTERM')).code, 0)

  const second = taskwright(t, ['serve', '--demo'], settings)
  await listening(second)
  assert.equal(keyIn(second.out.all), '')
  assert.match(second.err.all.join('\n'), /^The database is not empty, so no example data was added\.$/m)
  assert.deepEqual(await ask(settings, 'select count(*)::integer as number from tasks'), [{ number: 2_000 }])
})

async function listening({ out, err, ended }: ReturnType<typeof taskwright>): Promise<string> {
  const prefix = 'Taskwright listening on '
  const ready = out.first((line) => line.startsWith(prefix))
  const line = await Promise.race([ready, ended.then(() => undefined)])
  return line?.slice(prefix.length) ?? assert.fail(err.all.join('\n'))
}

async function ask({ DATABASE_URL }: { DATABASE_URL: string }, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: DATABASE_URL })
  await client.connect()
  return (await client.query(statement).finally(() => client.end())).rows
}
