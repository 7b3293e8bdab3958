import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { openEmbeddedPostgres } from '../../../src/db/embedded/embedded.ts'
import { afterwards } from '../../support/afterwards.ts'
import { silent } from '../../support/slow/cluster.ts'
import { stopPostgres } from '../../support/slow/made-cluster.ts'
import { outcome, postmasterIn } from '../../support/slow/processes.ts'

// each waits more than it computes
describe('a first start on a full disk', { concurrency: 4 }, () => {
  // wherever it is that the room ends: while PostgreSQL's files are written, while the database is made, or just after
  for (const megabytes of [8, 30, 38, 39, 40]) {
    test(`with room for ${megabytes} MB the start says so, leaves no PostgreSQL running, and works once there is more`, async (t) => {
      const disk = await smallDisk(t, megabytes)
      if (!disk) return
      await assert.rejects(openEmbeddedPostgres({ dataDir: disk.path, say: silent }), {
        name: 'StartupProblem',
        message: new RegExp(
          `^The disk that holds ${disk.path}(/postgres)? is full: free some space, then start again\\.$`,
        ),
      })
      assert.equal(await postmasterIn(disk.path), undefined)
      await disk.grow()
      const embedded = await openEmbeddedPostgres({ dataDir: disk.path, say: silent })
      await embedded.stop()
    })
  }

  test('a schema without room gets a message, PostgreSQL is stopped, and the next start continues', async (t) => {
    const disk = await smallDisk(t, 42)
    if (!disk) return
    const settings = { DATA_DIR: disk.path }
    const first = await outcome(t, ['migrate'], settings)
    assert.equal(first.code, 1)
    assert.match(first.err.join('\n'), /^[^\n]*(No space left on device|is full: free some space, then start again\.)$/)
    assert.equal(await postmasterIn(disk.path), undefined)
    await disk.grow()
    const second = await outcome(t, ['migrate'], settings)
    assert.match(second.out.join('\n'), /^Applied .*\.$/)
  })
})

/** A data directory on a disk of that size; undefined, with a skip, where none can be mounted. */
async function smallDisk(t: TestContext, megabytes: number) {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'taskwright-disk-')))
  afterwards(t, () => rm(path, { recursive: true }))
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', path]).then(
    () => true,
    () => false,
  )
  if (!mounted) return void t.skip('no disk can be mounted here')
  afterwards(t, async () => {
    await stopPostgres(join(path, 'postgres'))
    await run('umount', ['--lazy', path])
  })
  return { path, grow: () => run('mount', ['-o', 'remount,size=300m', path]) }
}

const run = promisify(execFile)
