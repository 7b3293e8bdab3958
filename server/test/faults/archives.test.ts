import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { checkedArchive } from '../../src/db/backup/reading.ts'
import { restore } from '../../src/db/backup/restore.ts'
import { digestsOf } from '../../src/db/backup/verify.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { file } from '../support/afterwards.ts'
import { archiveOf, emptyDatabase, emptyDirectory } from '../support/slow/archives.ts'
import { onFreshDatabase, outcome, type Running, taskwright } from '../support/slow/processes.ts'

const source = await onFreshDatabase(file)
const seeded = await outcome(file, ['seed', '--size', '300'], source)
assert.equal(seeded.code, 0, seeded.err.join('\n'))
const digests = await digestsOf({ connectionString: source.DATABASE_URL })

/** Shares of a stretch of work, one in each of so many parts of it. */
const sharesOf = (parts: number) => Array.from({ length: parts }, (_, n) => (n + Math.random()) / parts)

test('a backup that is killed at any time leaves no file of that name, or a whole one', async (t) => {
  const directory = await emptyDirectory(t)
  const path = join(directory, 'backup.tar')
  /** Once it has begun to write. */
  const begun = async () => {
    const running = taskwright(t, ['backup', path], source)
    while (!(await readdir(directory)).some((name) => name.includes(`${running.pid}`) || name === 'backup.tar'))
      assert.equal(await Promise.race([running.ended, wait(2)]), undefined)
    return running
  }
  let tookMs = Number.POSITIVE_INFINITY
  for (let n = 0; n < 3; n++) {
    await rm(path, { force: true })
    const whole = await begun()
    const beganMs = performance.now()
    assert.equal((await whole.ended).code, 0)
    // the least: what else the machine did is not in it
    tookMs = Math.min(tookMs, performance.now() - beganMs)
  }
  const parts = 8
  let without = 0
  for (const share of [0, ...sharesOf(parts)]) {
    await rm(path, { force: true })
    const running = await begun()
    await wait(share * tookMs)
    await running.kill('SIGKILL')
    if ((await readdir(directory)).includes('backup.tar'))
      assert.deepEqual((await checkedArchive(path)).checksums.tables, digests)
    else without++
  }
  assert.ok(without > parts / 4, `only ${without} were killed before their end`)
  // the next one by that name takes away what was left
  await rm(path, { force: true })
  assert.equal((await outcome(t, ['backup', path], source)).code, 0)
  assert.deepEqual(await readdir(directory), ['backup.tar'])
})

/** What a restore says, and in how many parts of what it does from there to its next word it is killed. */
const stretches: [said: RegExp, parts: number][] = [
  // it makes the tables and loads them
  [/^Reading/, 4],
  [/^Building the indexes/, 2],
  [/^Checking references/, 2],
  // all is there, and it ends
  [/^Restored/, 1],
]

test('after a restore is killed at any time, no server starts unless everything is there, and the next restore begins again', async (t) => {
  const archive = await archiveOf(t, source.DATABASE_URL)
  const begun = (url: string) => taskwright(t, ['restore', archive.file], { DATABASE_URL: url })
  const saying = ({ out, err, ended }: Running, said: RegExp) =>
    Promise.race([...[out, err].map((lines) => lines.first((line) => said.test(line))), ended])
  /** How long a whole one takes from each of these words to the next. */
  const wholeMs = async () => {
    const whole = begun(await emptyDatabase(t))
    const saidMs: number[] = []
    for (const [said] of stretches) {
      await saying(whole, said)
      saidMs.push(performance.now())
    }
    assert.equal((await whole.ended).code, 0)
    saidMs.push(performance.now())
    return stretches.map((_, place) => (saidMs[place + 1] ?? 0) - (saidMs[place] ?? 0))
  }
  const [one, other] = [await wholeMs(), await wholeMs()]
  const tookMs = one.map((ms, place) => Math.min(ms, other[place] ?? ms))
  const came = { nothing: 0, half: 0, whole: 0 }
  for (const [place, [said, parts]] of stretches.entries())
    for (const share of sharesOf(parts)) {
      const url = await emptyDatabase(t)
      const running = begun(url)
      await saying(running, said)
      await wait(share * (tookMs[place] ?? 0))
      await running.kill('SIGKILL')
      const problem = await migrate({ connectionString: url }).then(
        () => undefined,
        (error) => String(error),
      )
      if (problem !== undefined) {
        assert.match(problem, /A restore was started here and did not finish/)
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
  assert.ok(came.half >= 3 && came.whole >= 1, JSON.stringify(came))
})
