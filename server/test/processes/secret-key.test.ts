import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { createSecrets } from '../../src/operations/secrets.ts'
import { openSecrets, type SealedSecrets, shownSecret } from '../../src/resources/webhooks/signing-secrets.ts'
import { assertRefused } from '../support/envelope.ts'
import { onEmptyDirectory, onMadeCluster, onMigratedDatabase, outcome, serving } from '../support/slow/processes.ts'
import { apiOf, created } from '../support/world.ts'

const url = 'https://example.com/hook'
const key = 'the-secret-key-of-this-one-database'
const another = 'quite-another-key-for-this-database'
const wanted = 'the key that encrypts the secrets of webhooks in this database'

const ownerOf = ({ base }: { base: string }, ownersKey: string) => apiOf(`${base}/api/v1`, ownersKey)

test('an embedded database gets a key once, which only its owner can read, and no start seals or sends without it', async (t) => {
  const settings = await onMadeCluster(t)
  const file = join(settings.DATA_DIR, 'secret-key')
  const first = await serving(t, settings)
  const made = await readFile(file, 'utf8')
  assert.match(made, /^[A-Za-z0-9_-]{43}\n$/)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const { id } = await created(ownerOf(first, first.ownersKey).post('/webhooks', { url }))
  await first.kill('SIGTERM')

  // as an unpacked copy may have it
  await chmod(file, 0o644)
  const second = await serving(t, settings)
  assert.equal(await readFile(file, 'utf8'), made)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.equal((await ownerOf(second, first.ownersKey).get(`/webhooks/${id}`)).status, 200)
  await second.kill('SIGTERM')

  await rename(file, `${file}.kept`)
  const start = (more: object = {}) => outcome(t, ['serve'], { PORT: '0', ...settings, ...more })
  const remedy = 'put it back from a copy, or set SECRET_KEY to that key.'
  const missing = await start()
  assert.deepEqual([missing.code, missing.err], [2, [`${file} is missing: ${remedy}`]])
  assert.deepEqual(await filesLike('secret-key', settings.DATA_DIR), ['secret-key.kept'])
  await writeFile(file, another)
  const wrong = await start()
  assert.deepEqual([wrong.code, wrong.err], [2, [`${file} does not hold ${wanted}: ${remedy}`]])
  await writeFile(file, 'short')
  const broken = await start()
  assert.equal(broken.code, 1)
  assert.deepEqual(broken.err, [`${file} does not contain a key: restore its content, at least 32 visible characters.`])
  await rename(`${file}.kept`, file)
  const set = await start({ SECRET_KEY: key })
  assert.deepEqual([set.code, set.err], [2, [`SECRET_KEY is not ${wanted}, which ${file} holds.`]])
  const third = await serving(t, { ...settings, SECRET_KEY: made.trim() })
  assert.equal((await ownerOf(third, first.ownersKey).get(`/webhooks/${id}`)).status, 200)
})

test('an empty data directory beside a key is refused until somebody moves the key, and nothing is created', async (t) => {
  const settings = await onEmptyDirectory(t)
  const file = join(settings.DATA_DIR, 'secret-key')
  await writeFile(file, `${key}\n`, { mode: 0o600 })
  const refused = await outcome(t, ['serve'], { PORT: '0', ...settings })
  assert.deepEqual([refused.code, refused.out], [2, []])
  assert.match(
    refused.err.join('\n'),
    /no database beside it.*restore a backup\. .*move the key away: mv \S+ \S+-before\.$/,
  )
  assert.deepEqual(await readdir(settings.DATA_DIR), ['secret-key'])
  // a command, too, would leave an empty database that the next start takes for the old one
  const archive = join(settings.DATA_DIR, '..', 'never.tar')
  for (const words of [['migrate'], ['org', 'list'], ['key', 'create'], ['backup', archive], ['doctor']]) {
    const command = await outcome(t, words, { PORT: '0', ...settings })
    assert.equal(command.code, words[0] === 'doctor' ? 1 : 2, words.join(' '))
    assert.match([...command.out, ...command.err].join('\n'), /no database beside it/)
    assert.deepEqual(await readdir(settings.DATA_DIR), ['secret-key'], words.join(' '))
  }
  await rename(file, `${file}-before`)
  assert.match((await serving(t, settings)).ownersKey, /^tw_/)
})

test('with DATABASE_URL a webhook is refused without SECRET_KEY, and once one exists no start works without that key', async (t) => {
  const settings = await onMigratedDatabase(t)
  const without = await serving(t, settings)
  const create = (server: { base: string }) => ownerOf(server, without.ownersKey).post('/webhooks', { url })
  assertRefused(await create(without), 412, 'secret_key_missing')
  const [one, other] = [
    await serving(t, { ...settings, SECRET_KEY: key, WORKERS: '2' }),
    await serving(t, { ...settings, SECRET_KEY: another }),
  ]
  const [made] = await Promise.all([one, one].map((server) => created(create(server))))
  assertRefused(await create(other), 412, 'secret_key_differs')
  assertRefused(await create(without), 412, 'secret_key_missing')
  assert.equal((await ownerOf(without, without.ownersKey).get(`/webhooks/${made.id}`)).status, 200)

  const refusals: [settings: Record<string, string>, sentence: string][] = [
    [settings, `SECRET_KEY must be set: to ${wanted}.`],
    [{ ...settings, SECRET_KEY: another }, `SECRET_KEY is not ${wanted}.`],
    [{ ...settings, SECRET_KEY: another, WORKERS: '2' }, `SECRET_KEY is not ${wanted}.`],
  ]
  for (const [wrong, sentence] of refusals) {
    const { code, out, err } = await outcome(t, ['serve'], { PORT: '0', ...wrong })
    assert.deepEqual([code, out, err], [2, [], [sentence]])
  }
  const said = [one, other, without].flatMap(({ out, err }) => [...out.all, ...err.all]).join('\n')
  assert.ok(!said.includes(key) && !said.includes(another) && !said.includes(made.secret))
})

test('no file of the database, including its write-ahead log, ever holds a secret, after any request', async (t) => {
  const settings = await onMadeCluster(t)
  const server = await serving(t, { ...settings, LOG_LEVEL: 'trace' })
  const owner = ownerOf(server, server.ownersKey)
  const webhook = await created(owner.post('/webhooks', { url }, { 'idempotency-key': 'first' }))
  const again = await owner.post('/webhooks', { url }, { 'idempotency-key': 'first' })
  assert.deepEqual(again.body, webhook)
  await owner.patch(`/webhooks/${webhook.id}`, { description: 'a text by which this search is known to work' })
  await owner.delete(`/webhooks/${webhook.id}`)
  await server.kill('SIGTERM')
  const text = webhook.secret.replace('whsec_', '')
  const bytes = await allBytesIn(join(settings.DATA_DIR, 'postgres'))
  const said = [...server.out.all, ...server.err.all].join('\n')
  const holds = (wanted: string | Buffer) => bytes.some((file) => file.includes(wanted))
  assert.ok(holds('a text by which this search is known to work'))
  for (const form of [text, Buffer.from(text, 'base64'), Buffer.from(text, 'base64').toString('hex')])
    assert.ok(!holds(form))
  const made = (await readFile(join(settings.DATA_DIR, 'secret-key'), 'utf8')).trim()
  assert.ok(!holds(made))
  assert.ok(!said.includes(text) && !said.includes(made))
})

const filesLike = async (beginning: string, directory: string) =>
  (await readdir(directory)).filter((name) => name.startsWith(beginning))

async function allBytesIn(directory: string): Promise<Buffer[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(files.map((file) => readFile(file)))
}

test('a command changes the key: each secret is sealed by the new one, and the previous one is refused', async (t) => {
  const settings = await onMigratedDatabase(t)
  const file = join(await mkdtemp(join(tmpdir(), 'taskwright-key-')), 'former')
  await writeFile(file, `${key}\n`)
  const change = (SECRET_KEY: string, path = file) =>
    outcome(t, ['secret-key', 'change', path], { ...settings, SECRET_KEY })
  const server = await serving(t, { ...settings, SECRET_KEY: key })
  const owner = ownerOf(server, server.ownersKey)
  const webhooks = [await created(owner.post('/webhooks', { url })), await created(owner.post('/webhooks', { url }))]
  const { secret: second } = (await owner.post(`/webhooks/${webhooks[0].id}/rotate-secret`)).body
  assert.equal((await owner.delete(`/webhooks/${webhooks[1].id}`)).status, 204)

  const unknown = await change(another, `${file}.txt`)
  assert.deepEqual([unknown.code, unknown.err.at(-1)], [2, `There is no file ${file}.txt.`])
  const changed = await change(another)
  assert.deepEqual(
    [changed.code, changed.out],
    [0, ['The secrets of 2 webhooks are encrypted with SECRET_KEY now. Start all servers with it.']],
  )
  const again = await change('yet-another-key-for-this-database')
  assert.equal(again.code, 2)
  assert.equal(again.err.at(-1), `${file} does not contain the key that encrypts the secrets now.`)
  assertRefused(await owner.post('/webhooks', { url }), 412, 'secret_key_differs')

  const client = new pg.Client({ connectionString: settings.DATABASE_URL })
  await client.connect()
  const { rows } = await client.query<SealedSecrets>(
    `select org_id as "orgId", id, secret, former_secret as "formerSecret", '9999' as "formerSecretUntil"
     from webhooks order by created_at`,
  )
  await client.end()
  const shown = rows.map((row) => openSecrets(createSecrets(another), row, '2026').map(shownSecret))
  assert.deepEqual(shown, [[second, webhooks[0].secret], [webhooks[1].secret]])
  for (const row of rows) assert.throws(() => openSecrets(createSecrets(key), row, '2026'))
})
