import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { begun, released, toldOf } from '../../../scripts/release/changelog.ts'
import { notesOf } from '../../../scripts/release/notes.ts'
import { type Plan, problemsOf } from '../../../scripts/release/problems.ts'
import { sbomOf } from '../../../scripts/release/sbom.ts'
import { withVersion, withVersions } from '../../../scripts/versions.ts'
import { root } from '../documentation/pages.ts'
import { afterwards } from '../support/afterwards.ts'

const read = (path: string) => readFile(`${root}${path}`, 'utf8')

test('the packages, the lock file, the API document and the changelog name the same version', async () => {
  const { version, workspaces } = JSON.parse(await read('package.json'))
  const lock = JSON.parse(await read('package-lock.json'))
  for (const folder of workspaces.filter((folder: string) => folder !== 'bench')) {
    assert.equal(JSON.parse(await read(`${folder}/package.json`)).version, version, folder)
    assert.equal(lock.packages[folder].version, version, folder)
  }
  assert.equal(JSON.parse(await read('server/openapi.json')).info.version, version)
  assert.equal(/^## \[([^\]]*)\]/m.exec(await read('CHANGELOG.md'))?.[1], version)
})

test('a new version goes to every package, and to their references to each other', () => {
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

test('a release dates its section of the changelog, and the next one begins above it', () => {
  const changelog = '# Changelog\n\nWords.\n\n## [0.1.0] - unreleased\n\n- First.\n'
  const out = released(changelog, '0.1.0', new Date('2026-11-30T12:00:00Z'))
  assert.equal(out, '# Changelog\n\nWords.\n\n## [0.1.0] - 2026-11-30\n\n- First.\n')
  assert.throws(() => released(out, '0.1.0', new Date()), /0\.1\.0 is out already, or nothing is told of it\.$/)
  const next = begun(out, '0.1.1')
  assert.equal(next, out.replace('## [0.1.0]', '## [0.1.1] - unreleased\n\n## [0.1.0]'))
  assert.equal(begun(next, '0.2.0'), next.replace('0.1.1', '0.2.0'))
  assert.equal(toldOf(next, '0.1.0'), '- First.')
  assert.equal(toldOf(next, '0.1.1'), '')
})

const before = '# Changelog\n\n## [0.1.0] - 2026-11-23\n\nThe first.\n\n### Added\n\n- First.\n'
const changelog = before.replace('## [0.1.0]', '## [0.2.0] - unreleased\n\n### Added\n\n- Second.\n\n## [0.1.0]')
const plan: Plan = {
  version: '0.2.0',
  last: { version: '0.1.0', commit: 'abc' },
  uncommitted: '',
  changelog,
  changelogBefore: before,
  migrations: [{ name: '0002_second.sql', script: '-- beside 0.1.0: yes, it adds\n' }],
  breaks: [],
  stale: [],
  tagged: false,
}

test('a release is refused with a message for each missing part', () => {
  assert.deepEqual(problemsOf(plan), [])
  const breaks = ['tags.list is gone']
  const toldBreak = changelog.replace('### Added', '### Changed\n\n- Tags.\n\n### Added')
  assert.deepEqual(problemsOf({ ...plan, breaks, changelog: toldBreak }), [])
  const nothing = before.replace('## [0.1.0]', '## [0.2.0] - unreleased\n\n## [0.1.0]')
  const ways: [Partial<Plan>, RegExp][] = [
    [
      { version: '0.1.0' },
      /^0\.1\.0 is out, and package\.json has 0\.1\.0: begin another with npm run release -- --next/,
    ],
    [{ version: '0.0.9' }, /^0\.1\.0 is out, and package\.json has 0\.0\.9/],
    [{ tagged: true }, /^There is a tag v0\.2\.0 already\.$/],
    [{ uncommitted: ' M README.md' }, /^What is not committed is not released: commit or remove\n M README\.md$/],
    [
      { changelogBefore: undefined },
      /^This clone does not hold 0\.1\.0 \(commit abc\): git fetch --unshallow --tags\.$/,
    ],
    [{ changelog: before }, /^CHANGELOG\.md has no "## \[0\.2\.0\] - unreleased"\.$/],
    [{ changelog: nothing }, /^CHANGELOG\.md tells nothing of 0\.2\.0\.$/],
    [
      { changelog: changelog.replace('- First.', '- First.\n- Third.') },
      /^CHANGELOG\.md does not tell of 0\.1\.0 what it/,
    ],
    [
      { migrations: [{ name: '0002_second.sql', script: 'select 1;\n' }] },
      /^0002_second\.sql does not state whether 0\.1/,
    ],
    [{ migrations: [{ name: '0002_second.sql', script: '-- beside 0.0.9: yes, x\n' }] }, /^0002_second\.sql does not/],
    [
      { breaks },
      /^0\.2\.0 breaks clients of 0\.1\.0 \(1 ways, see npm run check\): CHANGELOG\.md needs a "### Changed"/,
    ],
    [
      { version: '0.1.1', breaks, changelog: toldBreak.replace('0.2.0', '0.1.1') },
      /^Clients of 0\.1\.0: tags\.list is gone\.$/,
    ],
    [{ stale: ['cli/package.json is out of date.'] }, /^cli\/package\.json is out of date\.$/],
  ]
  for (const [missing, sentence] of ways) assert.match(problemsOf({ ...plan, ...missing })[0] ?? '', sentence)
})

test('the release notes say what is new, what breaks, and whether the previous version can run beside it', () => {
  const notes = notesOf({ ...plan, breaks: ['tags.list is gone'] })
  assert.match(
    notes,
    /^# Taskwright 0\.2\.0\n\n### Added\n\n- Second\.\n\n## What breaks clients of 0\.1\.0\n\n- tags\.list is gone\.\n/,
  )
  assert.match(notes, /\n## Upgrading from 0\.1\.0\n\nServers of 0\.1\.0 can go on beside servers of this version/)
  assert.match(notes, /\n\| `0002_second\.sql` \| yes \| it adds \|\n/)
  assert.doesNotMatch(notes, /First/)
  const no = [...plan.migrations, { name: '0003_third.sql', script: '-- beside 0.1.0: no, it reads it\n' }]
  assert.match(notesOf({ ...plan, migrations: no }), /\nStop all servers of 0\.1\.0 first\./)
})

test('the bill of materials lists every library that ships with a package, and no development library', async () => {
  const { packages } = JSON.parse(await read('package-lock.json'))
  const wanted = new Set<string>()
  // as Node looks for it: beside whoever asks, then further up
  const add = (from: string, name: string): void => {
    const at = [`${from}/node_modules/${name}`, `node_modules/${name}`].find((place) => packages[place])
    if (at === undefined || wanted.has(at)) return
    wanted.add(at)
    const { dependencies, optionalDependencies } = packages[at]
    for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) add(at, other)
  }
  const { dependencies, optionalDependencies } = JSON.parse(await read('server/package.json'))
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) add('server', name)
  const libraries = [...wanted].map((at) => `${at.replace(/^.*node_modules\//, '')}@${packages[at].version}`)
  const { metadata, components, dependencies: edges } = sbomOf(root, 'server')
  assert.equal(metadata.component.name, 'taskwright')
  assert.deepEqual(new Set(components.map((component) => component['bom-ref'])), new Set(libraries))
  const own = edges.find(({ ref }) => ref === metadata.component['bom-ref'])?.dependsOn ?? []
  assert.ok(own.some((name) => name.startsWith('zod@')))
  assert.deepEqual(sbomOf(root, 'client').components, [])
})

test('npm run release makes packages, bills of materials, notes and checksums in one directory, and says what to do then', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'taskwright-release-'))
  afterwards(t, () => rm(folder, { recursive: true, force: true }))
  const run = (program: string, ...words: string[]) => promisify(execFile)(program, words, { cwd: folder })
  const commit = async () => {
    await run('git', 'add', '--all')
    await run('git', ...'-c user.name=A -c user.email=a@example.com commit --quiet --message Change'.split(' '))
  }
  await promisify(execFile)('git', ['clone', '--quiet', root, folder])
  const listed = await promisify(execFile)('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 2 ** 24,
  })
  // what is not committed yet is tried too
  for (const path of listed.stdout.split('\0').filter((name) => name !== ''))
    await cp(join(root, path), join(folder, path)).catch(() => rm(join(folder, path), { force: true }))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const release = (...words: string[]) => run('node', '--import', 'tsx', 'scripts/release.ts', ...words)
  await release('--next', '99.0.0')
  const page = join(folder, 'CHANGELOG.md')
  const text = await readFile(page, 'utf8')
  const untold = text.replace(toldOf(text, '99.0.0'), '')
  await writeFile(page, untold)
  await commit()
  const refused = await release().catch((error) => error)
  if (/--unshallow/.test(refused.stderr)) return t.skip(refused.stderr)
  assert.equal(refused.code, 1)
  // nor was anything generated anew
  assert.match(
    refused.stderr,
    /CHANGELOG\.md tells nothing of 99\.0\.0\.\n[\s\S]*is out of date[\s\S]*\nNothing was changed\.\n$/,
  )
  assert.equal((await run('git', 'status', '--porcelain')).stdout, '')

  await writeFile(page, untold.replace(' - unreleased\n', ' - unreleased\n\n### Changed\n\n- All.\n'))
  await run('node', '--import', 'tsx', 'scripts/generate.ts')
  await commit()
  const made = await release()
  assert.match(made.stdout, /^99\.0\.0 is in .*\/release\/99\.0\.0\. .*git tag -a v99\.0\.0/)
  const directory = join(folder, 'release/99.0.0')
  const packed = ['taskwright', 'taskwright-cli', 'taskwright-client'].map((name) => `${name}-99.0.0`)
  const files = packed.flatMap((name) => [`${name}.tgz`, `${name}.cdx.json`])
  assert.deepEqual((await readdir(directory)).sort(), [...files, 'NOTES.md', 'SHA256SUMS', 'openapi.json'].sort())
  await promisify(execFile)('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: directory })
  const changed = (await run('git', 'diff', '--name-only')).stdout.trim().split('\n')
  const guide = 'server/docs-page/guides/changelog.html'
  assert.deepEqual(changed, ['CHANGELOG.md', 'released.json', guide, 'server/openapi.released.json'])
  await run('node', '--import', 'tsx', 'scripts/generate.ts', '--check')
  const { commit: of } = JSON.parse(await readFile(join(folder, 'released.json'), 'utf8'))
  assert.equal(of, (await run('git', 'rev-parse', 'HEAD')).stdout.trim())
  const again = await release().catch((error) => error)
  assert.match(again.stderr, /^99\.0\.0 is out, and package\.json has 99\.0\.0/)
})
