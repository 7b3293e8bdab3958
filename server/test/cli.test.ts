import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import {
  keyIn,
  onEmptyDirectory,
  onFreshDatabase,
  onMadeCluster,
  onMigratedDatabase,
  outcome,
  postmasterIn,
  serving,
  taskwright,
} from './support/slow/processes.ts'
import { told } from './support/told.ts'
import { apiOf, created } from './support/world.ts'

type Settings = Record<string, string>

test('migrate brings an empty database up to date, once', async (t) => {
  const settings = await onFreshDatabase(t)
  const first = await outcome(t, ['migrate'], settings)
  assert.equal(first.code, 0)
  assert.match(first.out.join('\n'), /^Applied 0001_[^\n]*\.$/)
  const second = await outcome(t, ['migrate'], settings)
  assert.deepEqual([second.code, second.out], [0, ['The database is up to date.']])
})

test('commands work on the embedded PostgreSQL without a server, and stop it again', async (t) => {
  const settings = await onEmptyDirectory(t)
  const founded = await found(settings, 'Acme', (words) => outcome(t, words, settings))
  assert.equal(await postmasterIn(settings.DATA_DIR), undefined)
  const made = await outcome(t, ['key', 'create'], settings)
  assert.equal(await postmasterIn(settings.DATA_DIR), undefined)
  const server = await serving(t, settings)
  assert.equal(server.ownersKey, '', 'an organization was there already')
  for (const key of [founded.key, keyIn(made.out)]) {
    const { body } = await apiOf(`${server.base}/api/v1`, key).get('/me')
    assert.deepEqual([body.organization.id, body.member.role], [founded.id, 'owner'])
  }
})

test('the command line erases a member with a confirmation, but never the last owner', async (t) => {
  const settings = await onMigratedDatabase(t)
  const { base, ownersKey } = await serving(t, settings)
  const owner = apiOf(`${base}/api/v1`, ownersKey)
  const gone = await created(owner.post('/members', { name: 'Ann Leaver', email: 'leaver@example.com' }))
  const asked = await outcome(t, ['member', 'erase', gone.id], settings)
  assert.equal(asked.code, 2)
  assert.match(asked.err.join('\n'), /Ann Leaver <leaver@example\.com> of .*--yes/)
  const { code, out } = await told(['member', 'erase', gone.id, '--yes'], settings)
  assert.equal(code, 0)
  assert.match(out.join('\n'), new RegExp(`^Erased ${gone.id}\\.`))
  const { body } = await owner.get('/events?type=member.erased')
  assert.deepEqual(
    body.data.map(({ resource, snapshot, actor }: Told) => [resource.id, snapshot.name, actor.memberId]),
    [[gone.id, 'Former member', null]],
  )
  const me = (await owner.get('/me')).body.member.id
  const last = await told(['member', 'erase', me, '--yes'], settings)
  assert.deepEqual([last.code, last.err], [1, ['An organization must keep at least one active owner.']])
})

interface Told {
  resource: { id: string }
  snapshot: { name: string }
  actor: { memberId: string | null }
}

test('commands work beside a live server and leave its PostgreSQL running', async (t) => {
  const settings = await onMadeCluster(t)
  const { base, ownersKey } = await serving(t, settings)
  const api = (key: string) => apiOf(`${base}/api/v1`, key)
  const { out, err, code } = await outcome(t, ['key', 'create', '--name', 'Found again'], settings)
  assert.equal(code, 0)
  assert.equal(out.length, 1)
  assert.deepEqual(err, ['A key for owner@example.com in My organization, shown only now:'])
  const recovered = keyIn(out)
  assert.equal((await api(recovered).get('/me')).body.apiKey.name, 'Found again')

  const revoked = await outcome(t, ['key', 'revoke', recovered], settings)
  assert.equal(revoked.code, 0)
  // word of it may still be on its way
  while ((await api(recovered).get('/me')).status === 200);
  assert.equal((await api(recovered).get('/me')).status, 401)
  const { body } = await api(ownersKey).get('/api-keys')
  assert.deepEqual(
    body.data.map(({ name, revokedAt }: { name: string; revokedAt: string | null }) => [name, revokedAt !== null]),
    [
      ['Found again', true],
      ['First key', false],
    ],
  )
  const second = await created(api(ownersKey).post('/api-keys', { name: 'Second' }))
  assert.deepEqual((await outcome(t, ['key', 'revoke', second.id.toUpperCase()], settings)).out, [
    `Revoked ${second.id}.`,
  ])
  assert.equal((await api(second.secret).get('/me')).status, 401)
  assert.equal((await api(ownersKey).get('/me')).status, 200)
})

test('key revoke also revokes the descendants of the key, even of a revoked key, but not with --alone', async (t) => {
  const settings = await onMigratedDatabase(t)
  const [acme, other] = [await found(settings, 'Acme'), await found(settings, 'Other')]
  const { base } = await serving(t, settings)
  const as = (key: string) => apiOf(`${base}/api/v1`, key)
  const make = (key: string) => created(as(key).post('/api-keys', { name: 'Robot' }))
  const root = await make(acme.key)
  const child = await make(root.secret)
  const [grandchild, beside, elsewhere] = [await make(child.secret), await make(acme.key), await make(other.key)]
  const said = async (...words: string[]) => (await told(['key', 'revoke', ...words], settings)).out
  assert.deepEqual(await said(root.secret, '--alone'), [`Revoked ${root.id}.`])
  assert.equal((await as(child.secret).get('/me')).status, 200)
  assert.deepEqual(await said(root.id), [`Revoked ${root.id}, and 2 more keys that were created with it.`])
  // word of it may still be on its way
  while ((await as(grandchild.secret).get('/me')).status === 200);
  const statuses = [child, grandchild, beside, elsewhere].map(
    async ({ secret }) => (await as(secret).get('/me')).status,
  )
  assert.deepEqual(await Promise.all(statuses), [401, 401, 200, 200])
})

test('with several organizations a key is created for the one in --org and the member in --email', async (t) => {
  const settings = await onMigratedDatabase(t)
  const [acme, other] = [await found(settings, 'Acme'), await found(settings, 'Other')]
  const unsaid = await told(['key', 'create'], settings)
  assert.deepEqual([unsaid.code, unsaid.out], [2, []])
  assert.deepEqual(unsaid.err, [
    'There are several organizations. Choose one with --org:',
    `  ${acme.id}  Acme`,
    `  ${other.id}  Other`,
  ])
  const { base } = await serving(t, settings)
  const owner = apiOf(`${base}/api/v1`, other.key)
  await created(owner.post('/members', { name: 'Mia Member', email: 'mia@example.com', role: 'member' }))
  const made = await told(['key', 'create', '--org', other.id, '--email', 'Mia@example.com'], settings)
  const { body } = await apiOf(`${base}/api/v1`, keyIn(made.out)).get('/me')
  assert.deepEqual([body.organization.id, body.member.name], [other.id, 'Mia Member'])
  const events = await told(['key', 'create', '--org', acme.id, '--email', 'mia@example.com'], settings)
  assert.deepEqual(events.err, ['There is no such member. Check the organization and the e-mail address.'])
})

test('the command line refuses names that show nothing, and creates nothing', async (t) => {
  const settings = await onMigratedDatabase(t)
  await found(settings, 'Acme')
  const founding = { name: 'Other', 'owner-name': 'Olivia', 'owner-email': 'olivia@example.com' }
  const refusedBy = async (option: string, ...words: string[]) => {
    const { code, out, err } = await told(words, settings)
    assert.deepEqual([code, out], [2, []])
    assert.deepEqual(err, [`--${option}: Must contain a letter, a digit, a punctuation mark or a symbol.`])
  }
  for (const option of ['name', 'owner-name']) {
    const options = Object.entries({ ...founding, [option]: '\u200b' })
    await refusedBy(option, 'org', 'create', ...options.flatMap(([name, value]) => [`--${name}`, value]))
  }
  await refusedBy('name', 'key', 'create', '--name', '\u200b')
  assert.equal((await told(['org', 'list', '--json'], settings)).out.length, 1)
})

test('--version prints the version of the package, whatever else is given', async (t) => {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  for (const words of [['--version'], ['serve', '--version']])
    assert.deepEqual(await outcome(t, words, {}), { code: 0, out: [version], err: [] })
})

test('--help prints the commands on standard output', async (t) => {
  for (const words of [['--help'], ['-h'], ['key', 'create', '--help']]) {
    const { code, out, err } = await outcome(t, words, {})
    assert.deepEqual([code, err], [0, []])
    for (const command of ['serve', 'migrate', 'org create', 'key create', 'key revoke']) {
      assert.ok(
        out.some((line) => line.startsWith(`  ${command}`)),
        command,
      )
    }
  }
})

test('invalid input ends with exit code 2 and a message, before anything is changed', async (t) => {
  const nonsense: [words: string[], sentence: RegExp][] = [
    [['brew'], /^There is no command 'brew'\.$/],
    [['key'], /^There is no command 'key'\.$/],
    [['key', 'forge'], /^There is no command 'key forge'\.$/],
    [['constructor'], /^There is no command 'constructor'\.$/],
    [['migrate', '--brew'], /^Unknown option '--brew'/],
    [['migrate', '--demo'], /^migrate takes no --demo\.$/],
    [['key', 'revoke', 'one', 'two'], /^There is no command 'key revoke one two'\.$/],
  ]
  const outcomes = await Promise.all(nonsense.map(([words]) => told(words, { DATA_DIR: '/dev/null' })))
  for (const [i, { code, out, err }] of outcomes.entries()) {
    assert.deepEqual([code, out], [2, []])
    assert.match(err[0] ?? '', nonsense[i]?.[1] ?? /never/)
  }
  assert.equal((await outcome(t, ['brew'], { DATA_DIR: '/dev/null' })).code, 2, 'of a process')
})

test('a command that lacks an argument, or names something that does not exist, ends with exit code 2', async (t) => {
  const settings = await onMigratedDatabase(t)
  const needs: [words: string[], sentence: string][] = [
    [['org', 'create', '--name', 'Acme'], 'Give --name, --owner-name and --owner-email.'],
    [['key', 'revoke'], 'Name a key by its id, or give the key itself: taskwright key revoke <id or key>.'],
    [['key', 'revoke', 'nonsense'], 'There is no such key.'],
    [['key', 'create'], 'There is no such member. Check the organization and the e-mail address.'],
  ]
  for (const [words, sentence] of needs) {
    const { code, err } = await told(words, settings)
    assert.deepEqual([code, err], [2, [sentence]])
  }
})

test('a command takes no name and no e-mail address that the API refuses: exit code 2', async (t) => {
  const settings = await onMigratedDatabase(t)
  const org = (name: string, email: string) => [
    ...['org', 'create', '--name', name, '--owner-name', 'Olivia'],
    ...['--owner-email', email],
  ]
  const refused: [words: string[], sentence: RegExp][] = [
    [org('  ', 'olivia@example.com'), /^--name: /],
    [org('x'.repeat(256), 'olivia@example.com'), /^--name: /],
    [org('Acme', 'no address'), /^--owner-email: Must be an e-mail address\.$/],
    [['key', 'create', '--name', ' '], /^--name: /],
  ]
  for (const [words, sentence] of refused) {
    const { code, out, err } = await told(words, settings)
    assert.deepEqual([code, out], [2, []])
    assert.match(err.at(-1) ?? '', sentence)
  }
})

test('an id can be in upper case too, and a revoked key stays as it is', async (t) => {
  const settings = await onMigratedDatabase(t)
  const { id, key } = await found(settings, 'Acme')
  const { out } = await told(['key', 'create', '--org', id.toUpperCase()], settings)
  for (let twice = 0; twice < 2; twice++) assert.equal((await told(['key', 'revoke', keyIn(out)], settings)).code, 0)
  const { base } = await serving(t, settings)
  const { data } = (await apiOf(`${base}/api/v1`, key).get('/api-keys')).body
  const versions = data.map(({ name, version }: { name: string; version: number }) => [name, version])
  assert.deepEqual(Object.fromEntries(versions)['Made on the command line'], 2)
})

test('a stopped command leaves no PostgreSQL running', async (t) => {
  const settings = await onMadeCluster(t)
  const seeding = taskwright(t, ['seed', '--size', '200000'], settings)
  await seeding.err.first((line) => line.startsWith('Seeding'))
  assert.deepEqual(await seeding.kill('SIGINT'), { code: 1, signal: null })
  assert.equal(seeding.err.all.at(-1), 'Stopped (SIGINT).')
  assert.equal(await postmasterIn(settings.DATA_DIR), undefined)
})

async function found(
  settings: Settings,
  name: string,
  run = (words: readonly string[]): Promise<{ out: string[] }> => told(words, settings),
) {
  const words = ['org', 'create', '--name', name, '--owner-name', 'Olivia', '--owner-email', 'Olivia@example.com']
  const { out } = await run(words)
  return { id: /organization ([0-9a-f-]{36})\./.exec(out[0] ?? '')?.[1] ?? '', key: keyIn(out) }
}
