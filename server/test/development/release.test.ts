import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { begun, released } from '../../../scripts/release/changelog.ts'
import { withVersion, withVersions } from '../../../scripts/versions.ts'
import { root } from '../documentation/pages.ts'

const read = (path: string) => readFile(`${root}${path}`, 'utf8')

test('the packages, the lock file, the document of the API and the changelog name one version', async () => {
  const { version, workspaces } = JSON.parse(await read('package.json'))
  const lock = JSON.parse(await read('package-lock.json'))
  for (const folder of workspaces.filter((folder: string) => folder !== 'bench')) {
    assert.equal(JSON.parse(await read(`${folder}/package.json`)).version, version, folder)
    assert.equal(lock.packages[folder].version, version, folder)
  }
  assert.equal(JSON.parse(await read('server/openapi.json')).info.version, version)
  assert.equal(/^## \[([^\]]*)\]/m.exec(await read('CHANGELOG.md'))?.[1], version)
})

test('another version goes to every package, and to what they name of one another', () => {
  const manifest = {
    name: '@taskwright/cli',
    version: '0.1.0',
    dependencies: { '@taskwright/client': '0.1.0', pg: '0.1.0' },
  }
  const changed = {
    name: '@taskwright/cli',
    version: '0.2.0',
    dependencies: { '@taskwright/client': '0.2.0', pg: '0.1.0' },
  }
  assert.deepEqual(JSON.parse(withVersion(JSON.stringify(manifest, null, 2), '0.2.0')), changed)
  const packages = { '': { name: 'all' }, cli: manifest, 'node_modules/pg': { version: '0.1.0' } }
  const lock = JSON.parse(withVersions(JSON.stringify({ version: '0.1.0', packages }), ['cli'], '0.2.0'))
  assert.deepEqual(lock, {
    version: '0.2.0',
    packages: { ...packages, '': { name: 'all', version: '0.2.0' }, cli: changed },
  })
})

test('a release gives its section of the changelog a day; the next one begins above it', () => {
  const changelog = '# Changelog\n\nWords.\n\n## [0.1.0] - unreleased\n\n- First.\n'
  const out = released(changelog, '0.1.0', new Date('2026-11-30T12:00:00Z'))
  assert.equal(out, '# Changelog\n\nWords.\n\n## [0.1.0] - 2026-11-30\n\n- First.\n')
  assert.throws(() => released(out, '0.1.0', new Date()), /0\.1\.0 is out already, or nothing is told of it\.$/)
  const next = begun(out, '0.1.1')
  assert.equal(next, out.replace('## [0.1.0]', '## [0.1.1] - unreleased\n\n## [0.1.0]'))
  assert.equal(begun(next, '0.2.0'), next.replace('0.1.1', '0.2.0'))
})
