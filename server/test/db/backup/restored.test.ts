import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { restore } from '../../../src/db/backup/restore.ts'
import { digestsOf } from '../../../src/db/backup/verify.ts'
import { sql } from '../../../src/db/sql.ts'
import { createSecrets } from '../../../src/operations/secrets.ts'
import { routes } from '../../../src/resources/index.ts'
import { openSecrets, type SealedSecrets } from '../../../src/resources/webhooks/signing-secrets.ts'
import { afterwards, file } from '../../support/afterwards.ts'
import { openStream } from '../../support/event-streams.ts'
import { lineOf, startScenes } from '../../support/scene.ts'
import { archiveOf, emptyDatabase } from '../../support/slow/archives.ts'
import { type Api, created, migratedDatabase, type Reply, secretKey, startServer } from '../../support/world.ts'

const source = await migratedDatabase()
afterwards(file, source.drop)
const scenes = await startScenes({ url: source.url })
const reads = routes.filter(({ method, roles }) => method === 'GET' && typeof roles !== 'symbol')

/** Sessions, links and mail end with a restore. */
const transient = ['device_logins', 'outgoing_mail', 'sessions', 'sign_in_failures', 'sign_in_tokens']

/** What a client sees of an answer, but when a key was last used: a server notes that at the first request. */
const shown = ({ status, headers, text }: Reply) => ({
  status,
  etag: text.includes('"lastUsedAt"') ? undefined : headers.get('etag'),
  text: text.replace(/"lastUsedAt":[^,]+,"revokedAt":([^,]+),"version":\d+/g, '"revokedAt":$1'),
})

test('a restore brings back what was backed up: every row by digest, and every read by its bytes and ETag', async (t) => {
  const { world, requestOf } = await scenes.scene()
  const asked = async (api: (key: string) => Api) => {
    const answers: Record<string, unknown> = {}
    for (const { key } of [world.owner, world.member])
      for (const route of reads) {
        const { method, path } = requestOf(route)
        answers[`${lineOf(route)} as ${key === world.owner.key ? 'owner' : 'member'}`] = shown(
          await api(key).call(method, path),
        )
      }
    return answers
  }
  const before = await asked(scenes.api)
  const archive = await archiveOf(t, source.url)
  const all = await scenes.db.rows<{ name: string }>(sql`
    select tablename::text as name from pg_tables where schemaname = 'public' and tablename <> 'migrations' order by 1`)
  assert.deepEqual(
    [...archive.contents.tables.map(({ name }) => name), ...transient].sort(),
    all.map(({ name }) => name),
    'no other table is left out',
  )
  const url = await emptyDatabase(t)
  const { rows } = await restore({ connectionString: url }, archive)
  assert.ok(rows > 100)
  assert.deepEqual(await digestsOf({ connectionString: url }), archive.checksums.tables)
  const target = await startServer({ url })
  const after = await asked(target.api)
  for (const [line, answer] of Object.entries(before)) assert.deepEqual(after[line], answer, line)
})

interface Sequenced {
  sequence: number
}

test('after a restore a repeated keyed POST is replayed, and cursors and positions that were given out still work', async (t) => {
  const { owner, ...world } = await scenes.newWorld()
  const { id: projectId } = await world.project()
  for (let n = 0; n < 5; n++) await world.task({ projectId })
  const body = { name: `Tag ${randomUUID()}` }
  const key = { 'idempotency-key': randomUUID() }
  const first = await owner.post('/tags', body, key)
  const page = await owner.get('/tasks?limit=2')
  const hook = { url: 'https://example.com/hook' }
  const hookKey = { 'idempotency-key': randomUUID() }
  const webhook = await owner.post('/webhooks', hook, hookKey)

  const url = await emptyDatabase(t)
  await restore({ connectionString: url }, await archiveOf(t, source.url))
  const target = await startServer({ url })
  const again = target.api(owner.key)

  const replayed = await again.post('/tags', body, key)
  assert.deepEqual([replayed.status, replayed.text], [201, first.text])
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true')
  assert.equal((await again.post('/tags', { name: 'Another' }, key)).status, 409)

  const { nextCursor } = page.body.pagination
  const [expected, found] = [
    await owner.get(`/tasks?cursor=${nextCursor}`),
    await again.get(`/tasks?cursor=${nextCursor}`),
  ]
  assert.equal(expected.body.data.length, 3)
  assert.equal(found.text, expected.text)

  // the one before the last, and the one that comes after the restore
  const positions = (await owner.get('/events?limit=100')).body.data.map(({ sequence }: Sequenced) => sequence)
  const stream = await openStream(target.base, owner.key, { headers: { 'last-event-id': String(positions.at(-2)) } })
  await created(again.post('/tags', { name: 'After the restore' }))
  const told = await stream.events(2)
  assert.deepEqual(
    told.map(({ id }) => Number(id)),
    [positions.at(-1), positions.at(-1) + 1],
  )
  await stream.close()

  // a stored answer that holds a secret is sealed, and so is the secret
  assert.equal((await again.post('/webhooks', hook, hookKey)).text, webhook.text)
  const sealed = await target.db.row<SealedSecrets>(sql`
    select org_id as "orgId", id, secret, former_secret as "formerSecret", null as "formerSecretUntil"
    from webhooks where id = ${webhook.body.id}`)
  const [secret] = openSecrets(createSecrets(secretKey), sealed ?? assert.fail(), new Date().toISOString())
  assert.equal(`whsec_${secret?.toString('base64')}`, webhook.body.secret)
})
