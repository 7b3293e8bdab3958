import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { checkedArchive } from '../../src/archive/reading.ts'
import { restore } from '../../src/archive/restore.ts'
import { digestsOf } from '../../src/archive/verify.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { file } from '../support/afterwards.ts'
import { archiveOf, emptyDatabase, emptyDirectory } from '../support/archives.ts'
import { onFreshDatabase, outcome, taskwright } from '../support/processes.ts'

const times = 20
const source = await onFreshDatabase(file)
const seeded = await outcome(file, ['seed', '--size', '1000'], source)
assert.equal(seeded.code, 0, seeded.err.join('\n'))
const digests = await digestsOf({ connectionString: source.DATABASE_URL })

/** Moments spread over what a run takes, and a little beyond. */
const momentsMs = (tookMs: number) =>
  Array.from({ length: times }, (_, n) => ((n + Math.random()) / times) * tookMs * 1.1)

/** How long it takes once everything it needs has been read. */
async function measured(work: () => Promise<unknown>): Promise<number> {
  await work()
  const beganMs = performance.now()
  await work()
  return performance.now() - beganMs
}

test('a backup that is killed at any moment leaves no file of that name, or a whole one', async (t) => {
  const directory = await emptyDirectory(t)
  const path = join(directory, 'backup.tar')
  const run = () => outcome(t, ['backup', '--force', path], source)
  const tookMs = await measured(run)
  let without = 0
  for (const ms of momentsMs(tookMs)) {
    await rm(path, { force: true })
    const running = taskwright(t, ['backup', path], source)
    await wait(ms)
    await running.kill('SIGKILL')
    if ((await readdir(directory)).includes('backup.tar'))
      assert.deepEqual((await checkedArchive(path)).checksums.tables, digests)
    else without++
  }
  assert.ok(without > times / 4, `only ${without} were killed before their end`)
  // the next one by that name takes away what was left
  await rm(path, { force: true })
  assert.equal((await run()).code, 0)
  assert.deepEqual(await readdir(directory), ['backup.tar'])
})

test('on a restore that is killed at any moment no server starts unless all is there, and the next restore begins anew', async (t) => {
  const archive = await archiveOf(t, source.DATABASE_URL)
  const { file: path } = archive
  const tookMs = await measured(async () => {
    const url = await emptyDatabase(t)
    assert.equal((await outcome(t, ['restore', path], { DATABASE_URL: url })).code, 0)
  })
  const came = { nothing: 0, half: 0, whole: 0 }
  for (const ms of momentsMs(tookMs)) {
    const url = await emptyDatabase(t)
    const running = taskwright(t, ['restore', path], { DATABASE_URL: url })
    await wait(ms)
    await running.kill('SIGKILL')
    const problem = await migrate({ connectionString: url }).then(
      () => undefined,
      (error) => String(error),
    )
    if (problem !== undefined) {
      assert.match(problem, /A restore was begun here and has not come to its end/)
      came.half++
    } else if ((await digestsOf({ connectionString: url })).organizations?.rows === 0) came.nothing++
    else {
      assert.deepEqual(await digestsOf({ connectionString: url }), digests)
      came.whole++
      continue
    }
    await restore({ connectionString: url }, archive)
    assert.deepEqual(await digestsOf({ connectionString: url }), digests)
  }
  assert.ok(came.half > times / 4, JSON.stringify(came))
})
