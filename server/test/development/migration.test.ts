import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { withHashes } from '../../../scripts/hashes.ts'
import { root } from '../documentation/pages.ts'
import { afterwards } from '../support/afterwards.ts'

test('npm run migration creates the next numbered file', async (t) => {
  const { migration, migrations } = await folderWith(t, ['0001_first.sql', '0007_last.sql'])
  assert.equal((await migration('Due-dates', 'of-tags')).stdout, 'server/migrations/0008_due_dates_of_tags.sql\n')
  assert.match(
    await readFile(join(migrations, '0008_due_dates_of_tags.sql'), 'utf8'),
    /^-- .*\n-- beside 3\.2\.1: yes or no, .*\ndo \$\$ .* end \$\$;\n$/,
  )
})

test('npm run migration refuses without a subject in letters, and creates nothing', async (t) => {
  const { migration, migrations } = await folderWith(t, ['0001_first.sql'])
  for (const words of [[], ['due dates'], ['../up'], ['add-2nd'], ['--help'], ['drop.sql']]) {
    await assert.rejects(migration(...words), ({ code, stderr }: { code: number; stderr: string }) => {
      return code === 2 && stderr.startsWith('npm run migration -- <what-it-is-about>')
    })
  }
  assert.deepEqual(await readdir(migrations), ['0001_first.sql'])
})

test('a generated migration is on the list of hashes, and is refused when it is changed, renamed or deleted', () => {
  const migration = (name: string, hash: string) => ({ name, hash, script: '', outside: false })
  const [first, second] = [migration('0001_first.sql', 'aa'), migration('0002_second.sql', 'bb')]
  const list = withHashes('', [first])
  assert.equal(list, 'aa  0001_first.sql\n')
  assert.equal(withHashes(list, [first, second]), 'aa  0001_first.sql\nbb  0002_second.sql\n')
  for (const now of [[second], [{ ...first, hash: 'cc' }], [{ ...first, name: '0001_other.sql' }]])
    assert.throws(
      () => withHashes(list, now),
      /^Error: 0001_first\.sql is no longer what server\/migrations\.sha256 lists/,
    )
})

/** A folder with the script of npm in it, and these migrations. */
async function folderWith(t: TestContext, names: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'taskwright-migration-'))
  afterwards(t, () => rm(folder, { recursive: true }))
  const [script, migrations] = [join(folder, 'scripts/migration.mjs'), join(folder, 'server/migrations')]
  await mkdir(migrations, { recursive: true })
  await cp(join(root, 'scripts/migration.mjs'), script)
  await writeFile(join(folder, 'released.json'), '{"version": "3.2.1"}')
  for (const name of names) await writeFile(join(migrations, name), '')
  return { migrations, migration: (...words: string[]) => promisify(execFile)(process.execPath, [script, ...words]) }
}
