import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { upgradeCluster } from '../../src/archive/upgrade-cluster.ts'
import { file } from '../support/afterwards.ts'
import { silent } from '../support/cluster.ts'
import { answersOf, copyOf, formerDataDir, olderPostgres } from '../support/former-cluster.ts'
import { outcome, postmasterIn, serving, taskwright } from '../support/processes.ts'
import { apiOf } from '../support/world.ts'

const former = olderPostgres && { ...(await formerDataDir(file, olderPostgres)), ...olderPostgres }
const version = async (directory: string) => (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim()

/** A directory of the older PostgreSQL that belongs to the test; skips it, with a word, where there is none. */
async function older(t: TestContext) {
  if (former !== undefined) return { ...former, settings: await copyOf(t, former.settings) }
  t.skip('this machine has no programs of PostgreSQL 15 to 17')
  return undefined
}

/** All that was there is, by a server of this version. */
async function assertAllThere(t: TestContext, settings: { DATA_DIR: string }, { key, projectId, answers }: Kept) {
  const server = await serving(t, settings)
  const api = apiOf(`${server.base}/api/v1`, key)
  assert.deepEqual(await answersOf(api), answers)
  const again = await api.post('/tasks', { projectId, name: 'Task 7' }, { 'idempotency-key': 'task-7' })
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true'])
  await server.kill('SIGTERM')
}

interface Kept {
  key: string
  projectId: string
  answers: Record<string, string>
}

test('a start on the database of an older PostgreSQL is refused, and taskwright upgrade moves all of it and keeps the old one', async (t) => {
  const before = await older(t)
  if (!before) return
  const { settings, major } = before
  const place = join(settings.DATA_DIR, 'postgres')
  const refused = await outcome(t, [], { ...settings, PORT: '0' })
  assert.equal(refused.code, 1)
  assert.match(
    refused.err.at(-1) ?? '',
    /: run taskwright upgrade, which moves what is in it to PostgreSQL 18 and keeps/,
  )

  const moved = await outcome(t, ['upgrade'], settings)
  assert.equal(moved.code, 0, moved.err.join('\n'))
  assert.deepEqual(moved.out, [
    `The database in ${place} is one of PostgreSQL 18 now.`,
    `What was before is kept. Once you are sure that nothing is missing: rm -r ${place}-${major}`,
  ])
  assert.deepEqual([await version(place), await version(`${place}-${major}`)], ['18', major])
  assert.equal(await postmasterIn(settings.DATA_DIR), undefined)
  assert.equal((await readdir(settings.DATA_DIR)).includes('upgrade'), false)
  const again = await outcome(t, ['upgrade'], settings)
  assert.deepEqual([again.code, again.out[0]], [0, `The database in ${place} is one of PostgreSQL 18 already.`])
  await assertAllThere(t, settings, before)
})

test('an upgrade that is killed at any moment leaves what was there, and the next one comes to its end', async (t) => {
  const before = await older(t)
  if (!before) return
  const { settings, major } = before
  const place = join(settings.DATA_DIR, 'postgres')
  const steps = [/^PostgreSQL \d+ is run from/, /^Building the indexes/, /^Checking what refers/, /^Comparing/]
  let killed = 0
  for (const step of steps) {
    const running = taskwright(t, ['upgrade'], settings)
    await Promise.race([running.err.first((line) => step.test(line)), running.ended])
    if (step !== steps.at(-1)) await wait(100 * Math.random())
    const { signal } = await running.kill('SIGKILL')
    // on a busy machine it may have come to its end
    if (signal === null || (await version(place).catch(() => '')) !== major) break
    killed++
  }
  assert.ok(killed >= 1, 'none was killed')
  const { code, err } = await outcome(t, ['upgrade'], settings)
  assert.equal(code, 0, err.join('\n'))
  assert.deepEqual([await version(place), await version(`${place}-${major}`)], ['18', major])
  await assertAllThere(t, settings, before)

  // between the two renames
  const unfinished = join(settings.DATA_DIR, 'upgrade')
  await mkdir(unfinished)
  await writeFile(join(unfinished, 'verified'), 'compared\n')
  await rename(place, join(unfinished, 'postgres'))
  const half = await outcome(t, [], { ...settings, PORT: '0' })
  assert.equal(half.code, 1)
  assert.match(half.err.at(-1) ?? '', /was stopped shortly before its end: run taskwright upgrade, which ends it\.$/)
  assert.equal((await readdir(settings.DATA_DIR)).includes('postgres'), false)
  assert.equal((await outcome(t, ['upgrade'], settings)).code, 0)
  await assertAllThere(t, settings, before)
})

test('what a command of the former version writes while its database is moved is not lost: the upgrade is refused, and made again', async (t) => {
  const before = await older(t)
  if (!before) return
  const { settings } = before
  const place = join(settings.DATA_DIR, 'postgres')
  let writing: Promise<unknown> = Promise.resolve()
  const progress = (step: string) => {
    // all is read by then
    if (step === 'Writing') writing = asked(place, "update projects set description = 'late'")
    return { told: () => {}, end: () => {} }
  }
  const options = { dataDir: settings.DATA_DIR, version: '0', say: silent, progress }
  await assert.rejects(upgradeCluster(options), {
    name: 'StartupProblem',
    message: /^Something wrote to the database while it was moved, so nothing was changed: .* \(projects\)\.$/,
  })
  await writing
  assert.equal(await version(place), before.major)
  assert.equal((await upgradeCluster({ ...options, progress: () => ({ told: () => {}, end: () => {} }) })).moved, true)
  const server = await serving(t, settings)
  const { body } = await apiOf(`${server.base}/api/v1`, before.key).get('/projects')
  assert.equal(body.data[0].description, 'late')
})

async function asked(host: string, statement: string): Promise<void> {
  const client = new pg.Client({ host, user: 'taskwright', database: 'taskwright', ssl: false })
  await client.connect()
  await client.query(statement)
  await client.end()
}

test('an upgrade that cannot be is refused in a sentence, and changes nothing', async (t) => {
  const before = await older(t)
  if (!before) return
  const { settings, major } = before
  const { DATA_DIR: dataDir } = settings
  const place = join(dataDir, 'postgres')
  const progress = () => ({ told: () => {}, end: () => {} })
  const freeBytes = async () => 100_000_000
  await assert.rejects(upgradeCluster({ dataDir, version: '0', say: silent, progress, freeBytes }), {
    name: 'StartupProblem',
    message: new RegExp(
      `^The upgrade needs about \\d+ MB beside the database, and 100 MB are free where ${dataDir} is: make room`,
    ),
  })
  const refused = async (sentence: RegExp, words: readonly string[] = [], more = {}) => {
    const { code, err } = await outcome(t, ['upgrade', ...words], { ...settings, ...more })
    assert.equal(code, 1)
    assert.match(err.at(-1) ?? '', sentence)
  }
  await refused(/^There are no programs of PostgreSQL \d+ in \/usr\/share that user id \d+ can run\.$/, [
    '--binaries',
    '/usr/share',
  ])
  await refused(/^taskwright upgrade moves the embedded database, and DATABASE_URL/, [], {
    DATABASE_URL: 'postgres://x@y/z',
  })
  await refused(/^There is no database in /, [], { DATA_DIR: join(dataDir, 'empty') })
  await mkdir(`${place}-${major}`)
  await refused(/postgres-\d+ is there already, as an earlier upgrade left it: move it away or remove it first\.$/)
  assert.equal(await version(place), major)
  assert.equal(await postmasterIn(dataDir), undefined)
})
