import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { afterwards } from '../support/afterwards.ts'
import { keyIn, onMigratedDatabase, outcome, serving, taskwright } from '../support/slow/processes.ts'
import { told } from '../support/told.ts'
import { until } from '../support/until.ts'
import { apiOf, created } from '../support/world.ts'

type Settings = Record<string, string>

async function found(settings: Settings, name: string): Promise<{ id: string; key: string }> {
  const words = ['org', 'create', '--name', name, '--owner-name', 'Olivia', '--owner-email', 'olivia@example.com']
  const { out } = await told(words, settings)
  return { id: /organization ([0-9a-f-]{36})\./.exec(out[0] ?? '')?.[1] ?? '', key: keyIn(out) }
}

test('org create says how the owner signs in', async (t) => {
  const settings = await onMigratedDatabase(t)
  const words = ['org', 'create', '--name', 'Acme', '--owner-name', 'Olivia', '--owner-email', 'olivia@example.com']
  const { code, err } = await outcome(t, words, settings)
  assert.equal(code, 0)
  const command = /: taskwright (sign-in-link --member olivia@example\.com)$/.exec(err.join('\n'))?.[1]
  const link = await told(command?.split(' ') ?? [], settings)
  assert.match(link.out.join(), /#welcome=/)
})

const linesOfJson = (lines: readonly string[]) => lines.map((line) => JSON.parse(line))

test('org list and org show print what every organization is, what it has and whether it is deleted', async (t) => {
  const settings = await onMigratedDatabase(t)
  const empty = await told(['org', 'list'], settings)
  assert.match(empty.out.join(), /^ID +CREATED +MEMBERS +TASKS +STATE +NAME$/)
  const [acme, other] = [await found(settings, 'Acme'), await found(settings, 'Two\u202e\u001b[31m lines')]
  const { base } = await serving(t, settings)
  const as = (key: string) => apiOf(`${base}/api/v1`, key)
  const { id: projectId } = await created(as(acme.key).post('/projects', { name: 'Web site' }))
  await created(as(acme.key).post('/tasks', { projectId, name: 'A task' }))
  const { name } = (await as(other.key).get('/organization')).body
  assert.equal((await as(other.key).delete(`/organization?name=${encodeURIComponent(name)}`)).status, 204)

  const listed = await told(['org', 'list'], settings)
  assert.deepEqual(
    listed.out.map((line) => line.replace(/20\S+ \S+/, 'then').replace(/ +/g, ' ')),
    [
      'ID CREATED MEMBERS TASKS STATE NAME',
      `${acme.id} then 1 1 active Acme`,
      `${other.id} then 1 0 deleted Two  [31m lines`.replace(/ +/g, ' '),
    ],
  )
  const [first, second] = linesOfJson((await told(['org', 'list', '--json'], settings)).out)
  assert.deepEqual([first.id, first.members, first.tasks, first.state], [acme.id, 1, 1, 'active'])
  assert.deepEqual([second.id, second.state, second.restorableUntil > second.deletedSince], [other.id, 'deleted', true])

  const shown = (await told(['org', 'show', acme.id.toUpperCase()], settings)).out
  assert.match(shown[0] ?? '', new RegExp(`^Acme  ${acme.id}$`))
  assert.ok(shown.includes('Owner Olivia, olivia@example.com'))
  assert.ok(
    shown.some((line) => /^tasks +1 +1$/.test(line)),
    shown.join('\n'),
  )
  const asJson = JSON.parse((await told(['org', 'show', acme.id, '--json'], settings)).out.join(''))
  assert.deepEqual([asJson.name, asJson.owners[0].name, asJson.bytes > 0], ['Acme', 'Olivia', true])

  const back = await told(['org', 'restore', other.id], settings)
  assert.equal(back.code, 0)
  while ((await as(other.key).get('/me')).status === 401);
  const again = await told(['org', 'restore', other.id], settings)
  assert.deepEqual([again.code, again.err.at(-1)?.endsWith('is not deleted.')], [2, true])
  for (const verb of ['show', 'delete', 'restore']) {
    const { code, err } = await told(['org', verb, projectId], settings)
    assert.deepEqual([code, err], [2, [`There is no organization ${projectId}.`]])
  }
})

test('org delete refuses without --yes if nobody can be asked', async (t) => {
  const settings = await onMigratedDatabase(t)
  const { id } = await found(settings, 'Acme')
  const { code, err } = await outcome(t, ['org', 'delete', id], settings)
  assert.deepEqual([code, err], [2, ['This deletes Acme and all its data for good. Add --yes to confirm.']])
  assert.match((await told(['org', 'list'], settings)).out.join(), /active +Acme/)
})

test('key list prints who holds each key, its scopes and its creator, and never the key', async (t) => {
  const settings = await onMigratedDatabase(t)
  const [acme, other] = [await found(settings, 'Acme'), await found(settings, 'Other')]
  const { base } = await serving(t, settings)
  const owner = apiOf(`${base}/api/v1`, acme.key)
  const mia = await created(owner.post('/members', { name: 'Mia', email: 'mia@example.com', role: 'member' }))
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const made = await created(owner.post('/api-keys', { name: 'Robot', memberId: mia.id, scopes: ['read'], expiresAt }))
  const ofAll = await told(['key', 'list', '--json'], settings)
  assert.deepEqual(
    linesOfJson(ofAll.out).map(({ orgId, name, holder, madeBy }) => [orgId, name, holder, madeBy]),
    [
      [acme.id, 'First key', 'olivia@example.com', null],
      [acme.id, 'Robot', 'mia@example.com', 'olivia@example.com'],
      [other.id, 'First key', 'olivia@example.com', null],
    ],
  )
  const { out } = await told(['key', 'list', '--org', acme.id], settings)
  assert.deepEqual([out.length, /^ID +SCOPES/.test(out[0] ?? '')], [3, true])
  assert.match(out[2] ?? '', new RegExp(`^${made.id}  read .* mia@example.com +olivia@example.com +Robot$`))
  for (const secret of [acme.key, other.key, made.secret])
    assert.ok(![...ofAll.out, ...out].some((line) => line.includes(secret.slice(0, 29))), 'not even how it begins')
})

test('org delete killed again and again leaves an organization that no key opens, and removes the rest when run again', async (t) => {
  const settings = await onMigratedDatabase(t)
  const [gone, neighbour] = [await seeded(settings, 2_000), await seeded(settings, 50)]
  const client = new pg.Client({ connectionString: settings.DATABASE_URL })
  await client.connect()
  afterwards(t, () => client.end())
  const before = await rowsIn(client, neighbour.id)
  const { base } = await serving(t, settings)
  assert.equal((await apiOf(`${base}/api/v1`, gone.key).get('/me')).status, 200)
  // what the search is given is written behind the seeding
  const left = [Number.POSITIVE_INFINITY]
  for (let kill = 0; kill < 6 && left.at(-1) !== 0; kill++) {
    const { ended, kill: end } = taskwright(t, ['org', 'delete', gone.id, '--yes'], settings)
    let hasEnded = false
    void ended.then(() => {
      hasEnded = true
    })
    const before = total(await rowsIn(client, gone.id))
    const goesOn = async () => hasEnded || total(await rowsIn(client, gone.id)) < before
    await until(goesOn, 'Nothing is taken away')
    await end('SIGKILL')
    left.push(total(await rowsIn(client, gone.id)))
    assert.equal((await apiOf(`${base}/api/v1`, gone.key).get('/me')).status, 401)
  }
  // on a busy machine a kill comes late, but not so late that it was killed within only once
  const isKilledAgain = left.filter((rows) => rows > 0).length > 2
  assert.ok(isKilledAgain && new Set(left).size === left.length, `It was not killed within: ${left}`)
  await told(['org', 'delete', gone.id, '--yes'], settings)
  assert.equal(total(await rowsIn(client, gone.id)), 0)
  assert.deepEqual(await rowsIn(client, neighbour.id), before)
  const { code, err } = await told(['org', 'delete', gone.id, '--yes'], settings)
  assert.deepEqual([code, err], [2, [`There is no organization ${gone.id}.`]])
})

async function seeded(settings: Settings, tasks: number) {
  const { out } = await told(['seed', '--seed', `${tasks}`, '--size', `${tasks}`], settings)
  return { id: /^([0-9a-f-]{36})/.exec(out[0] ?? '')?.[1] ?? '', key: keyIn(out) }
}

const total = (rows: Record<string, number>) => Object.values(rows).reduce((sum, count) => sum + count, 0)

/** How many rows of an organization each table has, but what a server notes by itself. */
async function rowsIn(client: pg.Client, orgId: string): Promise<Record<string, number>> {
  const { rows: tables } = await client.query(`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'org_id' and table_name in (
      select relname from pg_class where relkind = 'r')`)
  const counts = tables.map(({ name }) => `(select count(*)::int from ${name} where org_id = '${orgId}') as ${name}`)
  return (await client.query(`select ${counts}`)).rows[0]
}
