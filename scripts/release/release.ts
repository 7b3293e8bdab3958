import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { allMigrations } from '../../server/src/for-tools.ts'
import { breaksOf } from '../compatibility/breaks.ts'
import { promisesOf } from '../compatibility/promises.ts'
import { promisesIn, recorded } from '../compatibility/record.ts'
import { pack } from '../packages/pack.mjs'
import { released } from './changelog.ts'
import { notesOf } from './notes.ts'
import { type LastRelease, type Plan, problemsOf } from './problems.ts'
import { sbomOf } from './sbom.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/**
 * Releases the current version: writes its date and promises into their files, and the files to publish into one directory.
 * @returns the directory; or, with nothing changed, the problems, one sentence each
 */
export async function release(now: Date): Promise<{ problems: string[] } | { directory: string; version: string }> {
  const plan = await planned()
  const problems = problemsOf(plan)
  if (problems.length > 0) return { problems }
  const { version } = plan
  const directory = join(root, 'release', version)
  const kept = {
    'CHANGELOG.md': released(plan.changelog, version, now),
    'server/openapi.released.json': recorded(promisesOf(JSON.parse(read('server/openapi.json')))),
    'released.json': `${JSON.stringify({ version, commit: git('rev-parse', 'HEAD') }, null, 2)}\n`,
  }
  const before = Object.keys(kept).map((path) => [path, read(path)] as const)
  try {
    for (const [path, text] of Object.entries(kept)) writeFileSync(join(root, path), text)
    const { status, stderr } = generate()
    if (status !== 0) throw new Error(stderr)
    fill(`${directory}.partial`, plan)
    rmSync(directory, { recursive: true, force: true })
    renameSync(`${directory}.partial`, directory)
  } catch (error) {
    for (const [path, text] of before) writeFileSync(join(root, path), text)
    generate()
    throw error
  }
  return { directory, version }
}

/** Writes the packages, their SBOMs, the notes, the API document, and the checksums of all. */
function fill(directory: string, plan: Plan): void {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  for (const { folder, file } of pack(directory)) {
    const sbom = basename(file).replace(/\.tgz$/, '.cdx.json')
    writeFileSync(join(directory, sbom), `${JSON.stringify(sbomOf(root, folder), null, 2)}\n`)
  }
  writeFileSync(join(directory, 'openapi.json'), read('server/openapi.json'))
  writeFileSync(join(directory, 'NOTES.md'), notesOf(plan))
  const sums = readdirSync(directory)
    .sort()
    .map((name) => `${sha256(readFileSync(join(directory, name)))}  ${name}\n`)
  writeFileSync(join(directory, 'SHA256SUMS'), sums.join(''))
}

async function planned(): Promise<Plan> {
  const { version } = JSON.parse(read('package.json'))
  const last: LastRelease = JSON.parse(read('released.json'))
  const commit = [`refs/tags/v${last.version}`, last.commit].find((name) => isThere(name))
  const known = commit === undefined ? [] : git('ls-tree', '--name-only', commit, 'server/migrations/').split('\n')
  const migrations = (await allMigrations()).filter(({ name }) => !known.includes(`server/migrations/${name}`))
  return {
    version,
    last,
    uncommitted: git('status', '--porcelain'),
    changelog: read('CHANGELOG.md'),
    changelogBefore: commit && git('show', `${commit}:CHANGELOG.md`),
    migrations: commit === undefined ? [] : migrations,
    breaks: breaksOf(
      promisesIn(read('server/openapi.released.json')),
      promisesOf(JSON.parse(read('server/openapi.json'))),
    ),
    stale: stale(),
    tagged: isThere(`refs/tags/v${version}`),
  }
}

/** The generated files that are out of date; they contain the version too. */
function stale(): string[] {
  const { status, stderr } = generate('--check')
  return status === 0 ? [] : stderr.trim().split('\n')
}

/** Runs the generator, because the documentation includes the changelog with the release date. */
function generate(...flags: string[]) {
  const words = ['--import', 'tsx', 'scripts/generate.ts', ...flags]
  return spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' })
}

const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()

const isThere = (name: string) =>
  spawnSync('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { cwd: root }).status === 0

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
