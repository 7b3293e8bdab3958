import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ownAccount } from '../../../src/db/embedded/account.ts'
import { usableBinaries } from '../../../src/db/embedded/binaries.ts'
import { emptyDataDir, silent } from '../../support/slow/cluster.ts'

test('a start removes copies of programs that were left unfinished, and those of older minor versions that nothing runs', async (t) => {
  const copies = await emptyDataDir(t)
  const anHourAgo = new Date(Date.now() - 3_600_000)
  const stays = [
    'postgresql-17.2.0',
    'postgresql-18.0.1',
    'postgresql-18.999.0',
    'postgresql-18.0.0.new-twin',
    'postgres',
  ]
  const goes = ['postgresql-18.0.0', 'postgresql-18.0.0.new-ended', 'postgresql-17.2.0.new-ended']
  for (const name of [...stays, ...goes]) await mkdir(join(copies, name, 'native', 'bin'), { recursive: true })
  for (const name of goes) await utimes(join(copies, name), anHourAgo, anHourAgo)
  const argv0 = join(copies, 'postgresql-18.0.1', 'native', 'bin', 'postgres')
  const running = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], { argv0 })
  t.after(() => running.kill())
  await once(running, 'spawn')
  await usableBinaries(ownAccount(), copies, silent)
  assert.deepEqual((await readdir(copies)).sort(), stays.sort())
})
