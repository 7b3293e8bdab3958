import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterwards } from '../../support/afterwards.ts'
import { emptyDirectory } from '../../support/slow/archives.ts'
import {
  onEmptyDirectory,
  onFreshDatabase,
  onMadeCluster,
  onMigratedDatabase,
  outcome,
  postmasterIn,
  serving,
  taskwright,
} from '../../support/slow/processes.ts'
import { told } from '../../support/told.ts'
import { apiOf, created } from '../../support/world.ts'

const key = 'a-secret-key-that-is-in-no-archive'

test('the data of a running embedded database moves to an external one and back by the same archive, with its keys', async (t) => {
  const [embedded, directory] = [await onMadeCluster(t), await emptyDirectory(t)]
  const server = await serving(t, embedded)
  const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)
  const project = await created(owner.post('/projects', { name: 'Moves' }))
  const [there, back] = [join(directory, 'there.tar'), join(directory, 'back.tar')]
  const backup = await outcome(t, ['backup', there], embedded)
  assert.deepEqual([backup.code, backup.out], [0, []])
  assert.match(backup.err.join('\n'), /^Backed up [\d,]+ rows in [\d.]+ MB to .+there\.tar\.$/m)
  assert.equal((await stat(there)).mode & 0o777, 0o600)
  assert.equal((await owner.get('/me')).status, 200, 'the server goes on')
  // ordinary tools open it
  const { stdout } = await promisify(execFile)('tar', ['-tf', there])
  const names = stdout.trim().split('\n')
  assert.deepEqual([names[0], names.at(-1)], ['archive.json', 'checksums.json'])

  const external = await onFreshDatabase(t)
  const restored = await outcome(t, ['restore', there], external)
  assert.deepEqual([restored.code, restored.out.length], [0, 1])
  assert.match(restored.out[0] ?? '', /^Restored [\d,]+ rows\.$/)
  const moved = await serving(t, external)
  assert.equal(moved.ownersKey, '', 'no organization is founded')
  const movedOwner = apiOf(`${moved.base}/api/v1`, server.ownersKey)
  assert.deepEqual((await movedOwner.get(`/projects/${project.id}`)).body, project)

  const again = await onEmptyDirectory(t)
  assert.equal((await outcome(t, ['backup', back], external)).code, 0)
  assert.equal((await outcome(t, ['restore', back], again)).code, 0)
  assert.equal(await postmasterIn(again.DATA_DIR), undefined)
  const home = await serving(t, again)
  assert.deepEqual((await apiOf(`${home.base}/api/v1`, server.ownersKey).get(`/projects/${project.id}`)).body, project)
})

test('an existing file is replaced only with --force, and a file that cannot be written leaves nothing', async (t) => {
  const [settings, directory] = [await onMigratedDatabase(t), await emptyDirectory(t)]
  const file = join(directory, 'kept.tar')
  await told(['org', 'create', '--name', 'Acme', '--owner-name', 'O', '--owner-email', 'o@example.com'], settings)
  await writeFile(file, 'mine')
  const refused = await outcome(t, ['backup', file], settings)
  assert.deepEqual([refused.code, refused.err], [1, [`${file} exists: name another file, or replace it with --force.`]])
  assert.equal((await outcome(t, ['backup', file, '--force'], settings)).code, 0)
  assert.ok((await stat(file)).size > 10_000)

  const nowhere = join(directory, 'none', 'backup.tar')
  assert.deepEqual((await outcome(t, ['backup', nowhere], settings)).err, [
    `There is no directory ${join(directory, 'none')}.`,
  ])
  // no file may grow beyond 4 kB there
  const full = taskwright(t, ['backup', join(directory, 'full.tar')], settings, "trap '' XFSZ; ulimit -f 8")
  assert.deepEqual(await full.ended, { code: 1, signal: null })
  assert.deepEqual(full.err.all.slice(-1), [
    `The disk that holds ${join(directory, 'full.tar')} is full: free some space, then try again.`,
  ])
  assert.deepEqual(await readdir(directory), ['kept.tar'])
})

test('a backup to standard output is only the archive, and fails if the output takes no more', async (t) => {
  const [settings, directory] = [await onMigratedDatabase(t), await emptyDirectory(t)]
  await told(['org', 'create', '--name', 'Acme', '--owner-name', 'O', '--owner-email', 'o@example.com'], settings)
  const program = fileURLToPath(new URL('../../../bin/taskwright.mjs', import.meta.url))
  const to = async (target: string) => {
    const child = spawn('/bin/sh', ['-c', `"$0" "$1" backup - > "${target}"`, process.execPath, program], {
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    afterwards(t, async () => void child.kill('SIGKILL'))
    const [code] = await once(child, 'exit')
    return code
  }
  assert.equal(await to(join(directory, 'piped.tar')), 0)
  const read = await told(['restore', join(directory, 'piped.tar')], await onFreshDatabase(t))
  assert.deepEqual(
    [read.code, read.err.filter((line) => !line.startsWith('Reading'))],
    [0, ['Building the indexes …', 'Checking references …']],
  )
  assert.equal(await to('/dev/full'), 1)
})

test('--verify restores into a temporary database and compares, and the database stays as it is', async (t) => {
  const [settings, directory] = [await onMigratedDatabase(t), await emptyDirectory(t)]
  assert.equal((await told(['seed', '--size', '50'], settings)).code, 0)
  const file = join(directory, 'verified.tar')
  const backup = await outcome(t, ['backup', file, '--verify'], settings)
  assert.equal(backup.code, 0, backup.err.join('\n'))
  assert.equal(backup.err.at(-1), 'Restored it into a temporary database: all rows are the same.')
  const tried = await told(['restore', file, '--verify'], settings)
  assert.deepEqual(
    [tried.code, tried.out],
    [0, [`${file} is complete: restored into a temporary database, all rows are the same.`]],
  )
})

test('a restore says if the webhook secrets are sealed by a missing key', async (t) => {
  const [settings, directory] = [await onMigratedDatabase(t), await emptyDirectory(t)]
  const server = await serving(t, { ...settings, SECRET_KEY: key })
  await created(apiOf(`${server.base}/api/v1`, server.ownersKey).post('/webhooks', { url: 'https://example.com/hook' }))
  const file = join(directory, 'sealed.tar')
  assert.equal((await outcome(t, ['backup', file], settings)).code, 0)
  const toldOfKeys = async (more: object) =>
    (await told(['restore', file], { ...(await onFreshDatabase(t)), ...more })).err.filter((line) =>
      line.startsWith('The secrets'),
    )
  const start = 'The secrets of webhooks are encrypted with a key that no archive contains, and'
  const end = 'set SECRET_KEY to it before you start a server, which needs it.'
  assert.deepEqual(await toldOfKeys({}), [`${start} there is none here: ${end}`])
  assert.deepEqual(await toldOfKeys({ SECRET_KEY: `${key}-not` }), [`${start} the one here is another: ${end}`])
  assert.deepEqual(await toldOfKeys({ SECRET_KEY: key }), [])
})

test('wrong options get a message and exit code 2', async (t) => {
  const settings = await onFreshDatabase(t)
  for (const [words, sentence] of [
    [['backup'], 'Name a file: taskwright backup <file>.'],
    [['backup', '-', '--verify'], '--verify needs a file: a backup to standard output cannot be verified.'],
    [['backup', 'x.tar', '--org', 'Acme'], '--org: must be the id of an organization.'],
    [['restore'], 'Name a file: taskwright restore <file>.'],
    [
      ['restore', 'x.tar', '--verify', '--org', '01890000-0000-7000-8000-000000000001'],
      '--verify tests the complete archive. Leave out --org.',
    ],
  ] as const)
    assert.deepEqual(await told(words, settings), { code: 2, out: [], err: [sentence] })
  const empty = await outcome(t, ['backup', join(await emptyDirectory(t), 'x.tar')], settings)
  assert.deepEqual([empty.code, empty.err], [1, ['This database has no data of Taskwright.']])
})
