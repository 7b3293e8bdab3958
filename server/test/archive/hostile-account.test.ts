import assert from 'node:assert/strict'
import { chown, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { upgradeCluster } from '../../src/archive/upgrade-cluster.ts'
import { nobody } from '../../src/db/embedded/account.ts'
import { madeDataDir, onlyRoot, silent } from '../support/cluster.ts'

const upgrades = (dataDir: string) =>
  upgradeCluster({ dataDir, version: '0', say: silent, progress: () => ({ told: () => {}, end: () => {} }) })

/** A file of root's in a directory, with what it says. */
async function rootsFile(directory: string, name: string) {
  await mkdir(directory, { mode: 0o755 })
  await writeFile(join(directory, name), 'of root', { mode: 0o644 })
  return { left: () => readFile(join(directory, name), 'utf8') }
}

test('an upgrade refuses a link where it works, and removes nothing where that leads', onlyRoot, async (t) => {
  const dataDir = await madeDataDir(t)
  const elsewhere = join(dirname(dataDir), 'elsewhere')
  const { left } = await rootsFile(elsewhere, 'verified')
  await symlink(elsewhere, join(dataDir, 'upgrade'))
  await assert.rejects(upgrades(dataDir), {
    name: 'StartupProblem',
    message: `${join(dataDir, 'upgrade')} is a link, and may lead anywhere: remove it, then run taskwright upgrade again.`,
  })
  assert.equal(await left(), 'of root')
})

test('what an upgrade has left is removed by whose it is: root follows no path in it', onlyRoot, async (t) => {
  const { dataDir, made } = await unfinished(t)
  await upgrades(dataDir)
  await assert.rejects(readFile(join(made, 'PG_VERSION')), { code: 'ENOENT' })

  const again = await unfinished(t)
  const { left } = await rootsFile(join(again.made, 'base'), 'file')
  await assert.rejects(upgrades(again.dataDir), { name: 'StartupProblem' })
  assert.equal(await left(), 'of root')
})

/** A data directory in which an upgrade was stopped, whose new cluster is of another account. */
async function unfinished(t: TestContext) {
  const dataDir = await madeDataDir(t)
  const made = join(dataDir, 'upgrade', 'postgres')
  await mkdir(made, { recursive: true })
  await writeFile(join(made, 'PG_VERSION'), '18\n')
  const { uid, gid } = await nobody()
  await chown(made, uid, gid)
  return { dataDir, made }
}
