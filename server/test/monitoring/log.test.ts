import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { afterwards, type Scope } from '../support/afterwards.ts'
import { onPlainPostgres } from '../support/citus.ts'
import { onMigratedDatabase, serving } from '../support/slow/processes.ts'
import { apiOf, created } from '../support/world.ts'

const byTriggers = onPlainPostgres('its failures are made by triggers')

test(
  'a database that cannot respond costs one short line per request, ten per second at most, and a count of the others',
  byTriggers,
  async (t) => {
    const settings = await onMigratedDatabase(t)
    const { base, ownersKey, kill, err } = await serving(t, settings)
    const owner = apiOf(`${base}/api/v1`, ownersKey)
    const { id } = await created(owner.post('/tags', { name: 'A tag' }))
    const database = await connected(t, settings.DATABASE_URL)
    // what every failed write comes to on a full disk
    await database.query(`
    create function fail() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '53100', message = 'could not extend file: No space left on device'; end $$`)
    await database.query('create trigger fail before update on tags for each row execute function fail()')
    const began = Date.now()
    let refused = 0
    while (Date.now() - began < 2_500) {
      const names = Array.from({ length: 30 }, () => ({ name: `Tag ${refused++}` }))
      for (const { status } of await Promise.all(names.map((name) => owner.patch(`/tags/${id}`, name)))) {
        assert.equal(status, 503)
      }
    }
    const seconds = (Date.now() - began) / 1_000
    await err.first((line) => line.includes('leftOut'))
    await kill('SIGTERM')
    const lines = err.all.filter((line) => line.includes('a disk failed'))
    const whole = lines.filter((line) => !line.includes('leftOut'))
    assert.ok(whole.length <= 10 * (2 + seconds), `${whole.length} lines of ${refused} in ${seconds} s`)
    assert.ok(
      lines.every((line) => line.length < 400 && !line.includes('"stack"')),
      lines.find((line) => line.length >= 400),
    )
    assert.match(whole[0] ?? '', /No space left on device/)
  },
)

test('no word of a customer is in the log, whatever the database says about it', byTriggers, async (t) => {
  const settings = await onMigratedDatabase(t)
  const { base, ownersKey, kill, err } = await serving(t, { ...settings, LOG_LEVEL: 'trace' })
  const owner = apiOf(`${base}/api/v1`, ownersKey)
  const database = await connected(t, settings.DATABASE_URL)
  await database.query(`alter table tags add constraint none_private check (name not like 'ann.private%')`)
  await database.query(`
    create function garble() returns trigger language plpgsql as $$ begin perform new.name::uuid; return new; end $$`)
  await database.query('create trigger garble before insert on projects for each row execute function garble()')
  assert.equal((await owner.post('/tags', { name: 'ann.private@example.com' })).status, 500)
  assert.equal((await owner.post('/projects', { name: 'ann.private "quoted" text' })).status, 500)
  await kill('SIGTERM')
  const errors = err.all.filter((line) => line.includes('unforeseen error')).map((line) => JSON.parse(line).err)
  assert.deepEqual(
    errors.map(({ code, constraint, message }) => [code, constraint, message]),
    [
      ['23514', 'none_private', 'new row for relation "tags" violates check constraint "none_private"'],
      ['22P02', undefined, 'invalid input syntax for type uuid: "…"'],
    ],
  )
  for (const { stack } of errors) assert.match(stack, /^ +at /)
  assert.doesNotMatch(err.all.join('\n'), /ann\.private/)
})

async function connected(t: Scope, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  afterwards(t, () => client.end())
  return client
}
