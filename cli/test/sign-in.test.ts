import assert from 'node:assert/strict'
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { altered } from '../../server/test/support/altered.ts'
import { sharedServer } from '../../server/test/support/world.ts'
import { type, typingTo } from './support/typing.ts'

const server = await sharedServer()

/** Somebody with a folder for settings of their own. */
async function person() {
  const world = await server.newWorld()
  const env = { XDG_CONFIG_HOME: await mkdtemp(join(tmpdir(), 'tw-')) }
  return { ...world, env, file: join(env.XDG_CONFIG_HOME, 'taskwright', 'profiles.json') }
}

test('an accepted key is stored where nobody else can read it, and works from then on', async () => {
  const { owner, env, file } = await person()
  const { code, out, err } = await type(`login --url ${server.base}/api/v1/`, { env, input: `${owner.key}\n` })
  assert.equal(err, '')
  assert.equal(code, 0)
  assert.match(out, /as Olivia Owner <olivia@example\.com>, owner of Org /)
  assert.doesNotMatch(out, /tw_/)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.equal((await stat(join(file, '..'))).mode & 0o777, 0o700)
  assert.match((await type('whoami', { env })).out, /^email +olivia@example\.com$/m)
  assert.equal((await type('tags list', { env })).code, 0)
  assert.equal((await type('logout', { env })).code, 0)
  assert.doesNotMatch(await readFile(file, 'utf8'), /tw_/)
  assert.equal((await type('tags list', { env })).code, 4)
})

test('a refused key is not stored', async () => {
  const { env, owner } = await person()
  const wrong = await type(`login --url ${server.base}`, { env, input: altered(owner.key) })
  assert.equal(wrong.code, 4)
  assert.equal(wrong.err, 'The server does not accept this key. Nothing was stored.\n')
  assert.equal((await type(`login --url ${server.base}`, { env })).code, 2)
  assert.equal((await type('login --url ftp://example.com', { env, input: owner.key })).code, 2)
  assert.equal((await type('whoami', { env })).err, 'You are not signed in. Run tw login, or set TASKWRIGHT_API_KEY.\n')
})

test('several profiles can exist, and one of them is the default', async () => {
  const { owner, member, env } = await person()
  await type(`login --url ${server.base}`, { env, input: owner.key })
  const second = await type(`login --url ${server.base} --profile work`, { env, input: member.key })
  assert.match(second.out, /To make this profile the default, run tw profiles work/)
  const named = async (line: string) => (await type(line, { env })).out
  assert.match(await named('whoami'), /Olivia Owner/)
  assert.match(await named('whoami --profile work'), /Mia Member/)
  assert.match(await named('--profile work whoami'), /Mia Member/)
  await type('profiles work', { env })
  assert.match(await named('whoami'), /Mia Member/)
  assert.match(await named('profiles'), /^work +http.* yes$/m)
  assert.doesNotMatch(await named('profiles'), new RegExp(owner.key))
})

test('--profile wins over the environment, and an unknown profile is an error', async () => {
  const { owner, member, env } = await person()
  await type(`login --url ${server.base}`, { env, input: owner.key })
  const unreachable = { TASKWRIGHT_URL: 'http://127.0.0.1:9' }
  for (const more of [
    { TASKWRIGHT_API_KEY: member.key },
    unreachable,
    { TASKWRIGHT_API_KEY: member.key, ...unreachable },
  ]) {
    const chosen = await type('whoami --profile default', { env: { ...env, ...more } })
    assert.equal(chosen.err, '')
    assert.match(chosen.out, /Olivia Owner/)
    for (const line of [
      'whoami --profile wrk',
      'tags list --profile wrk',
      'mcp --profile wrk',
      'listen --profile wrk',
    ]) {
      const { code, out, err } = await type(line, { env: { ...env, ...more } })
      const said = "There is no profile 'wrk'. Known profiles: default. To create it, run tw login --profile wrk.\n"
      assert.deepEqual([line, code, out, err], [line, 2, '', said])
    }
  }
  const nowhere = await type('whoami --profile wrk', { env: { TASKWRIGHT_API_KEY: member.key, ...unreachable } })
  assert.deepEqual(
    [nowhere.code, nowhere.err],
    [2, "There is no profile 'wrk'. To create it, run tw login --profile wrk.\n"],
  )
  const again = { env: { ...env, ...unreachable }, input: member.key }
  assert.equal((await type('login --profile default', again)).code, 0, 'it is signed in to the URL of the profile')
})

test('TASKWRIGHT_API_KEY and TASKWRIGHT_URL override what is stored, and a key is only sent to its own server', async () => {
  const { owner, member, env } = await person()
  await type(`login --url ${server.base}`, { env, input: owner.key })
  const asMember = { ...env, TASKWRIGHT_API_KEY: member.key }
  assert.match((await type('whoami', { env: { ...asMember, TASKWRIGHT_URL: server.base } })).out, /Mia Member/)
  const nowhere = await type('whoami', { env: asMember })
  assert.deepEqual(
    [nowhere.code, nowhere.err],
    [
      4,
      'TASKWRIGHT_API_KEY is set, but TASKWRIGHT_URL is not. Set both, or choose a profile with --profile default.\n',
    ],
  )
  const elsewhere = await type('whoami', { env: { ...env, TASKWRIGHT_URL: 'http://127.0.0.1:9' } })
  assert.equal(elsewhere.code, 4)
  assert.match(elsewhere.err, /the stored key is for http/)
  assert.match((await type('whoami', { env: { ...env, TASKWRIGHT_URL: `${server.base}/` } })).out, /Olivia Owner/)
})

test('an unreadable settings file does not matter when the URL and key are given', async () => {
  const { owner, env, file } = await person()
  await type(`login --url ${server.base}`, { env, input: owner.key })
  await writeFile(file, '{')
  const without = await type('tags list', { env })
  assert.equal(without.code, 4)
  assert.match(without.err, /profiles\.json is damaged\. Delete it and sign in again\.\n$/)
  const own = { TASKWRIGHT_API_KEY: owner.key, TASKWRIGHT_URL: server.base }
  assert.equal((await type('tags list', { env: { ...env, ...own } })).code, 0)
})

test('the exit code says how a command ended', async () => {
  const { owner } = await person()
  const tw = typingTo(server.base, owner.key)
  const codeOf = async (line: string, env = {}) => (await tw(line, { env })).code
  assert.equal(await codeOf('tags list'), 0)
  assert.equal(await codeOf('tags get 0198c0de-7a5b-7c3d-8e4f-5a6b7c8d9e0f'), 1)
  assert.equal(await codeOf('tags lst'), 2)
  assert.equal(await codeOf('tags list', { TASKWRIGHT_URL: 'http://127.0.0.1:9' }), 3)
  assert.equal(await codeOf('tags list', { TASKWRIGHT_API_KEY: 'tw_no' }), 4)
  assert.equal(await codeOf('tags list', { TASKWRIGHT_API_KEY: 'two words' }), 4)
  assert.equal(await codeOf('tags list', { TASKWRIGHT_URL: 'nonsense' }), 2)
  assert.equal((await tw('tags list', { interrupted: AbortSignal.abort() })).code, 130)
})
